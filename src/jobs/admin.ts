// Jobs as operators see them.
import { query, queryOne } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/sql.js';
import { Problem } from '../platform/errors.js';
import type { ProblemDocument } from '../platform/problem-document.js';
import type { JobType } from './write-kind.js';

/** A list for people; what is older is found by company. */
const LIST_LIMIT = 500;

/** A job record: what it is, what became of it, never its payload. With the jobs row as j. */
const record = `j.company_id AS "companyId", j.id AS "jobId", j.type, j.status, j.attempts, j.request_id AS "requestId",
  ${timeJson('j.created_at')} AS "createdAt", ${timeJson('j.finished_at')} AS "finishedAt", j.error,
  j.status = 'failed' AND j.payload IS NOT NULL AS "retryable"`;

/** Job records, newest first. */
export async function listJobs(filter: {
  status: string | undefined;
  companyId: string | undefined;
}): Promise<object[]> {
  return query(
    `SELECT ${record} FROM jobs j
     WHERE ($1::text IS NULL OR j.status = $1) AND ($2::uuid IS NULL OR j.company_id = $2)
     ORDER BY j.created_at DESC, j.id DESC LIMIT $3`,
    [filter.status ?? null, filter.companyId ?? null, LIST_LIMIT],
  );
}

export interface FailedJob {
  readonly companyId: string;
  readonly companyName: string;
  readonly jobId: string;
  readonly type: JobType;
  readonly attempts: number;
  readonly requestId: string;
  readonly createdAt: string;
  readonly finishedAt: string;
  readonly error: ProblemDocument;
  readonly retryable: boolean;
}

export interface FailedJobs {
  readonly jobs: readonly FailedJob[];
  /** The last job's place in the list where more follow, else null. */
  readonly next: readonly [time: string, id: string] | null;
}

/** Failed jobs of all companies, newest first, from after a place: those that can be retried, or the refusals too. */
export async function listFailedJobs(
  which: 'retryable' | 'all',
  after: readonly [time: string, id: string] | null,
  limit: number,
): Promise<FailedJobs> {
  const rows = await query<FailedJob & { place: string }>(
    `SELECT ${record}, c.name AS "companyName", j.created_at::text AS place
     FROM jobs j JOIN companies c ON c.id = j.company_id
     WHERE j.status = 'failed' ${which === 'retryable' ? 'AND j.payload IS NOT NULL' : ''}
       ${after ? 'AND (j.created_at, j.id) < ($2::timestamptz, $3::uuid)' : ''}
     ORDER BY j.created_at DESC, j.id DESC LIMIT $1`,
    [limit + 1, ...(after ?? [])],
  );
  const last = rows[limit - 1];
  return {
    jobs: rows.slice(0, limit),
    next: rows.length > limit && last ? [last.place, last.jobId] : null,
  };
}

/**
 * Queues a job again that failed for good on our side; naming its company too finds it at once among millions. A refusal
 * is an outcome that its client has seen and stays. Throws Problem `not_found` or `validation_failed`.
 */
export async function retryJob(id: string, companyId?: string): Promise<object> {
  const bind = companyId === undefined ? [id] : [id, companyId];
  const isIt = companyId === undefined ? 'j.id = $1' : 'j.id = $1 AND j.company_id = $2';
  const retried = await queryOne(
    `UPDATE jobs j SET status = 'queued', attempts = 0, error = NULL, finished_at = NULL, run_at = now()
     WHERE ${isIt} AND j.status = 'failed' AND j.payload IS NOT NULL RETURNING ${record}`,
    bind,
  );
  if (retried) return retried;
  const job = await queryOne<{ status: string }>(`SELECT status FROM jobs j WHERE ${isIt}`, bind);
  if (!job) throw new Problem('not_found', `There is no job ${id}.`);
  throw new Problem(
    'validation_failed',
    `Job ${id} is ${job.status === 'failed' ? 'refused, which is final' : job.status}; there is nothing to retry.`,
  );
}
