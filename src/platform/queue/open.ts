// BullMQ in its two homes, chosen here and nowhere else: Redis where one is configured, else the same Postgres that
// holds everything. Only BullMQ's plain surface is used (add, workers, schedulers), which both backends keep.
import { createHash } from 'node:crypto';
import { createPostgresBackend, createRedisBackend, Queue } from 'bullmq';
import pg from 'pg';
import { type Breaker, createBreaker } from '../async/breaker.js';
import { withTimeout } from '../async/timeout.js';
import { sessionLimits } from '../db/limits.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { openProducer, type Producer } from './producer.js';
import { openRedis, pingAll, type Redis, warnOfUnsafeSettings } from './redis.js';
import { startWorker, type Work, workerOptions } from './worker.js';

export type { Producer } from './producer.js';

/** The queue's own statements in Postgres are short ones. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** For what no request waits for: a ping. */
const ASK_TIMEOUT_MS = 1_000;
/** Redis answers in a millisecond or is away; after this the durable way is the faster one. */
const REDIS_ADD_TIMEOUT_MS = 250;
/** There the durable way leads to the same Postgres: it is taken when this one fails, not to be faster. */
const POSTGRES_ADD_TIMEOUT_MS = 1_000;
/** How long a start waits for Redis. */
const REDIS_START_MS = 2_000;
/** Hash-tagged, so that all keys of a queue live in one slot of a Redis Cluster. */
const PREFIX = '{tradepost}';
/** The first shard keeps the unsharded name: what is in it is found under any number of shards. */
const prefixOf = (shard: number) => (shard === 0 ? PREFIX : `{tradepost:${shard}}`);

export interface QueueingOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** Into how many the queues of writes are split in Redis; one Postgres gains nothing by it and has one. */
  readonly shards?: number;
  /** Connections to Postgres for the queues of this process, where they live there. */
  readonly poolMax: number;
}

/** Producers by the name of their queue, one a shard. */
export type QueueShards = Readonly<Record<string, readonly Producer[]>>;

export interface Queueing {
  readonly mode: 'postgres' | 'redis';
  /** The process's impatient Redis connection; null in Postgres mode. */
  readonly redis: Redis | null;
  /** Of the queue's store: Redis, or the queue's own connections to Postgres. */
  readonly breaker: Breaker;
  producer(name: string): Promise<Producer>;
  /** One producer a shard of the queue; `shardOf` tells which one a company's go to. */
  shardProducers(name: string): Promise<readonly Producer[]>;
  /** Runs `work` for each job, at least once. Starts taking jobs when ready; stopping finishes what is in hand. */
  worker(name: string, concurrency: number, work: Work): Promise<void>;
  /** The same for all shards of a queue, which share the concurrency. */
  shardWorkers(name: string, concurrency: number, work: Work): Promise<void>;
  /** True where the queue's store answers. */
  ping(): Promise<boolean>;
}

/** Opens the queue's connections. Postgres must answer already; Redis may be away, then it is taken up when it is back. */
export async function openQueueing(
  options: QueueingOptions,
  log: Log,
  onStop: OnStop,
): Promise<Queueing> {
  const { redisUrl, shards = 1 } = options;
  return redisUrl === undefined
    ? inPostgres(options, log, onStop)
    : inRedis(redisUrl, shards, log, onStop);
}

/** The shard of a key: the same for the same key in every process, and evenly many keys for each. */
export function shardOf(key: string, shards: number): number {
  return shards === 1 ? 0 : createHash('sha256').update(key).digest().readUInt32BE() % shards;
}

function inPostgres(options: QueueingOptions, log: Log, onStop: OnStop): Queueing {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    application_name: 'tradepost-queue',
    options: '-c search_path=bullmq',
    max: options.poolMax,
    ...sessionLimits({ statementMs: STATEMENT_TIMEOUT_MS, answerMs: STATEMENT_TIMEOUT_MS }),
  });
  pool.on('error', error => log.warn({ err: describeError(error) }, 'queue connection lost'));
  onStop('queue connections', () => pool.end());
  const ping = async () => (await pool.query('SELECT 1')).rowCount === 1;
  const breaker = createBreaker('the queue', ping, log, onStop);
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
  const worker = (name: string, concurrency: number, work: Work) => {
    const settings = workerOptions(pool, PREFIX, concurrency);
    return startWorker(
      name,
      work,
      settings,
      createPostgresBackend as never,
      () => true,
      log,
      onStop,
    );
  };
  return {
    mode: 'postgres',
    redis: null,
    breaker,
    producer,
    shardProducers: async name => [await producer(name)],
    worker,
    shardWorkers: worker,
    ping: () => breaker.call(ASK_TIMEOUT_MS, ping),
  };
}

async function inRedis(url: string, shards: number, log: Log, onStop: OnStop): Promise<Queueing> {
  const redis = openRedis(url, 'none', log, onStop);
  await withTimeout(REDIS_START_MS, new Promise(resolve => redis.once('ready', resolve))).catch(
    () => undefined,
  );
  if (redis.status !== 'ready') log.warn('redis does not answer; starting without it');
  else await warnOfUnsafeSettings(redis, log);
  const ping = () => pingAll(redis);
  const breaker = createBreaker('redis', ping, log, onStop);
  const every = Array.from({ length: shards }, (_, shard) => shard);
  const store = {
    isUp: () => redis.status === 'ready',
    breaker,
    addTimeoutMs: REDIS_ADD_TIMEOUT_MS,
  };
  const producer = (name: string, shard = 0) => {
    const connect = () => new Queue(name, { connection: redis, prefix: prefixOf(shard) } as never);
    return openProducer(name, connect, store, log, onStop);
  };
  let patient: Redis | undefined;
  const worker = (name: string, concurrency: number, work: Work, shard = 0) => {
    patient ??= openRedis(url, 'endless', log, onStop);
    const connection = patient;
    const options = workerOptions(connection, prefixOf(shard), concurrency);
    const isUp = () => connection.status === 'ready' && !breaker.isOpen;
    return startWorker(name, work, options, createRedisBackend as never, isUp, log, onStop);
  };
  return {
    mode: 'redis',
    redis,
    breaker,
    producer: name => producer(name),
    shardProducers: name => Promise.all(every.map(shard => producer(name, shard))),
    worker: (name, concurrency, work) => worker(name, concurrency, work),
    shardWorkers: async (name, concurrency, work) => {
      await Promise.all(
        every.map(shard => worker(name, Math.ceil(concurrency / shards), work, shard)),
      );
    },
    ping: () => breaker.call(ASK_TIMEOUT_MS, ping),
  };
}
