// The name of the customer on a document.
import type { DocumentKind } from '../../documents/model/load.js';
import { getCreditNote } from '../credit-notes/credit-note-view.js';
import { getInvoice } from '../invoices/invoice-view.js';

/** Throws Problem `not_found`. */
export async function customerName(
  companyId: string,
  type: DocumentKind,
  id: string,
): Promise<string> {
  const found = type === 'invoice' ? getInvoice(companyId, id) : getCreditNote(companyId, id);
  return (await found).customerName;
}
