// Wake-up jobs: after the commit of new events, one job per company lets a worker look for its
// endpoints at once. A job that is lost does no harm, because a sweep finds the events a second
// later.
import { onEventsAppended } from '../../feed/append.js';
import { pollForever } from '../../platform/async/poll.js';
import { query } from '../../platform/db/connection.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import type { Producer } from '../../platform/queue/open.js';

/** The queue of the jobs. */
export const WAKE_UPS = 'webhooks';
export const WAKE_UPS_AT_ONCE = 4;

export interface WakeUp {
  readonly companyId: string;
}

/** A company has at most one job in this time. */
const PAUSE_MS = 200;
/** New endpoints are known after this time. Until then, the sweep finds their events. */
const KNOWN_MS = { everyMs: 5_000, offsetMs: 150 };

/** Adds jobs for the events that this process appends, until it stops. */
export function announceEvents(producer: Producer, log: Log, onStop: OnStop): void {
  let known = new Set<string>();
  /** Companies that have just had a job. True: another one follows. */
  const pauses = new Map<string, boolean>();
  const wake = (companyId: string): void => {
    pauses.set(companyId, false);
    setTimeout(() => {
      const isAgain = pauses.get(companyId) === true;
      pauses.delete(companyId);
      if (isAgain) wake(companyId);
    }, PAUSE_MS).unref();
    const job: WakeUp = { companyId };
    // The sweep finds what a lost job would have announced.
    producer.add('wake', job).catch(() => undefined);
  };
  onEventsAppended(companyIds => {
    for (const companyId of companyIds) {
      if (!known.has(companyId)) continue;
      if (pauses.has(companyId)) pauses.set(companyId, true);
      else wake(companyId);
    }
  });
  pollForever(
    'the list of companies with webhooks',
    KNOWN_MS,
    async () => {
      known = await companiesWithEndpoints();
      return false;
    },
    log,
    onStop,
  );
}

async function companiesWithEndpoints(): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    `SELECT DISTINCT company_id AS id FROM webhook_endpoints WHERE status = 'active'`,
    [],
  );
  return new Set(rows.map(({ id }) => id));
}
