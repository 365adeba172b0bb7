// BullMQ in its two homes, chosen here and nowhere else: Redis where one is configured, else the same Postgres that
// holds everything. Only BullMQ's plain surface is used (add, workers, schedulers), which both backends keep.
import {
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  type Job,
  Queue,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import pg from 'pg';
import { type Breaker, createBreaker } from './breaker.js';
import { describeError, sessionLimits } from './db.js';
import { within } from './in-time.js';
import type { OnStop } from './lifecycle.js';
import type { Log } from './log.js';
import { openRedis, type Redis, warnOfUnsafeSettings } from './redis.js';

/**
 * An add that has not answered by then counts as unknown and the caller goes the durable way; so do the next ones at
 * once, until the store answers again.
 */
const ADD_TIMEOUT_MS = 250;
/** The queue's own statements in Postgres are short ones. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** For what no request waits for: counting jobs, a ping. */
const ASK_TIMEOUT_MS = 1_000;
/** A dead worker's jobs are taken over after this; a job's lock is renewed at half of it. */
const LOCK_DURATION_MS = 6_000;
const STALLED_INTERVAL_MS = 3_000;
/** A job that took so many workers down with it is left in `failed` for operators. */
const MAX_STALLED_COUNT = 3;
/** How long a start waits for Redis. */
const REDIS_START_MS = 2_000;
const CLOSE_TIMEOUT_MS = 12_000;
const FORCED_CLOSE_MS = 500;
/** Failed queue jobs are only a trace for operators: what was promised is in Postgres. */
const KEEP_FAILED = { count: 1_000, age: 7 * 24 * 3_600 };
const RETENTION = { removeOnComplete: true, removeOnFail: KEEP_FAILED };
/** Hash-tagged, so that all keys of a queue live in one slot of a Redis Cluster. */
const PREFIX = '{tradepost}';

export interface QueueingOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** Connections to Postgres for the queues of this process, where they live there. */
  readonly poolMax: number;
}

export interface Producer {
  /** Resolves when the queue has the job. Rejects when it does not or may not: the caller's durable way decides. */
  add(name: string, data: object): Promise<void>;
  /** Makes `name` run every so many milliseconds, once across all processes. */
  repeat(name: string, everyMs: number): Promise<void>;
  depth(): Promise<Record<string, number>>;
}

export interface Queueing {
  readonly mode: 'postgres' | 'redis';
  /** The process's impatient Redis connection; null in Postgres mode. */
  readonly redis: Redis | null;
  /** Of the queue's store: Redis, or the queue's own connections to Postgres. */
  readonly breaker: Breaker;
  producer(name: string): Promise<Producer>;
  /** Runs `work` for each job, at least once. Starts taking jobs when ready; stopping finishes what is in hand. */
  worker(
    name: string,
    concurrency: number,
    work: (job: { name: string; data: unknown }) => Promise<void>,
  ): Promise<void>;
  /** True where the queue's store answers. */
  ping(): Promise<boolean>;
}

/** Opens the queue's connections. Postgres must answer already; Redis may be away, then it is taken up when it is back. */
export async function openQueueing(options: QueueingOptions, log: Log, onStop: OnStop): Promise<Queueing> {
  return options.redisUrl === undefined ? inPostgres(options, log, onStop) : inRedis(options.redisUrl, log, onStop);
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
  return {
    mode: 'postgres',
    redis: null,
    breaker,
    producer: name => {
      const connect = () =>
        new Queue(name, { connection: pool, prefix: PREFIX } as never, createPostgresBackend as never);
      return openProducer(name, connect, () => true, breaker, log, onStop);
    },
    worker: (name, concurrency, work) =>
      startWorker(
        name,
        work,
        workerOptions(pool, concurrency),
        createPostgresBackend as never,
        () => true,
        log,
        onStop,
      ),
    ping: () => breaker.call(ASK_TIMEOUT_MS, ping),
  };
}

async function inRedis(url: string, log: Log, onStop: OnStop): Promise<Queueing> {
  const redis = openRedis(url, 'none', log, onStop);
  await within(REDIS_START_MS, new Promise(resolve => redis.once('ready', resolve))).catch(() => undefined);
  if (redis.status !== 'ready') log.warn('redis does not answer; starting without it');
  else await warnOfUnsafeSettings(redis, log);
  const ping = async () => (await redis.ping()) === 'PONG';
  const breaker = createBreaker('redis', ping, log, onStop);
  let patient: Redis | undefined;
  return {
    mode: 'redis',
    redis,
    breaker,
    producer: name => {
      const connect = () => new Queue(name, { connection: redis, prefix: PREFIX } as never);
      return openProducer(name, connect, () => redis.status === 'ready', breaker, log, onStop);
    },
    worker: (name, concurrency, work) => {
      patient ??= openRedis(url, 'endless', log, onStop);
      const connection = patient;
      const options = workerOptions(connection, concurrency);
      const isUp = () => connection.status === 'ready' && !breaker.isOpen;
      return startWorker(name, work, options, createRedisBackend as never, isUp, log, onStop);
    },
    ping: () => breaker.call(ASK_TIMEOUT_MS, ping),
  };
}

function workerOptions(connection: unknown, concurrency: number): WorkerOptions {
  return {
    connection,
    prefix: PREFIX,
    concurrency,
    lockDuration: LOCK_DURATION_MS,
    stalledInterval: STALLED_INTERVAL_MS,
    maxStalledCount: MAX_STALLED_COUNT,
    runRetryDelay: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: KEEP_FAILED,
  } as WorkerOptions;
}

/** A producer on a Queue that is made when its store is up: BullMQ's objects do not survive a failed first use. */
async function openProducer(
  name: string,
  connect: () => Queue,
  isUp: () => boolean,
  breaker: Breaker,
  log: Log,
  onStop: OnStop,
): Promise<Producer> {
  let opening: Promise<Queue> | undefined;
  const open = (): Promise<Queue> => {
    if (!isUp()) return Promise.reject(new Error('the queue is unreachable'));
    opening ??= openQueue(connect, log).catch(error => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  onStop(`queue ${name}`, async () => within(CLOSE_TIMEOUT_MS, (await opening)?.close() ?? Promise.resolve()));
  if (isUp()) await open();
  return {
    add: async (job, data) => {
      await breaker.call(ADD_TIMEOUT_MS, async () => (await open()).add(job, data, RETENTION));
    },
    repeat: async (job, everyMs) => {
      const queue = await open();
      await within(CLOSE_TIMEOUT_MS, queue.upsertJobScheduler(job, { every: everyMs }, { name: job, opts: RETENTION }));
    },
    depth: () =>
      breaker.call(ASK_TIMEOUT_MS, async () => (await open()).getJobCounts('waiting', 'active', 'delayed', 'failed')),
  };
}

async function openQueue(connect: () => Queue, log: Log): Promise<Queue> {
  const queue = connect();
  queue.on('error', error => log.debug({ queue: queue.name, err: describeError(error) }, 'queue error'));
  try {
    await within(CLOSE_TIMEOUT_MS, queue.waitUntilReady());
    return queue;
  } catch (error) {
    queue.close().catch(() => undefined);
    throw error;
  }
}

async function startWorker(
  name: string,
  work: (job: { name: string; data: unknown }) => Promise<void>,
  options: WorkerOptions,
  backend: (...args: never[]) => IQueueBackend,
  isUp: () => boolean,
  log: Log,
  onStop: OnStop,
): Promise<void> {
  const inHand = new Set<Promise<void>>();
  const run = async ({ name: job, data }: Job): Promise<void> => {
    const running = work({ name: job, data });
    inHand.add(running);
    await running.finally(() => inHand.delete(running));
  };
  const worker = new Worker(name, run, { ...options, autorun: false }, backend as never);
  worker.on('error', error => log.warn({ queue: name, err: describeError(error) }, 'queue worker error'));
  worker.on('failed', (job, error) =>
    log.error({ queue: name, queueJob: job?.id, err: describeError(error) }, 'queue job failed'),
  );
  onStop(`worker ${name}`, async () => {
    if (isUp()) return within(CLOSE_TIMEOUT_MS, worker.close());
    // Closing in good order would wait for the store. What is in hand is finished all the same: it needs only Postgres.
    await within(CLOSE_TIMEOUT_MS, Promise.allSettled(inHand));
    await within(FORCED_CLOSE_MS, worker.close(true));
  });
  const running = worker.waitUntilReady().then(() => {
    worker.run().catch(error => log.error({ queue: name, err: describeError(error) }, 'queue worker stopped'));
  });
  // Postgres answered before: not ready now is a failed start. Redis may be away; the worker takes up when it is back.
  if (backend === (createPostgresBackend as never)) await running;
  else running.catch(error => log.error({ queue: name, err: describeError(error) }, 'queue worker did not start'));
}
