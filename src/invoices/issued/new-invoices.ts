// Reads the new invoices of many companies in bounded steps, for what follows posting: the
// summary's fold and the audit.
import { query, type Transaction } from '../../platform/db/connection.js';
import { type InvoiceJson, parseInvoice } from '../issued-invoice.js';
import { STORED_INVOICE, type StoredInvoice } from './stored-invoice.js';

/** The invoices of a company with above < number <= upTo. */
export interface InvoiceRange {
  readonly companyId: string;
  readonly above: bigint;
  readonly upTo: bigint;
}

export interface NewInvoice extends StoredInvoice {
  /** The parsed body; null if it is no JSON. */
  readonly json: InvoiceJson | null;
}

export interface NewInvoices {
  /** In the order of ranges and numbers. */
  readonly invoices: readonly NewInvoice[];
  /** The ranges as far as they were read. */
  readonly read: InvoiceRange[];
}

export type ReadInvoices = (
  ranges: readonly InvoiceRange[],
  tx: Transaction,
) => Promise<NewInvoices>;

/** A step ends at the first of these: 1,000 usual invoices, or some 200 of 250 lines. */
const STEP_INVOICES = 1_000n;
const STEP_BYTES = 4 * 1024 * 1024;

/**
 * The ranges of one step: the first numbers above each company's `done`, up to its `last`, and at
 * most `max` of them in all. The others stay empty.
 */
export function stepRanges(
  companies: readonly {
    readonly companyId: string;
    readonly done: string;
    readonly last: string;
  }[],
  max = STEP_INVOICES,
): InvoiceRange[] {
  let left = max;
  return companies.map(({ companyId, done, last }) => {
    const [above, end] = [BigInt(done), BigInt(last)];
    const size = end <= above ? 0n : end - above < left ? end - above : left;
    left -= size;
    return { companyId, above, upTo: above + size };
  });
}

/** Reads the invoices of the ranges until their JSON reaches STEP_BYTES. */
export async function readNewInvoices(
  ranges: readonly InvoiceRange[],
  tx: Transaction,
): Promise<NewInvoices> {
  const rows = await query<StoredInvoice & { rangeIndex: number; isFull: boolean }>(
    `SELECT ${STORED_INVOICE},
       (i.position - 1)::int AS "rangeIndex", i.bytes >= $4 AS "isFull"
     FROM (
       SELECT i.*, c.currency AS company_currency, w.position,
         sum(octet_length(i.body)) OVER (ORDER BY w.position, i.number ROWS UNBOUNDED PRECEDING)
           AS bytes
       FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) WITH ORDINALITY
           AS w (company_id, above, up_to, position),
         LATERAL (SELECT * FROM companies t WHERE t.id = w.company_id LIMIT 1) c,
         LATERAL (
           SELECT *
           FROM invoices t
           WHERE t.company_id = w.company_id AND t.number > w.above AND t.number <= w.up_to
           ORDER BY t.number
           OFFSET 0
         ) i
     ) i
     WHERE i.bytes - octet_length(i.body) < $4
     ORDER BY i.position, i.number`,
    [
      ranges.map(({ companyId }) => companyId),
      ranges.map(({ above }) => above),
      ranges.map(({ upTo }) => upTo),
      STEP_BYTES,
    ],
    tx,
  );
  const invoices = rows.map(row => Object.assign(row, { json: parseInvoice(row.body) }));
  const last = rows.at(-1);
  if (!last?.isFull) return { invoices, read: [...ranges] };
  const read = ranges.map((range, index) => {
    if (index < last.rangeIndex) return range;
    return { ...range, upTo: index === last.rangeIndex ? BigInt(last.number) : range.above };
  });
  return { invoices, read };
}
