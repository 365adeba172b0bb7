// Back-pressure: limits unfinished work. Beyond a limit new writes are refused with 503, so that
// workers can catch up while reads go on. Writes that were accepted before are not affected.
import { pollForever } from '../../platform/async/poll.js';
import { query } from '../../platform/db/connection.js';
import { type Problem, unavailable } from '../../platform/errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';

/** Queued jobs of the whole installation: some minutes of work for one worker. */
export const MAX_QUEUED = 50_000;
/** Beyond this age of the oldest job there are no workers or far too few of them. A submission that
 * fails alone is given up long before. */
export const MAX_AGE_SECONDS = 300;
/** Writes that one web process waits for, and the memory that their bodies take. */
const MAX_PENDING = 5_000;
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
const POLL_MS = 1_000;

export interface Backpressure {
  /** Throws `service_unavailable` if one more write would be too many. */
  admit(pending: { readonly count: number; readonly bytes: number }): void;
}

/** Reads the backlog every second. While Postgres is unavailable the last reading counts. */
export function watchBackpressure(log: Log, onStop: OnStop): Backpressure {
  let isBehind = false;
  const readBacklog = async (): Promise<boolean> => {
    const [backlog] = await query<{ count: number; seconds: number }>(
      `SELECT count(*)::int AS count,
         COALESCE(EXTRACT(EPOCH FROM now() - min(created_at)), 0)::float AS seconds
       FROM (
         SELECT created_at FROM jobs WHERE status = 'queued' ORDER BY run_at LIMIT $1
       ) queued`,
      [MAX_QUEUED],
    );
    const { count, seconds } = backlog ?? { count: 0, seconds: 0 };
    const wasBehind = isBehind;
    isBehind = count >= MAX_QUEUED || seconds > MAX_AGE_SECONDS;
    if (isBehind && !wasBehind)
      log.error(
        { queued: count, oldestSeconds: Math.round(seconds) },
        'backlog is over its limit; refusing writes until workers catch up. Add workers',
      );
    if (wasBehind && !isBehind) log.info('backlog is under its limit again; accepting writes');
    return false;
  };
  pollForever('backlog poll', POLL_MS, readBacklog, log, onStop);
  return {
    admit({ count, bytes }) {
      if (isBehind) throw tooBusy('The backlog of writes is too long.');
      if (count >= MAX_PENDING || bytes >= MAX_PENDING_BYTES)
        throw tooBusy('Too many writes are waiting.');
    },
  };
}

function tooBusy(reason: string): Problem {
  return unavailable(
    `${reason} The request was not accepted. Retry it later with the same Idempotency-Key.`,
  );
}
