// Repeats a piece of a migration that met a lock, with pauses in which other sessions go on.
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { backOffMs } from '../../async/back-off.js';
import { sqlState } from '../../postgres-errors.js';

const PAUSE_MIN_MS = 100;
const PAUSE_MAX_MS = 3_000;
/** A lock timeout, a deadlock, a serialization failure. */
const LOCKED = /^(55P03|40P01|40001)$/u;

const OLDEST_TRANSACTION = `
  SELECT pid, application_name AS name, round(extract(epoch FROM now() - xact_start)) AS seconds
  FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
  ORDER BY xact_start
  LIMIT 1`;

/**
 * Runs `work` again after a lock timeout or a deadlock. `work` must change nothing when it fails.
 * Throws a sentence that says what to do if another session holds its lock all the time.
 */
export async function retryLocked<Result>(
  client: pg.Client,
  retryForMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + retryForMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!LOCKED.test(sqlState(error) ?? '')) throw error;
      if (performance.now() > deadline) throw new Error(await describeLock(client));
      await delay(backOffMs(attempt, PAUSE_MIN_MS, PAUSE_MAX_MS));
    }
  }
}

async function describeLock(client: pg.Client): Promise<string> {
  const { rows } = await client.query(OLDEST_TRANSACTION);
  const [oldest] = rows;
  const holder = oldest
    ? ` The oldest transaction belongs to process ${oldest.pid} ("${oldest.name}"), ` +
      `which began ${oldest.seconds} s ago.`
    : '';
  return (
    `Another session holds a lock that the migration needs.${holder} ` +
    'End its transaction (see pg_stat_activity) and run it again.'
  );
}
