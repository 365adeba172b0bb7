// Runs jobs from a queue in either store.
import type { BackendFactory, IQueueBackend, Job, WorkerOptions } from 'bullmq';
import { withTimeout } from '../async/timeout.js';
import { describeError, isOutage } from '../postgres-errors.js';
import type { Log } from '../process/log.js';
import { OutageLog } from '../process/outage-log.js';
import { Worker } from './bullmq.js';
import { patientBackend } from './patient-backend.js';
import { CLOSE_TIMEOUT_MS, KEEP_FAILED } from './producer.js';

/** A dead worker's jobs may be taken over after this. BullMQ renews a job's lock at half of it. */
const LOCK_DURATION_MS = 6_000;
const STALLED_INTERVAL_MS = 30_000;
/**
 * An idle worker looks for jobs this often, in case the store lost the message about one. Neither
 * look is what a client waits for: web persists a write that has no answer after a second.
 */
const IDLE_LOOK_SECONDS = 30;
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

export async function startConsumer<Connection>(
  { name, handle, concurrency, options, store }: WorkerParts<Connection>,
  log: Log,
): Promise<StopWorker> {
  const { logFailed, logDone, logError, onAnswer } = workerLog(name, store, log);
  const inProgress = new Set<Promise<void>>();
  const run = async ({ id, name: job, data }: Job): Promise<void> => {
    const running = handle({ name: job, data });
    const ended = running.then(logDone, () => undefined);
    inProgress.add(ended);
    void ended.then(() => inProgress.delete(ended));
    if (concurrency === 1) return running;
    running.catch(error => logFailed(id, error));
    if (inProgress.size >= concurrency) await Promise.race(inProgress);
  };
  const stop = new AbortController();
  const waitSeconds = options.drainDelay ?? IDLE_LOOK_SECONDS;
  const backend = patientBackend(store.backend, { waitSeconds, onAnswer, stop: stop.signal });
  const worker = new Worker(name, run, { ...options, autorun: false }, backend);
  worker.on('error', logError);
  worker.on('failed', (job, error) => logFailed(job?.id, error));
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
      if (!stop.signal.aborted)
        log.error({ queue: name, err: describeError(error) }, 'queue worker failed to start');
    });
  return async () => {
    stop.abort();
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

/** The lines of a worker. While its store or Postgres is unavailable, that is a line per minute. */
function workerLog(queue: string, store: { isUp: () => boolean }, parent: Log) {
  const log = parent.child({ queue });
  const failing = new OutageLog(log, {
    failing: 'queue worker error',
    working: 'the queue worker takes jobs again',
  });
  const jobsFailing = new OutageLog(log, {
    failing: 'queue jobs fail because Postgres is unavailable',
    working: 'queue jobs succeed again',
    level: 'error',
  });
  return {
    logFailed: (id: string | undefined, error: unknown): void => {
      const fields = { queueJob: id, err: describeError(error) };
      if (isOutage(error)) jobsFailing.failed(fields);
      else log.error(fields, 'queue job failed');
    },
    logDone: (): void => jobsFailing.succeeded(),
    // The connection logs that the store is unavailable.
    logError: (error: Error): void => {
      if (store.isUp()) failing.failed({ err: describeError(error) });
    },
    onAnswer: (): void => failing.succeeded(),
  };
}
