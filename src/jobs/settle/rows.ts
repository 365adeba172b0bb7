// What a worker does to jobs rows: finds whose they are, writes outcomes and failed tries, claims those that are due.
import { query, type Transaction } from '../../platform/db/connection.js';
import { lateral } from '../../platform/db/sql.js';
import { Problem } from '../../platform/errors.js';
import { describeError, RetryTransactionError } from '../../platform/postgres-errors.js';
import { problemDocument } from '../../platform/problem-document.js';
import type { Log } from '../../platform/process/log.js';
import type { Settled, Submission, WriteKind } from '../write-kind.js';

/** Tries of one submission that fails alone, before it is left to operators. */
const MAX_ATTEMPTS = 5;
/** Longer than a batch usually takes, and what a worker that dies costs; a row that is run twice is settled once. */
const CLAIM_MS = 2_000;

/** Who a job belongs to: the submission that its row was kept for, or the one at hand. */
export type Owner = Pick<Submission, 'submissionId' | 'requestId'>;

/**
 * The owners of the jobs that are to be settled now: those without a row, and those whose row waits with the same
 * fingerprint. Takes no locks: a row that another transaction settles meanwhile is met by `writeSettled`.
 */
export async function findOwners(
  submissions: readonly Submission[],
  tx: Transaction,
): Promise<Map<string, Owner>> {
  const rows = await query<Owner & { id: string; waits: boolean; fingerprint: string }>(
    `SELECT j.id, j.status = 'queued' AS waits, encode(j.fingerprint, 'hex') AS fingerprint, j.submission_id AS "submissionId",
       j.request_id AS "requestId"
     FROM unnest($1::uuid[], $2::uuid[]) AS w (company_id, id), ${lateral('jobs', 'j', 'company_id', 'id')}`,
    [submissions.map(({ companyId }) => companyId), submissions.map(({ id }) => id)],
    tx,
  );
  const found = new Map(rows.map(row => [row.id, row]));
  return new Map(
    submissions.flatMap(submission => {
      const row = found.get(submission.id);
      const isFree = !row || (row.waits && row.fingerprint === submission.fingerprint);
      return isFree ? [[submission.id, row ?? submission] as const] : [];
    }),
  );
}

/**
 * Writes the outcomes. Comes last in its transaction: the web process that wants to keep a row for its 202 waits for
 * this lock, and must not wait for whatever the batch waited for. Throws RepeatError where another transaction was
 * faster with one of the jobs. What a refused row asked for stays in it: who went on without waiting may want to mend it.
 */
export async function writeSettled(
  settled: readonly Settled[],
  submissions: ReadonlyMap<string, Submission>,
  tx: Transaction,
): Promise<void> {
  if (settled.length === 0) return;
  const rows = settled.map(({ body: _body, ...row }) => {
    const { requestId, acceptedAt } = submissions.get(row.id) ?? {};
    return { ...row, requestId, acceptedAt };
  });
  const written = await query(
    `INSERT INTO jobs AS j (company_id, id, type, status, fingerprint, submission_id, request_id, result_id, error, created_at, finished_at)
     SELECT s."companyId", s.id, s.type, s.status, decode(s.fingerprint, 'hex'), s."submissionId", s."requestId", s."resultId",
       s.problem, s."acceptedAt", clock_timestamp()
     FROM json_to_recordset($1) AS s ("companyId" uuid, id uuid, type text, status text, fingerprint text, "submissionId" uuid,
       "requestId" text, "resultId" uuid, problem json, "acceptedAt" timestamptz)
     ORDER BY s."companyId", s.id
     ON CONFLICT (company_id, id) DO UPDATE
       SET status = excluded.status, result_id = excluded.result_id, error = excluded.error, submission_id = excluded.submission_id,
         finished_at = excluded.finished_at, run_at = NULL, payload = NULL,
         refused_payload = CASE WHEN excluded.status = 'failed' THEN j.payload END
       WHERE j.status = 'queued' AND j.fingerprint = excluded.fingerprint
     RETURNING 1`,
    [JSON.stringify(rows)],
    tx,
  );
  if (written.length < settled.length)
    throw new RetryTransactionError('another transaction settled the same job');
}

/** Claims queued rows that are due: nobody else takes them for a while, and somebody does should this process die. */
export async function claimDue(kind: WriteKind, limit: number): Promise<Submission[]> {
  return query<Submission>(
    `UPDATE jobs j SET run_at = now() + $3 * interval '1 millisecond'
     FROM (SELECT company_id, id FROM jobs WHERE status = 'queued' AND run_at <= now() AND type = $1
           ORDER BY run_at LIMIT $2 FOR UPDATE SKIP LOCKED) due
     WHERE j.company_id = due.company_id AND j.id = due.id
     RETURNING j.company_id AS "companyId", j.id, encode(j.fingerprint, 'hex') AS fingerprint, j.submission_id AS "submissionId",
       j.request_id AS "requestId", j.created_at AS "acceptedAt", j.payload, '' AS "replyTo"`,
    [kind.type, limit, CLAIM_MS],
  );
}

/** Keeps the submission as queued, to be tried again later and later, jittered; after the last try as failed, with its payload. */
export async function recordFailedAttempt(
  kind: WriteKind,
  submission: Submission,
  error: unknown,
  log: Log,
): Promise<void> {
  const problem = new Problem(
    'internal_error',
    'The write could not be carried out. It was logged under this requestId and can be retried by an operator.',
  );
  const document = { ...problemDocument(problem, kind.path), requestId: submission.requestId };
  const [row] = await query<{ attempts: number }>(
    `INSERT INTO jobs AS j (company_id, id, type, status, fingerprint, submission_id, request_id, payload, attempts, run_at, created_at)
     VALUES ($1, $2, $3, 'queued', decode($4, 'hex'), $5, $6, $7, 1, now() + interval '1 second', $8)
     ON CONFLICT (company_id, id) DO UPDATE SET
       attempts = j.attempts + 1,
       status = CASE WHEN j.attempts + 1 < $9 THEN 'queued' ELSE 'failed' END,
       run_at = CASE WHEN j.attempts + 1 < $9 THEN now() + 2 ^ j.attempts * (0.5 + random()) * interval '1 second' END,
       finished_at = CASE WHEN j.attempts + 1 < $9 THEN NULL ELSE now() END,
       error = CASE WHEN j.attempts + 1 < $9 THEN NULL ELSE $10::json END
       WHERE j.status = 'queued' AND j.fingerprint = excluded.fingerprint
     RETURNING attempts`,
    [
      submission.companyId,
      submission.id,
      kind.type,
      submission.fingerprint,
      submission.submissionId,
      submission.requestId,
      JSON.stringify(submission.payload),
      submission.acceptedAt,
      MAX_ATTEMPTS,
      JSON.stringify(document),
    ],
  );
  log.error(
    {
      requestId: submission.requestId,
      companyId: submission.companyId,
      jobId: submission.id,
      attempts: row?.attempts,
      err: describeError(error),
    },
    row !== undefined && row.attempts >= MAX_ATTEMPTS
      ? 'job failed for good; see admin jobs list'
      : 'job failed; it will be tried again',
  );
}
