import { type JobOutcome, type Submission, type WriteKind, weightOf } from '../write-kind.js';

/**
 * A write of this process that requests wait for. It starts as *waiting* and reaches, in any order:
 * - *persisted*: its jobs row is in Postgres. A 202 may be answered; a worker will find the row.
 * - *settled*: its outcome is known, from a worker's reply or from the row.
 * - *cut*: the process stops. Requests wait no longer and get a 202 once the write is persisted.
 */
export class PendingWrite {
  readonly kind: WriteKind;
  readonly submission: Submission;
  readonly startedAt = performance.now();
  /** About the length of the payload's JSON. */
  readonly bytes: number;
  readonly weight: number;
  /** True once the write is sent to the queue, unless the queue refuses it. */
  isQueued = false;
  /** True once a worker may have it, or Postgres may have stored it. Never false again. */
  mayBeCarriedOut = false;
  /** Null once the write is cut. */
  readonly outcome: Promise<JobOutcome | null>;
  /** Number of requests that wait for the write. Those after the first have its Idempotency-Key. */
  requests = 0;
  #resolve: (outcome: JobOutcome | null) => void = () => undefined;
  #persisting: Promise<void> | undefined;
  #isReading = false;
  #isCut = false;

  constructor(kind: WriteKind, submission: Submission, bytes: number) {
    this.kind = kind;
    this.submission = submission;
    this.bytes = bytes;
    this.weight = weightOf(kind, submission.payload);
    this.outcome = new Promise(resolve => {
      this.#resolve = resolve;
    });
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** A queued job is not settled, unless its row holds the Idempotency-Key for another body. */
  settle(outcome: JobOutcome): void {
    const isOtherBody = outcome.fingerprint !== this.submission.fingerprint;
    if (outcome.status !== 'queued' || isOtherBody) this.#resolve(outcome);
  }

  cut(): void {
    this.#isCut = true;
    this.#resolve(null);
  }

  /** Runs `persist` unless it runs or has succeeded already. */
  persistOnce(persist: () => Promise<void>): Promise<void> {
    this.#persisting ??= persist().catch(error => {
      this.#persisting = undefined;
      throw error;
    });
    return this.#persisting;
  }

  /** Settles with what `read` finds, unless another read is in flight. */
  async readOnce(read: () => Promise<JobOutcome | null>): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const outcome = await read();
      if (outcome) this.settle(outcome);
    } finally {
      this.#isReading = false;
    }
  }
}
