// The rows of the outbox: how they are added, how their attachments are kept, and how many of them
// a company may send per hour.
import { createHash } from 'node:crypto';
import type { Actor } from '../companies/actor.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { type Columns, insertRows } from '../platform/db/rows.js';
import { Problem } from '../platform/errors.js';
import type { EmailAttachment, EmailContent, EmailedType, EmailSender } from './email.js';

/** A lost key or a faulty script then does little harm to the reputation of the mail server. */
export const EMAILS_PER_HOUR = 200;

export interface EmailDocument {
  readonly type: EmailedType;
  readonly id: string;
  readonly number: string;
}

export interface NewEmail extends EmailContent {
  readonly companyId: string;
  readonly id: string;
  readonly document: EmailDocument;
  readonly attach: readonly string[];
  readonly createdBy: Actor | null;
  /** RFC 3339, by the database's clock. */
  readonly createdAt: string;
}

const EMAIL: Columns<NewEmail> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  id: ['uuid', ({ id }) => id],
  document_type: ['text', ({ document }) => document.type],
  document_id: ['uuid', ({ document }) => document.id],
  document_number: ['text', ({ document }) => document.number],
  recipients: ['json', ({ recipients: { to, cc } }) => JSON.stringify({ to, cc })],
  subject: ['text', ({ subject }) => subject],
  message: ['text', ({ message }) => message],
  attach: ['json', ({ attach }) => JSON.stringify(attach)],
  created_by: ['json', ({ createdBy }) => createdBy && JSON.stringify(createdBy)],
  created_at: ['timestamptz', ({ createdAt }) => createdAt],
};
const EMAIL_OF_CREATE: Columns<NewEmail> = { ...EMAIL, of_create: 'true' };
const ADMITTED_EMAIL: Columns<NewEmail> = { ...EMAIL, admitted_at: 'clock_timestamp()' };

/**
 * Adds the e-mails of new invoices in the transaction that creates them. A worker makes their
 * attachments before the first attempt. Without any, it sends no statement.
 */
export function insertEmailsOfCreates(emails: readonly NewEmail[], tx: Transaction): Promise<void> {
  return insertRows('emails', EMAIL_OF_CREATE, emails, tx);
}

/** Adds an e-mail with its attachments. The company is locked, and has a place for it. */
export async function insertEmail(
  email: NewEmail,
  prepared: PreparedEmail,
  tx: Transaction,
): Promise<void> {
  await insertRows('emails', ADMITTED_EMAIL, [email], tx);
  await storePrepared(email, prepared, tx);
}

/** The parts of an e-mail that all of its attempts have in common. */
export interface PreparedEmail {
  readonly sender: EmailSender;
  readonly attachments: readonly EmailAttachment[];
}

interface StoredAttachment extends EmailAttachment {
  readonly companyId: string;
  readonly emailId: string;
  readonly position: number;
}

const ATTACHMENT: Columns<StoredAttachment> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  email_id: ['uuid', ({ emailId }) => emailId],
  position: ['int', ({ position }) => position],
  file_name: ['text', ({ fileName }) => fileName],
  media_type: ['text', ({ mediaType }) => mediaType],
  hash: ['bytea', ({ bytes }) => `\\x${createHash('sha256').update(bytes).digest('hex')}`],
  bytes: ['bytea', ({ bytes }) => `\\x${bytes.toString('hex')}`],
};

/** Stores the attachments and the sender of an e-mail that has none yet. */
export async function storePrepared(
  { companyId, id }: { readonly companyId: string; readonly id: string },
  { sender, attachments }: PreparedEmail,
  tx: Transaction,
): Promise<void> {
  const rows = attachments.map((attachment, index) => ({
    ...attachment,
    companyId,
    emailId: id,
    position: index + 1,
  }));
  await insertRows('email_attachments', ATTACHMENT, rows, tx);
  await query(
    'UPDATE emails SET sender = $3::json WHERE company_id = $1 AND id = $2',
    [companyId, id, JSON.stringify(sender)],
    tx,
  );
}

/**
 * SQL: the times at which the company $1 took a place in the last hour. The statement must start
 * when the company is locked: unlike clock_timestamp(), its time can be looked up in an index.
 */
const PLACES = `
  SELECT admitted_at
  FROM emails
  WHERE company_id = $1
    AND admitted_at > statement_timestamp() - interval '1 hour'
    AND admitted_at <= statement_timestamp()
  ORDER BY admitted_at DESC
  LIMIT ${EMAILS_PER_HOUR}`;

/**
 * Throws Problem `email_limit_exceeded` if the company has no place left in this hour. Another
 * request may take the last one meanwhile, unless the transaction has locked the company.
 */
export async function requirePlace(companyId: string, tx?: Transaction): Promise<void> {
  const row = await queryOne<{ taken: number; seconds: number }>(
    `SELECT count(*)::int AS taken,
       ceil(extract(epoch FROM min(admitted_at) + interval '1 hour' - clock_timestamp()))::int
         AS seconds
     FROM (${PLACES}) place`,
    [companyId],
    tx,
  );
  if (!row || row.taken < EMAILS_PER_HOUR) return;
  throw new Problem(
    'email_limit_exceeded',
    `Your company has sent ${EMAILS_PER_HOUR} e-mails within an hour, which is the limit.`,
    { headers: { 'Retry-After': String(Math.max(1, row.seconds)) } },
  );
}

/** Takes one of the company's places in this hour; false without one. The company is locked. */
export async function takePlace(companyId: string, id: string, tx: Transaction): Promise<boolean> {
  const admitted = await query(
    `UPDATE emails
     SET admitted_at = clock_timestamp()
     WHERE company_id = $1 AND id = $2
       AND (SELECT count(*) FROM (${PLACES}) place) < ${EMAILS_PER_HOUR}
     RETURNING id`,
    [companyId, id],
    tx,
  );
  return admitted.length > 0;
}

/**
 * Lets the company's e-mails that are due without a place wait until there is one for them, in the
 * order in which they were created. The company is locked.
 */
export async function waitForPlaces(companyId: string, tx: Transaction): Promise<void> {
  await query(
    `WITH place AS (
       SELECT admitted_at + interval '1 hour' AS free_at,
         row_number() OVER (ORDER BY admitted_at) AS nth
       FROM (${PLACES}) place
     ),
     waiting AS (
       SELECT id, row_number() OVER (ORDER BY created_at, id) AS nth
       FROM emails
       WHERE company_id = $1 AND due_at IS NOT NULL AND admitted_at IS NULL
     )
     UPDATE emails
     SET due_at = COALESCE(place.free_at, (SELECT max(free_at) FROM place)),
       timed_at = clock_timestamp()
     FROM waiting
     LEFT JOIN place ON place.nth = waiting.nth
     WHERE emails.company_id = $1 AND emails.id = waiting.id
       AND due_at <= clock_timestamp()
       AND (leased_until IS NULL OR leased_until <= clock_timestamp())`,
    [companyId],
    tx,
  );
}
