// Back-pressure: how much unfinished work is taken on. Beyond it new writes are refused with 503 and nothing promised,
// so that a backlog can be worked off and reads go on; what was accepted before stays accepted.

import { pollForever } from '../../platform/async/poll.js';
import { query } from '../../platform/db/connection.js';
import { type Problem, unavailable } from '../../platform/errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';

/** Queued jobs of the whole product; some minutes of work for one worker. */
export const MAX_QUEUED = 50_000;
/** Age of the oldest: its workers are away or far too few. A submission that fails alone is given up long before. */
export const MAX_AGE_SECONDS = 300;
/** Requests that wait in one web process, and what their bodies may hold of its memory. */
const MAX_WAITING = 5_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const LOOK_MS = 1_000;

export interface Pressure {
  /** Throws `service_unavailable` where one more write would be too many. */
  admit(waiting: { readonly count: number; readonly bytes: number }): void;
}

/** Looks at the backlog every second. While Postgres is away the last look counts. */
export function watchPressure(log: Log, onStop: OnStop): Pressure {
  let isBehind = false;
  const look = async (): Promise<boolean> => {
    const [row] = await query<{ count: number; seconds: number }>(
      `SELECT count(*)::int AS count, COALESCE(EXTRACT(EPOCH FROM now() - min(created_at)), 0)::float AS seconds
       FROM (SELECT created_at FROM jobs WHERE status = 'queued' ORDER BY run_at LIMIT $1) q`,
      [MAX_QUEUED],
    );
    const { count, seconds } = row ?? { count: 0, seconds: 0 };
    const wasBehind = isBehind;
    isBehind = count >= MAX_QUEUED || seconds > MAX_AGE_SECONDS;
    if (isBehind && !wasBehind)
      log.error(
        { queued: count, oldestSeconds: Math.round(seconds) },
        'the backlog is too long: writes are refused; add workers',
      );
    if (wasBehind && !isBehind) log.info('the backlog is short again: writes are taken');
    return false;
  };
  pollForever('backlog look', LOOK_MS, look, log, onStop);
  return {
    admit({ count, bytes }) {
      if (isBehind) throw busy('The backlog of writes is too long');
      if (count >= MAX_WAITING || bytes >= MAX_WAITING_BYTES)
        throw busy('Too many writes are waiting');
    },
  };
}

function busy(reason: string): Problem {
  return unavailable(
    `${reason}; this one was not taken on. Try again later with the same Idempotency-Key.`,
  );
}
