// The worker's side of a write: gathers submissions into batches and settles each batch in one
// transaction. The jobs row makes sure that each job is settled once, whatever is delivered twice,
// killed or retried.
//
// No company waits for long for another one's locks, failures or slow statements. A company is in
// shared batches, or delayed (see delayed-companies.ts). If a shared batch fails, each of its
// companies is retried alone, beside the shared batches; one that fails alone too is delayed.

import { backOffMs } from '../../platform/async/back-off.js';
import { Batcher } from '../../platform/async/batch.js';
import { pollForever } from '../../platform/async/poll.js';
import type { TransactionLimits } from '../../platform/db/limits.js';
import { describeError, isConflict, isOutage } from '../../platform/postgres-errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { countBatch } from '../../platform/process/metrics.js';
import type { Reply } from '../../platform/queue/replies.js';
import {
  type JobOutcome,
  kindOf,
  MAX_BATCH_LINES,
  type Submission,
  type WriteQueue,
} from '../write-kind.js';
import { repliesByAddress, settleBatch } from './batch.js';
import { DelayedCompanies } from './delayed-companies.js';
import { DueJobs } from './due-jobs.js';
import { type Sequence, toSequences } from './sequences.js';

/**
 * Shared transactions in flight. A second one starts when its batch is full, since two small ones
 * of few companies cost more and wait for each other's locks; or when the first one takes long.
 */
const BATCHES_IN_FLIGHT = 2;
const LONG_BATCH_MS = 100;
/** The longest that one company's lock or slow statement can delay the others. */
const SHARED_LIMITS = { lockMs: 100, statementMs: 1_000 };
/**
 * Upper bound of a shared batch's lock timeout. While batches are slow it is twice their duration,
 * because another worker's batch may hold the lock, which must not make this one fail.
 */
const SHARED_LOCK_MAX_MS = 500;
/** Weight of the newest batch in the moving average of durations. */
const LAST_BATCH = 0.1;
/** Limits of a batch of one company that is retried alone. */
const ALONE_LIMITS = { lockMs: SHARED_LOCK_MAX_MS, statementMs: 2_000 };
const ALONE_IN_FLIGHT = 3;
/** Retries of a batch before it is left to the queue or the recovery poll. */
const TRANSIENT_RETRIES = 5;
const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 1_000;
const RECOVERY_POLL_MS = 500;
/** Reads nothing while no company is delayed. */
const DELAYED_POLL_MS = 250;

export interface SettlementOptions {
  readonly batchMax: number;
  readonly reply: (address: string, replies: Reply<JobOutcome>[]) => Promise<void>;
  readonly log: Log;
}

/** Settles the submissions of one queue. */
export class Settlement {
  readonly #queue: WriteQueue;
  readonly #options: SettlementOptions;
  readonly #due: DueJobs;
  /** Jobs from the queue that wait here or are being settled. */
  readonly #active = new Set<string>();
  readonly #shared: Batcher<Sequence, null>;
  /** Retries companies alone. An item is one company's part of a batch that failed. */
  readonly #alone: Batcher<readonly Submission[], null>;
  /** A promise per company that is being retried alone, by id. Resolves when the retry ends. */
  readonly #retries = new Map<string, Promise<void>>();
  readonly #delayed: DelayedCompanies;
  /** Moving average of the duration of shared batches that were settled. */
  #batchMs = 0;

  constructor(queue: WriteQueue, options: SettlementOptions) {
    const { batchMax, log } = options;
    this.#queue = queue;
    this.#options = options;
    this.#due = new DueJobs(queue.name);
    this.#delayed = new DelayedCompanies({
      queue,
      batchMax,
      log,
      due: this.#due,
      settle: (batch, limits) => this.#settle(batch, limits),
      isActive: ({ id }) => this.#active.has(id),
    });
    this.#shared = new Batcher(sequences => this.#settleTogether(sequences), {
      maxSize: batchMax,
      sizeOf: sequence => sequence.length,
      weightOf: sequence => linesOf(queue, sequence),
      maxWeight: MAX_BATCH_LINES,
      ownerOf: companyOf,
      maxInFlight: BATCHES_IN_FLIGHT,
      beside: { from: batchMax, afterMs: LONG_BATCH_MS },
    });
    this.#alone = new Batcher(batches => Promise.all(batches.map(own => this.#settleAlone(own))), {
      maxSize: 1,
      maxInFlight: ALONE_IN_FLIGHT,
    });
  }

  /**
   * Settles or persists the submissions of one queue job or claim. Rejects if Postgres is down for
   * all retries.
   */
  async take(submissions: readonly Submission[]): Promise<void> {
    for (const { id } of submissions) this.#active.add(id);
    try {
      await Promise.all(toSequences(submissions).map(sequence => this.#submit(sequence)));
    } finally {
      for (const { id } of submissions) this.#active.delete(id);
    }
  }

  /**
   * Settles queued rows that are due, until stopped: writes that the queue lost, refused or never
   * had, and those of delayed companies. Stopping waits for the batches in flight.
   */
  recoverForever(onStop: OnStop): void {
    const { log } = this.#options;
    const { label } = this.#queue;
    pollForever(`recovery poll of ${label}`, RECOVERY_POLL_MS, () => this.#recover(), log, onStop);
    const settleNext = () => this.#delayed.settleNext();
    pollForever(`poll of delayed companies' ${label}`, DELAYED_POLL_MS, settleNext, log, onStop);
  }

  /** Resolves when the submissions are settled or persisted. */
  async #submit(sequence: Sequence): Promise<null> {
    const companyId = companyOf(sequence);
    await this.#retries.get(companyId);
    return this.#delayed.has(companyId)
      ? this.#delayed.persist(sequence)
      : this.#shared.submit(sequence);
  }

  #isShared(companyId: string): boolean {
    return !this.#retries.has(companyId) && !this.#delayed.has(companyId);
  }

  /** If the batch fails, each company is retried alone. This run does not wait for that. */
  async #settleTogether(sequences: readonly Sequence[]): Promise<Promise<null>[]> {
    const shared = sequences.filter(sequence => this.#isShared(companyOf(sequence)));
    const settled = Promise.resolve(null);
    const results = new Map<Sequence, Promise<null>>();
    try {
      if (shared.length > 0) await this.#settleShared(shared.flat());
      for (const each of shared) results.set(each, settled);
    } catch (error) {
      if (isOutage(error)) throw error;
      const companies = new Set(shared.map(companyOf));
      this.#options.log.warn(
        { kind: this.#queue.label, companies: companies.size, err: describeError(error) },
        'a batch failed; settling each of its companies alone',
      );
      for (const companyId of companies) {
        if (!this.#isShared(companyId)) continue;
        const own = shared.filter(sequence => companyOf(sequence) === companyId);
        const retried = this.#retryAlone(companyId, own.flat());
        for (const each of own) results.set(each, retried);
      }
    }
    // The other sequences wait for the retry of their company, or are persisted.
    return sequences.map(each => results.get(each) ?? this.#submit(each));
  }

  async #settleShared(submissions: readonly Submission[]): Promise<void> {
    const startedAt = performance.now();
    const lockMs = Math.min(Math.max(SHARED_LIMITS.lockMs, 2 * this.#batchMs), SHARED_LOCK_MAX_MS);
    await this.#settle(submissions, { ...SHARED_LIMITS, lockMs: Math.round(lockMs) });
    this.#batchMs += LAST_BATCH * (performance.now() - startedAt - this.#batchMs);
  }

  /** Settles a batch beside the shared ones. The company's further submissions wait for its end. */
  #retryAlone(companyId: string, batch: readonly Submission[]): Promise<null> {
    const retried = this.#alone.submit(batch);
    const end = () => void this.#retries.delete(companyId);
    this.#retries.set(companyId, retried.then(end, end));
    return retried;
  }

  /** Settles a batch of one company. If it fails, persists it and delays the company. */
  async #settleAlone(batch: readonly Submission[]): Promise<null> {
    try {
      await this.#settle(batch, ALONE_LIMITS);
    } catch (error) {
      if (isOutage(error)) throw error;
      await this.#delayed.add(batch[0]?.companyId ?? '', batch, error);
    }
    return null;
  }

  /** Settles due rows of companies in shared batches. True if there may be more. */
  async #recover(): Promise<boolean> {
    const isExcluded = (companyId: string) => !this.#isShared(companyId);
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
    const settle = () => settleBatch(this.#queue, batch, limits);
    const outcomes = await retryTransient(settle);
    countBatch(this.#queue.label, batch);
    failPoint('committed');
    for (const [address, replies] of repliesByAddress(submissions, outcomes))
      reply(address, replies).catch(error =>
        log.debug({ err: describeError(error) }, 'reply not sent'),
      );
    failPoint('replied');
  }
}

const companyOf = ([{ companyId }]: Sequence) => companyId;

function linesOf(queue: WriteQueue, sequence: Sequence): number {
  return sequence.reduce(
    (sum, submission) => sum + kindOf(queue, submission).lineCount(submission.payload),
    0,
  );
}

/**
 * Runs a transaction again, with growing pauses, after an outage or a conflict with another one.
 */
async function retryTransient<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const mayPass = isOutage(error) || isConflict(error);
      if (!mayPass || attempt === TRANSIENT_RETRIES) throw error;
      const pauseMs = backOffMs(attempt, RETRY_MIN_MS, RETRY_MAX_MS);
      await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
  }
}
