// Keeps summaries fresh: a sweep finds the companies that changed and refreshes them together, so
// the more a system writes, the more each refresh carries.
import { togetherOrAlone } from '../companies/stale-companies.js';
import type { ReadInvoices } from '../invoices/issued/new-invoices.js';
import { pollForever } from '../platform/async/poll.js';
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
    const refresh = async (some: readonly string[]) => {
      await refreshSummaries(some, readInvoices, signal);
      return false;
    };
    for (let start = 0; start < companyIds.length; start += COMPANIES_MAX) {
      const some = companyIds.slice(start, start + COMPANIES_MAX);
      await togetherOrAlone('summary refresh', some, refresh, log);
    }
    await addMissingTexts();
    return false;
  };
  pollForever('summary sweep', SWEEP_EVERY_MS, sweep, log, onStop);
}
