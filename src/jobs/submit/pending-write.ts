import { type JobOutcome, type Submission, type WriteKind, weightOf } from '../write-kind.js';

/**
 * A write of this process that requests wait for. It starts as *waiting* and reaches, in any order:
 * - *persisted*, with its sequence: its jobs row is in Postgres. A 202 may be answered; a worker
 *   will find the row.
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
  /** The sequence of the request that started it. */
  sequence: PendingSequence;
  /** Null once the write is cut. */
  readonly outcome: Promise<JobOutcome | null>;
  /** Number of requests that wait for the write. Those after the first have its Idempotency-Key. */
  requests = 0;
  #resolve: (outcome: JobOutcome | null) => void = () => undefined;
  #isReading = false;
  #isCut = false;

  constructor(kind: WriteKind, submission: Submission, bytes: number) {
    this.kind = kind;
    this.submission = submission;
    this.bytes = bytes;
    this.weight = weightOf(kind, submission.payload);
    this.sequence = new PendingSequence([this]);
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

/**
 * Writes of one request that are not settled yet, in its order; often a single one. They are put
 * into the queue together and persisted together, all or none. So no worker finds one of them
 * without those ahead of it.
 */
export class PendingSequence {
  readonly writes: readonly [PendingWrite, ...PendingWrite[]];
  readonly weight: number;
  /** True once the writes are sent to the queue, unless the queue refuses them. */
  isQueued = false;
  /** True once a worker may have them, or Postgres may have stored them. Never false again. */
  mayBeCarriedOut = false;
  #persisting: Promise<ReadonlySet<PendingWrite>> | undefined;

  constructor(writes: readonly [PendingWrite, ...PendingWrite[]]) {
    this.writes = writes;
    this.weight = writes.reduce((sum, { weight }) => sum + weight, 0);
  }

  get kind(): WriteKind {
    return this.writes[0].kind;
  }

  get companyId(): string {
    return this.writes[0].submission.companyId;
  }

  /** Runs `persist` unless it runs or has succeeded already. Resolves to the writes with a row. */
  persistOnce(
    persist: () => Promise<ReadonlySet<PendingWrite>>,
  ): Promise<ReadonlySet<PendingWrite>> {
    this.#persisting ??= persist().catch(error => {
      this.#persisting = undefined;
      throw error;
    });
    return this.#persisting;
  }
}
