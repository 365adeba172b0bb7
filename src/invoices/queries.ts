// Invoice queries. An invoice's JSON text is stored at posting, entries change it with the row, and
// every query returns that text.
import { type ShownActor, shownActor } from '../companies/actor.js';
import { type RowRef, readCurrentRows } from '../companies/consistent-reads.js';
import { Batcher } from '../platform/async/batch.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { lookUpOne, timeJson } from '../platform/db/sql.js';
import { asIssued, fullNumberSql } from './invoice-json.js';

/** SQL for an invoice's full number. Reads the invoices row as i. */
export const numberText = fullNumberSql('i');

/**
 * SQL for an invoice's order number, without reading its whole JSON, which may be damaged. In a
 * text, the quotes of a member's name would be escaped.
 */
export const orderReferenceText = `(
  substring(i.body from '"orderReference":("(?:[^"\\\\]|\\\\.)*")')::json #>> '{}'
)`;

/** A number with this many digits always fits in a bigint. */
const MAX_BIGINT_DIGITS = 18;

/**
 * Every split of a text into a prefix and a running number. A prefix may end in digits, so
 * INV2026000001 is either number 1 under INV2026 or number 2026000001 under INV.
 */
export function parseInvoiceNumber(text: string): { prefix: string; number: string }[] {
  const digits = /\d*$/u.exec(text)?.[0] ?? '';
  const start = text.length - digits.length;
  return Array.from(digits, (_, index) => ({
    prefix: text.slice(0, start + index),
    number: digits.slice(index).replace(/^0+/u, ''),
  })).filter(({ number }) => number !== '' && number.length <= MAX_BIGINT_DIGITS);
}

/** An invoice's JSON text, or null if the company has no such invoice. */
export function findInvoice(companyId: string, id: string): Promise<string | null> {
  return lookups.submit({ companyId, id });
}

/** Lookups that arrive while others run share a query: a round trip costs more than a row. */
const lookups = new Batcher<RowRef, string | null>(
  async refs => {
    const rows = await readCurrentRows<{ position: string; body: string }>(
      `SELECT wanted.position, i.body
       FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted (company_id, id, position),
         ${lookUpOne('invoices', 'i', 'company_id = wanted.company_id AND id = wanted.id')}`,
      refs,
    );
    return rows.map(row => row?.body ?? null);
  },
  { maxSize: 100, maxInFlight: 3 },
);

/** True if the company has the invoice and it is void. */
export async function isVoid(companyId: string, id: string, tx: Transaction): Promise<boolean> {
  const [row] = await query<{ status: string }>(
    'SELECT status FROM invoices WHERE company_id = $1 AND id = $2',
    [companyId, id],
    tx,
  );
  return row?.status === 'void';
}

export interface InvoiceSource {
  /** The full number, such as INV-000001. */
  readonly number: string;
  readonly createdBy: ShownActor | null;
}

/** The numbers of invoices and who created them, by invoice id. */
export async function findInvoiceSources(
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, InvoiceSource>> {
  const rows = await query<InvoiceSource & { id: string }>(
    `SELECT i.id, ${numberText} AS number, ${shownActor('i')} AS "createdBy"
     FROM invoices i
     WHERE i.company_id = $1 AND i.id = ANY($2::uuid[])`,
    [companyId, ids],
  );
  return new Map(rows.map(row => [row.id, row]));
}

/** Invoices' JSON texts by id, as they were issued: for the answers of creates and replays. */
export async function invoiceBodies(
  results: readonly { companyId: string; resultId: string }[],
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; body: string; total: string }>(
    `SELECT i.id, i.body, trim_scale(i.total)::text AS total
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, id),
       ${lookUpOne('invoices', 'i', 'company_id = wanted.company_id AND id = wanted.id')}`,
    [results.map(({ companyId }) => companyId), results.map(({ resultId }) => resultId)],
  );
  return new Map(rows.map(({ id, body, total }) => [id, asIssued(body, total)]));
}

/** When each company last created an invoice or moved stock; one without either is absent. */
export async function lastActivityTimes(
  companyIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query<{ companyId: string; at: string }>(
    `SELECT company.id AS "companyId",
       ${timeJson('greatest(invoice.created_at, adjustment.created_at)')} AS at
     FROM unnest($1::uuid[]) AS company (id)
     LEFT JOIN LATERAL (
       SELECT created_at FROM invoices WHERE company_id = company.id ORDER BY number DESC LIMIT 1
     ) invoice ON true
     LEFT JOIN LATERAL (
       SELECT created_at FROM adjustments WHERE company_id = company.id ORDER BY id DESC LIMIT 1
     ) adjustment ON true
     WHERE invoice.created_at IS NOT NULL OR adjustment.created_at IS NOT NULL`,
    [companyIds],
  );
  return new Map(rows.map(({ companyId, at }) => [companyId, at]));
}
