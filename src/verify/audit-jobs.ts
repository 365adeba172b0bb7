// The audit of finished jobs: each one that succeeded has its result.
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { setPlans } from '../platform/db/plans.js';
import type { Log } from '../platform/process/log.js';
import { AUDIT_PLANS, CHECK_JOBS, type Finding, violationsOf } from './new-rows.js';
import type { Violation } from './violation.js';

/** Per transaction. */
const JOBS_MAX = 5_000;
/**
 * A job's row becomes visible at most this much later than its finished_at. What takes longer is
 * left to verify.
 */
const COMMIT_MS = 3_000;

/** As much may separate the beginnings of two audits at once. */
const SKEW_MS = 1_000;
/** After a clock was set back: the jobs that may have finished while no audit ran. */
const STEP_BACK_MS = 3_600_000;

/**
 * Audits the next jobs, unless another process does. `isDone` is false if there are more. The clock
 * of a server that takes over may be behind that of the former one. Jobs then finish before what is
 * audited already, so the audit steps back, and may report violations twice.
 */
export async function auditJobs(
  log: Pick<Log, 'warn'>,
  tx: Transaction,
): Promise<{ found: Violation[]; isDone: boolean }> {
  const progress = await queryOne<{ until: string; now: string; isAhead: boolean }>(
    `SELECT until::text, (now() - $1 * interval '1 ms')::text AS now,
       until > now() - ($1 - $2::int) * interval '1 ms' AS "isAhead"
     FROM audited_jobs
     FOR UPDATE SKIP LOCKED`,
    [COMMIT_MS, SKEW_MS],
    tx,
  );
  if (!progress) return { found: [], isDone: true };
  if (progress.isAhead) {
    log.warn(
      { until: progress.until, now: progress.now },
      "Postgres's clock was set back; the audit of jobs goes back an hour",
    );
    await query(`UPDATE audited_jobs SET until = now() - $1 * interval '1 ms'`, [STEP_BACK_MS], tx);
    return { found: [], isDone: false };
  }
  const { found, last } = await checkJobs(progress.until, progress.now, tx);
  await query(
    'UPDATE audited_jobs SET until = GREATEST(until, $1::timestamptz)',
    [last ?? progress.now],
    tx,
  );
  return { found, isDone: last === null };
}

/** Checks the jobs that finished in this time. If there are more, `last` is when it stopped. */
export async function checkJobs(
  from: string,
  until: string,
  tx: Transaction,
): Promise<{ found: Violation[]; last: string | null }> {
  await setPlans(AUDIT_PLANS, tx);
  const rows = await query<Finding & { count: string | null; last: string | null }>(
    CHECK_JOBS,
    [from, until, JOBS_MAX],
    tx,
  );
  const end = rows.find(({ count }) => count !== null);
  const last = Number(end?.count) === JOBS_MAX ? (end?.last ?? null) : null;
  return { found: violationsOf(rows), last };
}
