// Makes the e-mail of a request to send a document: the recipients, the text and the attachments.
// Nothing is written here.

import { findContact } from '../../customers/names/contacts.js';
import { readRecipients } from '../../emails/addresses.js';
import type { EmailContent } from '../../emails/email.js';
import { requireMail } from '../../emails/mail-settings.js';
import { type EmailDocument, type PreparedEmail, requirePlace } from '../../emails/outbox.js';
import type { InvoiceJson } from '../../invoices/issued/invoice-shape.js';
import { findInvoice } from '../../invoices/queries.js';
import { builtInText } from '../../invoices/sending/built-in-text.js';
import { findEntry } from '../../ledger/queries.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { isUuid } from '../../platform/values/ids.js';
import type { CreditNoteJson } from '../model/build.js';
import { type DocumentKind, loadDocument } from '../model/load.js';
import { type AttachedForm, prepareEmail } from './attachments.js';
import { type EmailRequest, emailRequest } from './schema.js';

/** An e-mail without its id and time. */
export interface SendableEmail extends EmailContent {
  readonly document: EmailDocument;
  readonly attach: readonly AttachedForm[];
  readonly prepared: PreparedEmail;
}

/**
 * Checks a request and renders the attachments. Throws Problem `validation_failed`,
 * `email_not_configured`, `invalid_state`, `email_limit_exceeded`, or one of those of
 * `prepareEmail`.
 */
export async function makeEmail(companyId: string, body: unknown): Promise<SendableEmail> {
  const sent = await findSentDocument(companyId, body);
  const contact = sent && (await findContact(companyId, sent.customerName));
  const { recipients, errors } = readRecipients((body ?? {}) as object, contact);
  const request = validateBody<EmailRequest>(emailRequest, body, () =>
    sent ? [...errors] : [...unknownDocument(body), ...errors.filter(isOfAddress)],
  );
  if (!sent) throw new Error('a request without a document is valid');
  requireMail();
  if (sent.isVoid) throw voidedInvoice();
  const attach = [...new Set(request.attach ?? (['pdf'] as const))];
  const { document } = sent;
  await requirePlace(companyId);
  const prepared = await prepareEmail(companyId, document, attach);
  const { subject, message } = request;
  const builtIn = await builtInTextOf(companyId, document, prepared.sender.name);
  return {
    document,
    attach,
    prepared,
    recipients,
    subject: subject ?? builtIn.subject,
    message: message ?? builtIn.message,
  };
}

export const VOIDED = 'The invoice is void, so it is not sent.';

export function voidedInvoice(): Problem {
  return new Problem('invalid_state', VOIDED);
}

export interface SentDocument {
  readonly document: EmailDocument;
  readonly customerName: string;
  readonly isVoid: boolean;
}

interface NamedDocument {
  readonly invoiceId?: unknown;
  readonly creditNoteId?: unknown;
}

const ID_MEMBERS = { invoice: 'invoiceId', creditNote: 'creditNoteId' } as const;

/** The document of a body that may be invalid; null if it names none that exists. */
function findSentDocument(companyId: string, body: unknown): Promise<SentDocument | null> {
  const named = (body ?? {}) as NamedDocument;
  for (const [type, member] of Object.entries(ID_MEMBERS)) {
    const id = named[member];
    if (typeof id === 'string' && isUuid(id))
      return findDocument(companyId, type as DocumentKind, id.toLowerCase());
  }
  return Promise.resolve(null);
}

/** An invoice or a credit note, as it is now; null if the company has none with this id. */
export async function findDocument(
  companyId: string,
  type: DocumentKind,
  id: string,
): Promise<SentDocument | null> {
  const body = await (type === 'invoice'
    ? findInvoice(companyId, id)
    : findEntry(companyId, 'creditNote', id));
  if (body === null) return null;
  const { number, customerName } = JSON.parse(body) as InvoiceJson | CreditNoteJson;
  const isVoid = type === 'invoice' && (JSON.parse(body) as InvoiceJson).status === 'void';
  return { document: { type, id, number }, customerName, isVoid };
}

/** Whether the customer of an unknown document has an address is unknown, too. */
const isOfAddress = ({ code }: FieldError) => code !== 'required';

/** The error of a valid id that no record has. The schema finds the others. */
function unknownDocument(body: unknown): FieldError[] {
  const named = (body ?? {}) as NamedDocument;
  if (typeof named.invoiceId === 'string' && isUuid(named.invoiceId))
    return [fieldError(['invoiceId'], 'unknown_invoice')];
  if (typeof named.creditNoteId === 'string' && isUuid(named.creditNoteId))
    return [fieldError(['creditNoteId'], 'invalid_value', NO_CREDIT_NOTE)];
  return [];
}

const NO_CREDIT_NOTE = 'There is no such credit note.';

/** The text of an e-mail in the language of its document. */
export async function builtInTextOf(
  companyId: string,
  { type, id, number }: EmailDocument,
  seller: string,
): Promise<Pick<EmailContent, 'subject' | 'message'>> {
  const loaded = await loadDocument(companyId, type, id);
  return builtInText({ type, number, seller, language: loaded?.language ?? 'en' });
}
