// A payment or credit note as it is stored, with the later entries and the allocations that concern
// it.
import { numberText as invoiceNumberText } from '../../invoices/queries.js';
import type { Allocation, CreditNote, Payment } from '../../ledger/entry-json.js';
import { creditNoteNumberText } from '../../ledger/queries.js';
import { lookUpOne, timeJson } from '../../platform/db/sql.js';

/** A row of entries. Amounts are JSON numbers, which hold them exactly. */
export interface StoredEntry {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly date: string;
  readonly currency: string;
  readonly customerName: string;
  readonly amount: number;
  readonly method: Payment['method'];
  readonly reference: string | null;
  readonly externalId: string | null;
  readonly note: string | null;
  readonly reason: CreditNote['reason'] | null;
  readonly explanation: string | null;
  readonly body: string;
  readonly firstBody: string | null;
  readonly hasCreditedLines: boolean;
  readonly createdAt: string;
}

/** A payment or credit note with all that concerns it. */
export interface StoredFunds extends StoredEntry {
  readonly companyId: string;
  readonly type: 'payment' | 'creditNote';
  /** A credit note's own number, its invoice and that one's number. */
  readonly number: string | null;
  readonly invoiceId: string | null;
  readonly invoiceNumber: string | null;
  readonly subtotal: number | null;
  readonly taxTotal: number | null;
  /** The reversal, allocations and refunds, in order; null if there are none. */
  readonly later: readonly StoredEntry[] | null;
  /** The amounts that these entries gave to invoices, in order; null if there are none. */
  readonly moved: readonly (MovedAmount & Pick<Allocation, 'invoiceId' | 'invoiceNumber'>)[] | null;
}

interface MovedAmount {
  readonly sequence: number;
  readonly amount: number;
}

const entryColumns = (row: string) => `
  ${row}.id, ${row}.sequence::float8 AS sequence, ${row}.type, ${row}.date::text AS date,
  trim(${row}.currency) AS currency, ${row}.customer_name AS "customerName",
  ${row}.amount::float8 AS amount, ${row}.method, ${row}.reference,
  ${row}.external_id AS "externalId", ${row}.note, ${row}.reason, ${row}.explanation,
  ${row}.body, ${row}.first_body AS "firstBody",
  ${row}.credited_lines IS NOT NULL AS "hasCreditedLines",
  ${timeJson(`${row}.created_at`)} AS "createdAt"`;

/** SQL for the StoredFunds of a FROM list that ends in an entries row e, and more columns of it. */
export function storedFunds(from: string, ...columns: readonly string[]): string {
  return `
  SELECT e.company_id AS "companyId", ${entryColumns('e')},
    CASE WHEN e.number IS NOT NULL THEN ${creditNoteNumberText} END AS number,
    e.invoice_id AS "invoiceId",
    CASE WHEN e.invoice_id IS NOT NULL THEN (
      SELECT ${invoiceNumberText}
      FROM invoices i
      WHERE i.company_id = e.company_id AND i.id = e.invoice_id
    ) END AS "invoiceNumber",
    e.subtotal::float8 AS subtotal, e.tax_total::float8 AS "taxTotal",
    ${['entry.later', 'allocation.moved', ...columns].join(', ')}
  FROM ${from},
    LATERAL (
      SELECT json_agg(l ORDER BY l.sequence) AS later
      FROM (
        SELECT ${entryColumns('t')}
        FROM (
          SELECT *
          FROM entries
          WHERE company_id = e.company_id AND source_id = e.id
          OFFSET 0
        ) t
      ) l
    ) entry,
    LATERAL (
      SELECT json_agg(
        json_build_object('sequence', a.sequence, 'amount', a.amount,
          'invoiceId', a.invoice_id, 'invoiceNumber', ${invoiceNumberText})
        ORDER BY a.sequence
      ) AS moved
      FROM (
          SELECT *
          FROM allocations
          WHERE company_id = e.company_id AND source_id = e.id
          OFFSET 0
        ) a
        LEFT JOIN ${lookUpOne('invoices', 'i', 'company_id = a.company_id AND id = a.invoice_id')}
          ON true
    ) allocation
  WHERE e.type IN ('payment', 'creditNote')`;
}
