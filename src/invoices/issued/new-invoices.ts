// Reads the new invoices of many companies in bounded steps, for what follows posting: the
// summary's rollup and the audit.
import { query, type Transaction } from '../../platform/db/connection.js';
import { arraysOf } from '../../platform/db/rows.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { RANGE, type RowRange } from '../../rollups/progress.js';
import { parseInvoice } from '../issued-invoice.js';
import type { InvoiceJson } from './invoice-shape.js';
import { STORED_INVOICE, type StoredInvoice } from './stored-invoice.js';

export interface NewInvoice extends StoredInvoice {
  /** The parsed body; null if it is not JSON. */
  readonly json: InvoiceJson | null;
}

export interface NewInvoices {
  /** The invoices in the order of the ranges, then of their numbers. */
  readonly invoices: readonly NewInvoice[];
  /** The ranges as far as they were read. */
  readonly read: RowRange[];
}

export type ReadInvoices = (ranges: readonly RowRange[], tx: Transaction) => Promise<NewInvoices>;

/** The size of some 4,000 usual invoices, or of 150 with 250 lines. */
const STEP_BYTES = 4 * 1024 * 1024;

/** Reads the invoices of the ranges until their JSON reaches STEP_BYTES. */
export async function readNewInvoices(
  ranges: readonly RowRange[],
  tx: Transaction,
): Promise<NewInvoices> {
  const rows = await query<StoredInvoice & { rangeIndex: number; isFull: boolean }>(
    `SELECT ${STORED_INVOICE},
       (i.position - 1)::int AS "rangeIndex", i.bytes >= $4 AS "isFull"
     FROM (
       SELECT i.*, c.currency AS company_currency, r.position,
         sum(octet_length(i.body)) OVER (ORDER BY r.position, i.number ROWS UNBOUNDED PRECEDING)
           AS bytes
       FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) WITH ORDINALITY
           AS r (company_id, above, up_to, position),
         ${lookUpOne('companies', 'c', 'id = r.company_id')},
         LATERAL (
           SELECT *
           FROM invoices t
           WHERE t.company_id = r.company_id AND t.number > r.above AND t.number <= r.up_to
           ORDER BY t.number
           OFFSET 0
         ) i
     ) i
     WHERE i.bytes - octet_length(i.body) < $4
     ORDER BY i.position, i.number`,
    [...arraysOf(RANGE, ranges), STEP_BYTES],
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
