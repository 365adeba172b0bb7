// Reads the data of a document, each as of the time when it was created.
import { profileAt } from '../../companies/profile/versions.js';
import { recordAt } from '../../customers/record-at.js';
import type { InvoiceJson } from '../../invoices/issued/invoice-shape.js';
import { findInvoice } from '../../invoices/queries.js';
import { findEntry } from '../../ledger/queries.js';
import {
  type CreditNoteJson,
  creditNoteDocument,
  type InvoiceData,
  invoiceDocument,
} from './build.js';
import type { DocumentModel } from './document.js';

export type DocumentKind = DocumentModel['type'];

/** The document of an invoice or credit note; null if the company has no such record. */
export async function loadDocument(
  companyId: string,
  type: DocumentKind,
  id: string,
): Promise<DocumentModel | null> {
  return type === 'invoice' ? loadInvoice(companyId, id) : loadCreditNote(companyId, id);
}

async function loadInvoice(companyId: string, id: string): Promise<DocumentModel | null> {
  const data = await invoiceData(companyId, id);
  return data && invoiceDocument(data);
}

/** The document that an invoice would have if it was issued now, with today's data. */
export async function previewDocument(
  companyId: string,
  invoice: InvoiceJson,
): Promise<DocumentModel> {
  // The clocks of this process and of the database may differ by less than this.
  const createdAt = new Date(Date.now() + PREVIEW_AHEAD_MS).toISOString();
  const { customerName } = invoice;
  return invoiceDocument({ invoice, ...(await partiesOf(companyId, { customerName, createdAt })) });
}
const PREVIEW_AHEAD_MS = 60_000;

async function invoiceData(companyId: string, id: string): Promise<InvoiceData | null> {
  const body = await findInvoice(companyId, id);
  if (body === null) return null;
  const invoice = JSON.parse(body) as InvoiceJson;
  return { invoice, ...(await partiesOf(companyId, invoice)) };
}

async function loadCreditNote(companyId: string, id: string): Promise<DocumentModel | null> {
  const body = await findEntry(companyId, 'creditNote', id);
  if (body === null) return null;
  const creditNote = JSON.parse(body) as CreditNoteJson;
  const [parties, of] = await Promise.all([
    partiesOf(companyId, creditNote),
    invoiceData(companyId, creditNote.invoiceId),
  ]);
  if (!of) throw new Error('the invoice of a credit note is missing');
  return creditNoteDocument({ creditNote, ...parties, of });
}

/** The seller and the buyer as of the creation of an invoice or credit note. */
async function partiesOf(
  companyId: string,
  { customerName, createdAt }: { readonly customerName: string; readonly createdAt: string },
) {
  const [profile, record] = await Promise.all([
    profileAt(companyId, createdAt),
    recordAt(companyId, customerName, createdAt),
  ]);
  return { profile, record };
}
