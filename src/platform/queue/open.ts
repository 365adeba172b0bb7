// Opens the BullMQ queues in one of two stores, chosen only here: Redis if REDIS_URL is set, else
// Postgres. Only the basic API is used (add, workers, schedulers), which works the same in both.
import { createHash } from 'node:crypto';
import type { PostgresConnectionOptions } from 'bullmq';
import { Breaker } from '../async/breaker.js';
import { withTimeout } from '../async/timeout.js';
import { openPool, PreparingClient } from '../db/client.js';
import { LOOKUP_PLANS, sessionLimits } from '../db/limits.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { OutageLog } from '../process/outage-log.js';
import { createPostgresBackend, createRedisBackend, Queue } from './bullmq.js';
import { openProducer, type Producer } from './producer.js';
import { openRedis, pingAll, type Redis, tryWrites, warnOfUnsafeSettings } from './redis.js';
import { ownShards } from './shard-ownership.js';
import { type JobHandler, type StopWorker, startConsumer, workerOptions } from './worker.js';

export { type Producer, QUEUE_UNAVAILABLE } from './producer.js';

/** The queue's own statements in Postgres are short. */
const LIMITS = { statementMs: 5_000, answerMs: 5_000 };
/**
 * BullMQ's statements run in plpgsql functions, whose plans each session makes once. A table that
 * was empty then has thousands of dead rows later, so no plan may read all of it. COMMIT does not
 * wait for the disk: if Postgres crashes, the writes of lost jobs are persisted by their web
 * processes, and the schedules are registered again.
 */
const SESSION = {
  search_path: 'bullmq',
  synchronous_commit: 'off',
  enable_bitmapscan: 'off',
  ...LOOKUP_PLANS,
};
/** No request waits for a ping. */
const PING_TIMEOUT_MS = 1_000;
/** Redis answers in a millisecond or not at all; after this, persisting the job is faster. */
const REDIS_ADD_TIMEOUT_MS = 250;
/** A longer limit than for Redis, because persisting the job uses the same database. */
const POSTGRES_ADD_TIMEOUT_MS = 1_000;
/** A start waits for Redis for this time, and then continues without it. */
const REDIS_START_MS = 2_000;
/** Hash-tagged, so that all keys of a queue share one slot of a Redis Cluster. */
const PREFIX = '{tradepost}';
/** The first shard has the unsharded name, so its jobs are found with any number of shards. */
const prefixOf = (shard: number) => (shard === 0 ? PREFIX : `{tradepost:${shard}}`);

export interface QueueOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** Shards of each write queue in Redis. Postgres always has one: sharding gains nothing there. */
  readonly shards?: number;
  /** This process's connections for queues in Postgres. */
  readonly poolMax: number;
}

type JobHandlers = Readonly<Record<string, JobHandler>>;
type Start = (name: string, concurrency: number, handle: JobHandler) => Promise<StopWorker>;

/** Producers by queue name, one per shard. */
export type QueueShards = Readonly<Record<string, readonly Producer[]>>;

export interface Queues {
  readonly mode: 'postgres' | 'redis';
  /** The connection that fails at once while Redis is unavailable; null in Postgres mode. */
  readonly redis: Redis | null;
  /** Guards the queue's store: Redis, or the queue's own connections to Postgres. */
  readonly breaker: Breaker;
  producer(name: string): Promise<Producer>;
  /** One producer per shard of the queue. `shardOf` gives the index of a company's shard. */
  shardProducers(name: string): Promise<readonly Producer[]>;
  /** Runs `handle` at least once per job. Stopping waits for the jobs in progress. */
  worker(name: string, concurrency: number, handle: JobHandler): Promise<void>;
  /** The same by queue name, in the shards that this process owns. All share an only shard. */
  shardWorkers(handlers: JobHandlers, concurrency: number): Promise<void>;
  /** Resolves to true if the queue's store takes jobs; else rejects, even if the store answers. */
  checkStore(): Promise<boolean>;
}

/** Opens the queue's connections. Postgres must be available; Redis may become so later. */
export async function openQueues(options: QueueOptions, log: Log, onStop: OnStop): Promise<Queues> {
  const { redisUrl, shards = 1 } = options;
  return redisUrl === undefined
    ? inPostgres(options, log, onStop)
    : inRedis(redisUrl, { ...options, shards }, log, onStop);
}

/** The shard of a key: the same in every process and release, with keys spread evenly. */
export function shardOf(key: string, shards: number): number {
  return shards === 1 ? 0 : createHash('sha256').update(key).digest().readUInt32BE() % shards;
}

function inPostgres(options: QueueOptions, log: Log, onStop: OnStop): Queues {
  const outage = new OutageLog(log, {
    failing: 'queue connection lost',
    working: 'queue connection open again',
  });
  const pool = openPool(
    {
      connectionString: options.databaseUrl,
      application_name: 'tradepost-queue',
      max: options.poolMax,
      Client: PreparingClient,
      ...sessionLimits(LIMITS, SESSION),
    },
    error => outage.failed({ err: describeError(error) }),
  );
  pool.on('connect', () => outage.succeeded());
  onStop('queue connections', () => pool.end());
  const ping = async () => (await pool.query('SELECT 1')).rowCount === 1;
  const breaker = new Breaker('the queue', ping, log, onStop);
  const store = { isUp: () => true, breaker, addTimeoutMs: POSTGRES_ADD_TIMEOUT_MS };
  const producer = (name: string) => {
    const connect = () =>
      new Queue(
        name,
        { connection: pool, prefix: PREFIX } as never,
        createPostgresBackend as never,
      );
    return openProducer(name, connect, store, log, onStop);
  };
  const start: Start = (name, concurrency, handle) => {
    const options = workerOptions(pool as PostgresConnectionOptions, PREFIX);
    const workerStore = { backend: createPostgresBackend, isUp: () => true, isRequired: true };
    return startConsumer({ name, handle, concurrency, options, store: workerStore }, log);
  };
  return {
    mode: 'postgres',
    redis: null,
    breaker,
    producer,
    shardProducers: async name => [await producer(name)],
    worker: async (...job) => onStop(`worker ${job[0]}`, await start(...job)),
    shardWorkers: async (handlers, concurrency) => {
      onStop('workers', await startEach(start, handlers, concurrency));
    },
    checkStore: () => breaker.call(PING_TIMEOUT_MS, ping),
  };
}

async function inRedis(
  url: string,
  { databaseUrl, shards }: Required<QueueOptions>,
  log: Log,
  onStop: OnStop,
): Promise<Queues> {
  const redis = openRedis(url, 'fail', log, onStop);
  await withTimeout(REDIS_START_MS, new Promise(resolve => redis.once('ready', resolve))).catch(
    () => undefined,
  );
  if (redis.status === 'ready') await warnOfUnsafeSettings(redis, log);
  const ping = () => pingAll(redis);
  const breaker = new Breaker('redis', ping, log, onStop);
  const allShards = Array.from({ length: shards }, (_, shard) => shard);
  const store = {
    isUp: () => redis.status === 'ready',
    breaker,
    addTimeoutMs: REDIS_ADD_TIMEOUT_MS,
  };
  const producer = (name: string, shard = 0) => {
    const connect = () => new Queue(name, { connection: redis, prefix: prefixOf(shard) } as never);
    return openProducer(name, connect, store, log, onStop);
  };
  let workerConnection: Redis | undefined;
  const openWorkers = () => {
    workerConnection ??= openRedis(url, 'wait', log, onStop);
    const connection = workerConnection;
    const isUp = () => connection.status === 'ready' && !breaker.isOpen;
    const workerStore = { backend: createRedisBackend, isUp, isRequired: false };
    return (shard: number): Start =>
      (name, concurrency, handle) => {
        const options = workerOptions(connection, prefixOf(shard));
        return startConsumer({ name, handle, concurrency, options, store: workerStore }, log);
      };
  };
  return {
    mode: 'redis',
    redis,
    breaker,
    producer: name => producer(name),
    shardProducers: name => Promise.all(allShards.map(shard => producer(name, shard))),
    worker: async (...job) => onStop(`worker ${job[0]}`, await openWorkers()(0)(...job)),
    shardWorkers: async (handlers, concurrency) => {
      const startIn = openWorkers();
      const share = Math.ceil(concurrency / shards);
      const start = (shard: number) => startEach(startIn(shard), handlers, share);
      if (shards === 1) onStop('workers', await start(0));
      else ownShards({ databaseUrl, shards, start }, log, onStop);
    },
    checkStore: () =>
      breaker.call(PING_TIMEOUT_MS, () => tryWrites(redis, allShards.map(prefixOf))),
  };
}

/** Starts a worker per queue. Returns how to stop them. If one does not start, none runs. */
async function startEach(start: Start, handlers: JobHandlers, concurrency: number) {
  const starting = await Promise.allSettled(
    Object.entries(handlers).map(([name, handle]) => start(name, concurrency, handle)),
  );
  const started = starting.filter(outcome => outcome.status === 'fulfilled');
  const stop = () => Promise.all(started.map(({ value }) => value()));
  const failed = starting.find(outcome => outcome.status === 'rejected');
  if (!failed) return stop;
  await stop();
  throw failed.reason;
}
