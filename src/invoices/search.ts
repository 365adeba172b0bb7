// Finding invoices the way people look for them: by a part of the customer's name, by number or by a part of the reference.
// What is searched stands in the list's indexes, so they alone are read (100,000 entries take some 20 ms), no extension is
// needed, and creating an invoice costs nothing more.
import { query } from '../platform/db/connection.js';
import { containsPattern } from '../platform/db/sql.js';
import { matchKey } from '../platform/values/text.js';
import { numberText, parseInvoiceNumber } from './queries.js';

/** A place in the list's order. */
export interface InvoicePlace {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The running number. */
  readonly number: string;
}

export interface InvoiceSearch {
  /** What was typed: a part of the customer's name or of the reference (ASCII letters in any case), or the number. */
  readonly text: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
  /** Where the page lies; null for the first one. */
  readonly at: { readonly place: InvoicePlace; readonly direction: 'after' | 'before' } | null;
}

export interface InvoiceRow {
  readonly id: string;
  readonly number: string;
  readonly date: string;
  readonly customerName: string;
  readonly reference: string | null;
  /** Decimal text. */
  readonly total: string;
  readonly place: InvoicePlace;
}

export interface InvoicePage {
  readonly rows: readonly InvoiceRow[];
  /** True where more lie beyond the page, in the direction that was asked. */
  readonly hasMore: boolean;
}

/** Invoices by date, then creation, both descending: the API's order. */
export async function searchInvoices(
  companyId: string,
  search: InvoiceSearch,
): Promise<InvoicePage> {
  const { at, limit } = search;
  const isBefore = at?.direction === 'before';
  const bind: unknown[] = [companyId, limit + 1];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  const range = ['i.company_id = $1'];
  if (search.from !== null) range.push(`i.date >= ${value(search.from)}::date`);
  if (search.to !== null) range.push(`i.date <= ${value(search.to)}::date`);
  if (at) {
    const { date, number } = at.place;
    range.push(
      `(i.date, i.number) ${isBefore ? '>' : '<'} (${value(date)}::date, ${value(number)}::bigint)`,
    );
  }
  const direction = isBefore ? 'ASC' : 'DESC';
  const order = `ORDER BY date ${direction}, number ${direction} LIMIT $2`;
  const found = search.text === null ? null : matches(search.text, value);
  const rows = await query<Omit<InvoiceRow, 'place'> & { running: string }>(
    `${found === null ? '' : `WITH found AS (${found.map(condition => foundBy(range, condition, order)).join(' UNION ')})`}
     SELECT i.id, ${numberText} AS number, i.number AS running, i.date::text AS date, i.customer_name AS "customerName",
       i.reference, trim_scale(i.total)::text AS total
     FROM invoices i ${found === null ? '' : 'JOIN found USING (date, number)'}
     WHERE ${range.join(' AND ')} ORDER BY i.date ${direction}, i.number ${direction} LIMIT $2`,
    bind,
  );
  const page = rows
    .slice(0, limit)
    .map(({ running, ...row }) => ({ ...row, place: { date: row.date, number: running } }));
  return { rows: isBefore ? page.reverse() : page, hasMore: rows.length > limit };
}

/** True where the company has any invoice. */
export async function hasInvoices(companyId: string): Promise<boolean> {
  return (
    (await query('SELECT 1 FROM invoices WHERE company_id = $1 LIMIT 1', [companyId])).length > 0
  );
}

/** The first places that one condition finds. OFFSET 0: the index that has the condition's columns, and not the list's. */
function foundBy(range: readonly string[], condition: string, order: string): string {
  const where = [...range, condition].join(' AND ');
  return `(SELECT date, number FROM (SELECT i.date, i.number FROM invoices i WHERE ${where} OFFSET 0) f ${order})`;
}

function matches(text: string, value: (bound: unknown) => string): string[] {
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
      SELECT FROM unnest(${numbers}::bigint[], ${prefixes}::text[]) AS r (number, prefix)
      WHERE r.number = i.number AND lower(r.prefix) IN ('', lower(i.number_prefix)))`);
  }
  return conditions;
}
