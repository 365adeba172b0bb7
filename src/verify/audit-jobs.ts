// The audit of finished jobs: each one that succeeded has its result.
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import type { Log } from '../platform/process/log.js';
import { CHECK_JOBS } from './new-rows.js';
import { type Finding, findViolations } from './step.js';
import type { Violation } from './violation.js';

/** Jobs per transaction. */
const JOBS_MAX = 5_000;
/** A job that becomes visible later than this after its finished_at is left to `npm run verify`. */
const COMMIT_MS = 3_000;
/** Two audits that run at once may begin this far apart. */
const SKEW_MS = 1_000;
/** After a clock was set back, the audit repeats this time, in which it may have missed jobs. */
const STEP_BACK_MS = 3_600_000;

/** Postgres's clock was set back after the last audit. $1: COMMIT_MS; $2: SKEW_MS. */
const IS_AHEAD = "until > now() - ($1 - $2::int) * interval '1 ms'";

/** The jobs that finished in this time. */
interface Time {
  readonly from: string;
  readonly until: string;
}

/** True if `auditJobs` has something to do. An idle process only asks this. */
export async function hasNewJobs(): Promise<boolean> {
  const found = await queryOne(
    `SELECT
     FROM audited_jobs a
     WHERE ${IS_AHEAD} OR EXISTS (
       SELECT
       FROM jobs
       WHERE finished_at >= a.until AND finished_at < now() - $1 * interval '1 ms'
     )`,
    [COMMIT_MS, SKEW_MS],
  );
  return found !== null;
}

/**
 * Audits the next jobs, unless another process does. `isDone` is false if there are more. The clock
 * of a server that takes over may be behind the clock of the former one. Jobs then finish before
 * the time that is audited already, so the audit steps back, and may report violations twice.
 */
export async function auditJobs(
  log: Pick<Log, 'warn'>,
  tx: Transaction,
): Promise<{ found: readonly Violation[]; isDone: boolean }> {
  const [time] = await lockJobs(log, tx);
  if (!time) return { found: [], isDone: true };
  const { found, last } = await checkJobs(time.from, time.until, tx);
  await query(
    'UPDATE audited_jobs SET until = GREATEST(until, $1::timestamptz)',
    [last ?? time.until],
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
  type JobRow = Finding & { readonly count: string | null; readonly last: string | null };
  const bind = [from, until, JOBS_MAX];
  const { rows, found } = await findViolations<JobRow>(CHECK_JOBS, bind, tx);
  const end = rows.find(({ count }) => count !== null);
  return { found, last: Number(end?.count) === JOBS_MAX ? (end?.last ?? null) : null };
}

/** Returns the time to audit, unless another process has locked it. */
async function lockJobs(log: Pick<Log, 'warn'>, tx: Transaction): Promise<Time[]> {
  const locked = await query<Time & { isAhead: boolean }>(
    `SELECT until::text AS from, (now() - $1 * interval '1 ms')::text AS until,
       ${IS_AHEAD} AS "isAhead"
     FROM audited_jobs
     FOR UPDATE SKIP LOCKED`,
    [COMMIT_MS, SKEW_MS],
    tx,
  );
  const [ahead] = locked.filter(({ isAhead }) => isAhead);
  if (!ahead) return locked;
  log.warn(
    { until: ahead.from, now: ahead.until },
    "Postgres's clock was set back; the audit of jobs goes back an hour",
  );
  return query<Time>(
    `UPDATE audited_jobs
     SET until = now() - $1 * interval '1 ms'
     RETURNING until::text AS from, (now() - $2 * interval '1 ms')::text AS until`,
    [STEP_BACK_MS, COMMIT_MS],
    tx,
  );
}
