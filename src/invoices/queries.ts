// Reading invoices. An issued invoice never changes: its JSON text was stored when it was posted, and reading copies it.
import { type RowRef, readCurrentRows, readImmutable } from '../companies/consistent-reads.js';
import { Batcher } from '../platform/async/batch.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { lateral, timeJson } from '../platform/db/sql.js';
import { type Page, pageOf } from '../platform/http/pagination.js';
import { matchKey } from '../platform/values/text.js';
import { type InvoiceQuery, MAX_PAGE } from './schema.js';

/** INV-000001: the prefix and at least six digits. */
const NUMBER_DIGITS = 6;
/** With the invoices row as i. */
export const numberText = `i.number_prefix || lpad(i.number::text, greatest(${NUMBER_DIGITS}, length(i.number::text)), '0')`;

/** Digits that always fit in a bigint. */
const MAX_BIGINT_DIGITS = 18;

/**
 * Every way to read a text as a prefix and a running number. A prefix may end in digits: INV2026000001 may be the first
 * invoice under INV2026, or number 2026000001 under INV.
 */
export function parseInvoiceNumber(text: string): { prefix: string; number: string }[] {
  const digits = /\d*$/u.exec(text)?.[0] ?? '';
  const start = text.length - digits.length;
  return Array.from(digits, (_, at) => ({
    prefix: text.slice(0, start + at),
    number: digits.slice(at).replace(/^0+/u, ''),
  })).filter(({ number }) => number !== '' && number.length <= MAX_BIGINT_DIGITS);
}

/**
 * The one definition of an invoice's JSON, with the invoices row as i and SQL for its lines' JSON: for posting, which
 * stores it as invoices.body, and for verify.
 */
export const invoiceJson = (
  items: string,
) => `(SELECT row_to_json(r)::text FROM (SELECT i.id, ${numberText} AS number,
  i.status, i.customer_name AS "customerName", i.date, trim(i.currency) AS currency, ${items} AS items,
  trim_scale(i.total) AS total, i.reference, ${timeJson('i.created_at')} AS "createdAt") r)`;

/** The one definition of a line's JSON, with its values as l. */
export const lineJson = `(SELECT row_to_json(r)::text FROM (SELECT l.name, l.sku, trim_scale(l.qty) AS qty,
  trim_scale(l.price) AS price, trim_scale(l.amount) AS amount, l."itemId") r)`;

/** An invoice's JSON text, null where the company has no such invoice. */
export function findInvoice(companyId: string, id: string): Promise<string | null> {
  return found.submit({ companyId, id });
}

/** What is looked up while other look-ups are under way rides together: a round trip costs more than a row. */
const found = new Batcher<RowRef, string | null>(
  async refs => {
    const rows = await readImmutable<{ place: string; body: string }>(
      `SELECT w.place, i.body FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS w (company_id, id, place),
         ${lateral('invoices', 'i', 'company_id', 'id')}`,
      refs,
    );
    return rows.map(row => row?.body ?? null);
  },
  { maxSize: 100, maxInFlight: 3 },
);

/** The numbers of invoices, as they are written, by id. */
export async function findInvoiceNumbers(
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; number: string }>(
    `SELECT i.id, ${numberText} AS number FROM invoices i WHERE i.company_id = $1 AND i.id = ANY($2::uuid[])`,
    [companyId, ids],
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** Invoices by date, then creation, both descending, from after `position`. */
export async function listInvoices(
  companyId: string,
  filter: InvoiceQuery,
  position: string[] | undefined,
): Promise<Page> {
  const { sql, bind } = listStatement(companyId, filter, position);
  const rows = await readCurrentRows<{ body: string; date: string; number: string }>(
    companyId,
    sql,
    bind,
  );
  return pageOf(rows, filter.limit, ({ date, number }) => [date, number]);
}

/** The statement of a page: a row an invoice, with its JSON text and its place in the order, and one more where more follow. */
export function listStatement(
  companyId: string,
  filter: InvoiceQuery,
  position: string[] | undefined,
): { sql: string; bind: unknown[] } {
  const bind: unknown[] = [companyId, filter.limit];
  const where = ['i.company_id = $1'];
  const add = (condition: (value: string) => string, value: unknown) =>
    where.push(condition(`$${bind.push(value)}`));
  if (filter.from !== undefined) add(value => `i.date >= ${value}::date`, filter.from);
  if (filter.to !== undefined) add(value => `i.date <= ${value}::date`, filter.to);
  if (filter.customerName !== undefined)
    add(value => `i.customer_key = ${value}`, matchKey(filter.customerName));
  if (filter.reference !== undefined) add(value => `i.reference = ${value}`, filter.reference);
  if (filter.number !== undefined) {
    // The running number finds the row by its unique index; the whole text decides.
    add(
      value => `i.number = ANY(${value}::bigint[])`,
      parseInvoiceNumber(filter.number).map(({ number }) => number),
    );
    add(value => `${numberText} = ${value}`, filter.number);
  }
  if (position)
    add(
      value => `(i.date, i.number) < (${value}::date, $${bind.push(position[1])}::bigint)`,
      position[0],
    );
  // The inner limit is for the planner. Not knowing $2, it would expect a tenth of the company's invoices, find that dear
  // and plan each list of 50 anew, which took a quarter as long as reading it.
  const order = 'ORDER BY i.date DESC, i.number DESC';
  const sql = `SELECT i.body, i.date::text AS date, i.number
     FROM (SELECT i.date, i.number, i.body FROM invoices i WHERE ${where.join(' AND ')} ${order} LIMIT ${MAX_PAGE + 1}) i
     ${order} LIMIT $2 + 1`;
  return { sql, bind };
}

/** The JSON texts of invoices by id. */
export async function invoiceBodies(
  results: readonly { companyId: string; resultId: string }[],
  tx?: Transaction,
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; body: string }>(
    `SELECT i.id, i.body
     FROM unnest($1::uuid[], $2::uuid[]) AS w (company_id, id), ${lateral('invoices', 'i', 'company_id', 'id')}`,
    [results.map(({ companyId }) => companyId), results.map(({ resultId }) => resultId)],
    tx,
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** When each company's newest invoice was made, for those that have one. */
export async function lastInvoiceTimes(
  companyIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query<{ companyId: string; at: string }>(
    `SELECT w.company_id AS "companyId", ${timeJson('i.created_at')} AS at FROM unnest($1::uuid[]) AS w (company_id),
       LATERAL (SELECT created_at FROM invoices t WHERE t.company_id = w.company_id ORDER BY t.number DESC LIMIT 1) i`,
    [companyIds],
  );
  return new Map(rows.map(({ companyId, at }) => [companyId, at]));
}
