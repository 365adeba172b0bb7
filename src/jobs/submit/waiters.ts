// Who waits in this process for which job. Workers tell it by replies; those may be lost, so whoever waits for longer is
// also looked up in the jobs table.
import { describeError } from '../../platform/postgres-errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import type { Reply } from '../../platform/queue/replies.js';
import type { Settled, Submission, WriteKind } from '../write-kind.js';

/** How often, and from what age on, waiting submissions are looked up. */
const LOOK_INTERVAL_MS = 250;

/** A job that one or several requests wait for. */
export interface Waiter {
  readonly kind: WriteKind;
  readonly submission: Submission;
  readonly since: number;
  /** Length of its payload's JSON. */
  readonly bytes: number;
  /** The outcome; null where waiting was cut short. */
  readonly settled: Promise<Settled | null>;
  readonly settle: (settled: Settled | null) => void;
  /** The writing of its row, once begun. */
  kept?: Promise<unknown>;
  requests: number;
  isLooking: boolean;
  isCut: boolean;
}

export interface Waiters {
  get(jobId: string): Waiter | undefined;
  add(kind: WriteKind, submission: Submission): Waiter;
  /** How many jobs are waited for, and how much they hold. */
  load(): { readonly count: number; readonly bytes: number };
  /** Waits with `work` on; the waiter goes when the last request that waits on it does. */
  waitOn<Result>(waiter: Waiter, work: () => Promise<Result>): Promise<Result>;
  onReplies(replies: readonly Reply[]): void;
  /** Cuts every waiting short, now and from now on. */
  cutShort(): void;
}

export function createWaiters(
  look: (job: Submission) => Promise<Settled | null>,
  log: Log,
  onStop: OnStop,
): Waiters {
  const waiters = new Map<string, Waiter>();
  let heldBytes = 0;
  let isCut = false;

  const lookUp = (waiter: Waiter): void => {
    waiter.isLooking = true;
    look(waiter.submission)
      .then(
        found => found && settle(waiter, found),
        error => log.debug({ err: describeError(error) }, 'jobs look-up failed'),
      )
      .finally(() => {
        waiter.isLooking = false;
      });
  };
  const timer = setInterval(() => {
    const due = performance.now() - LOOK_INTERVAL_MS;
    for (const waiter of waiters.values())
      if (waiter.since < due && !waiter.isLooking) lookUp(waiter);
  }, LOOK_INTERVAL_MS);
  timer.unref();
  onStop('job look-ups', () => clearInterval(timer));

  return {
    get: jobId => waiters.get(jobId),
    add(kind, submission) {
      const bytes = JSON.stringify(submission.payload).length;
      const base = {
        kind,
        submission,
        bytes,
        since: performance.now(),
        requests: 0,
        isLooking: false,
        isCut: false,
      };
      const waiter = { ...base, ...deferred<Settled | null>() };
      waiters.set(submission.id, waiter);
      heldBytes += bytes;
      if (isCut) cut(waiter);
      return waiter;
    },
    load: () => ({ count: waiters.size, bytes: heldBytes }),
    async waitOn(waiter, work) {
      waiter.requests += 1;
      try {
        return await work();
      } finally {
        waiter.requests -= 1;
        if (waiter.requests === 0 && waiters.delete(waiter.submission.id))
          heldBytes -= waiter.bytes;
      }
    },
    onReplies(replies) {
      for (const { jobId, content } of replies) {
        const waiter = waiters.get(jobId);
        if (!waiter) continue;
        if (content === undefined) lookUp(waiter);
        else settle(waiter, content as Settled);
      }
    },
    cutShort() {
      isCut = true;
      for (const waiter of waiters.values()) cut(waiter);
    },
  };
}

/** A row that waits is no outcome, unless it holds the key for another body. */
function settle(waiter: Waiter, settled: Settled): void {
  if (settled.status !== 'queued' || settled.fingerprint !== waiter.submission.fingerprint)
    waiter.settle(settled);
}

function cut(waiter: Waiter): void {
  waiter.isCut = true;
  waiter.settle(null);
}

function deferred<Value>(): { settled: Promise<Value>; settle: (value: Value) => void } {
  let resolveIt: (value: Value) => void = () => undefined;
  const settled = new Promise<Value>(resolve => {
    resolveIt = resolve;
  });
  return { settled, settle: resolveIt };
}
