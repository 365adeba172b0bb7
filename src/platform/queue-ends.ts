// The two ends of a queue, whatever store it lives in: what adds jobs to it and what takes them. BullMQ's objects are
// opened with care, since those first used while their store is away stay dead, and closed with a deadline.
import { createPostgresBackend, type IQueueBackend, type Job, type Queue, Worker, type WorkerOptions } from 'bullmq';
import type { Breaker } from './breaker.js';
import { describeError } from './db-errors.js';
import { within } from './in-time.js';
import type { OnStop } from './lifecycle.js';
import type { Log } from './log.js';

/** For what no request waits for: counting jobs. */
const ASK_TIMEOUT_MS = 1_000;
/** A dead worker's jobs are taken over after this; a job's lock is renewed at half of it. */
const LOCK_DURATION_MS = 6_000;
const STALLED_INTERVAL_MS = 3_000;
/** A job that took so many workers down with it is left in `failed` for operators. */
const MAX_STALLED_COUNT = 3;
const CLOSE_TIMEOUT_MS = 12_000;
const FORCED_CLOSE_MS = 500;
/** Failed queue jobs are only a trace for operators: what was promised is in Postgres. */
const KEEP_FAILED = { count: 1_000, age: 7 * 24 * 3_600 };
const RETENTION = { removeOnComplete: true, removeOnFail: KEEP_FAILED };

/** Where a producer's queue lives. */
export interface QueueStore {
  readonly isUp: () => boolean;
  readonly breaker: Breaker;
  /** An add that has not answered by then counts as unknown. */
  readonly addTimeoutMs: number;
}

export type Work = (job: { name: string; data: unknown }) => Promise<void>;

export interface Producer {
  /**
   * Resolves when the queue has the job. Rejects when it does not, and with TooLateError when it may or may not: the
   * caller's durable way decides.
   */
  add(name: string, data: object): Promise<void>;
  /** Makes `name` run every so many milliseconds, once across all processes. */
  repeat(name: string, everyMs: number): Promise<void>;
  depth(): Promise<Record<string, number>>;
  /** The library's own object, opened where it is not yet, for the queue board alone. Rejects while the store is away. */
  queue(): Promise<Queue>;
}

export function workerOptions(connection: unknown, prefix: string, concurrency: number): WorkerOptions {
  return {
    connection,
    prefix,
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
export async function openProducer(
  name: string,
  connect: () => Queue,
  { isUp, breaker, addTimeoutMs }: QueueStore,
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
      await breaker.call(addTimeoutMs, async () => (await open()).add(job, data, RETENTION));
    },
    repeat: async (job, everyMs) => {
      const queue = await open();
      await within(CLOSE_TIMEOUT_MS, queue.upsertJobScheduler(job, { every: everyMs }, { name: job, opts: RETENTION }));
    },
    queue: open,
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

export async function startWorker(
  name: string,
  work: Work,
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
