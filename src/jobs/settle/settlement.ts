// The worker's side of a write: gathers submissions into batches and settles each batch in one
// transaction. The jobs row makes sure that each job is settled once, whatever is delivered twice,
// killed or retried.
//
// No company waits for long for another one's locks, failures or slow statements. A company is
// - shared: its submissions are in batches with those of others, which wait briefly for a lock;
// - apart: a batch with it failed. Each company of that batch is settled alone, beside the others;
// - isolated: it failed alone too, so its submissions are persisted. See isolation.ts.

import { backOffMs } from '../../platform/async/back-off.js';
import { Batcher } from '../../platform/async/batch.js';
import { pollForever } from '../../platform/async/poll.js';
import type { TransactionLimits } from '../../platform/db/limits.js';
import {
  describeError,
  isConflict,
  isOutage,
  isTransient,
  violatedConstraint,
} from '../../platform/postgres-errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { countBatch } from '../../platform/process/metrics.js';
import type { Reply } from '../../platform/queue/replies.js';
import {
  type JobOutcome,
  MAX_BATCH_WEIGHT,
  type QueueKinds,
  type Submission,
} from '../write-kind.js';
import { repliesByAddress, settleBatch } from './batch.js';
import { DueJobs } from './due-jobs.js';
import { Isolation } from './isolation.js';

/**
 * Shared transactions in flight. A second one starts when its batch is full, since two small ones
 * of few companies cost more and wait for each other's locks; or when the first one takes long.
 */
const BATCHES_IN_FLIGHT = 2;
const LONG_BATCH_MS = 100;
/** One company's lock or slow statement delays the others for so long. */
const SHARED_LIMITS = { lockMs: 100, statementMs: 1_000 };
/**
 * While batches are slow, the wait for a lock is twice as long as one, up to this: the lock may be
 * that of another worker's batch, which must not make this one fail.
 */
const SHARED_LOCK_MAX_MS = 500;
/** Part of the last batch in the moving average. */
const LAST_BATCH = 0.1;
const APART_LIMITS: TransactionLimits = { lockMs: SHARED_LOCK_MAX_MS, statementMs: 2_000 };
const APART_IN_FLIGHT = 3;
/** Retries of a batch before it is left to the queue or the recovery poll. */
const TRANSIENT_RETRIES = 5;
const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 1_000;
const RECOVERY_POLL_MS = 250;

export interface SettlementOptions {
  readonly batchMax: number;
  readonly reply: (address: string, replies: Reply<JobOutcome>[]) => Promise<void>;
  readonly log: Log;
}

/** Settles the submissions of one queue. */
export class Settlement {
  readonly #kinds: QueueKinds;
  readonly #options: SettlementOptions;
  readonly #due: DueJobs;
  /** Jobs from the queue that wait here or are being settled. */
  readonly #active = new Set<string>();
  readonly #shared: Batcher<Submission, null>;
  /** The companies that are settled apart. */
  readonly #apart = new Map<string, Batcher<Submission, null>>();
  /** Runs the batches of companies apart, each as an item of its own. */
  readonly #apartRuns: Batcher<() => Promise<void>, null>;
  readonly #isolation: Isolation;
  /** Moving average of the duration of shared batches that were settled. */
  #batchMs = 0;

  constructor(kinds: QueueKinds, options: SettlementOptions) {
    const { batchMax, log } = options;
    this.#kinds = kinds;
    this.#options = options;
    this.#due = new DueJobs(kinds.batch.queue);
    this.#isolation = new Isolation({
      kinds,
      batchMax,
      log,
      due: this.#due,
      settle: (batch, limits) => this.#settle(batch, limits),
      isActive: ({ id }) => this.#active.has(id),
    });
    this.#shared = new Batcher(submissions => this.#settleTogether(submissions), {
      ...this.#batchLimits(),
      maxInFlight: BATCHES_IN_FLIGHT,
      beside: { from: batchMax, afterMs: LONG_BATCH_MS },
    });
    this.#apartRuns = new Batcher(runs => Promise.all(runs.map(run => run().then(() => null))), {
      maxSize: 1,
      maxInFlight: APART_IN_FLIGHT,
    });
  }

  /**
   * Settles or persists the submissions of one queue job or claim. Rejects if Postgres is down for
   * all retries.
   */
  async take(submissions: readonly Submission[]): Promise<void> {
    for (const { id } of submissions) this.#active.add(id);
    try {
      await Promise.all(submissions.map(submission => this.#submit(submission)));
    } finally {
      for (const { id } of submissions) this.#active.delete(id);
    }
  }

  /**
   * Settles queued rows that are due, until stopped: writes that the queue lost, refused or never
   * had, and those of isolated companies. Stopping waits for the batches in flight.
   */
  recoverForever(onStop: OnStop): void {
    const { log } = this.#options;
    pollForever('recovery poll', RECOVERY_POLL_MS, () => this.#recover(), log, onStop);
    const settleNext = () => this.#isolation.settleNext();
    pollForever('poll of isolated companies', RECOVERY_POLL_MS, settleNext, log, onStop);
  }

  #batchLimits() {
    return {
      maxSize: this.#options.batchMax,
      weigh: ({ payload }: Submission) => this.#kinds.batch.weigh(payload),
      maxWeight: MAX_BATCH_WEIGHT,
      ownerOf: ({ companyId }: Submission) => companyId,
    };
  }

  /** Resolves when the submission is settled or persisted. */
  #submit(submission: Submission): Promise<null> {
    const { companyId } = submission;
    if (this.#isolation.has(companyId)) return this.#isolation.persist(submission);
    return (this.#apart.get(companyId) ?? this.#shared).submit(submission);
  }

  /** If the batch fails, its companies are settled apart: the run ends before their submissions. */
  async #settleTogether(submissions: readonly Submission[]): Promise<(null | Promise<null>)[]> {
    const isShared = ({ companyId }: Submission) =>
      !this.#apart.has(companyId) && !this.#isolation.has(companyId);
    const shared = submissions.filter(isShared);
    const isSettled = new Set(shared);
    try {
      if (shared.length > 0) await this.#settleShared(shared);
    } catch (error) {
      if (isOutage(error)) throw error;
      isSettled.clear();
      const companyIds = new Set(shared.map(({ companyId }) => companyId));
      this.#options.log.warn(
        { kind: this.#kinds.name, companies: companyIds.size, err: describeError(error) },
        'a batch failed; settling each of its companies alone',
      );
      for (const companyId of companyIds) this.#separate(companyId);
    }
    return submissions.map(each => (isSettled.has(each) ? null : this.#submit(each)));
  }

  async #settleShared(submissions: readonly Submission[]): Promise<void> {
    const startedAt = performance.now();
    const lockMs = Math.min(Math.max(SHARED_LIMITS.lockMs, 2 * this.#batchMs), SHARED_LOCK_MAX_MS);
    await this.#settle(submissions, { ...SHARED_LIMITS, lockMs: Math.round(lockMs) });
    this.#batchMs += LAST_BATCH * (performance.now() - startedAt - this.#batchMs);
  }

  /** Gives the company batches of its own for as long as submissions wait for one. */
  #separate(companyId: string): void {
    if (this.#apart.has(companyId)) return;
    const batcher = new Batcher<Submission, null>(
      async submissions => {
        try {
          await this.#apartRuns.submit(() => this.#settleApart(companyId, submissions));
        } finally {
          if (batcher.waiting === 0) this.#apart.delete(companyId);
        }
        return submissions.map(() => null);
      },
      { ...this.#batchLimits(), maxInFlight: 1 },
    );
    this.#apart.set(companyId, batcher);
  }

  async #settleApart(companyId: string, submissions: readonly Submission[]): Promise<void> {
    try {
      if (!this.#isolation.has(companyId)) {
        await this.#settle(submissions, APART_LIMITS);
        return;
      }
    } catch (error) {
      if (isOutage(error)) throw error;
      this.#isolation.add(companyId, error);
    }
    await Promise.all(submissions.map(submission => this.#isolation.persist(submission)));
  }

  /** Settles due rows of companies that are not isolated. True if there may be more. */
  async #recover(): Promise<boolean> {
    const isExcluded = (id: string) => this.#isolation.has(id) || this.#apart.has(id);
    const claimed = await this.#due.claim(this.#options.batchMax, isExcluded);
    // Under load a submission may wait here for longer than its row; running both adds to the load.
    await this.take(claimed.filter(({ id }) => !this.#active.has(id)));
    return claimed.length > 0;
  }

  /** Settles a batch and sends the replies. */
  async #settle(submissions: readonly Submission[], limits: TransactionLimits): Promise<void> {
    const { reply, log } = this.#options;
    const distinct = new Map<string, Submission>();
    for (const each of submissions) if (!distinct.has(each.id)) distinct.set(each.id, each);
    const batch = [...distinct.values()];
    const mayPass = (error: unknown) => isOutage(error) || isConflict(error);
    const settle = () => settleBatch(this.#kinds, batch, limits);
    const outcomes = await retryTransient(settle, this.#kinds.batch.retryOn, mayPass);
    countBatch(this.#kinds.name, batch);
    failPoint('committed');
    for (const [address, replies] of repliesByAddress(submissions, outcomes))
      reply(address, replies).catch(error =>
        log.debug({ err: describeError(error) }, 'reply not sent'),
      );
    failPoint('replied');
  }
}

/**
 * Runs a transaction again, with growing pauses, after an outage or a conflict with another one. A
 * violation of a constraint in `retryOn` counts as a conflict.
 */
export async function retryTransient<Result>(
  work: () => Promise<Result>,
  retryOn: readonly string[],
  isWorthRetrying = isTransient,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const mayPass = isWorthRetrying(error) || retryOn.includes(violatedConstraint(error) ?? '');
      if (!mayPass || attempt === TRANSIENT_RETRIES) throw error;
      const pauseMs = backOffMs(attempt, RETRY_MIN_MS, RETRY_MAX_MS);
      await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
  }
}
