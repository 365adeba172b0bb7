// Runs jobs from a queue in either store.
import type { IQueueBackend, Job, WorkerOptions } from 'bullmq';
import { withTimeout } from '../async/timeout.js';
import { describeError } from '../postgres-errors.js';
import type { Log } from '../process/log.js';
import { createPostgresBackend, Worker } from './bullmq.js';
import { CLOSE_TIMEOUT_MS, KEEP_FAILED } from './producer.js';

/** A dead worker's jobs are taken over after this. BullMQ renews a job's lock at half of it. */
const LOCK_DURATION_MS = 6_000;
const STALLED_INTERVAL_MS = 3_000;
/** A job whose workers died this many times stays in `failed` for operators. */
const MAX_STALLED_COUNT = 3;
const FORCED_CLOSE_MS = 500;

export type JobHandler = (job: { name: string; data: unknown }) => Promise<void>;

export function workerOptions(
  connection: unknown,
  prefix: string,
  concurrency: number,
): WorkerOptions {
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

/** Stops a worker when its jobs in progress are finished, even while the store is unavailable. */
export type StopWorker = () => Promise<void>;

export async function startWorker(
  name: string,
  handle: JobHandler,
  options: WorkerOptions,
  backend: (...args: never[]) => IQueueBackend,
  isUp: () => boolean,
  log: Log,
): Promise<StopWorker> {
  const inProgress = new Set<Promise<void>>();
  const run = async ({ name: job, data }: Job): Promise<void> => {
    const running = handle({ name: job, data });
    inProgress.add(running);
    await running.finally(() => inProgress.delete(running));
  };
  const worker = new Worker(name, run, { ...options, autorun: false }, backend as never);
  // While the store is unavailable, its connection has said so, and errors follow at every retry.
  worker.on('error', error =>
    log[isUp() ? 'warn' : 'debug'](
      { queue: name, err: describeError(error) },
      'queue worker error',
    ),
  );
  worker.on('failed', (job, error) =>
    log.error({ queue: name, queueJob: job?.id, err: describeError(error) }, 'queue job failed'),
  );
  let isStopped = false;
  const running = worker.waitUntilReady().then(() => {
    worker
      .run()
      .catch(error =>
        log.error({ queue: name, err: describeError(error) }, 'queue worker stopped'),
      );
  });
  // Postgres answered before, so a worker that is not ready is a failed start. Redis may be down:
  // the worker then starts when it returns.
  if (backend === (createPostgresBackend as never)) await running;
  else
    running.catch(error => {
      if (!isStopped)
        log.error({ queue: name, err: describeError(error) }, 'queue worker failed to start');
    });
  return async () => {
    isStopped = true;
    if (isUp()) return withTimeout(CLOSE_TIMEOUT_MS, worker.close());
    // A regular close would wait for the store, but the jobs in progress need only Postgres.
    await withTimeout(CLOSE_TIMEOUT_MS, Promise.allSettled(inProgress));
    await withTimeout(FORCED_CLOSE_MS, worker.close(true));
  };
}
