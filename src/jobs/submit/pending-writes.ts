// The writes of a web process that requests wait for: puts them into the queue, persists them if
// their outcome is late or the queue is unreachable, and waits for their outcomes. The queue is a
// fast path; Postgres guarantees.
import { jittered } from '../../platform/async/back-off.js';
import type { Batcher } from '../../platform/async/batch.js';
import { orNullAfter, TimeoutError } from '../../platform/async/timeout.js';
import { Problem } from '../../platform/errors.js';
import { describeError, mayHaveTakenEffect } from '../../platform/postgres-errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import type { QueueShards } from '../../platform/queue/open.js';
import type { Reply } from '../../platform/queue/replies.js';
import type { JobToPersist } from '../persist.js';
import type { JobRef } from '../queries.js';
import type { JobOutcome, Submission, WriteKind } from '../write-kind.js';
import { reusedKey } from './answer.js';
import type { Backpressure } from './backpressure.js';
import { createEnqueue, createPersist, type Enqueue } from './delivery.js';
import { notStored } from './outages.js';
import { type PendingSequence, PendingWrite } from './pending-write.js';
import { QueueShares } from './queue-shares.js';

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

export interface PendingWritesOptions {
  /** The shards of the kinds' queues. */
  readonly producers: QueueShards;
  /** Reads the outcomes of jobs. */
  readonly outcomes: Batcher<JobRef, JobOutcome | null>;
  readonly backpressure: Backpressure;
  readonly log: Log;
  readonly onStop: OnStop;
}

export class PendingWrites {
  readonly #log: Log;
  readonly #enqueue: Enqueue;
  readonly #shares = new QueueShares(sequence => this.#putInQueue(sequence));
  readonly #persist: Batcher<readonly JobToPersist[], readonly boolean[]> = createPersist();
  readonly #outcomes: Batcher<JobRef, JobOutcome | null>;
  readonly #backpressure: Backpressure;
  /** By job id. */
  readonly #pending = new Map<string, PendingWrite>();
  #isStopping = false;

  constructor({ producers, outcomes, backpressure, log, onStop }: PendingWritesOptions) {
    this.#log = log;
    this.#enqueue = createEnqueue(producers);
    this.#outcomes = outcomes;
    this.#backpressure = backpressure;
    const timer = setInterval(() => this.#readLateOutcomes(), READ_OUTCOMES_MS).unref();
    onStop('job look-ups', () => clearInterval(timer));
  }

  find({ id }: Submission): PendingWrite | undefined {
    return this.#pending.get(id);
  }

  /** Adds a write. Its first request counts itself, and calls `waitFor`. */
  start(kind: WriteKind, submission: Submission, bytes: number): PendingWrite {
    const pending = new PendingWrite(kind, submission, bytes);
    this.#pending.set(submission.id, pending);
    this.#backpressure.add(pending);
    if (this.#isStopping) pending.cut();
    return pending;
  }

  /** Puts the sequence into the queue, at once or when its company has a share for it. */
  queue(sequence: PendingSequence): void {
    this.#shares.add(sequence);
  }

  /** The last request that waits for a write removes it. */
  async waitFor(pending: PendingWrite, waitMs: number): Promise<JobOutcome | null> {
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

  #putInQueue(sequence: PendingSequence): void {
    sequence.isQueued = true;
    sequence.mayBeCarriedOut = true;
    this.#enqueue(sequence).catch(error => {
      const [first] = sequence.writes;
      this.#log.debug(
        { jobId: first.submission.id, err: describeError(error) },
        'queue unreachable, persisting job',
      );
      // A job whose enqueueing timed out may be in the queue all the same.
      sequence.isQueued = error instanceof TimeoutError;
      this.#ensurePersisted(first).catch(ignore);
    });
  }

  /** Persists its sequence. Throws Problem `idempotency_key_reused` if its row has another body. */
  async #ensurePersisted(pending: PendingWrite): Promise<void> {
    const { sequence } = pending;
    this.#shares.withdraw(sequence);
    const persisted = await sequence.persistOnce(() => this.#persistSequence(sequence));
    if (!persisted.has(pending)) throw reusedKey();
  }

  /** Returns the writes that have their row. */
  async #persistSequence(sequence: PendingSequence): Promise<Set<PendingWrite>> {
    const { writes } = sequence;
    const runInMs = sequence.isQueued ? RECOVER_AFTER_MS : 0;
    const jobs = writes.map(({ submission, weight }) => ({ submission, weight, runInMs }));
    const arePersisted = await this.#persist.submit(jobs).catch((error: unknown) => {
      if (mayHaveTakenEffect(error)) sequence.mayBeCarriedOut = true;
      throw error;
    });
    return new Set(writes.filter((_, index) => arePersisted[index]));
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
