// Keeps summaries fresh: a sweep finds the companies that changed and refreshes them together, so
// the more a system writes, the more each refresh carries.
import type { ReadInvoices } from '../invoices/issued/new-invoices.js';
import { pollForever } from '../platform/async/poll.js';
import { describeError, isOutage } from '../platform/postgres-errors.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import { staleSummaries } from './queries.js';
import { refreshSummaries } from './refresh.js';
import { addMissingTexts } from './search-texts.js';

/** Well within the 5 s in which a summary must show a write. */
const SWEEP_EVERY_MS = 1_500;
/** Companies per transaction, and so the most that one failure or lock can concern. */
const COMPANIES_MAX = 500;

/** Refreshes stale summaries until stopped. Safe in every scheduler process. */
export function sweepForever(readInvoices: ReadInvoices, log: Log, onStop: OnStop): void {
  const sweep = async (signal: AbortSignal): Promise<boolean> => {
    const companyIds = await staleSummaries.find();
    for (let start = 0; start < companyIds.length; start += COMPANIES_MAX)
      await refreshAll(companyIds.slice(start, start + COMPANIES_MAX), readInvoices, signal, log);
    await addMissingTexts();
    return false;
  };
  pollForever('summary sweep', SWEEP_EVERY_MS, sweep, log, onStop);
}

/** Refreshes companies together, and each alone if that fails, so one cannot stop the others. */
async function refreshAll(
  companyIds: readonly string[],
  readInvoices: ReadInvoices,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  try {
    return await refreshSummaries(companyIds, readInvoices, signal);
  } catch (error) {
    if (isOutage(error)) throw error;
    log.warn({ err: describeError(error) }, 'summary refresh failed; refreshing one by one');
  }
  for (const companyId of companyIds) {
    try {
      await refreshSummaries([companyId], readInvoices, signal);
    } catch (error) {
      if (isOutage(error)) throw error;
      log.error(
        { companyId, err: describeError(error) },
        'summary refresh failed; the next sweep retries it',
      );
    }
  }
}
