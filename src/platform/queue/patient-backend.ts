// BullMQ asks a store for the next job again at once, or after 100 ms, if the store refuses: a
// Redis that became a read-only replica, or one without memory. That costs CPU time in both.
import { setTimeout as delay } from 'node:timers/promises';
import type { BackendFactory, IQueueBackend } from 'bullmq';
import { backOffMs } from '../async/back-off.js';

const PAUSE_MIN_MS = 100;
/** A store that works again is noticed within one and a half times this. */
const PAUSE_MAX_MS = 2_000;

export interface Patience {
  /**
   * The longest wait for a job. After an outage, BullMQ would wait for up to an hour in Postgres,
   * until a message comes, and would not notice that it had missed one.
   */
  readonly waitSeconds: number;
  /** Called whenever the store answered the question for the next job. */
  readonly onAnswer: () => void;
  /** Ends a pause early. */
  readonly stop: AbortSignal;
}

/** Backends whose failures to take a job arrive after growing pauses. */
export function patientBackend<Connection>(
  create: BackendFactory<IQueueBackend, Connection>,
  { waitSeconds, onAnswer, stop }: Patience,
): BackendFactory<IQueueBackend, Connection> {
  return (...options) => {
    const backend = create(...options);
    let failures = 0;
    const patiently = <Args extends unknown[], Answer>(
      ask: (...args: Args) => Promise<Answer>,
      answered: () => void = () => undefined,
    ) =>
      async function askPatiently(...args: Args): Promise<Answer> {
        try {
          const answer = await ask.apply(backend, args);
          failures = 0;
          answered();
          return answer;
        } catch (error) {
          const pauseMs = backOffMs(failures, PAUSE_MIN_MS, PAUSE_MAX_MS);
          failures += 1;
          await delay(pauseMs, undefined, { signal: stop }).catch(() => undefined);
          throw error;
        }
      };
    backend.moveToActive = patiently(backend.moveToActive, onAnswer);
    // A lost connection ends a wait as well, so its end is no answer.
    const { waitForJob } = backend;
    backend.waitForJob = patiently(seconds =>
      waitForJob.call(backend, Math.min(seconds, waitSeconds)),
    );
    return backend;
  };
}
