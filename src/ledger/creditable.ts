// The credit notes of an invoice and what remains to credit, as the dashboard shows them.
import { query } from '../platform/db/connection.js';
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
