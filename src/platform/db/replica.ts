// Reads beside the primary: a streaming replica of Postgres, where one is configured. It may be away, hang, or be behind;
// whoever asks it goes to the primary then, and says with the question how fresh the answer must be.
import pg from 'pg';
import { Breaker } from '../async/breaker.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { replicaReads } from '../process/metrics.js';
import { sessionLimits } from './limits.js';

/** A replica that takes longer is passed by, for all until it answers again. */
const ANSWER_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 500;
/** A late answer tells the breaker that the replica is well; after this it is of no use to anybody. */
const FORGOTTEN_AFTER_MS = 2_000;

export interface ReplicaOptions {
  readonly url: string;
  readonly poolMax: number;
  readonly name: string;
}

interface Replica {
  readonly pool: pg.Pool;
  readonly breaker: Breaker;
  readonly log: Log;
}

let replica: Replica | undefined;
/** So that an outage is logged once. */
let isAway = false;

/** Opens the process's replica. Connects on first use; it need not be there. */
export function openReplica(
  { url, poolMax, name }: ReplicaOptions,
  log: Log,
  onStop: OnStop,
): void {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    max: poolMax,
    ...sessionLimits({
      connectMs: CONNECT_TIMEOUT_MS,
      statementMs: FORGOTTEN_AFTER_MS,
      answerMs: FORGOTTEN_AFTER_MS,
    }),
  });
  pool.on('error', error => log.debug({ err: describeError(error) }, 'replica connection lost'));
  replica = {
    pool,
    log,
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

/** The statement's rows on the replica; none too where the replica is away or fails. */
export async function queryReplica<Row extends object>(
  sql: string,
  bind: unknown[],
): Promise<Row[]> {
  if (!replica) return [];
  const { pool, breaker, log } = replica;
  try {
    const { rows } = await breaker.call(ANSWER_TIMEOUT_MS, () => pool.query<Row>(sql, bind));
    if (isAway) log.info('the replica is back');
    isAway = false;
    replicaReads.inc({ outcome: rows.length > 0 ? 'answered' : 'behind' });
    return rows;
  } catch (error) {
    if (!isAway)
      log.warn({ err: describeError(error) }, 'the replica is away: reads go to the primary');
    isAway = true;
    replicaReads.inc({ outcome: 'away' });
    return [];
  }
}
