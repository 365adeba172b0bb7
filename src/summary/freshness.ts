// Keeps summaries fresh: workers request a refresh after each write, and a sweep finds missed ones.
// The sweep runs by the process's own clock, so data lost by a queue store cannot delay a summary.
import { pollForever } from '../platform/async/poll.js';
import { describeError } from '../platform/postgres-errors.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import type { Producer } from '../platform/queue/open.js';
import { findStaleCompanies } from './queries.js';
import { refreshSummary } from './refresh.js';

/** The queue of the scheduler processes. It also runs the jobs of scheduled/schedules.ts. */
export const SCHEDULED_QUEUE = 'scheduled';
/** The job on it that carries the companies to refresh, as `{ companyIds }`. */
export const REFRESH_JOB = 'refresh-summaries';
/** With SWEEP_REST_MS, well within the 5 s in which a summary must show a write. */
const SWEEP_EVERY_MS = 1_000;
/** The sweep leaves younger summaries to the workers' requests, which come once per second. */
const SWEEP_REST_MS = 2_000;
/** The minimum time between two refresh requests for a company, however many writes it has. */
const DEBOUNCE_MS = 1_000;
const COMPANIES_PER_JOB = 200;

/** Refreshes stale summaries until stopped. Safe in every scheduler process. */
export function sweepForever(log: Log, onStop: OnStop): void {
  const sweep = async (): Promise<boolean> => {
    await refreshAll(await findStaleCompanies(SWEEP_REST_MS), log);
    return false;
  };
  pollForever('summary sweep', SWEEP_EVERY_MS, sweep, log, onStop);
}

/**
 * Returns a function that collects changed companies. Their refreshes are requested once per
 * second; a failed request is retried with the next one.
 */
export function createRefreshRequests(
  producer: Producer,
  log: Log,
  onStop: OnStop,
): (companyIds: Iterable<string>) => void {
  const changed = new Set<string>();
  const add = (companyIds: Iterable<string>): void => {
    for (const id of companyIds) changed.add(id);
  };
  const flush = async (): Promise<void> => {
    while (changed.size > 0) {
      const companyIds = [...changed].slice(0, COMPANIES_PER_JOB);
      for (const id of companyIds) changed.delete(id);
      try {
        await producer.add(REFRESH_JOB, { companyIds });
      } catch (error) {
        add(companyIds);
        log.debug({ err: describeError(error) }, 'could not request a summary refresh; retrying');
        return;
      }
    }
  };
  const timer = setInterval(() => void flush(), DEBOUNCE_MS);
  timer.unref();
  onStop('summary requests', async () => {
    clearInterval(timer);
    await flush();
  });
  return add;
}

/** Refreshes the companies' summaries in turn. A failure is logged and does not stop the others. */
export async function refreshAll(companyIds: readonly string[], log: Log): Promise<void> {
  for (const companyId of companyIds) {
    try {
      await refreshSummary(companyId);
    } catch (error) {
      log.error(
        { companyId, err: describeError(error) },
        'summary refresh failed; the next sweep retries it',
      );
    }
  }
}
