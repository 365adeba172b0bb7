// Jobs as operators see them.
import { setTimeout as delay } from 'node:timers/promises';
import { query, queryOne } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/sql.js';
import { Problem } from '../platform/errors.js';
import type { ProblemDocument } from '../platform/problem-document.js';
import { PLACE_DELAY } from './persist.js';
import { MIN_WEIGHT } from './write-kind.js';

/** Limit of a list that people read. Older jobs can be listed by company. */
const LIST_LIMIT = 500;

/** A job record, never with its payload. With the jobs row as j. */
const RECORD_COLUMNS = `
  j.company_id AS "companyId", j.id AS "jobId",
  j.type, j.status, j.attempts,
  j.request_id AS "requestId",
  ${timeJson('j.created_at')} AS "createdAt",
  ${timeJson('j.finished_at')} AS "finishedAt",
  j.error,
  j.status = 'failed' AND j.payload IS NOT NULL AS "retryable"`;

/** Job records, newest first. */
export async function listJobs(filter: {
  status: string | undefined;
  companyId: string | undefined;
}): Promise<object[]> {
  return query(
    `SELECT ${RECORD_COLUMNS}
     FROM jobs j
     WHERE ($1::text IS NULL OR j.status = $1)
       AND ($2::uuid IS NULL OR j.company_id = $2)
     ORDER BY j.created_at DESC, j.id DESC
     LIMIT $3`,
    [filter.status ?? null, filter.companyId ?? null, LIST_LIMIT],
  );
}

export interface FailedJob {
  readonly companyId: string;
  readonly companyName: string;
  readonly jobId: string;
  readonly type: string;
  readonly attempts: number;
  readonly requestId: string;
  readonly createdAt: string;
  readonly finishedAt: string;
  readonly error: ProblemDocument;
  readonly retryable: boolean;
}

/** The sort key of a job in a list of all companies: creation time and id. */
export type JobPosition = readonly [createdAt: string, id: string];

export interface FailedJobs {
  readonly jobs: readonly FailedJob[];
  /** The position of the last job if there are more, otherwise null. */
  readonly next: JobPosition | null;
}

/** Failed jobs of all companies after a position, newest first: retryable ones, or refusals too. */
export async function listFailedJobs(
  which: 'retryable' | 'all',
  after: JobPosition | null,
  limit: number,
): Promise<FailedJobs> {
  const rows = await query<FailedJob & { exactCreatedAt: string }>(
    `SELECT ${RECORD_COLUMNS},
       c.name AS "companyName",
       j.created_at::text AS "exactCreatedAt"
     FROM jobs j
       JOIN companies c ON c.id = j.company_id
     WHERE j.status = 'failed'
       ${which === 'retryable' ? 'AND j.payload IS NOT NULL' : ''}
       ${after ? 'AND (j.created_at, j.id) < ($2::timestamptz, $3::uuid)' : ''}
     ORDER BY j.created_at DESC, j.id DESC
     LIMIT $1`,
    [limit + 1, ...(after ?? [])],
  );
  const last = rows[limit - 1];
  return {
    jobs: rows.slice(0, limit),
    next: rows.length > limit && last ? [last.exactCreatedAt, last.jobId] : null,
  };
}

/** Sets a failed job back to its first attempt, and its age to 0. With the jobs row as j. */
const RETRY = `
  status = 'queued', attempts = 0, error = NULL,
  finished_at = NULL, run_at = now() + ${PLACE_DELAY}, queued_at = now()`;

/**
 * Queues a job again that failed because of an internal error. A refusal is final, because its
 * client has seen it.
 * Throws Problem `not_found` or `validation_failed`.
 */
export async function retryJob(id: string, companyId?: string): Promise<object> {
  const bind = [companyId ?? (await findCompanyOf(id)), id];
  const retried = await queryOne(
    `UPDATE jobs j
     SET ${RETRY}
     WHERE j.company_id = $1 AND j.id = $2 AND j.status = 'failed' AND j.payload IS NOT NULL
     RETURNING ${RECORD_COLUMNS}`,
    bind,
  );
  if (retried) return retried;
  const job = await queryOne<{ status: string }>(
    'SELECT j.status FROM jobs j WHERE j.company_id = $1 AND j.id = $2',
    bind,
  );
  if (!job) throw noSuchJob(id);
  const state = job.status === 'failed' ? 'was refused, which is final' : `is ${job.status}`;
  throw new Problem('validation_failed', `Job ${id} ${state}. There is nothing to retry.`);
}

/** The limits of a step of `retryJobs`. No step begins while more weight than that is queued. */
const STEP = { jobs: 1_000, weight: 20_000 };
/** The longest wait for workers before a step. */
const STEP_WAIT_MS = 60_000;
const STEP_POLL_MS = 250;

/**
 * Queues the jobs again that failed because of internal errors before this call, optionally only
 * one company's jobs, or only jobs since a time. Each step waits until workers have settled most of
 * the backlog, so that the backlog stays far below the limits beyond which writes are refused. If
 * workers do not settle it in time, stops and returns how many jobs are left.
 */
export async function retryJobs(filter: {
  readonly since: Date | undefined;
  readonly companyId: string | undefined;
}): Promise<{ retried: number; left?: number }> {
  const start = await queryOne<{ now: string }>('SELECT now()::text AS now', []);
  const bind = [filter.since ?? null, filter.companyId ?? null, start?.now];
  let retried = 0;
  while (await isBacklogShort()) {
    const step = await queryOne<{ count: number }>(
      `WITH failed AS (
         SELECT company_id, id, created_at, COALESCE(weight, ${MIN_WEIGHT}) AS weight
         FROM jobs
         WHERE ${RETRYABLE}
         ORDER BY created_at, id
         LIMIT $4
       ), step AS (
         SELECT company_id, id,
           sum(weight) OVER (ORDER BY created_at, id) - weight AS weight_before
         FROM failed
       ), retried AS (
         UPDATE jobs j
         SET ${RETRY}
         FROM step
         WHERE j.company_id = step.company_id AND j.id = step.id
           AND step.weight_before < $5
           AND j.status = 'failed' AND j.payload IS NOT NULL
         RETURNING 1
       )
       SELECT count(*)::int AS count
       FROM retried`,
      [...bind, STEP.jobs, STEP.weight],
    );
    if (!step?.count) break;
    retried += step.count;
  }
  const row = await queryOne<{ left: number }>(
    `SELECT count(*)::int AS left FROM jobs WHERE ${RETRYABLE}`,
    bind,
  );
  return { retried, ...(row?.left ? { left: row.left } : {}) };
}

/** Selects the jobs of `retryJobs`, without those that fail again while it runs. */
const RETRYABLE = `
  status = 'failed' AND payload IS NOT NULL
  AND ($1::timestamptz IS NULL OR finished_at >= $1)
  AND ($2::uuid IS NULL OR company_id = $2)
  AND finished_at < $3::timestamptz`;

/** False if the backlog does not become short in time. */
async function isBacklogShort(): Promise<boolean> {
  const deadline = performance.now() + STEP_WAIT_MS;
  for (;;) {
    const row = await queryOne<{ isShort: boolean }>(
      `SELECT COALESCE(sum(COALESCE(weight, ${MIN_WEIGHT})), 0) <= $1 AS "isShort"
       FROM jobs
       WHERE status = 'queued'`,
      [STEP.weight],
    );
    if (row?.isShort) return true;
    if (performance.now() > deadline) return false;
    await delay(STEP_POLL_MS);
  }
}

/** One index probe per company: no index of jobs begins with the id. */
async function findCompanyOf(jobId: string): Promise<string> {
  const found = await queryOne<{ companyId: string }>(
    `SELECT j.company_id AS "companyId"
     FROM companies c,
       LATERAL (SELECT company_id FROM jobs WHERE company_id = c.id AND id = $1 LIMIT 1) j
     LIMIT 1`,
    [jobId],
  );
  if (!found) throw noSuchJob(jobId);
  return found.companyId;
}

function noSuchJob(id: string): Problem {
  return new Problem('not_found', `There is no job ${id}.`);
}
