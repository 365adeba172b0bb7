// The web process's side of a write: submit it, wait for its outcome, and persist its jobs row if
// the outcome is late or the queue is unreachable. The queue is a fast path; Postgres guarantees.
import { jittered } from '../../platform/async/back-off.js';
import { Batcher } from '../../platform/async/batch.js';
import { orNullAfter, TimeoutError } from '../../platform/async/timeout.js';
import { Problem } from '../../platform/errors.js';
import { describeError, mayHaveTakenEffect } from '../../platform/postgres-errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import type { QueueShards } from '../../platform/queue/open.js';
import type { Reply } from '../../platform/queue/replies.js';
import type { JobToPersist } from '../persist.js';
import { findKeyedOutcomes, findOutcomes, type JobRef } from '../queries.js';
import type { JobOutcome, Submission, WriteKind } from '../write-kind.js';
import { Backpressure } from './backpressure.js';
import { createEnqueue, createPersist, type Enqueue, requeue } from './delivery.js';
import { notStored, onceAccepted } from './outages.js';
import { PendingWrite } from './pending-write.js';
import { QueueShares } from './queue-shares.js';
import { toSubmission, type WriteRequest } from './submission.js';

/** After this time an unsettled write is persisted. A lost queue job costs this and a poll. */
const PERSIST_AFTER_MS = 1_000;
/** The head start of a worker that has the submission from the queue, before the recovery poll. */
const RECOVER_AFTER_MS = 700;
/** Requests wait this much longer once the process stops. It has 15 s for all of its stopping. */
const STOP_WAIT_MS = 3_000;
/** How often a waiting request retries to persist its write. */
const PERSIST_RETRY_MS = 500;
/** The jobs table is read this often, for the pending writes that are older than this. */
const READ_OUTCOMES_MS = 250;
const OUTCOMES_PER_READ = 500;
const READS_IN_FLIGHT = 2;

export type Answer =
  | { readonly kind: 'settled'; readonly outcome: JobOutcome; readonly replayed: boolean }
  | { readonly kind: 'accepted'; readonly jobId: string };

export interface SubmitterOptions {
  readonly kinds: readonly WriteKind[];
  /** The shards of the kinds' queues. */
  readonly producers: QueueShards;
  /** The reply address; read per request, since the listener opens after the submitter. */
  readonly replyTo: () => string;
  readonly log: Log;
  readonly onStop: OnStop;
}

export class Submitter {
  readonly #replyTo: () => string;
  readonly #log: Log;
  readonly #enqueue: Enqueue;
  readonly #shares = new QueueShares(write => this.#putInQueue(write));
  readonly #persist: Batcher<JobToPersist, boolean>;
  readonly #outcomes: Batcher<JobRef, JobOutcome | null>;
  /** The outcomes of earlier requests by their Idempotency-Keys. */
  readonly #keyed: Batcher<JobRef, JobOutcome | null>;
  readonly #backpressure: Backpressure;
  /** By job id. */
  readonly #pending = new Map<string, PendingWrite>();
  #isStopping = false;

  constructor({ kinds, producers, replyTo, log, onStop }: SubmitterOptions) {
    this.#replyTo = replyTo;
    this.#log = log;
    this.#enqueue = createEnqueue(producers);
    this.#persist = createPersist();
    const reading = {
      maxSize: OUTCOMES_PER_READ,
      maxInFlight: READS_IN_FLIGHT,
      ownerOf: ({ companyId }: JobRef) => companyId,
    };
    this.#outcomes = new Batcher(refs => findOutcomes(refs, kinds), reading);
    this.#keyed = new Batcher(refs => findKeyedOutcomes(refs, kinds), reading);
    this.#backpressure = new Backpressure(log, onStop);
    const timer = setInterval(() => this.#readLateOutcomes(), READ_OUTCOMES_MS).unref();
    onStop('job look-ups', () => clearInterval(timer));
  }

  /**
   * Submits a write and waits for its outcome. `accepted` means that its row is in Postgres. Throws
   * Problem `idempotency_key_reused`, or `service_unavailable`, whose detail says whether the write
   * may still be carried out.
   */
  async submit(kind: WriteKind, request: WriteRequest): Promise<Answer> {
    const submission = toSubmission(kind, request, this.#replyTo());
    const mayBeReplay = request.idempotencyKey !== undefined && !this.#pending.has(submission.id);
    const found = mayBeReplay ? await this.#keyed.submit(submission) : null;
    refuseOtherBody(submission, found);
    const earlier = found && isInternalFailure(found) ? await this.#retry(submission) : found;
    if (earlier && earlier.status !== 'queued') return settledAnswer(earlier, submission);

    // Another request with this key may have started the write since the look-up above.
    let pending = this.#pending.get(submission.id);
    refuseOtherBody(submission, pending?.submission);
    if (!pending) {
      if (!earlier && request.refusal) throw request.refusal;
      if (!earlier) this.#backpressure.admit(request.companyId);
      pending = this.#start(kind, submission, request.bytes);
      // respond-async: the row alone, so the 202 never waits for a worker's lock.
      if (!earlier && request.waitMs > 0) this.#shares.add(pending);
    }
    const outcome = await this.#waitFor(pending, request.waitMs);
    refuseOtherBody(submission, outcome);
    return outcome
      ? settledAnswer(outcome, submission)
      : { kind: 'accepted', jobId: submission.id };
  }

  /** Queues a job again that failed because of an internal error, and returns its state. */
  async #retry(submission: Submission): Promise<JobOutcome | null> {
    this.#backpressure.admit(submission.companyId);
    return onceAccepted(async () => {
      await requeue(submission);
      return this.#outcomes.submit(submission);
    });
  }

  /** Takes the replies of workers. A reply without content says that the outcome can be read. */
  onReplies(replies: readonly Reply<JobOutcome>[]): void {
    for (const { jobId, content } of replies) {
      const pending = this.#pending.get(jobId);
      if (!pending) continue;
      if (content === undefined) this.#readOutcome(pending);
      else pending.settle(content);
    }
  }

  /** Ends all waiting soon, since the process stops; there is time left to send the answers. */
  finishSoon(): void {
    setTimeout(() => {
      this.#isStopping = true;
      for (const pending of this.#pending.values()) pending.cut();
    }, STOP_WAIT_MS).unref();
  }

  #start(kind: WriteKind, submission: Submission, bytes: number): PendingWrite {
    const pending = new PendingWrite(kind, submission, bytes);
    this.#pending.set(submission.id, pending);
    this.#backpressure.add(pending);
    if (this.#isStopping) pending.cut();
    return pending;
  }

  #putInQueue(pending: PendingWrite): void {
    pending.isQueued = true;
    pending.mayBeCarriedOut = true;
    this.#enqueue(pending.kind, pending).catch(error => {
      const { id } = pending.submission;
      this.#log.debug(
        { jobId: id, err: describeError(error) },
        'queue unreachable, persisting job',
      );
      // A job whose enqueueing timed out may be in the queue all the same.
      pending.isQueued = error instanceof TimeoutError;
      this.#ensurePersisted(pending).catch(ignore);
    });
  }

  /** Throws Problem `idempotency_key_reused` if the job's row is of another body. */
  #ensurePersisted(pending: PendingWrite): Promise<void> {
    const { submission, weight } = pending;
    this.#shares.withdraw(pending);
    return pending.persistOnce(async () => {
      const runInMs = pending.isQueued ? RECOVER_AFTER_MS : 0;
      const isPersisted = await this.#persist
        .submit({ submission, weight, runInMs })
        .catch((error: unknown) => {
          if (mayHaveTakenEffect(error)) pending.mayBeCarriedOut = true;
          throw error;
        });
      if (!isPersisted) throw reusedKey();
    });
  }

  /** The last request that waits for a write removes it. */
  async #waitFor(pending: PendingWrite, waitMs: number): Promise<JobOutcome | null> {
    pending.requests += 1;
    try {
      return await this.#outcomeOrPersisted(pending, waitMs);
    } finally {
      pending.requests -= 1;
      if (pending.requests === 0 && this.#pending.delete(pending.submission.id)) {
        this.#backpressure.remove(pending);
        this.#shares.remove(pending);
      }
    }
  }

  /**
   * The outcome, or null when time is up and the write is persisted; always null if `waitMs` is 0,
   * however fast the worker was. Throws `service_unavailable` if the write could not be persisted.
   */
  async #outcomeOrPersisted(pending: PendingWrite, waitMs: number): Promise<JobOutcome | null> {
    const deadline = performance.now() + waitMs;
    const waitUpTo = (ms: number) => orNullAfter(Math.max(0, ms), () => pending.outcome);
    const early = waitMs > 0 ? await waitUpTo(Math.min(waitMs, PERSIST_AFTER_MS)) : null;
    if (early) return early;
    for (;;) {
      const isPersisted = await this.#ensurePersisted(pending).then(
        () => true,
        error => {
          if (error instanceof Problem) throw error;
          return false;
        },
      );
      if (isPersisted && waitMs === 0) return null;
      const leftMs = pending.isCut ? 0 : deadline - performance.now();
      const retryMs = isPersisted ? leftMs : Math.min(leftMs, jittered(PERSIST_RETRY_MS));
      const outcome = await waitUpTo(retryMs);
      if (outcome) return outcome;
      if (leftMs > 0) continue;
      if (isPersisted) return null;
      throw notStored(pending);
    }
  }

  /** Replies may be lost, so the outcome of a write that takes longer is read from its row. */
  #readLateOutcomes(): void {
    const startedBefore = performance.now() - READ_OUTCOMES_MS;
    for (const pending of this.#pending.values())
      if (pending.startedAt < startedBefore) this.#readOutcome(pending);
  }

  #readOutcome(pending: PendingWrite): void {
    pending
      .readOnce(() => this.#outcomes.submit(pending.submission))
      .catch(error => this.#log.debug({ err: describeError(error) }, 'reading a job failed'));
  }
}

const ignore = (): void => undefined;

function settledAnswer(outcome: JobOutcome, { submissionId }: Submission): Answer {
  return { kind: 'settled', outcome, replayed: outcome.submissionId !== submissionId };
}

/** True for a job that failed by a defect or an outage, rather than by a refusal. */
const isInternalFailure = ({ problem }: JobOutcome) => problem !== null && problem.status >= 500;

function refuseOtherBody(
  { fingerprint }: Submission,
  other: { readonly fingerprint: string } | null | undefined,
): void {
  if (other && other.fingerprint !== fingerprint) throw reusedKey();
}

function reusedKey(): Problem {
  return new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another request. Use a new key.',
  );
}
