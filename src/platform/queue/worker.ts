// Runs jobs from a queue in either store.
import type { BackendFactory, IQueueBackend, Job, WorkerOptions } from 'bullmq';
import { withTimeout } from '../async/timeout.js';
import { describeError } from '../postgres-errors.js';
import type { Log } from '../process/log.js';
import { Worker } from './bullmq.js';
import { CLOSE_TIMEOUT_MS, KEEP_FAILED } from './producer.js';

/** A dead worker's jobs are taken over after this. BullMQ renews a job's lock at half of it. */
const LOCK_DURATION_MS = 6_000;
const STALLED_INTERVAL_MS = 10_000;
/** An idle worker looks for jobs this often, in case the store lost the message about one. */
const IDLE_LOOK_SECONDS = 10;
/** A job whose workers died this many times stays in `failed` for operators. */
const MAX_STALLED_COUNT = 3;
const FORCED_CLOSE_MS = 500;

export type JobHandler = (job: { name: string; data: unknown }) => Promise<void>;

export function workerOptions<Connection>(
  connection: Connection,
  prefix: string,
): WorkerOptions<Connection> {
  return {
    connection,
    prefix,
    // With more, BullMQ asks the store for a second job before it runs the first.
    concurrency: 1,
    lockDuration: LOCK_DURATION_MS,
    stalledInterval: STALLED_INTERVAL_MS,
    drainDelay: IDLE_LOOK_SECONDS,
    maxStalledCount: MAX_STALLED_COUNT,
    runRetryDelay: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: KEEP_FAILED,
  };
}

/** Stops a worker when its jobs in progress are finished, even while the store is unavailable. */
export type StopWorker = () => Promise<void>;

export interface WorkerParts<Connection> {
  /** The name of the queue. */
  readonly name: string;
  readonly handle: JobHandler;
  /**
   * Jobs in progress at a time. If more than one, the queue's job is finished once the next one may
   * be taken, so a process that dies loses the jobs in progress. If one, it is finished at its end.
   */
  readonly concurrency: number;
  readonly options: WorkerOptions<Connection>;
  readonly store: {
    readonly backend: BackendFactory<IQueueBackend, Connection>;
    readonly isUp: () => boolean;
    /** True if the start fails without the store. Otherwise the worker starts once it is up. */
    readonly isRequired: boolean;
  };
}

export async function startWorker<Connection>(
  { name, handle, concurrency, options, store }: WorkerParts<Connection>,
  log: Log,
): Promise<StopWorker> {
  const logFailed = (id: string | undefined, error: unknown) =>
    log.error({ queue: name, queueJob: id, err: describeError(error) }, 'queue job failed');
  const inProgress = new Set<Promise<void>>();
  const run = async ({ id, name: job, data }: Job): Promise<void> => {
    const running = handle({ name: job, data });
    const ended = running.catch(() => undefined);
    inProgress.add(ended);
    void ended.then(() => inProgress.delete(ended));
    if (concurrency === 1) return running;
    running.catch(error => logFailed(id, error));
    if (inProgress.size >= concurrency) await Promise.race(inProgress);
  };
  const worker = new Worker(name, run, { ...options, autorun: false }, store.backend);
  // The connection logs that the store is unavailable, and each retry ends in another error.
  worker.on('error', error =>
    log[store.isUp() ? 'warn' : 'debug'](
      { queue: name, err: describeError(error) },
      'queue worker error',
    ),
  );
  worker.on('failed', (job, error) => logFailed(job?.id, error));
  let isStopped = false;
  const running = worker.waitUntilReady().then(() => {
    worker
      .run()
      .catch(error =>
        log.error({ queue: name, err: describeError(error) }, 'queue worker stopped'),
      );
  });
  if (store.isRequired) await running;
  else
    running.catch(error => {
      if (!isStopped)
        log.error({ queue: name, err: describeError(error) }, 'queue worker failed to start');
    });
  return async () => {
    isStopped = true;
    // A regular close would wait for the store, but the jobs in progress need only Postgres.
    const isUp = store.isUp();
    const closing = isUp ? worker.close() : Promise.resolve();
    await withTimeout(
      CLOSE_TIMEOUT_MS,
      closing.then(() => Promise.all(inProgress)),
    );
    if (!isUp) await withTimeout(FORCED_CLOSE_MS, worker.close(true));
  };
}
