// `"send": true` of a request that creates an invoice: the e-mail of the invoice, which is written
// in the invoice's transaction. A request without it reads and writes nothing for it.
import type { Actor } from '../../companies/actor.js';
import type { Language } from '../../companies/parties/party.js';
import { type CustomerContact, findContact } from '../../customers/names/contacts.js';
import { readRecipients } from '../../emails/addresses.js';
import type { Recipients } from '../../emails/email.js';
import type { NewEmail } from '../../emails/outbox.js';
import type { FieldError } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import { newId } from '../../platform/values/ids.js';
import { possibleText } from '../../platform/values/text.js';
import { builtInText } from './built-in-text.js';

/** The part of a payload that says how the invoice is sent, as it was when it was checked. */
export interface SendOrder {
  readonly recipients: Recipients;
  readonly language: Language;
  /** The name of the company. */
  readonly seller: string;
}

/** The order of a request with `send`, or why it cannot be sent. Null for one without. */
export type CheckedSend = { readonly order: SendOrder } | { readonly errors: FieldError[] } | null;

/** True for a body that asks for an e-mail. The body may be invalid. */
export function isSent(body: unknown): boolean {
  return ((body ?? {}) as { readonly send?: unknown }).send === true;
}

/**
 * The orders of requests. `names` has the name of each record that was named by id or number.
 * Without a request to send, it reads nothing.
 */
export async function checkSends(
  companyId: string,
  bodies: readonly unknown[],
  names: readonly (string | undefined)[],
): Promise<CheckedSend[]> {
  if (!bodies.some(isSent)) return bodies.map(() => null);
  const customers = bodies.map((body, index) =>
    isSent(body) ? (names[index] ?? typedName(body)) : null,
  );
  const contacts = await Promise.all(
    customers.map(name => (name === null ? null : findContact(companyId, name))),
  );
  return bodies.map((body, index) => {
    if (!isSent(body)) return null;
    // The error of the name says enough.
    if (customers[index] === null) return { errors: [] };
    return orderTo(contacts[index] ?? null);
  });
}

const MAX_NAME = 255;

function typedName(body: unknown): string | null {
  const { customerName } = (body ?? {}) as { readonly customerName?: unknown };
  return possibleText(customerName, MAX_NAME);
}

function orderTo(contact: CustomerContact | null): CheckedSend {
  const { recipients, errors } = readRecipients({}, contact);
  if (!contact || recipients.to.length === 0)
    return { errors: [fieldError(['send'], 'required', NO_EMAIL)] };
  if (errors.length > 0) return { errors: [fieldError(['send'], 'invalid_value', NOT_USABLE)] };
  const { name, legalName, language } = contact.seller;
  return {
    order: { recipients, seller: legalName ?? name, language: contact.language ?? language },
  };
}

const NO_EMAIL = "The customer's record has no e-mail address.";
const NOT_USABLE =
  "An e-mail address of the customer's record cannot be used: it has letters with accents before " +
  'the @, or characters that need quotes.';

interface SentInvoice {
  readonly companyId: string;
  readonly id: string;
  /** The full number. */
  readonly number: string;
  readonly createdBy: Actor | null;
  readonly createdAt: string;
}

/** The e-mail of a new invoice. */
export function emailOfInvoice(invoice: SentInvoice, order: SendOrder): NewEmail {
  const { companyId, id, number, createdBy, createdAt } = invoice;
  const { recipients, language, seller } = order;
  return {
    companyId,
    id: newId(),
    document: { type: 'invoice', id, number },
    recipients,
    ...builtInText({ type: 'invoice', number, seller, language }),
    attach: ['pdf'],
    createdBy,
    createdAt,
  };
}
