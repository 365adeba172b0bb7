// Lists that are asked for texts. The stored texts and the newest rows say which rows may have
// them; the JSON of a row decides. If very many rows may have them, a page looks through the next
// rows of the list.
import type { ListStatement } from '../../companies/consistent-reads.js';
import { searchQuery } from '../../customers/names/search-words.js';
import { COUNT_LIMIT, inSearchTurn, readRows } from '../../platform/db/list-reads.js';
import type { Page } from '../../platform/http/pagination.js';
import { foldText } from '../../platform/values/folded-text.js';
import { matchKey } from '../../platform/values/text.js';
import { type SearchedWord, type TextQuery, textQuery } from '../../search/text-query.js';
import { hasTexts, isFound, positionsInTexts, type TextKind } from '../../search/texts.js';

/** The filters by text that lists of invoices and entries share. */
export interface TextFilters {
  readonly q?: string;
  readonly reference?: string;
  readonly orderReference?: string;
}

/** The texts that a list is asked for. */
export interface Texts {
  readonly query: TextQuery;
  /** Whether the JSON of a row has them. */
  readonly matches: (body: string) => boolean;
}

/** Null if a list is asked for none. */
export async function requestedTexts(
  companyId: string,
  { q, reference, orderReference }: TextFilters,
): Promise<Texts | null> {
  const exact = Object.entries({ reference, orderReference }).flatMap(([name, text]) =>
    text === undefined ? [] : [{ name: name as keyof SearchedJson, key: matchKey(text) }],
  );
  if (q === undefined && exact.length === 0) return null;
  const { words, whole }: TextQuery =
    q === undefined ? { ...textQuery(''), words: [] } : await searchQuery(companyId, q, false);
  const named = exact.map(({ key }): SearchedWord => {
    return { folded: foldText(key), isWhole: true, phone: null, amounts: [], customers: [] };
  });
  const matches = (body: string) => {
    const json = JSON.parse(body) as SearchedJson;
    return (
      exact.every(({ name, key }) => isEqual(json[name], key)) &&
      isFound({ text: q ?? '', words, whole }, rowOf(json))
    );
  };
  const hasBoth = named.length > 0 && whole !== null;
  const query = hasBoth ? { words: named, whole: null } : { words: [...words, ...named], whole };
  return { query: { text: q ?? '', ...query }, matches };
}

/** The texts in the JSON of an invoice, payment, refund or credit note. */
interface SearchedJson {
  readonly customerName: string;
  readonly number?: string;
  readonly invoiceNumber?: string;
  readonly reference?: string | null;
  readonly orderReference?: string | null;
  readonly externalId?: string | null;
  readonly items?: readonly { readonly name: string; readonly sku: string | null }[];
  readonly allocations?: readonly { readonly invoiceNumber: string }[];
}

function isEqual(value: unknown, key: string): boolean {
  return typeof value === 'string' && matchKey(value) === key;
}

function rowOf({ customerName, items = [], allocations = [], ...json }: SearchedJson) {
  const texts = [
    ...[json.number, json.invoiceNumber, json.reference, json.orderReference, json.externalId],
    ...items.flatMap(({ name, sku }) => [name, sku]),
    ...allocations.map(({ invoiceNumber }) => invoiceNumber),
  ].filter(text => typeof text === 'string');
  const customerKey = matchKey(customerName);
  return { companyId: '', position: '', date: '', amount: '0', customerKey, texts };
}

/**
 * The positions of the rows of a kind that may have the texts: those with a stored text, and
 * `others`. Null if there are more than COUNT_LIMIT, or if older rows have no stored text yet.
 */
export function candidates(
  companyId: string,
  kind: TextKind,
  query: TextQuery,
  others: readonly string[],
): Promise<readonly string[] | null> {
  return inSearchTurn(companyId, [kind, query, others], async () => {
    if (!(await hasTexts(companyId))) return null;
    const bind: unknown[] = [companyId];
    // One text for all: the driver takes as long for a row as for a kilobyte.
    const [row] = await readRows<{ positions: string | null }>(
      companyId,
      `SELECT string_agg(position::text, ',') AS positions
       FROM (
         SELECT position
         FROM (${positionsInTexts([kind], query, bound => `$${bind.push(bound)}`)}) t
         LIMIT ${COUNT_LIMIT + 1}
       ) t`,
      bind,
    );
    const found = [...new Set([...(row?.positions?.split(',') ?? []), ...others])];
    return found.length > COUNT_LIMIT ? null : found;
  });
}

/** Rows per statement, and statements per page. */
const READ_ROWS = 200;
const READS_MAX = 5;

/** The page of the rows that match, among the next rows of a list whose positions are ids. */
export async function matchingPage(
  companyId: string,
  statementAt: (limit: number, position: string[] | undefined) => ListStatement,
  matches: (body: string) => boolean,
  limit: number,
  position: string[] | undefined,
): Promise<Page> {
  const found: string[] = [];
  const pageTo = (next: string[] | null): Page => ({ body: `[${found.join(',')}]`, next });
  const positionOf = (body: string | undefined) =>
    body === undefined ? undefined : [(JSON.parse(body) as { id: string }).id];
  let at = position;
  for (let count = 0; count < READS_MAX; count += 1) {
    const { sql, bind, walkEnd } = statementAt(READ_ROWS, at);
    // JSON texts have no line feeds.
    const [row] = await readRows<{ bodies: string | null; end: string[] | null }>(
      companyId,
      `SELECT string_agg(body, E'\\n') AS bodies,
         CASE WHEN count(*) <= $2 THEN (${walkEnd ?? 'NULL::json'}) END AS "end"
       FROM (${sql}) row`,
      bind,
    );
    const bodies = row?.bodies?.split('\n') ?? [];
    for (const body of bodies.slice(0, READ_ROWS)) {
      if (!matches(body)) continue;
      if (found.length === limit) return pageTo(positionOf(found.at(-1)) ?? null);
      found.push(body);
    }
    if (bodies.length <= READ_ROWS) return pageTo(row?.end ?? null);
    at = positionOf(bodies[READ_ROWS - 1]);
  }
  return pageTo(at ?? null);
}
