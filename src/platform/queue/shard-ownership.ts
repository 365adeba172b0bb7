// Decides which worker takes jobs from which shards of the write queues. A shard, and with it a
// company, has one owner: in two processes, a company's batches would wait for each other's rows.
// One worker owns all shards until it uses most of a processor, since two settle smaller batches
// at a higher cost; then it leaves the other workers an equal share. The owner holds an advisory
// lock in a Postgres session, which ends with the process. Ownership only saves work: writes are
// exactly-once by their jobs row, so a second owner does no harm.
import type pg from 'pg';
import { pollForever } from '../async/poll.js';
import { withTimeout } from '../async/timeout.js';
import { connectClient } from '../db/connection.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';

const POLL_MS = 500;
/** A stopped or unreachable process loses its shards after this time and one poll of another. */
const SESSION_TIMEOUT_MS = 2_500;
const ANSWER_TIMEOUT_MS = 2_000;
/** Part of a processor, on average over the time, from which a worker gives up shards. */
const BUSY_FROM = 0.7;
const BUSY_OVER_MS = 5_000;
/** The first key of the locks; the letters "shar". */
const LOCK_CLASS = 0x73_68_61_72;

/** Stops taking the shard's jobs. Resolves when those in progress are finished. */
type StopShard = () => Promise<unknown>;

export interface ShardOptions {
  /** Of Postgres itself: a pooler in transaction mode has no sessions. */
  readonly databaseUrl: string;
  readonly shards: number;
  /** Starts taking the shard's jobs. */
  readonly start: (shard: number) => Promise<StopShard>;
}

/** The second key is the shard's number, or `presenceKey` for a worker's shared lock. */
interface HeldLock {
  readonly key: number;
  readonly pid: number;
  readonly isOwn: boolean;
}

/** Workers with another number of shards, during its change, do not count as sharing these. */
const presenceKey = (shards: number) => -shards;

/**
 * Takes the jobs of free shards until stopped. Gives up those beyond an equal share while this
 * process is busy. Stopping hands the shards over after their jobs in progress.
 */
export function ownShards(options: ShardOptions, log: Log, onStop: OnStop): void {
  const ownership = new ShardOwnership(options, log);
  onStop('shards', () => ownership.end());
  pollForever('taking shards', POLL_MS, () => ownership.poll(), log, onStop);
}

/** A worker's share of the shards: equal, and one of the rest if it is among the first. */
export function shareOf(shards: number, workers: readonly number[], own: number): number {
  const rank = workers.toSorted((a, b) => a - b).indexOf(own);
  return Math.floor(shards / workers.length) + (rank < shards % workers.length ? 1 : 0);
}

class ShardOwnership {
  readonly #options: ShardOptions;
  readonly #log: Log;
  #session: pg.Client | undefined;
  readonly #owned = new Map<number, StopShard>();
  readonly #load = new ProcessorLoad();

  constructor(options: ShardOptions, log: Log) {
    this.#options = options;
    this.#log = log;
  }

  /** Takes free shards or gives up surplus ones. Gives up all of them if the session is lost. */
  async poll(): Promise<false> {
    try {
      this.#session ??= await this.#connect();
      await this.#balance(this.#session);
      return false;
    } catch (error) {
      void this.end();
      throw error;
    }
  }

  /** Gives up all shards and ends the session. */
  async end(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await this.#stop([...this.#owned.keys()]);
    if (session) await withTimeout(ANSWER_TIMEOUT_MS, session.end()).catch(() => undefined);
  }

  async #connect(): Promise<pg.Client> {
    const { databaseUrl, shards } = this.#options;
    const session = await connectClient(databaseUrl, 'tradepost-shards', {
      connectMs: ANSWER_TIMEOUT_MS,
      answerMs: ANSWER_TIMEOUT_MS,
    });
    // PostgreSQL 13 has no such setting: a stopped worker's shards then wait for it.
    await session.query(
      `SELECT pg_advisory_lock_shared($1, $2), (
         SELECT set_config(name, $3, false)
         FROM pg_settings
         WHERE name = 'idle_session_timeout'
       )`,
      [LOCK_CLASS, presenceKey(shards), String(SESSION_TIMEOUT_MS)],
    );
    return session;
  }

  async #balance(session: pg.Client): Promise<void> {
    const { shards } = this.#options;
    const locks = await findLocks(session);
    const workers = locks.filter(({ key }) => key === presenceKey(shards));
    const own = workers.find(({ isOwn }) => isOwn);
    if (!own) throw new Error('the session has lost its locks');
    const pids = workers.map(({ pid }) => pid);
    const most = this.#load.isHigh() ? shareOf(shards, pids, own.pid) : shards;
    const surplus = [...this.#owned.keys()].slice(most);
    if (surplus.length > 0) void this.#handOver(session, surplus);
    const held = new Set(locks.map(({ key }) => key));
    const free = Array.from({ length: shards }, (_, shard) => shard).filter(
      shard => !held.has(shard),
    );
    const missing = Math.min(most - this.#owned.size, free.length);
    if (missing > 0) await this.#take(await lockShards(session, free, missing));
  }

  async #take(shards: readonly number[]): Promise<void> {
    for (const shard of shards) this.#owned.set(shard, await this.#options.start(shard));
    if (shards.length > 0) this.#log.info({ shards }, 'taking jobs of these shards');
  }

  /** Keeps the locks until the jobs in progress are finished. */
  async #handOver(session: pg.Client, shards: readonly number[]): Promise<void> {
    await this.#stop(shards);
    await session
      .query('SELECT pg_advisory_unlock($1, shard) FROM unnest($2::int[]) AS shard', [
        LOCK_CLASS,
        shards,
      ])
      .catch(error => this.#log.debug({ err: describeError(error) }, 'unlocking shards failed'));
  }

  async #stop(shards: readonly number[]): Promise<void> {
    if (shards.length === 0) return;
    this.#log.info({ shards }, 'no longer taking jobs of these shards');
    const stops = shards.map(shard => this.#owned.get(shard));
    for (const shard of shards) this.#owned.delete(shard);
    for (const outcome of await Promise.allSettled(stops.map(stop => stop?.())))
      if (outcome.status === 'rejected')
        this.#log.warn({ err: describeError(outcome.reason) }, 'stopping a shard failed');
  }
}

/** This process's use of the processors. */
class ProcessorLoad {
  #cpu = process.cpuUsage();
  #at = performance.now();
  #isHigh = false;

  /** Of the last complete period: others have the time to take the shards that this one gave up. */
  isHigh(): boolean {
    const elapsedMs = performance.now() - this.#at;
    if (elapsedMs >= BUSY_OVER_MS) {
      const { user, system } = process.cpuUsage(this.#cpu);
      this.#isHigh = (user + system) / 1000 / elapsedMs >= BUSY_FROM;
      this.#cpu = process.cpuUsage();
      this.#at = performance.now();
    }
    return this.#isHigh;
  }
}

async function findLocks(session: pg.Client): Promise<HeldLock[]> {
  const { rows } = await session.query<HeldLock>(
    `SELECT objid::int AS key, pid, pid = pg_backend_pid() AS "isOwn"
     FROM pg_locks
     WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [LOCK_CLASS],
  );
  return rows;
}

/** Locks at most `most` of the shards and returns those. LIMIT ends the scan, and the locking. */
async function lockShards(
  session: pg.Client,
  shards: readonly number[],
  most: number,
): Promise<number[]> {
  const { rows } = await session.query<{ shard: number }>(
    `SELECT shard
     FROM unnest($1::int[]) AS shard
     WHERE pg_try_advisory_lock($2, shard)
     LIMIT $3`,
    [shards, LOCK_CLASS, most],
  );
  return rows.map(({ shard }) => shard);
}
