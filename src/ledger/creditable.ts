// The rest of an invoice to credit, as the dashboard shows it before a credit note is sent.
import { invoiceCredit, readCreditedInvoices } from './batch/lock-reads.js';
import type { InvoiceCredit } from './rules/state.js';

/** Null if the company has no such invoice. A write that runs meanwhile may change it. */
export async function findInvoiceCredit(
  companyId: string,
  invoiceId: string,
): Promise<InvoiceCredit | null> {
  const [row] = await readCreditedInvoices([{ companyId, id: invoiceId }]);
  return row ? invoiceCredit(row) : null;
}
