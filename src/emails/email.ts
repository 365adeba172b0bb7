// An e-mail and its JSON.
import { jsonObject, timeJson } from '../platform/db/sql.js';
import {
  choice,
  count,
  described,
  list,
  named,
  namedSchemas,
  object,
  orNull,
  type ParsedJson,
  text,
  time,
  uuid,
} from '../platform/values/json-shape.js';

/** The documents that e-mails are about. The outbox only repeats their type. */
export const EMAILED_TYPES = ['invoice', 'creditNote'] as const;
export type EmailedType = (typeof EMAILED_TYPES)[number];

export const EMAIL_STATUSES = ['queued', 'sent', 'failed'] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

const EMAIL_ERROR_CODES = [
  'smtp_refused',
  'smtp_unreachable',
  'document_incomplete',
  'document_unavailable',
] as const;

const EMAIL_ERROR = named(
  'EmailError',
  object({
    code: choice(EMAIL_ERROR_CODES),
    detail: text,
    rejected: described(
      list(object({ address: text, reply: text })),
      'The addresses that the mail server refused. They are not tried again.',
    ),
  }),
);
/** Why the last attempt did not reach all addresses. */
export type EmailError = ParsedJson<typeof EMAIL_ERROR>;

const EMAIL_JSON = named(
  'Email',
  object({
    id: uuid,
    type: described(choice(EMAILED_TYPES), 'More may come.'),
    documentId: uuid,
    number: described(text, 'The number of the document.'),
    to: list(text),
    cc: list(text),
    subject: text,
    status: described(
      choice(EMAIL_STATUSES),
      '`sent`: the mail server accepted the e-mail for at least one address. `failed`: it will ' +
        'not be tried again.',
    ),
    attempts: count,
    error: orNull(EMAIL_ERROR),
    createdAt: time,
    sentAt: orNull(time),
  }),
);
export type EmailJson = ParsedJson<typeof EMAIL_JSON>;

/** For the OpenAPI document. */
export const emailSchemas = namedSchemas(EMAIL_JSON, EMAIL_ERROR);

/** SQL for the JSON of the e-mail e. */
export const emailJson = jsonObject(`
  e.id, e.document_type AS type, e.document_id AS "documentId", e.document_number AS number,
  e.recipients -> 'to' AS to,
  e.recipients -> 'cc' AS cc,
  e.subject, e.status, e.attempts, e.error,
  ${timeJson('e.created_at')} AS "createdAt",
  ${timeJson('e.sent_at')} AS "sentAt"`);

export interface Recipients {
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/** The company as a sender. */
export interface EmailSender {
  readonly name: string;
  readonly replyTo: string | null;
  /** Gets a copy of each e-mail without being named in it. */
  readonly copyTo: string | null;
}

export interface EmailAttachment {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** The text of an e-mail, and to whom it goes. */
export interface EmailContent {
  readonly recipients: Recipients;
  readonly subject: string;
  readonly message: string;
}
