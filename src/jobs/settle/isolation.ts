// The companies of one kind of write whose submissions failed even in a batch of their own, such as
// on a lock that another session holds. While a company is isolated, its submissions are persisted,
// so that they hold up neither the queue nor other companies. Its rows are settled in turns.
import { Batcher } from '../../platform/async/batch.js';
import type { TransactionLimits } from '../../platform/db/limits.js';
import { describeError, isOutage, isTransient } from '../../platform/postgres-errors.js';
import type { Log } from '../../platform/process/log.js';
import { persistJobs, RUN_EXISTING_EARLIER } from '../persist.js';
import { type QueueKinds, type Submission, weightOf } from '../write-kind.js';
import { splitByWeight } from './batch.js';
import type { DueJobs } from './due-jobs.js';
import { recordFailedAttempt } from './rows.js';
import { Turns } from './turns.js';

const ROWS_PER_INSERT = 500;
/** How long a turn goes on after its wait for a lock, and how long parts of its batch wait. */
const SPLIT_MS = 2_000;
const SPLIT_LIMITS: TransactionLimits = { lockMs: 100 };

export interface IsolationOptions {
  readonly kinds: QueueKinds;
  readonly batchMax: number;
  readonly due: DueJobs;
  /** Settles a batch in one transaction, or rejects. */
  readonly settle: (batch: readonly Submission[], limits: TransactionLimits) => Promise<void>;
  /** True for a job that the process is settling elsewhere. */
  readonly isActive: (submission: Submission) => boolean;
  readonly log: Log;
}

export class Isolation {
  readonly #options: IsolationOptions;
  readonly #turns: Turns;
  readonly #persist: Batcher<Submission, null>;

  constructor(options: IsolationOptions) {
    this.#options = options;
    this.#turns = new Turns(options.batchMax);
    this.#persist = new Batcher(submissions => this.#persistBatch(submissions), {
      maxSize: ROWS_PER_INSERT,
      maxInFlight: 1,
      ownerOf: ({ companyId }) => companyId,
    });
  }

  has(companyId: string): boolean {
    return this.#turns.has(companyId);
  }

  /** Isolates a company because its batch failed. Its submissions must be persisted next. */
  add(companyId: string, error: unknown): void {
    const { kinds, log } = this.#options;
    log.warn(
      { kind: kinds.name, companyId, err: describeError(error) },
      "a company's batch failed; persisting its writes and retrying them apart from others",
    );
    this.#turns.add(companyId);
  }

  /** Persists a submission of an isolated company. Its row is due at once. */
  persist(submission: Submission): Promise<null> {
    return this.#persist.submit(submission);
  }

  /** Settles due rows of the company whose turn it is. False if no company has one. */
  async settleNext(): Promise<boolean> {
    const { kinds, due, isActive, log } = this.#options;
    const turn = this.#turns.next();
    if (!turn) return false;
    const { companyId, maxSize, claimMs, lockMs, startedAt } = turn;
    const deadline = startedAt + lockMs + SPLIT_MS;
    const claimed = await due.claimOf([companyId], { rows: maxSize }, claimMs);
    const submissions = claimed.filter(submission => !isActive(submission));
    let isSettled = true;
    for (const batch of splitByWeight(kinds, submissions))
      isSettled = (await this.#settleAlone(batch, { lockMs }, deadline)) && isSettled;
    if (this.#turns.end(turn, isSettled ? claimed.length : null))
      log.info({ kind: kinds.name, companyId }, 'settling a company with others again');
    return true;
  }

  async #persistBatch(submissions: readonly Submission[]): Promise<null[]> {
    const { kinds } = this.#options;
    const distinct = new Map(submissions.map(submission => [submission.id, submission]));
    try {
      await persistJobs(
        Array.from(distinct.values(), submission => ({
          submission,
          weight: weightOf(kinds.batch, submission.payload),
          runInMs: 0,
        })),
        RUN_EXISTING_EARLIER,
      );
    } finally {
      // A company whose rows could not be persisted is released at its first turn.
      for (const { companyId } of submissions) this.#turns.open(companyId);
    }
    return submissions.map(() => null);
  }

  /**
   * Settles one company's submissions. Halves a batch that fails, until the deadline, so that a
   * submission which is locked or fails by itself does so alone. That counts as an attempt, unless
   * the cause was a lock, a conflict or a slow statement. False if some submissions must wait.
   */
  async #settleAlone(
    batch: readonly Submission[],
    limits: TransactionLimits,
    deadline: number,
  ): Promise<boolean> {
    const { kinds, settle, log } = this.#options;
    if (performance.now() > deadline) return false;
    try {
      await settle(batch, limits);
      return true;
    } catch (error) {
      if (isOutage(error)) throw error;
      const [first] = batch;
      if (first && batch.length === 1) {
        if (isTransient(error)) return false;
        await recordFailedAttempt(kinds.of(first), first, error, log);
        return true;
      }
      const middle = Math.ceil(batch.length / 2);
      const halves = [batch.slice(0, middle), batch.slice(middle)];
      let isSettled = true;
      for (const half of halves)
        isSettled = (await this.#settleAlone(half, SPLIT_LIMITS, deadline)) && isSettled;
      return isSettled;
    }
  }
}
