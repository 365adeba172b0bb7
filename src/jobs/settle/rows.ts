// A worker's statements on jobs rows: find unsettled ones, settle them and record failed attempts.
import { query, type Transaction } from '../../platform/db/connection.js';
import { arraysOf, type Columns, unnest } from '../../platform/db/rows.js';
import { Problem } from '../../platform/errors.js';
import { describeError } from '../../platform/postgres-errors.js';
import {
  type ProblemDocument,
  problemDocument,
  withRequestId,
} from '../../platform/problem-document.js';
import type { Log } from '../../platform/process/log.js';
import { MAX_ATTEMPTS } from '../attempts.js';
import { compareJobs } from '../persist.js';
import { findJobs } from '../queries.js';
import type { BatchWrite, Decision, Submission, WriteKind } from '../write-kind.js';

/** Longest pause after an attempt. Pauses grow fourfold up to it. */
const MAX_PAUSE_SECONDS = 60;

/**
 * The submissions to settle now: those without a row, and those whose row is queued with the same
 * fingerprint, which take over its submissionId, requestId and createdBy. Takes no locks: a row
 * that another transaction settles in the meantime makes `settleJobs` throw.
 */
export async function findUnsettled(
  submissions: readonly Submission[],
  tx: Transaction,
): Promise<Submission[]> {
  type Row = Pick<Submission, 'id' | 'fingerprint' | 'submissionId' | 'requestId' | 'createdBy'>;
  const rows = await findJobs<Row & { isQueued: boolean }>(
    submissions,
    `j.id, j.status = 'queued' AS "isQueued", encode(j.fingerprint, 'hex') AS fingerprint,
     j.submission_id AS "submissionId", j.request_id AS "requestId", j.created_by AS "createdBy"`,
    tx,
  );
  const rowOf = new Map(rows.map(row => [row.id, row]));
  return submissions.flatMap(submission => {
    const row = rowOf.get(submission.id);
    if (!row) return [submission];
    const { isQueued, fingerprint, submissionId, requestId, createdBy } = row;
    const isUnsettled = isQueued && fingerprint === submission.fingerprint;
    return isUnsettled ? [{ ...submission, submissionId, requestId, createdBy }] : [];
  });
}

/** A decided job: with a result if it succeeded, with a problem if it was refused. */
export interface SettledJob {
  readonly submission: Submission;
  readonly resultId: string | null;
  readonly problem: ProblemDocument | null;
}

export function toSettledJob(
  { path }: WriteKind,
  write: Submission & BatchWrite,
  decision: Decision<unknown>,
): SettledJob {
  if ('plan' in decision) return { submission: write, resultId: write.resultId, problem: null };
  const document = problemDocument(decision.refusal, path(write.payload));
  const problem = withRequestId(document, write.requestId);
  return { submission: write, resultId: null, problem };
}

export const statusOf = ({ resultId }: SettledJob) => (resultId ? 'succeeded' : 'failed');

const SETTLED: Columns<SettledJob> = {
  company_id: ['uuid', ({ submission }) => submission.companyId],
  id: ['uuid', ({ submission }) => submission.id],
  status: ['text', statusOf],
  fingerprint: ['bytea', ({ submission }) => `\\x${submission.fingerprint}`],
  submission_id: ['uuid', ({ submission }) => submission.submissionId],
  request_id: ['text', ({ submission }) => submission.requestId],
  result_id: ['uuid', ({ resultId }) => resultId],
  error: ['json', ({ problem }) => problem && JSON.stringify(problem)],
  type: ['text', ({ submission }) => submission.type],
  created_at: ['timestamptz', ({ submission }) => submission.acceptedAt],
};

const SETTLE_JOBS = `
     WITH settled AS (
       INSERT INTO jobs AS j (
         company_id, id, type, status, fingerprint,
         submission_id, request_id,
         result_id, error,
         created_at, finished_at
       )
       SELECT company_id, id, type, status, fingerprint,
         submission_id, request_id,
         result_id, error,
         created_at, clock_timestamp()
       FROM ${unnest(SETTLED, 'settled')}
       ON CONFLICT (company_id, id) DO UPDATE
         SET status = excluded.status,
           result_id = excluded.result_id, error = excluded.error,
           submission_id = excluded.submission_id,
           finished_at = excluded.finished_at,
           run_at = NULL, payload = NULL,
           refused_payload = CASE WHEN excluded.status = 'failed' THEN j.payload END
         WHERE j.status = 'queued' AND j.fingerprint = excluded.fingerprint
       RETURNING 1
     )
     SELECT require_all_settled(count(*), $11)
     FROM settled`;

/**
 * Writes the jobs rows of a batch. Must be the last statement: a web process that persists the same
 * job for its 202 blocks on this lock. Fails with a conflict if another transaction settled one of
 * the jobs first. A refused job keeps its payload so that the dashboard can reopen the form.
 */
export async function settleJobs(jobs: readonly SettledJob[], tx: Transaction): Promise<void> {
  if (jobs.length === 0) return;
  const ordered = jobs.toSorted((a, b) => compareJobs(a.submission, b.submission));
  await query(SETTLE_JOBS, [...arraysOf(SETTLED, ordered), ordered.length], tx);
}

/**
 * Persists the submission as queued, to be retried after a growing, jittered pause. The last
 * attempt persists it as failed, with its payload.
 */
export async function recordFailedAttempt(
  { type, path }: WriteKind,
  submission: Submission,
  error: unknown,
  log: Log,
): Promise<void> {
  const { companyId, id, fingerprint, submissionId, requestId, createdBy } = submission;
  const problem = new Problem(
    'internal_error',
    'The write failed. It was logged under this requestId, and an operator can retry it.',
  );
  const [row] = await query<{ attempts: number }>(
    `INSERT INTO jobs AS j (
       company_id, id, type, status, fingerprint,
       submission_id, request_id, payload, created_by,
       attempts, run_at, created_at
     )
     VALUES (
       $1, $2, $3, 'queued', decode($4, 'hex'),
       $5, $6, $7, $12,
       1, now() + interval '1 second', $8
     )
     ON CONFLICT (company_id, id) DO UPDATE
       SET attempts = j.attempts + 1,
         status = CASE WHEN j.attempts + 1 < $9 THEN 'queued' ELSE 'failed' END,
         run_at = CASE
           WHEN j.attempts + 1 < $9
           THEN now()
             + LEAST(4 ^ j.attempts, $11) * (0.5 + random()) * interval '1 second'
         END,
         finished_at = CASE WHEN j.attempts + 1 < $9 THEN NULL ELSE now() END,
         error = CASE WHEN j.attempts + 1 < $9 THEN NULL ELSE $10::json END
       WHERE j.status = 'queued' AND j.fingerprint = excluded.fingerprint
     RETURNING attempts`,
    [
      ...[companyId, id, type, fingerprint, submissionId, requestId],
      JSON.stringify(submission.payload),
      submission.acceptedAt,
      MAX_ATTEMPTS,
      JSON.stringify(withRequestId(problemDocument(problem, path(submission.payload)), requestId)),
      MAX_PAUSE_SECONDS,
      createdBy && JSON.stringify(createdBy),
    ],
  );
  const isLast = row !== undefined && row.attempts >= MAX_ATTEMPTS;
  log.error(
    { requestId, companyId, jobId: id, attempts: row?.attempts, err: describeError(error) },
    isLast
      ? 'job failed permanently; see `npm run admin -- jobs list --status failed`'
      : 'job failed; it will be retried',
  );
}
