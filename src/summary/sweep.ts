// Keeps summaries fresh: workers ask for a refresh after each write, and a sweep finds what was missed. The sweep runs by
// this process's own clock: what a queue store loses may not make a summary late.
import { pollForever } from '../platform/async/poll.js';
import { describeError } from '../platform/postgres-errors.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import type { Producer } from '../platform/queue/open.js';
import { findStaleCompanies } from './queries.js';
import { refreshSummary } from './refresh.js';

export const SCHEDULED_QUEUE = 'scheduled';
/** With the rest below under the 5 s in which a summary shows a write, whatever was lost. */
const SWEEP_EVERY_MS = 1_000;
/** A summary as young as this is left to the requests of workers, which come once a second. */
const SWEEP_REST_MS = 2_000;
/** A company's refreshes are at least this far apart, however many writes it sees. */
const DEBOUNCE_MS = 1_000;
const COMPANIES_PER_JOB = 200;

/** Finds and refreshes the summaries that are behind, again and again until stopped. Safe in every scheduler process. */
export function sweepForever(log: Log, onStop: OnStop): void {
  const sweep = async (): Promise<boolean> => {
    await refreshAll(await findStaleCompanies(SWEEP_REST_MS), log);
    return false;
  };
  pollForever('summary sweep', SWEEP_EVERY_MS, sweep, log, onStop);
}

/** Gathers the companies that changed and asks for their summaries once a second; what could not be asked is asked again. */
export function createRefreshRequests(
  producer: Producer,
  log: Log,
  onStop: OnStop,
): (companyIds: Iterable<string>) => void {
  const changed = new Set<string>();
  const flush = async (): Promise<void> => {
    while (changed.size > 0) {
      const companyIds = [...changed].slice(0, COMPANIES_PER_JOB);
      for (const id of companyIds) changed.delete(id);
      try {
        await producer.add('refresh-summaries', { companyIds });
      } catch (error) {
        for (const id of companyIds) changed.add(id);
        log.debug({ err: describeError(error) }, 'summary refresh not requested yet');
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
  return companyIds => {
    for (const id of companyIds) changed.add(id);
  };
}

/** One company's failure does not keep the others from theirs. */
export async function refreshAll(companyIds: readonly string[], log: Log): Promise<void> {
  for (const companyId of companyIds) {
    try {
      await refreshSummary(companyId);
    } catch (error) {
      log.error(
        { companyId, err: describeError(error) },
        'summary refresh failed; the next sweep tries again',
      );
    }
  }
}
