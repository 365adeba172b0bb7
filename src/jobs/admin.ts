// Jobs as operators see them.
import { query, queryOne } from '../platform/db.js';
import { Problem } from '../platform/errors.js';
import { timeJson } from '../platform/time.js';

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

/**
 * Queues a job again that failed for good on our side. A refusal is an outcome that its client has seen and stays.
 * Throws Problem `not_found` or `validation_failed`.
 */
export async function retryJob(id: string): Promise<object> {
  const retried = await queryOne(
    `UPDATE jobs j SET status = 'queued', attempts = 0, error = NULL, finished_at = NULL, run_at = now()
     WHERE j.id = $1 AND j.status = 'failed' AND j.payload IS NOT NULL RETURNING ${record}`,
    [id],
  );
  if (retried) return retried;
  const job = await queryOne<{ status: string }>('SELECT status FROM jobs WHERE id = $1', [id]);
  if (!job) throw new Problem('not_found', `There is no job ${id}.`);
  throw new Problem(
    'validation_failed',
    `Job ${id} is ${job.status === 'failed' ? 'refused, which is final' : job.status}; there is nothing to retry.`,
  );
}
