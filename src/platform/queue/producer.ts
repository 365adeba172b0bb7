// Adds jobs to a queue in either store. A BullMQ Queue that is first used while its store is down
// never recovers, so each one is created only when its store is up. Closing has a deadline.
import type { Queue } from 'bullmq';
import type { Breaker } from '../async/breaker.js';
import { TimeoutError, withTimeout } from '../async/timeout.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { OutageLog } from '../process/outage-log.js';

/** No request waits for a count of jobs. */
const COUNT_TIMEOUT_MS = 1_000;
export const CLOSE_TIMEOUT_MS = 12_000;
/** Failed queue jobs are only a trace for operators: every promised write is in Postgres. */
export const KEEP_FAILED = { count: 1_000, age: 7 * 24 * 3_600 };
const RETENTION = { removeOnComplete: true, removeOnFail: KEEP_FAILED };

/** The error's message while the connection to the store, which reports it, is down. */
export const QUEUE_UNAVAILABLE = 'the queue is unavailable';

/** The store of a producer's queue. */
export interface QueueStore {
  readonly isUp: () => boolean;
  readonly breaker: Breaker;
  /** Time limit of an add. After it, the add may still take effect. */
  readonly addTimeoutMs: number;
}

export interface Producer {
  /**
   * Resolves when the queue has the job. Rejects when it does not, and with TimeoutError when that
   * is unknown: the caller persists the job in Postgres either way.
   */
  add(name: string, data: object): Promise<void>;
  /** Schedules the job `name` every `everyMs`, once across all processes. */
  repeat(name: string, everyMs: number): Promise<void>;
  /** Number of jobs by state. */
  depth(): Promise<Record<string, number>>;
  /** The BullMQ object, for the queue board only. Rejects while the store is unavailable. */
  queue(): Promise<Queue>;
}

export async function openProducer(
  name: string,
  connect: () => Queue,
  { isUp, breaker, addTimeoutMs }: QueueStore,
  log: Log,
  onStop: OnStop,
): Promise<Producer> {
  const outage = new OutageLog(log.child({ queue: name }), {
    failing: 'the queue refuses jobs; writes go through Postgres',
    working: 'the queue accepts jobs again',
  });
  let opened: Promise<Queue> | undefined;
  const open = (): Promise<Queue> => {
    if (!isUp()) return Promise.reject(new Error(QUEUE_UNAVAILABLE));
    opened ??= openQueue(connect, log).catch(error => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  onStop(`queue ${name}`, async () => {
    const queue = await opened?.catch(() => undefined);
    await withTimeout(CLOSE_TIMEOUT_MS, queue?.close() ?? Promise.resolve());
  });
  if (isUp()) await open();
  return {
    add: async (job, data) => {
      try {
        await breaker.call(addTimeoutMs, async () => (await open()).add(job, data, RETENTION));
        outage.succeeded();
      } catch (error) {
        // The connection or the breaker logs that the store is unavailable.
        const isRefused = isUp() && !breaker.isOpen && !(error instanceof TimeoutError);
        if (isRefused) outage.failed({ err: describeError(error) });
        throw error;
      }
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
      breaker.call(COUNT_TIMEOUT_MS, async () =>
        (await open()).getJobCounts('waiting', 'active', 'delayed', 'failed'),
      ),
  };
}

async function openQueue(connect: () => Queue, log: Log): Promise<Queue> {
  const queue = connect();
  const outage = new OutageLog(log.child({ queue: queue.name }), {
    failing: 'queue error',
    working: 'the queue works again',
    level: 'debug',
  });
  queue.on('error', error => outage.failed({ err: describeError(error) }));
  try {
    await withTimeout(CLOSE_TIMEOUT_MS, queue.waitUntilReady());
    return queue;
  } catch (error) {
    queue.close().catch(() => undefined);
    throw error;
  }
}
