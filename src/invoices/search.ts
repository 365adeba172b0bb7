// Invoice search for the dashboard: by number, or by a part of the customer's name or the
// reference. A search first reads the newest invoices, which answers a broad one at once. A narrow
// one reads the list's indexes, which contain every searched column (100,000 entries take about
// 20 ms), so it needs no extension and makes no create more expensive.
import { query } from '../platform/db/connection.js';
import { containsPattern, cutPage } from '../platform/db/sql.js';
import { matchKey } from '../platform/values/text.js';
import { numberText, parseInvoiceNumber } from './queries.js';

/** Invoices that a search reads in list order before it reads the indexes: about 2 ms. */
const NEAR = 2_000;
/** Counting this many index entries takes about 2 ms. */
export const COUNT_LIMIT = 10_000;

/** A position in the list's order. */
export interface InvoicePlace {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The running number. */
  readonly number: string;
}

export interface InvoiceFilter {
  /** Part of the customer's name or the reference (ASCII letters in any case), or the number. */
  readonly text: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

export interface InvoiceSearch extends InvoiceFilter {
  readonly oldestFirst: boolean;
  readonly limit: number;
  /** Where the page starts or ends; null for the first page. */
  readonly at: { readonly place: InvoicePlace; readonly direction: 'after' | 'before' } | null;
}

export interface InvoiceRow {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly date: string;
  readonly customerName: string;
  readonly reference: string | null;
  /** Decimal text. */
  readonly total: string;
  readonly place: InvoicePlace;
}

export interface InvoicePage {
  readonly rows: readonly InvoiceRow[];
  /** Whether more invoices follow in the requested direction. */
  readonly hasMore: boolean;
}

/** Binds a value and returns its parameter. */
type Bind = (value: unknown) => string;

type FoundRow = Omit<InvoiceRow, 'place'> & { running: string };
const COLUMNS = `i.id,
  ${numberText} AS number,
  i.number AS running,
  i.status,
  i.date::text AS date,
  i.customer_name AS "customerName",
  i.reference,
  trim_scale(i.total)::text AS total`;

/** A page of matching invoices, by date and then by number, newest first unless asked otherwise. */
export async function searchInvoices(
  companyId: string,
  search: InvoiceSearch,
): Promise<InvoicePage> {
  const { at, limit, text, oldestFirst } = search;
  const isBefore = at?.direction === 'before';
  const isAscending = oldestFirst !== isBefore;
  const near = text === null ? [] : await nearRows(companyId, search, isAscending);
  const rows = near.length > limit ? near : await foundRows(companyId, search, isAscending);
  const page = cutPage(rows, limit);
  const listed = page.rows.map(({ running, ...row }) => ({
    ...row,
    place: { date: row.date, number: running },
  }));
  return { rows: isBefore ? listed.reverse() : listed, hasMore: page.last !== null };
}

/** The page's matches among the next NEAR invoices. It is the page if it is full. */
function nearRows(
  companyId: string,
  search: InvoiceSearch,
  isAscending: boolean,
): Promise<FoundRow[]> {
  const bind: unknown[] = [companyId, search.limit + 1];
  const value: Bind = bound => `$${bind.push(bound)}`;
  const order = orderOf('i', isAscending);
  return query<FoundRow>(
    `SELECT ${COLUMNS}
     FROM (
       SELECT *
       FROM invoices i
       WHERE ${pageRange(search, isAscending, value).join(' AND ')}
       ORDER BY ${order}
       LIMIT ${NEAR}
     ) i
     WHERE ${anyOf(matchesOf(search.text, value))}
     ORDER BY ${order}
     LIMIT $2`,
    bind,
  );
}

function foundRows(
  companyId: string,
  search: InvoiceSearch,
  isAscending: boolean,
): Promise<FoundRow[]> {
  const bind: unknown[] = [companyId, search.limit + 1];
  const value: Bind = bound => `$${bind.push(bound)}`;
  const range = pageRange(search, isAscending, value);
  const order = orderOf('i', isAscending);
  const found = matchesOf(search.text, value).map(
    condition =>
      `(${placesBy([...range, condition])} ORDER BY ${orderOf('f', isAscending)} LIMIT $2)`,
  );
  return query<FoundRow>(
    `${found.length === 0 ? '' : `WITH found AS (${found.join(' UNION ')})`}
     SELECT ${COLUMNS}
     FROM invoices i
     ${found.length === 0 ? '' : 'JOIN found USING (date, number)'}
     WHERE ${range.join(' AND ')}
     ORDER BY ${order}
     LIMIT $2`,
    bind,
  );
}

/**
 * How many invoices match, and how many of them are newer than a place. Null: more than
 * COUNT_LIMIT match.
 */
export async function countInvoices(
  companyId: string,
  filter: InvoiceFilter,
  { date, number }: InvoicePlace,
): Promise<{ total: number; newer: number } | null> {
  const bind: unknown[] = [companyId];
  const value: Bind = bound => `$${bind.push(bound)}`;
  const range = filterRange(filter, value);
  const matches = matchesOf(filter.text, value);
  const limit = `LIMIT ${COUNT_LIMIT + 1}`;
  const places =
    matches.length === 0
      ? placesBy(range)
      : matches.map(condition => `(${placesBy([...range, condition])} ${limit})`).join(' UNION ');
  const place = `(${value(date)}::date, ${value(number)}::bigint)`;
  const [row] = await query<{ total: number; newer: number }>(
    `SELECT count(*)::int AS total,
       count(*) FILTER (WHERE (date, number) > ${place})::int AS newer
     FROM (SELECT date, number FROM (${places}) found ${limit}) counted`,
    bind,
  );
  return row && row.total <= COUNT_LIMIT ? row : null;
}

/** Whether the company has any invoice. */
export async function hasInvoices(companyId: string): Promise<boolean> {
  return (
    (await query('SELECT 1 FROM invoices WHERE company_id = $1 LIMIT 1', [companyId])).length > 0
  );
}

/** The conditions of company ($1) and dates. Read the invoice as i. */
export function filterRange({ from, to }: InvoiceFilter, value: Bind): string[] {
  const range = ['i.company_id = $1'];
  if (from !== null) range.push(`i.date >= ${value(from)}::date`);
  if (to !== null) range.push(`i.date <= ${value(to)}::date`);
  return range;
}

function pageRange(search: InvoiceSearch, isAscending: boolean, value: Bind): string[] {
  const range = filterRange(search, value);
  if (search.at) {
    const { date, number } = search.at.place;
    const follows = isAscending ? '>' : '<';
    range.push(`(i.date, i.number) ${follows} (${value(date)}::date, ${value(number)}::bigint)`);
  }
  return range;
}

/** Qualified, because a bare name would be the output column, which is text. */
function orderOf(alias: string, isAscending: boolean): string {
  const direction = isAscending ? 'ASC' : 'DESC';
  return `${alias}.date ${direction}, ${alias}.number ${direction}`;
}

/**
 * The places of invoices that meet the conditions. OFFSET 0 makes the planner use the index that
 * contains the searched column instead of the one in list order.
 */
function placesBy(conditions: readonly string[]): string {
  return `SELECT date, number
    FROM (SELECT i.date, i.number FROM invoices i WHERE ${conditions.join(' AND ')} OFFSET 0) f`;
}

export function anyOf(conditions: readonly string[]): string {
  return `(${conditions.join(' OR ')})`;
}

/** The conditions of which an invoice must meet at least one; none without a text. */
export function matchesOf(text: string | null, value: Bind): string[] {
  if (text === null) return [];
  const like = (part: string) => value(containsPattern(part));
  const conditions = [
    `i.customer_key LIKE ${like(matchKey(text))}`,
    `i.reference IS NOT NULL AND lower(i.reference) LIKE lower(${like(text.trim())} COLLATE "C")`,
  ];
  // 12, INV-12 or INV-000012.
  const readings = parseInvoiceNumber(text.trim());
  if (readings.length > 0) {
    const numbers = value(readings.map(({ number }) => number));
    const prefixes = value(readings.map(({ prefix }) => prefix));
    conditions.push(`i.number = ANY(${numbers}::bigint[]) AND EXISTS (
      SELECT
      FROM unnest(${numbers}::bigint[], ${prefixes}::text[]) AS reading (number, prefix)
      WHERE reading.number = i.number
        AND lower(reading.prefix) IN ('', lower(i.number_prefix)))`);
  }
  return conditions;
}
