// Sends the e-mails of the outbox. An attempt takes a place of its company, makes the attachments
// if there are none yet, talks to the mail server, and stores the outcome. Each of these steps has
// its own transaction, so none is open while a document is rendered or a server is awaited.
import { setTimeout as delay } from 'node:timers/promises';
import { lockCompanies } from '../../companies/lock.js';
import { appendEvents } from '../../feed/append.js';
import { inTransaction, query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { Problem } from '../../platform/errors.js';
import {
  endLease,
  type Lease,
  type LeasedTable,
  nextPause,
  renewLease,
} from '../../platform/leases/leases.js';
import type { CompanyRest } from '../../platform/leases/work.js';
import { describeError, isTransient } from '../../platform/postgres-errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import type { Log } from '../../platform/process/log.js';
import type { EmailAttachment, EmailContent, EmailError, EmailSender } from '../email.js';
import type { MailSettings } from '../mail-settings.js';
import {
  type EmailDocument,
  type PreparedEmail,
  storePrepared,
  takePlace,
  waitForPlaces,
} from '../outbox.js';
import { composeEmail } from './compose.js';
import type { DeliverMail, MailOutcome } from './delivery.js';
import { lastingRefusals, withEarlier } from './refusals.js';

/** Makes the attachments of an e-mail. Throws the Problem of a document that cannot be made. */
export type PrepareEmail = (
  companyId: string,
  document: EmailDocument,
  forms: readonly string[],
) => Promise<PreparedEmail>;

export interface Sending {
  readonly leased: LeasedTable;
  readonly settings: Pick<MailSettings, 'from' | 'retrySeconds'>;
  readonly prepare: PrepareEmail;
  readonly deliver: DeliverMail;
  readonly log: Log;
}

/** The wait for a turn to render is over by then. */
const RENDER_AGAIN_MS = 10_000;
/** The pause between two attempts to store an outcome while Postgres is unavailable. */
const STORE_AGAIN_MS = 1_000;
/**
 * A company that has used all its places claims no e-mail for this time. Each claim would lock the
 * company, and a place becomes free every 18 s on average.
 */
const NO_PLACE_MS = 5_000;

interface StartedEmail extends EmailContent, EmailDocument {
  readonly attach: readonly string[];
  /** Null: the attachments are not stored yet. */
  readonly sender: EmailSender | null;
  readonly attempts: number;
  /** The error of the previous attempt. */
  readonly error: EmailError | null;
  readonly createdAt: Date;
}

/** The attempt of an e-mail that is leased. Throws LeaseLost. */
export async function attemptEmail(
  sending: Sending,
  lease: Lease,
  signal: AbortSignal,
): Promise<CompanyRest | null> {
  const email = await startAttempt(sending, lease);
  if (!email) return { restMs: NO_PLACE_MS };
  const outcome = await outcomeOf(sending, lease, email, signal);
  await storeOutcome(sending, lease, email, outcome, signal);
  return null;
}

/** Null without a place of the company; the e-mail then waits for one. */
async function startAttempt({ leased }: Sending, lease: Lease): Promise<StartedEmail | null> {
  const { companyId, id } = lease;
  const row = await queryOne<{ isAdmitted: boolean }>(
    `SELECT admitted_at IS NOT NULL AS "isAdmitted" FROM emails WHERE company_id = $1 AND id = $2`,
    [companyId, id],
  );
  return inTransaction(async tx => {
    if (!row?.isAdmitted) await lockCompanies([companyId], {}, tx);
    await renewLease(leased, lease, tx);
    if (!row?.isAdmitted && !(await takePlace(companyId, id, tx))) {
      await endLease(leased, lease, 0, tx);
      await waitForPlaces(companyId, tx);
      return null;
    }
    return queryOne<StartedEmail>(
      `UPDATE emails
       SET attempts = attempts + 1
       WHERE company_id = $1 AND id = $2
       RETURNING document_type AS type, document_id AS id, document_number AS number,
         recipients, subject, message, attach, sender, attempts, error, created_at AS "createdAt"`,
      [companyId, id],
      tx,
    );
  });
}

type AttemptOutcome =
  | MailOutcome
  /** Nothing was tried: no place to render. */
  | { readonly type: 'not tried' };

async function outcomeOf(
  sending: Sending,
  lease: Lease,
  email: StartedEmail,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { settings, deliver, log } = sending;
  const { companyId, id } = lease;
  const earlier = lastingRefusals(email.error);
  if (email.attempts > settings.retrySeconds.length + 1)
    return {
      type: 'failed',
      error: { code: 'smtp_unreachable', detail: NO_OUTCOME, rejected: earlier },
    };
  const prepared = await preparedOf(sending, lease, email);
  if ('type' in prepared) return prepared;
  const { from } = settings;
  const { recipients, createdAt: date } = email;
  const message = await composeEmail({ ...email, ...prepared, id, date }, from);
  const refused = new Set(earlier.map(({ address }) => address));
  const to = [...recipients.to, ...recipients.cc].filter(address => !refused.has(address));
  const envelope = { from, to, copyTo: prepared.sender.copyTo };
  const delivery = withEarlier(await deliver(id, envelope, message, signal), earlier);
  failPoint('mail-delivered');
  const { type: outcome, error } = delivery;
  const cause = 'cause' in delivery ? delivery.cause : undefined;
  const { attempts } = email;
  log.info({ companyId, emailId: id, attempts, outcome, code: error?.code, cause }, 'e-mail');
  return delivery;
}

const NO_OUTCOME = 'The worker stopped during each attempt.';

/** The stored attachments, or the ones that are made and stored now. */
async function preparedOf(
  sending: Sending,
  lease: Lease,
  { type, id, number, attach, sender }: StartedEmail,
): Promise<PreparedEmail | AttemptOutcome> {
  const { leased, prepare } = sending;
  const { companyId } = lease;
  if (sender) return { sender, attachments: await readAttachments(companyId, lease.id) };
  let prepared: PreparedEmail;
  try {
    prepared = await prepare(companyId, { type, id, number }, attach);
  } catch (error) {
    if (isTransient(error)) throw error;
    return unprepared(sending, lease, error);
  }
  await inTransaction(async tx => {
    await renewLease(leased, lease, tx);
    await storePrepared(lease, prepared, tx);
  });
  return prepared;
}

function unprepared({ log }: Sending, { companyId, id }: Lease, error: unknown): AttemptOutcome {
  const refusal = error instanceof Problem ? error : null;
  if (refusal?.code === 'service_unavailable') return { type: 'not tried' };
  if (!refusal)
    log.error({ companyId, emailId: id, err: describeError(error) }, 'document not made');
  const isIncomplete = refusal?.code === 'document_incomplete';
  const code = isIncomplete ? 'document_incomplete' : 'document_unavailable';
  const detail = refusal?.message ?? 'The document could not be made.';
  return { type: 'failed', error: { code, detail, rejected: [] } };
}

function readAttachments(companyId: string, id: string): Promise<EmailAttachment[]> {
  return query<EmailAttachment>(
    `SELECT file_name AS "fileName", media_type AS "mediaType", bytes
     FROM email_attachments
     WHERE company_id = $1 AND email_id = $2
     ORDER BY position`,
    [companyId, id],
  );
}

/** Tries for as long as the lease holds: an outcome that is not stored is another e-mail. */
async function storeOutcome(
  sending: Sending,
  lease: Lease,
  email: StartedEmail,
  outcome: AttemptOutcome,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      return await inTransaction(tx => writeOutcome(sending, lease, email, outcome, tx));
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      await delay(STORE_AGAIN_MS);
    }
  }
}

async function writeOutcome(
  { leased, settings }: Sending,
  lease: Lease,
  { attempts }: StartedEmail,
  outcome: AttemptOutcome,
  tx: Transaction,
): Promise<void> {
  const { companyId, id } = lease;
  if (outcome.type === 'not tried') {
    await endLease(leased, lease, RENDER_AGAIN_MS, tx, {
      set: 'attempts = attempts - 1',
      bind: [],
    });
    return;
  }
  const { type, error } = outcome;
  const pause = type === 'postponed' ? nextPause(attempts, settings.retrySeconds) : null;
  const status = type === 'sent' ? 'sent' : pause === null ? 'failed' : 'queued';
  const isFinal = status !== 'queued';
  // The company first, like every write: a final status has an event.
  if (isFinal) await lockCompanies([companyId], {}, tx);
  // One statement for all columns: each further version of the row would enter most indexes.
  await endLease(leased, lease, pause === null ? null : pause * 1_000, tx, {
    set: `status = $5, error = $6::json,
       sent_at = CASE WHEN $5 = 'sent' THEN date_trunc('milliseconds', clock_timestamp()) END`,
    bind: [status, error && JSON.stringify(error)],
  });
  if (isFinal)
    await appendEvents(companyId, [{ type: `email.${status}`, subjectId: id, actor: null }], tx);
}
