// The companies of one queue that are delayed: their writes failed even in a batch of their own,
// such as on a lock that another session holds. Their submissions wait as rows in Postgres, where
// they hold up neither the queue nor other companies. Delayed companies take turns, one at a time;
// a turn settles some of a company's rows. A turn that fails makes the next one later and more
// patient, and smaller if statements are slow. A turn that leaves no row due ends the delay.
import { Batcher } from '../../platform/async/batch.js';
import type { TransactionLimits } from '../../platform/db/limits.js';
import { describeError, isOutage, isTransient } from '../../platform/postgres-errors.js';
import type { Log } from '../../platform/process/log.js';
import { persistJobs, RUN_EXISTING_EARLIER } from '../persist.js';
import { kindOf, type Submission, type WriteQueue, weightOf } from '../write-kind.js';
import { splitByLines } from './batch.js';
import type { DueJobs } from './due-jobs.js';
import { recordFailedAttempt } from './rows.js';
import { type Sequence, toSequences } from './sequences.js';

const ROWS_PER_INSERT = 500;
/** Lock timeout of a company's first turn, and its upper bound. It doubles with each failure. */
const LOCK_MS = 500;
const LOCK_MAX_MS = 2_000;
/** A turn that fails continues for this long after its first lock wait, to retry in halves. */
const HALVES_MS = 2_000;
const HALVES_LIMITS: TransactionLimits = { lockMs: 100 };
/**
 * Pause after the first failed turn, and its upper bound. It doubles with each failure, and is
 * never shorter than the turn, so that other delayed companies get at least half of the time.
 */
const PAUSE_MS = 250;
const PAUSE_MAX_MS = 5_000;
/** A claim outlasts the turn's lock wait and pause by this. */
const CLAIM_MARGIN_MS = 250;
/** A longer turn hit the statement timeout. Lock waits alone take at most half as long. */
const SLOW_TURN_MS = 10_000;

export interface DelayOptions {
  readonly queue: WriteQueue;
  /** The most rows of a turn. */
  readonly batchMax: number;
  readonly due: DueJobs;
  /** Settles a batch in one transaction, or rejects. */
  readonly settle: (batch: readonly Submission[], limits: TransactionLimits) => Promise<void>;
  /** True for a job that the process is settling elsewhere. */
  readonly isActive: (submission: Submission) => boolean;
  readonly log: Log;
}

interface Delay {
  /** Failed turns since the last one that succeeded. */
  failures: number;
  /** The most rows of the next turn. */
  maxRows: number;
  /** Earliest time of the next turn, by performance.now(). */
  nextTurnAt: number;
}

export class DelayedCompanies {
  readonly #options: DelayOptions;
  /** By company id, in the order of their turns. */
  readonly #delays = new Map<string, Delay>();
  readonly #persist: Batcher<Sequence, null>;

  constructor(options: DelayOptions) {
    this.#options = options;
    this.#persist = new Batcher(sequences => this.#persistBatch(sequences), {
      maxSize: ROWS_PER_INSERT,
      sizeOf: sequence => sequence.length,
      maxInFlight: 1,
      ownerOf: ([{ companyId }]) => companyId,
    });
  }

  has(companyId: string): boolean {
    return this.#delays.has(companyId);
  }

  /** Persists a company's batch that failed, and delays the company. */
  async add(companyId: string, batch: readonly Submission[], error: unknown): Promise<void> {
    const { queue, batchMax, log } = this.#options;
    log.warn(
      { kind: queue.label, companyId, err: describeError(error) },
      "a company's batch failed; persisting its writes and retrying them apart from others",
    );
    await Promise.all(toSequences(batch).map(sequence => this.persist(sequence)));
    if (this.has(companyId)) return;
    this.#delays.set(companyId, { failures: 0, maxRows: batchMax, nextTurnAt: 0 });
  }

  /** Persists submissions of a delayed company, all or none. Their rows are due at once. */
  persist(sequence: Sequence): Promise<null> {
    return this.#persist.submit(sequence);
  }

  /** Settles due rows of the company whose turn it is. False if no company may have one yet. */
  async settleNext(): Promise<boolean> {
    const startedAt = performance.now();
    const next = [...this.#delays].find(([, { nextTurnAt }]) => nextTurnAt <= startedAt);
    if (!next) return false;
    const [companyId, delay] = next;
    // The company goes behind all others.
    this.#delays.delete(companyId);
    this.#delays.set(companyId, delay);
    const lockMs = Math.min(LOCK_MS * 2 ** delay.failures, LOCK_MAX_MS);
    const pauseMs = Math.min(PAUSE_MS * 2 ** delay.failures, PAUSE_MAX_MS);
    const claimMs = lockMs + pauseMs + CLAIM_MARGIN_MS;
    const { rows, isSettled } = await this.#settleRows(companyId, delay.maxRows, lockMs, claimMs);
    if (isSettled) this.#endTurn(companyId, delay, rows);
    else this.#postpone(delay, startedAt, claimMs);
    return true;
  }

  /** A turn that settled all its rows. The company stays delayed if there may be more rows. */
  #endTurn(companyId: string, delay: Delay, rows: number): void {
    const { queue, batchMax, log } = this.#options;
    if (rows < delay.maxRows) {
      this.#delays.delete(companyId);
      log.info({ kind: queue.label, companyId }, 'settling a company with others again');
    }
    delay.failures = 0;
    delay.maxRows = batchMax;
  }

  /** A turn after which some rows must wait. They are due again by the next one. */
  #postpone(delay: Delay, startedAt: number, claimMs: number): void {
    const now = performance.now();
    const turnMs = now - startedAt;
    delay.failures += 1;
    delay.maxRows = turnMs > SLOW_TURN_MS ? Math.ceil(delay.maxRows / 2) : this.#options.batchMax;
    delay.nextTurnAt = Math.max(startedAt + claimMs, now + turnMs);
  }

  /** Claims and settles rows. Returns how many were claimed, and whether none of them must wait. */
  async #settleRows(companyId: string, maxRows: number, lockMs: number, claimMs: number) {
    const { queue, due, isActive } = this.#options;
    const deadline = performance.now() + lockMs + HALVES_MS;
    const claimed = await due.claimOf([companyId], { rows: maxRows }, claimMs);
    const inactive = claimed.filter(submission => !isActive(submission));
    const submissions = toSequences(inactive).flat();
    let isSettled = true;
    for (const batch of splitByLines(queue, submissions))
      isSettled = (await this.#settleAlone(batch, { lockMs }, deadline)) && isSettled;
    return { rows: claimed.length, isSettled };
  }

  /**
   * Settles one company's submissions. Halves a batch that fails, until the deadline, so that a
   * submission which is locked or fails by itself does so alone. That counts as an attempt, unless
   * the cause was a lock, a conflict or a slow statement. False if some submissions must wait.
   * Those of a sequence that wait for others ahead of them do not count: they are claimed later.
   */
  async #settleAlone(
    batch: readonly Submission[],
    limits: TransactionLimits,
    deadline: number,
  ): Promise<boolean> {
    const { queue, settle, log } = this.#options;
    if (performance.now() > deadline) return false;
    try {
      await settle(batch, limits);
      return true;
    } catch (error) {
      if (isOutage(error)) throw error;
      const [first] = batch;
      if (first && batch.length === 1) {
        if (isTransient(error)) return false;
        await recordFailedAttempt(kindOf(queue, first), first, error, log);
        return true;
      }
      const middle = Math.ceil(batch.length / 2);
      let isSettled = true;
      for (const half of [batch.slice(0, middle), batch.slice(middle)])
        isSettled = (await this.#settleAlone(half, HALVES_LIMITS, deadline)) && isSettled;
      return isSettled;
    }
  }

  async #persistBatch(sequences: readonly Sequence[]): Promise<null[]> {
    const { queue } = this.#options;
    const distinct = new Map(sequences.flat().map(submission => [submission.id, submission]));
    await persistJobs(
      Array.from(distinct.values(), submission => ({
        submission,
        weight: weightOf(kindOf(queue, submission), submission.payload),
        runInMs: 0,
      })),
      RUN_EXISTING_EARLIER,
    );
    return sequences.map(() => null);
  }
}
