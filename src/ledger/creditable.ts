// The credit notes of an invoice, what remains to credit, and the invoices that can be credited, as
// the dashboard shows them.

import { readMeantKeys } from '../customers/names/typed.js';
import { numberText } from '../invoices/queries.js';
import { textArray } from '../platform/db/arrays.js';
import { query } from '../platform/db/connection.js';
import { readRows } from '../platform/db/list-reads.js';
import { containsPattern } from '../platform/db/sql.js';
import { matchKey } from '../platform/values/text.js';
import { invoiceCredit, readCreditedInvoices } from './batch/read-credited.js';
import type { InvoiceCredit } from './rules/state.js';

/** Null if the company has no such invoice. A write that runs meanwhile may change it. */
export async function findInvoiceCredit(
  companyId: string,
  invoiceId: string,
): Promise<InvoiceCredit | null> {
  const [row] = await readCreditedInvoices([{ companyId, id: invoiceId }]);
  return row ? invoiceCredit(row) : null;
}

export async function hasCreditNotes(companyId: string, invoiceId: string): Promise<boolean> {
  const rows = await query(
    'SELECT 1 FROM entries WHERE company_id = $1 AND invoice_id = $2 LIMIT 1',
    [companyId, invoiceId],
  );
  return rows.length > 0;
}

export interface CreditableRow {
  readonly id: string;
  /** The full number, such as INV-000001. */
  readonly number: string;
  readonly customerName: string;
  readonly date: string;
  /** Decimal text. */
  readonly total: string;
}

/** The list of invoices to credit reads this many of the newest ones, which takes about 10 ms. */
const MAX_READ = 10_000;
export const MAX_CREDITABLE = 50;

/**
 * The newest invoices that can be credited, of customers whose name contains the text or who are
 * meant by it.
 */
export async function listCreditable(companyId: string, text: string): Promise<CreditableRow[]> {
  const keys = await readMeantKeys(companyId, text);
  return readRows<CreditableRow>(
    companyId,
    `SELECT i.id, ${numberText} AS number,
       i.customer_name AS "customerName",
       i.date::text AS date,
       trim_scale(i.total)::text AS total
     FROM (
       SELECT *
       FROM invoices
       WHERE company_id = $1
       ORDER BY date DESC, number DESC
       LIMIT ${MAX_READ}
     ) i
     WHERE i.status <> 'void' AND (i.customer_key LIKE $2 OR i.customer_key = ANY($3::text[]))
       AND (
         i.total = 0 OR i.total > (
           SELECT COALESCE(sum(e.amount), 0)
           FROM entries e
           WHERE e.company_id = $1 AND e.invoice_id = i.id
         )
       )
     ORDER BY i.date DESC, i.number DESC
     LIMIT ${MAX_CREDITABLE}`,
    [companyId, containsPattern(matchKey(text)), textArray(keys)],
  );
}
