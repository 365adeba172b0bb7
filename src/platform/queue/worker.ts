// Takes jobs from a queue, whatever store it lives in.
import {
  createPostgresBackend,
  type IQueueBackend,
  type Job,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { withTimeout } from '../async/timeout.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { CLOSE_TIMEOUT_MS, KEEP_FAILED } from './producer.js';

/** A dead worker's jobs are taken over after this; a job's lock is renewed at half of it. */
const LOCK_DURATION_MS = 6_000;
const STALLED_INTERVAL_MS = 3_000;
/** A job that took so many workers down with it is left in `failed` for operators. */
const MAX_STALLED_COUNT = 3;
const FORCED_CLOSE_MS = 500;

export type Work = (job: { name: string; data: unknown }) => Promise<void>;

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
  worker.on('error', error =>
    log.warn({ queue: name, err: describeError(error) }, 'queue worker error'),
  );
  worker.on('failed', (job, error) =>
    log.error({ queue: name, queueJob: job?.id, err: describeError(error) }, 'queue job failed'),
  );
  onStop(`worker ${name}`, async () => {
    if (isUp()) return withTimeout(CLOSE_TIMEOUT_MS, worker.close());
    // Closing in good order would wait for the store. What is in hand is finished all the same: it needs only Postgres.
    await withTimeout(CLOSE_TIMEOUT_MS, Promise.allSettled(inHand));
    await withTimeout(FORCED_CLOSE_MS, worker.close(true));
  });
  const running = worker.waitUntilReady().then(() => {
    worker
      .run()
      .catch(error =>
        log.error({ queue: name, err: describeError(error) }, 'queue worker stopped'),
      );
  });
  // Postgres answered before: not ready now is a failed start. Redis may be away; the worker takes up when it is back.
  if (backend === (createPostgresBackend as never)) await running;
  else
    running.catch(error =>
      log.error({ queue: name, err: describeError(error) }, 'queue worker did not start'),
    );
}
