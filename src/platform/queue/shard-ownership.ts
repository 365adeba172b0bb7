// Divides the shards of the write queues equally among the workers: a company's batches in two
// processes would wait for each other. While workers start or stop, a shard may have two owners or
// none. That does no harm: writes are exactly-once, and the recovery poll settles those left over.
import type pg from 'pg';
import { pollForever } from '../async/poll.js';
import { withTimeout } from '../async/timeout.js';
import { connectClient } from '../db/connection.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';

const POLL_MS = 500;
/** A process that hangs loses its shards after this time and one poll of another. */
const SESSION_TIMEOUT_MS = 2_500;
const LIMITS = { connectMs: 2_000, answerMs: 2_000 };
/** The first key of a worker's shared lock, the letters "shar". The second: how many shards. */
const LOCK_CLASS = 0x73_68_61_72;

export interface ShardOptions {
  /** The URL of Postgres itself: a pooler in transaction mode has no sessions. */
  readonly databaseUrl: string;
  readonly shards: number;
  /** Starts taking the shard's jobs. Returns a function that stops it after those in progress. */
  readonly start: (shard: number) => Promise<() => Promise<unknown>>;
}

/** Takes the jobs of this process's share of the shards until stopped. */
export function ownShards(options: ShardOptions, log: Log, onStop: OnStop): void {
  const owned = new Map<number, ReturnType<ShardOptions['start']>>();
  const own = async (shards: readonly number[]): Promise<void> => {
    const surplus = [...owned].filter(([shard]) => !shards.includes(shard));
    const missing = shards.filter(shard => !owned.has(shard));
    if (surplus.length + missing.length > 0) log.info({ shards }, 'taking jobs of these shards');
    for (const [shard] of surplus) owned.delete(shard);
    for (const shard of missing) owned.set(shard, options.start(shard));
    await Promise.all(surplus.map(async ([, started]) => (await started)())).catch(error =>
      log.warn({ err: describeError(error) }, 'stopping a shard failed'),
    );
  };
  let session: pg.Client | undefined;
  const end = async (): Promise<void> => {
    const ending = session;
    session = undefined;
    await own([]);
    if (ending) await withTimeout(LIMITS.answerMs, ending.end()).catch(() => undefined);
  };
  const poll = async (): Promise<false> => {
    try {
      session ??= await connect(options);
      const { rows } = await session.query(WORKERS, [LOCK_CLASS, options.shards]);
      const index = rows.findIndex(({ isOwn }) => isOwn);
      void own(shareOf(options.shards, rows.length, index));
      return false;
    } catch (error) {
      // Without the session, the other workers divide all shards.
      void end();
      throw error;
    }
  };
  onStop('shards', end);
  pollForever('dividing the shards', POLL_MS, poll, log, onStop);
}

/** The shards of the worker at an index of the workers in order. */
export function shareOf(shards: number, workers: number, index: number): number[] {
  return [...Array(shards).keys()].filter(shard => shard % workers === index);
}

/** Connects a session with this worker's lock, by which the other workers count it. */
async function connect({ databaseUrl, shards }: ShardOptions): Promise<pg.Client> {
  const session = await connectClient(databaseUrl, 'tradepost-shards', LIMITS);
  // PostgreSQL 13 has no such setting: a stopped worker's shards then wait for it.
  const lock = `SELECT pg_advisory_lock_shared($1, $2),
    (SELECT set_config(name, $3, false) FROM pg_settings WHERE name = 'idle_session_timeout')`;
  await session.query(lock, [LOCK_CLASS, shards, String(SESSION_TIMEOUT_MS)]);
  return session;
}

const WORKERS = `
  SELECT pid = pg_backend_pid() AS "isOwn"
  FROM pg_locks
  WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ORDER BY pid`;
