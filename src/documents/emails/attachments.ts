// The attachments of an e-mail: the documents in the forms that were asked for, and the sender as
// the company's profile is now.
import { findProfile } from '../../companies/profile/versions.js';
import { isPlainAddress } from '../../emails/addresses.js';
import type { EmailAttachment, EmailSender } from '../../emails/email.js';
import type { EmailDocument, PreparedEmail } from '../../emails/outbox.js';
import { notFound } from '../../platform/errors.js';
import { type PreparedDocument, prepareDocument } from '../service.js';

/** The forms that an e-mail may have. */
export const ATTACHED_FORMS = ['pdf', 'ubl'] as const;
export type AttachedForm = (typeof ATTACHED_FORMS)[number];

/**
 * Renders the attachments. Throws Problem `document_incomplete`, `document_unavailable` or
 * `service_unavailable`.
 */
export async function prepareEmail(
  companyId: string,
  document: EmailDocument,
  forms: readonly string[],
): Promise<PreparedEmail> {
  const [sender, documents] = await Promise.all([
    senderOf(companyId),
    prepareForms(companyId, document, forms as readonly AttachedForm[]),
  ]);
  const attachments: EmailAttachment[] = [];
  for (const { fileName, mediaType, render } of documents)
    attachments.push({ fileName, mediaType, bytes: await render() });
  return { sender, attachments };
}

/** The documents before they are rendered. Throws what `prepareDocument` throws. */
async function prepareForms(
  companyId: string,
  { type, id }: Pick<EmailDocument, 'type' | 'id'>,
  forms: readonly AttachedForm[],
): Promise<PreparedDocument[]> {
  const documents: PreparedDocument[] = [];
  for (const form of forms) {
    const prepared = await prepareDocument({ companyId, type, id }, form);
    if (!prepared) throw notFound('document');
    documents.push(prepared);
  }
  return documents;
}

async function senderOf(companyId: string): Promise<EmailSender> {
  const found = await findProfile(companyId);
  if (!found) throw new Error(`there is no company ${companyId}`);
  const { name, legalName, email, emailCopy } = found.profile;
  return { name: legalName ?? name, replyTo: usable(email), copyTo: usable(emailCopy) };
}

/** An address that no mail server would take must not fail the e-mail. */
function usable(address: string | null): string | null {
  return address !== null && isPlainAddress(address) ? address : null;
}
