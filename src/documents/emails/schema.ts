// The request of POST /emails.
import { MAX_ADDRESS, MAX_ADDRESSES } from '../../emails/addresses.js';
import { MAX_SUBJECT } from '../../invoices/sending/built-in-text.js';
import {
  array,
  object,
  oneOf,
  optional,
  type ValueOf,
} from '../../platform/http/input/typed-schema.js';
import { findsId, uuid } from '../../platform/http/input/uuid.js';
import { codeText, linesOfText, text } from '../../platform/http/input/validate.js';
import { ATTACHED_FORMS } from './attachments.js';

const MAX_MESSAGE = 5_000;

/** How many there may be is known when those that are named twice are left out. */
const addresses = () => array(codeText(MAX_ADDRESS));

export const emailRequest = object({
  invoiceId: optional(uuid(findsId('invoices?number'))).description(
    'The invoice. Either this or `creditNoteId`.',
  ),
  creditNoteId: optional(uuid(findsId('credit-notes?number'))).description('The credit note.'),
  to: optional(addresses().min(1)).description(
    "The recipients. Without it, the `email` of the customer's record. Each is one plain " +
      `address. With \`cc\` up to ${MAX_ADDRESSES}, and one that is named twice counts once.`,
  ),
  cc: optional(addresses()).description(
    "The recipients of a copy. Without `to` and this, the `emailCc` of the customer's record.",
  ),
  subject: optional(text(MAX_SUBJECT)).description(
    'Without it, the number of the document and the name of the company, in its language.',
  ),
  message: optional(linesOfText(MAX_MESSAGE)).description(
    'The text, with line feeds. Without it, a short one in the language of the document.',
  ),
  attach: optional(
    array(oneOf(...ATTACHED_FORMS))
      .min(1)
      .max(ATTACHED_FORMS.length),
  ).description('The forms of the document that are attached: `["pdf"]` without it.'),
})
  .xor('invoiceId', 'creditNoteId')
  .required();
export type EmailRequest = ValueOf<typeof emailRequest>;
