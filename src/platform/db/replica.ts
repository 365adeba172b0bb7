// Reads from a streaming replica, if one is configured. It may be unavailable, hang or be behind:
// each statement says how fresh its rows must be, and without rows the caller reads the primary.
import type pg from 'pg';
import { Breaker } from '../async/breaker.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { replicaReads } from '../process/metrics.js';
import { OutageLog } from '../process/outage-log.js';
import { openPool } from './client.js';
import { sessionLimits } from './limits.js';

/** A replica that takes longer is not asked again until it answers a ping. */
const ANSWER_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 500;
/** A late answer still tells the breaker that the replica works. After this time it is given up. */
const GIVEN_UP_AFTER_MS = 2_000;

export interface ReplicaOptions {
  readonly url: string;
  readonly poolMax: number;
  readonly name: string;
}

interface Replica {
  readonly pool: pg.Pool;
  readonly breaker: Breaker;
  readonly outage: OutageLog;
}

let replica: Replica | undefined;

/** Opens the process's replica. Connects on first use; the replica may be unavailable. */
export function openReplica(
  { url, poolMax, name }: ReplicaOptions,
  log: Log,
  onStop: OnStop,
): void {
  const limits = sessionLimits({
    connectMs: CONNECT_TIMEOUT_MS,
    statementMs: GIVEN_UP_AFTER_MS,
    answerMs: GIVEN_UP_AFTER_MS,
  });
  const pool = openPool(
    { connectionString: url, application_name: name, max: poolMax, ...limits },
    error => log.debug({ err: describeError(error) }, 'replica connection lost'),
  );
  replica = {
    pool,
    outage: new OutageLog(log, {
      failing: 'the replica is unavailable: reading from the primary',
      working: 'the replica is available again',
    }),
    breaker: new Breaker('the replica', () => pool.query('SELECT 1'), log, onStop),
  };
  onStop('replica', async () => {
    replica = undefined;
    await pool.end();
  });
}

export function hasReplica(): boolean {
  return replica !== undefined;
}

/** The statement's rows on the replica; none if the replica is unavailable or fails. */
export async function queryReplica<Row extends object>(
  sql: string,
  bind: unknown[],
): Promise<Row[]> {
  if (!replica) return [];
  const { pool, breaker, outage } = replica;
  try {
    const { rows } = await breaker.call(ANSWER_TIMEOUT_MS, () => pool.query<Row>(sql, bind));
    outage.succeeded();
    replicaReads.inc({ outcome: rows.length > 0 ? 'answered' : 'behind' });
    return rows;
  } catch (error) {
    outage.failed({ err: describeError(error) });
    replicaReads.inc({ outcome: 'unavailable' });
    return [];
  }
}
