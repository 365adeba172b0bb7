// Finds the companies whose new rows a sweep has to work on, such as those whose summary is behind
// their counters. Each sweep compares its own progress with the counters of every company. While no
// company writes, one short statement for all sweeps tells that there is nothing to compare.
import { shared } from '../platform/async/shared.js';
import { query, queryOne } from '../platform/db/connection.js';
import { describeError, isOutage } from '../platform/postgres-errors.js';
import type { Log } from '../platform/process/log.js';

/** Sweeps at about the same time share a reading. It adds to the delay of a sweep. */
const SHARED_MS = 1_000;
/** Rows that were changed by hand count after this time, even if no company writes. */
const LOOK_EVERY_MS = 30_000;

/** The counters only grow, so equal sums mean that no company has written anything. */
const readCounters = shared(SHARED_MS, async () => {
  const row = await queryOne<{ counters: string }>(
    `SELECT concat_ws(
         ' ', count(*), sum(next_invoice_number), sum(next_entry_sequence), sum(stock_version)
       ) AS counters
     FROM companies`,
    [],
  );
  return row?.counters ?? '';
});

export class StaleCompanies {
  readonly #sql: string;
  /** The counters before the last statement, which found nothing, and the time of it. */
  #idle: { readonly counters: string; readonly at: number } | undefined;

  /** The statement has no values and returns "companyId". */
  constructor(sql: string) {
    this.#sql = sql;
  }

  /** Their ids. A company that has written less than a second ago may be missing. */
  async find(): Promise<string[]> {
    const counters = await readCounters();
    const at = performance.now();
    const isIdle = this.#idle?.counters === counters && at - this.#idle.at < LOOK_EVERY_MS;
    if (isIdle) return [];
    const rows = await query<{ companyId: string }>(this.#sql, []);
    this.#idle = rows.length === 0 ? { counters, at } : undefined;
    return rows.map(({ companyId }) => companyId);
  }
}

/**
 * Runs a step for companies together, or for each alone if that fails, so that one cannot stop the
 * others. Returns true if a step does, because more is left. An outage fails all.
 */
export async function togetherOrAlone(
  name: string,
  companyIds: readonly string[],
  step: (companyIds: readonly string[]) => Promise<boolean>,
  log: Log,
): Promise<boolean> {
  try {
    return await step(companyIds);
  } catch (error) {
    if (isOutage(error)) throw error;
    const err = describeError(error);
    if (companyIds.length === 1) {
      log.error({ companyId: companyIds[0], err }, `${name} failed; the next sweep retries it`);
      return false;
    }
    log.warn({ err }, `${name} failed; continuing one by one`);
  }
  let isMore = false;
  for (const companyId of companyIds)
    isMore = (await togetherOrAlone(name, [companyId], step, log)) || isMore;
  return isMore;
}
