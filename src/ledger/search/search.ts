// Search of payments and credit notes for the dashboard, newest date first, then newest sequence:
// by customer, reference, external id, number and amount from the stored texts, and by the invoice
// that they were applied to.

import { searchQuery } from '../../customers/names/search-words.js';
import { bindFrom } from '../../invoices/search/conditions.js';
import { queryOne } from '../../platform/db/connection.js';
import { COUNT_LIMIT, readRows } from '../../platform/db/list-reads.js';
import type { TextQuery } from '../../search/text-query.js';
import { positionsInTexts } from '../../search/texts.js';
import {
  type EntryPageSearch,
  type EntrySearch,
  entriesFrom,
  entriesOf,
  entryOrderOf,
  type FoundEntries,
  type FoundEntry,
  type FoundType,
  ORDER,
  type Selected,
} from './entries.js';
import { TEXT_KINDS } from './entry-texts.js';
import {
  type EntryPosition,
  type FoundBySource,
  readFound,
  readNumbered,
  sequencesIn,
} from './found.js';
import { nearEntries } from './near.js';

/** Entries that a short list reads first, in some 5 ms. */
const NEWEST = 300;

export async function searchEntries(
  companyId: string,
  search: EntryPageSearch,
  searched?: TextQuery,
): Promise<FoundEntries> {
  const { text } = search;
  const query = searched ?? (text === null ? null : await searchQuery(companyId, text));
  const found = query && (await readFound(companyId, search, query, COUNT_LIMIT));
  if (found && !found.isCut && !search.unallocated) return readFoundPage(companyId, search, found);
  if (query && found?.isCut) {
    const others = found.others.map(({ sequence }) => sequence);
    const near = await nearEntries(companyId, search, query, others);
    if (near) return near;
  }
  const selected = query && found && selectedBy(search, query, found);
  const [rows, counts] = await Promise.all([
    readPage(companyId, search, selected),
    found?.isCut && !search.unallocated ? MANY : countEntries(companyId, search, selected),
  ]);
  return { rows, ...counts };
}

/**
 * The newest entries of a type that a text finds, for a short list. The matches of a text that many
 * of the newest entries contain are not counted, which would take much longer.
 */
export async function searchNewestEntries(
  companyId: string,
  type: FoundType,
  query: TextQuery,
  limit: number,
): Promise<FoundEntries> {
  const { text } = query;
  const any = { text, from: null, to: null, unallocated: false, after: null };
  const search = { ...any, types: [type], limit };
  const numbered = (await readNumbered(companyId, text)).map(({ sequence }) => sequence);
  const near = await nearEntries(companyId, search, query, numbered, NEWEST);
  return near ?? searchEntries(companyId, search, query);
}

/** The sequences of all entries that a search with a text finds, newest first. */
export async function foundSequences(
  companyId: string,
  search: EntrySearch,
  text: string,
): Promise<string[]> {
  const query = await searchQuery(companyId, text);
  const found = await readFound(companyId, search, query, null);
  const [bind, value] = bindFrom(companyId);
  const rows = await readRows<{ sequence: string }>(
    companyId,
    `SELECT e.sequence
     FROM (${entriesOf(search, selectedBy(search, query, found), value)}) e
     ORDER BY ${ORDER}`,
    bind,
  );
  return rows.map(({ sequence }) => sequence);
}

/** The page and the counts of entries that are all known, without reading the others. */
async function readFoundPage(
  companyId: string,
  { types, from, to, after, limit }: EntryPageSearch,
  { stored, others }: FoundBySource,
): Promise<FoundEntries> {
  const listed = others.filter(({ type }) => types.some(each => each === type));
  const all = new Map([...stored, ...listed].map(position => [position.sequence, position]));
  const found = [...all.values()]
    .filter(({ date }) => (from === null || date >= from) && (to === null || date <= to))
    .sort(newestFirst);
  const start = await readPosition(companyId, after);
  const before = start ? found.filter(position => newestFirst(position, start) <= 0).length : 0;
  const sequences = found.slice(before, before + limit + 1).map(({ sequence }) => sequence);
  const rows = await readRows<FoundEntry>(
    companyId,
    `SELECT e.id, e.type, e.body
     FROM entries e
     WHERE e.company_id = $1 AND e.sequence = ANY($2::bigint[])
     ORDER BY ${ORDER}`,
    [companyId, sequences],
  );
  const isMany = found.length > COUNT_LIMIT;
  return { rows, total: isMany ? null : found.length, before, unallocated: null };
}

/** Null for the start of the first page. */
async function readPosition(companyId: string, id: string | null): Promise<EntryPosition | null> {
  if (id === null) return null;
  return queryOne<EntryPosition>(
    'SELECT sequence, date::text AS date FROM entries WHERE company_id = $1 AND id = $2',
    [companyId, id],
  );
}

function newestFirst(a: EntryPosition, b: EntryPosition): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  return Number(b.sequence) - Number(a.sequence);
}

function selectedBy(
  { types }: EntrySearch,
  query: TextQuery,
  { stored, isCut, others }: FoundBySource,
): Selected {
  if (!isCut) return sequencesIn([...stored, ...others]);
  return value => `
    SELECT position FROM (${positionsInTexts(
      types.map(type => TEXT_KINDS[type]),
      query,
      value,
    )}) t
    UNION ALL
    ${sequencesIn(others)(value)}`;
}

/** The newest entries of a type by an invoice's number, or a credit note's own. */
export async function entriesNumbered(
  companyId: string,
  type: FoundType,
  text: string,
  limit: number,
): Promise<FoundEntry[]> {
  const numbered = await readNumbered(companyId, text.trim());
  if (numbered.length === 0) return [];
  return readRows<FoundEntry>(
    companyId,
    `SELECT e.id, e.type, e.body
     FROM entries e
     WHERE e.company_id = $1 AND e.type = $2 AND e.sequence = ANY($3::bigint[])
     ORDER BY ${ORDER}
     LIMIT $4`,
    [companyId, type, numbered.map(({ sequence }) => sequence), limit],
  );
}

function readPage(
  companyId: string,
  search: EntryPageSearch,
  selected: Selected | null,
): Promise<FoundEntry[]> {
  const { sql, bind } = entryPageStatement(companyId, search, selected);
  return readRows<FoundEntry>(companyId, sql, bind);
}

/** The statement of a page of entries. Without a text it reads no more rows than the page has. */
export function entryPageStatement(
  companyId: string,
  search: EntryPageSearch,
  selected: Selected | null,
): { readonly sql: string; readonly bind: unknown[] } {
  const [bind, value] = bindFrom(companyId, search.limit + 1);
  const start = entriesFrom(search, value);
  const end = `ORDER BY ${entryOrderOf(search).order} LIMIT $2`;
  const sql = `
    SELECT e.id, e.type, e.body
    FROM (${entriesOf(search, selected, value, start, end)}) e
    ${end}`;
  return { sql, bind };
}

type Counts = Omit<FoundEntries, 'rows'>;
const MANY: Counts = { total: null, before: null, unallocated: null };

async function countEntries(
  companyId: string,
  search: EntryPageSearch,
  selected: Selected | null,
): Promise<Counts> {
  const [bind, value] = bindFrom(companyId, search.after);
  // The sum of unallocated money is exact, however many entries have some.
  const limit = search.unallocated ? '' : `LIMIT ${COUNT_LIMIT + 1}`;
  const [row] = await readRows<{ total: number; before: number; unallocated: string }>(
    companyId,
    `SELECT count(*)::int AS total,
       count(*) FILTER (WHERE (date, sequence) ${entryOrderOf(search).precedes} (
         SELECT date, sequence FROM entries WHERE company_id = $1 AND id = $2::uuid
       ))::int AS before,
       trim_scale(COALESCE(sum(unallocated), 0))::text AS unallocated
     FROM (
       SELECT e.date, e.sequence, e.unallocated
       FROM (${entriesOf(search, selected, value)}) e
       ${limit}
     ) counted`,
    bind,
  );
  const { total, before, unallocated } = row ?? { total: 0, before: 0, unallocated: '0' };
  const isMany = !search.unallocated && total > COUNT_LIMIT;
  return {
    total: isMany ? null : total,
    before: isMany && search.after !== null ? null : before,
    unallocated: search.unallocated ? unallocated : null,
  };
}
