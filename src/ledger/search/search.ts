// Search of payments and credit notes for the dashboard, newest date first, then newest sequence:
// by customer, reference, external id, number and amount from the stored texts, and by the invoice
// that they were applied to.

import { parseInvoiceNumber } from '../../invoices/queries.js';
import { type Bind, bindFrom, hasNumber } from '../../invoices/search/conditions.js';
import { type TextQuery, textQuery } from '../../invoices/search/text-query.js';
import { positionsInTexts } from '../../invoices/search/texts.js';
import { readRows } from '../../platform/db/list-reads.js';
import {
  COUNT_LIMIT,
  type EntryPageSearch,
  type EntrySearch,
  entriesOf,
  type FoundEntries,
  type FoundEntry,
  type FoundType,
  ORDER,
  type Selected,
  startOf,
} from './entries.js';
import { findNewEntries } from './entry-texts.js';
import { nearEntries } from './near.js';

/** Entries that a short list reads first. Ten of them match a text that one in ten contains. */
const NEWEST = 150;

export async function searchEntries(
  companyId: string,
  search: EntryPageSearch,
): Promise<FoundEntries> {
  const { text } = search;
  const query = text === null ? null : textQuery(text);
  const found = query && (await readFound(companyId, search, query, COUNT_LIMIT));
  if (query && found?.isCut) {
    const near = await nearEntries(companyId, search, query, found.others);
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
  text: string,
  limit: number,
): Promise<FoundEntries> {
  const any = { text, from: null, to: null, unallocated: false, after: null };
  const search = { ...any, types: [type], limit };
  const query = textQuery(text);
  const numbered = await readNumbered(companyId, query);
  const near = await nearEntries(companyId, search, query, numbered, NEWEST);
  return near ?? searchEntries(companyId, search);
}

/** The sequences of all entries that a search with a text finds, newest first. */
export async function foundSequences(
  companyId: string,
  search: EntrySearch,
  text: string,
): Promise<string[]> {
  const query = textQuery(text);
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

/** The sequences that a text finds, in any order. */
interface FoundBySource {
  /** From the stored texts. */
  readonly stored: readonly string[];
  /** True if `stored` ends at the limit. */
  readonly isCut: boolean;
  /** Of entries without a stored text, and by the numbers of invoices and credit notes. */
  readonly others: readonly string[];
}

async function readFound(
  companyId: string,
  { types }: EntrySearch,
  query: TextQuery,
  limit: number | null,
): Promise<FoundBySource> {
  // Before the stored texts are read, because an entry gets its text at any time.
  const newest = await findNewEntries(companyId, query);
  const [bind, value] = bindFrom(companyId);
  // One text for all: the driver takes as long for a row as for a kilobyte.
  const stored = readRows<{ sequences: string | null }>(
    companyId,
    `SELECT string_agg(position::text, ',') AS sequences
     FROM (
       SELECT position
       FROM (${positionsInTexts(types, query, value)}) t
       LIMIT ${limit ?? 'ALL'}
     ) t`,
    bind,
  );
  const [[row], numbered] = await Promise.all([stored, readNumbered(companyId, query)]);
  const sequences = row?.sequences?.split(',') ?? [];
  return {
    stored: sequences,
    isCut: sequences.length === limit,
    others: [...newest, ...numbered],
  };
}

function selectedBy(
  { types }: EntrySearch,
  query: TextQuery,
  { stored, isCut, others }: FoundBySource,
): Selected {
  if (!isCut) return value => `SELECT unnest(${value([...stored, ...others])}::bigint[])`;
  return value => `
    SELECT position FROM (${positionsInTexts(types, query, value)}) t
    UNION ALL
    SELECT unnest(${value(others)}::bigint[])`;
}

/** The sequences of entries by an invoice's number, or a credit note's own. */
async function readNumbered(companyId: string, { text }: TextQuery): Promise<string[]> {
  const isInvoice = hasNumber(text);
  if (isInvoice === null) return [];
  const [bind, value] = bindFrom(companyId);
  const rows = await readRows<{ sequence: string }>(
    companyId,
    `${appliedTo(isInvoice(value))} UNION ALL ${numberedNotes(text, value)}`,
    bind,
  );
  return rows.map(({ sequence }) => sequence);
}

/** The newest entries of a type by an invoice's number, or a credit note's own. */
export async function entriesNumbered(
  companyId: string,
  type: FoundType,
  text: string,
  limit: number,
): Promise<FoundEntry[]> {
  const sequences = await readNumbered(companyId, textQuery(text));
  if (sequences.length === 0) return [];
  return readRows<FoundEntry>(
    companyId,
    `SELECT e.id, e.type, e.body
     FROM entries e
     WHERE e.company_id = $1 AND e.type = $2 AND e.sequence = ANY($3::bigint[])
     ORDER BY ${ORDER}
     LIMIT $4`,
    [companyId, type, sequences, limit],
  );
}

/** SQL for the sequences of what invoices got, even if it was taken back later. */
function appliedTo(isInvoice: string): string {
  return `
    SELECT s.sequence
    FROM invoices i
    JOIN allocations a ON a.company_id = $1 AND a.invoice_id = i.id
    JOIN entries s ON s.company_id = $1 AND s.id = a.source_id
    WHERE i.company_id = $1 AND ${isInvoice}
    UNION ALL
    SELECT n.sequence
    FROM invoices i
    JOIN entries n ON n.company_id = $1 AND n.invoice_id = i.id
    WHERE i.company_id = $1 AND ${isInvoice}`;
}

/** SQL for the sequences of the credit notes with a number such as 12, CN-12 or CN-000012. */
function numberedNotes(text: string, value: Bind): string {
  const readings = parseInvoiceNumber(text);
  const numbers = value(readings.map(({ number }) => number));
  const prefixes = value(readings.map(({ prefix }) => prefix));
  return `
    SELECT n.sequence
    FROM unnest(${numbers}::bigint[], ${prefixes}::text[]) AS reading (number, prefix)
    JOIN entries n ON n.company_id = $1 AND n.number = reading.number
    WHERE lower(reading.prefix) IN ('', lower(n.number_prefix))`;
}

function readPage(
  companyId: string,
  search: EntryPageSearch,
  selected: Selected | null,
): Promise<FoundEntry[]> {
  const [bind, value] = bindFrom(companyId, search.limit + 1);
  const start = startOf(search, value);
  const end = `ORDER BY ${ORDER} LIMIT $2`;
  return readRows<FoundEntry>(
    companyId,
    `SELECT e.id, e.type, e.body
     FROM (${entriesOf(search, selected, value, start, end)}) e
     ${end}`,
    bind,
  );
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
       count(*) FILTER (WHERE (date, sequence) >= (
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
