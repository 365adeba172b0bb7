// The web process's side of a queued write: submit, wait, and where the answer does not come in time or the queue is
// away, write the jobs row so that a 202 may be given. The queue is a fast path, Postgres is the promise.
import { v7 as uuidv7 } from 'uuid';
import { jittered } from '../../platform/async/back-off.js';
import { Batcher } from '../../platform/async/batch.js';
import { orNullAfter, TimeoutError } from '../../platform/async/timeout.js';
import { Problem, unavailable } from '../../platform/errors.js';
import { describeError } from '../../platform/postgres-errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import type { Reply } from '../../platform/queue/replies.js';
import { findSettled, type JobRef } from '../queries.js';
import {
  fingerprintOf,
  jobId,
  type Settled,
  type Submission,
  type WriteKind,
} from '../write-kind.js';
import { watchPressure } from './backpressure.js';
import { createEnqueue, createKeep, type QueueProducers, requeue } from './delivery.js';
import { createWaiters, type Waiter } from './waiters.js';

/** Not answered by then, a submission gets its row: a lost queue job costs this much and a poll. */
const DURABLE_AFTER_MS = 1_000;
/** A worker that has the submission from the queue gets this long before the recovery poll may take its row. */
const RECOVER_AFTER_MS = 700;
/** From the call to stop; the process has 15 s for all of it. */
const STOP_WAIT_MS = 3_000;
/** How often a waiting request tries again to write the row that a 202 needs. */
const KEEP_RETRY_MS = 500;

export interface Write {
  readonly companyId: string;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  /** The body as received, for the fingerprint. */
  readonly body: unknown;
  /** The body as validated, for the worker. */
  readonly payload: unknown;
  /** How long to wait for the outcome; 0 asks for 202 at once. */
  readonly waitMs: number;
}

export type Answer =
  | { readonly kind: 'settled'; readonly settled: Settled; readonly replayed: boolean }
  | { readonly kind: 'accepted'; readonly jobId: string };

export interface Submitter {
  /**
   * Submits a write and waits for its outcome. `accepted` is a promise kept in Postgres. Throws Problem
   * `idempotency_key_reused`, or `service_unavailable` where nothing could be promised or too much is unfinished already.
   */
  submit(kind: WriteKind, write: Write): Promise<Answer>;
  /** For replies from workers. */
  onReplies(replies: readonly Reply[]): void;
  /** The process stops: whoever waits, now or later, goes with 202 in time for the answer to be sent. */
  finishSoon(): void;
}

export interface SubmitterOptions {
  readonly producers: QueueProducers;
  readonly kinds: readonly WriteKind[];
  /** Set once the listener is open. */
  readonly replyTo: () => string;
  readonly log: Log;
  readonly onStop: OnStop;
}

export function createSubmitter({
  producers,
  kinds,
  replyTo,
  log,
  onStop,
}: SubmitterOptions): Submitter {
  const enqueue = createEnqueue(producers);
  const keep = createKeep();
  const look = new Batcher<JobRef, Settled | null>(refs => findSettled(refs, kinds), {
    maxSize: 500,
    maxInFlight: 2,
  });
  const waiters = createWaiters(job => look.submit(job), log, onStop);
  const pressure = watchPressure(log, onStop);

  const ensureKept: EnsureKept = (waiter, runInMs) => {
    waiter.kept ??= keep.submit({ kind: waiter.kind, submission: waiter.submission, runInMs }).then(
      isOurs => {
        if (!isOurs) throw reusedKey();
      },
      error => {
        delete waiter.kept;
        throw error;
      },
    );
    return waiter.kept;
  };

  const putInQueue = (waiter: Waiter): void => {
    enqueue(waiter.kind, waiter).catch(error => {
      log.debug(
        { jobId: waiter.submission.id, err: describeError(error) },
        'queue unreachable, going the durable way',
      );
      // What took too long may be in the queue all the same: its worker goes first.
      ensureKept(waiter, error instanceof TimeoutError ? RECOVER_AFTER_MS : 0).catch(ignore);
    });
  };

  return {
    async submit(kind, write) {
      const submission = toSubmission(kind, write, replyTo());
      const looksBack = write.idempotencyKey !== undefined && !waiters.get(submission.id);
      const earlier = looksBack ? await look.submit(submission) : null;
      refuseOtherBody(submission, earlier);
      if (earlier && isOurFailure(earlier)) await requeue(submission);
      else if (earlier && earlier.status !== 'queued') return answer(earlier, submission);
      // Another request with this key may have come between the look and now.
      const joined = waiters.get(submission.id);
      refuseOtherBody(submission, joined?.submission);
      if (!joined && earlier === null) pressure.admit(waiters.load());
      const waiter = joined ?? waiters.add(kind, submission);
      if (!joined && earlier === null) {
        // Who does not wait is answered when the row is there: first the row, so that no worker holds it up.
        if (write.waitMs > 0) putInQueue(waiter);
        else ensureKept(waiter, RECOVER_AFTER_MS).then(() => putInQueue(waiter), ignore);
      }
      const settled = await waiters.waitOn(waiter, () => waitFor(waiter, write.waitMs, ensureKept));
      refuseOtherBody(submission, settled);
      return settled ? answer(settled, submission) : { kind: 'accepted', jobId: submission.id };
    },
    onReplies: waiters.onReplies,
    finishSoon: () => setTimeout(waiters.cutShort, STOP_WAIT_MS).unref(),
  };
}

const ignore = (): void => undefined;

type EnsureKept = (waiter: Waiter, runInMs: number) => Promise<unknown>;

/**
 * The outcome, or null when the time is up and the submission is kept; without any time always null, however fast the
 * worker was. Throws `service_unavailable` where the submission is not kept.
 */
async function waitFor(
  waiter: Waiter,
  waitMs: number,
  ensureKept: EnsureKept,
): Promise<Settled | null> {
  const deadline = performance.now() + waitMs;
  const quick =
    waitMs > 0 ? await orNullAfter(Math.min(waitMs, DURABLE_AFTER_MS), () => waiter.settled) : null;
  if (quick) return quick;
  for (;;) {
    const kept = await ensureKept(waiter, RECOVER_AFTER_MS).then(
      () => true,
      error => {
        if (error instanceof Problem) throw error;
        return false;
      },
    );
    if (kept && waitMs === 0) return null;
    const left = waiter.isCut ? 0 : deadline - performance.now();
    const settled = await orNullAfter(
      Math.max(0, kept ? left : Math.min(left, jittered(KEEP_RETRY_MS))),
      () => waiter.settled,
    );
    if (settled) return settled;
    if (left > 0) continue;
    if (kept) return null;
    throw unavailable(
      'The write could not be taken on; nothing was promised. Try again with the same Idempotency-Key.',
    );
  }
}

function answer(settled: Settled, submission: Submission): Answer {
  return { kind: 'settled', settled, replayed: settled.submissionId !== submission.submissionId };
}

/** Failed for good by a defect or an outage of ours, and not by a refusal that the client has to know. */
function isOurFailure({ problem }: Settled): boolean {
  return problem !== null && problem.status >= 500;
}

function refuseOtherBody(
  submission: Submission,
  other: { fingerprint: string } | null | undefined,
): void {
  if (other && other.fingerprint !== submission.fingerprint) {
    throw reusedKey();
  }
}

function reusedKey(): Problem {
  return new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another request; use a fresh one.',
  );
}

function toSubmission(kind: WriteKind, write: Write, replyTo: string): Submission {
  return {
    companyId: write.companyId,
    id: jobId(write.companyId, write.idempotencyKey),
    fingerprint: fingerprintOf(kind.path, write.body),
    submissionId: uuidv7(),
    requestId: write.requestId,
    acceptedAt: new Date().toISOString(),
    payload: write.payload,
    replyTo,
  };
}
