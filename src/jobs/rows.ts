// What a worker does to jobs rows: takes them, records refusals and failed tries, finds those that are due.
import { describeError, query, type Transaction } from '../platform/db.js';
import { Problem } from '../platform/errors.js';
import { problemDocument } from '../platform/http/problem.js';
import type { Log } from '../platform/log.js';
import type { Settled, Submission, WriteKind } from './submission.js';

/** Tries of one submission that fails alone, before it is left to operators. */
const MAX_ATTEMPTS = 5;

/**
 * Inserts the rows as succeeded (refusals are corrected after planning, being few), or takes over rows that wait as
 * queued with the same fingerprint. Returns the submission id that owns each taken job.
 */
export async function takeJobs(
  kind: WriteKind,
  submissions: readonly Submission[],
  resultIds: Map<string, string>,
  tx: Transaction,
): Promise<Map<string, string>> {
  const rows = submissions.map(({ payload: _payload, replyTo: _replyTo, ...row }) => ({
    ...row,
    resultId: resultIds.get(row.id),
  }));
  const taken = await query<{ id: string; submissionId: string }>(
    `INSERT INTO jobs AS j (company_id, id, type, status, fingerprint, submission_id, request_id, result_id, created_at, finished_at)
     SELECT s."companyId", s.id, $2, 'succeeded', decode(s.fingerprint, 'hex'), s."submissionId", s."requestId", s."resultId", s."acceptedAt", now()
     FROM json_to_recordset($1) AS s ("companyId" uuid, id uuid, fingerprint text, "submissionId" uuid, "requestId" text,
       "resultId" uuid, "acceptedAt" timestamptz)
     ORDER BY s."companyId", s.id
     ON CONFLICT (company_id, id) DO UPDATE
       SET status = 'succeeded', result_id = excluded.result_id, finished_at = now(), run_at = NULL, payload = NULL
       WHERE j.status = 'queued' AND j.fingerprint = excluded.fingerprint
     RETURNING id, submission_id AS "submissionId"`,
    [JSON.stringify(rows), kind.type],
    tx,
  );
  return new Map(taken.map(({ id, submissionId }) => [id, submissionId]));
}

export async function recordRefusals(refused: readonly Settled[], tx: Transaction): Promise<void> {
  if (refused.length === 0) return;
  await query(
    `UPDATE jobs j SET status = 'failed', result_id = NULL, error = r.problem
     FROM json_to_recordset($1) AS r ("companyId" uuid, id uuid, problem json)
     WHERE j.company_id = r."companyId" AND j.id = r.id`,
    [JSON.stringify(refused)],
    tx,
  );
}

export async function lockDue(kind: WriteKind, limit: number, tx: Transaction): Promise<Submission[]> {
  return query<Submission>(
    `SELECT company_id AS "companyId", id, encode(fingerprint, 'hex') AS fingerprint, submission_id AS "submissionId",
       request_id AS "requestId", created_at AS "acceptedAt", payload, '' AS "replyTo"
     FROM jobs WHERE status = 'queued' AND run_at <= now() AND type = $1
     ORDER BY run_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [kind.type, limit],
    tx,
  );
}

/** Keeps the submission as queued, to be tried again later and later; after the last try as failed, with its payload. */
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
       run_at = CASE WHEN j.attempts + 1 < $9 THEN now() + 2 ^ j.attempts * interval '1 second' END,
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
