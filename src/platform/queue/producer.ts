// Adds jobs to a queue, whatever store it lives in. BullMQ's objects are opened with care, since those first used while
// their store is down stay dead, and closed with a deadline.
import type { Queue } from 'bullmq';
import type { Breaker } from '../async/breaker.js';
import { withTimeout } from '../async/timeout.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';

/** For what no request waits for: counting jobs. */
const ASK_TIMEOUT_MS = 1_000;
export const CLOSE_TIMEOUT_MS = 12_000;
/** Failed queue jobs are only a trace for operators: what was promised is in Postgres. */
export const KEEP_FAILED = { count: 1_000, age: 7 * 24 * 3_600 };
const RETENTION = { removeOnComplete: true, removeOnFail: KEEP_FAILED };

/** Where a producer's queue lives. */
export interface QueueStore {
  readonly isUp: () => boolean;
  readonly breaker: Breaker;
  /** An add that has not answered by then counts as unknown. */
  readonly addTimeoutMs: number;
}

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
  onStop(`queue ${name}`, async () =>
    withTimeout(CLOSE_TIMEOUT_MS, (await opening)?.close() ?? Promise.resolve()),
  );
  if (isUp()) await open();
  return {
    add: async (job, data) => {
      await breaker.call(addTimeoutMs, async () => (await open()).add(job, data, RETENTION));
    },
    repeat: async (job, everyMs) => {
      const queue = await open();
      await withTimeout(
        CLOSE_TIMEOUT_MS,
        queue.upsertJobScheduler(job, { every: everyMs }, { name: job, opts: RETENTION }),
      );
    },
    queue: open,
    depth: () =>
      breaker.call(ASK_TIMEOUT_MS, async () =>
        (await open()).getJobCounts('waiting', 'active', 'delayed', 'failed'),
      ),
  };
}

async function openQueue(connect: () => Queue, log: Log): Promise<Queue> {
  const queue = connect();
  queue.on('error', error =>
    log.debug({ queue: queue.name, err: describeError(error) }, 'queue error'),
  );
  try {
    await withTimeout(CLOSE_TIMEOUT_MS, queue.waitUntilReady());
    return queue;
  } catch (error) {
    queue.close().catch(() => undefined);
    throw error;
  }
}
