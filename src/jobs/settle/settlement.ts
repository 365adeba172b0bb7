// The worker's side of a write: gathers submissions into batches and settles each batch in one
// transaction. The jobs row makes sure that each job is settled once, whatever is delivered twice,
// killed or retried.

import { backOffMs } from '../../platform/async/back-off.js';
import { Batcher } from '../../platform/async/batch.js';
import { pollForever } from '../../platform/async/poll.js';
import { inPipeline } from '../../platform/db/connection.js';
import {
  describeError,
  isConflict,
  isTransient,
  violatedConstraint,
} from '../../platform/postgres-errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { countBatch } from '../../platform/process/metrics.js';
import type { Reply } from '../../platform/queue/replies.js';
import { newId } from '../../platform/values/ids.js';
import { findOutcomes } from '../queries.js';
import type { JobOutcome, Submission, WriteKind } from '../write-kind.js';
import {
  claimDue,
  findUnsettled,
  recordFailedAttempt,
  type SettledJob,
  settleJobs,
  statusOf,
  toSettledJob,
} from './rows.js';

/**
 * Transactions in flight. A second one starts when its batch is full, since two small ones of few
 * companies cost more and wait for each other's locks; or when the first one takes long: it may
 * wait for a lock that other companies do not need.
 */
const BATCHES_IN_FLIGHT = 2;
const LONG_BATCH_MS = 100;
/** Retries of a batch before it is left to the queue or the recovery poll. */
const TRANSIENT_RETRIES = 5;
const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 1_000;
/** A longer body is read by the waiting process: Redis drops a subscriber that is 32 MB behind. */
const REPLY_BODY_MAX = 32 * 1024;
const RECOVERY_POLL_MS = 250;

export interface SettlementOptions {
  readonly batchMax: number;
  readonly reply: (address: string, replies: Reply<JobOutcome>[]) => Promise<void>;
  readonly log: Log;
}

/** Settles the submissions of one kind of write. */
export class Settlement {
  readonly #kind: WriteKind;
  readonly #options: SettlementOptions;
  /** Jobs from the queue that wait here or are being settled. */
  readonly #active = new Set<string>();
  readonly #batcher: Batcher<Submission, null>;

  constructor(kind: WriteKind, options: SettlementOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#batcher = new Batcher<Submission, null>(
      async submissions => {
        await this.#settleAndReply(submissions);
        return submissions.map(() => null);
      },
      {
        maxSize: options.batchMax,
        maxInFlight: BATCHES_IN_FLIGHT,
        beside: { from: options.batchMax, afterMs: LONG_BATCH_MS },
      },
    );
  }

  /** Settles the submissions of one queue job. Rejects if Postgres is down for all retries. */
  async take(submissions: readonly Submission[]): Promise<void> {
    for (const { id } of submissions) this.#active.add(id);
    try {
      await Promise.all(submissions.map(submission => this.#batcher.submit(submission)));
    } finally {
      for (const { id } of submissions) this.#active.delete(id);
    }
  }

  /**
   * Settles queued rows that are due, until stopped: writes that the queue lost, refused or never
   * had. Stopping waits for the batch in flight.
   */
  recoverForever(onStop: OnStop): void {
    const recoverBatch = async () => (await this.#recover()) > 0;
    pollForever('recovery poll', RECOVERY_POLL_MS, recoverBatch, this.#options.log, onStop);
  }

  /** Returns how many rows were due. */
  async #recover(): Promise<number> {
    const claimed = await claimDue(this.#kind, this.#options.batchMax);
    // Under load a submission may wait here for longer than its row; running both adds to the load.
    const due = claimed.filter(({ id }) => !this.#active.has(id));
    if (due.length > 0) {
      await this.#settle(due);
      failPoint('committed');
      this.#options.log.info({ kind: this.#kind.type, jobs: due.length }, 'recovered queued jobs');
    }
    return claimed.length;
  }

  async #settleAndReply(submissions: readonly Submission[]): Promise<void> {
    const distinct = new Map<string, Submission>();
    for (const each of submissions) if (!distinct.has(each.id)) distinct.set(each.id, each);
    const outcomes = await this.#settle([...distinct.values()]);
    failPoint('committed');
    for (const [address, replies] of repliesByAddress(submissions, outcomes)) {
      this.#options
        .reply(address, replies)
        .catch(error => this.#options.log.debug({ err: describeError(error) }, 'reply not sent'));
    }
    failPoint('replied');
  }

  /** An unexpected error splits the batch, so that the submission that causes it fails alone. */
  async #settle(submissions: readonly Submission[]): Promise<JobOutcome[]> {
    const { type, retryOn } = this.#kind;
    try {
      const outcomes = await retryTransient(() => settleBatch(this.#kind, submissions), retryOn);
      countBatch(type, submissions);
      return outcomes;
    } catch (error) {
      // An outage ends by waiting. A conflict that outlasts all retries is the submission's own.
      if (isTransient(error) && !isConflict(error)) throw error;
      if (submissions.length > 1) {
        const middle = Math.ceil(submissions.length / 2);
        const first = await this.#settle(submissions.slice(0, middle));
        return [...first, ...(await this.#settle(submissions.slice(middle)))];
      }
      for (const submission of submissions)
        await recordFailedAttempt(this.#kind, submission, error, this.#options.log);
      return [];
    }
  }
}

function repliesByAddress(
  submissions: readonly Submission[],
  outcomes: readonly JobOutcome[],
): Map<string, Reply<JobOutcome>[]> {
  const outcomeOf = new Map(outcomes.map(outcome => [outcome.id, outcome]));
  const byAddress = new Map<string, Map<string, Reply<JobOutcome>>>();
  for (const { id, replyTo } of submissions) {
    const outcome = outcomeOf.get(id);
    if (replyTo === '' || !outcome) continue;
    const replies = byAddress.get(replyTo) ?? new Map<string, Reply<JobOutcome>>();
    const isShort = (outcome.body?.length ?? 0) <= REPLY_BODY_MAX;
    replies.set(id, { jobId: id, ...(isShort ? { content: outcome } : {}) });
    byAddress.set(replyTo, replies);
  }
  return new Map([...byAddress].map(([address, replies]) => [address, [...replies.values()]]));
}

/**
 * Runs a transaction again, with growing pauses, after an outage or a conflict with another one. A
 * violation of a constraint in `retryOn` counts as a conflict.
 */
export async function retryTransient<Result>(
  work: () => Promise<Result>,
  retryOn: readonly string[],
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const mayPass = isTransient(error) || retryOn.includes(violatedConstraint(error) ?? '');
      if (!mayPass || attempt === TRANSIENT_RETRIES) throw error;
      const pauseMs = backOffMs(attempt, RETRY_MIN_MS, RETRY_MAX_MS);
      await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
  }
}

/**
 * Settles a batch in one transaction: lock, plan, write. Jobs that are settled already are skipped
 * and their outcomes read. Locks are taken in one order (items, company rows, jobs rows, each
 * sorted), so batches never wait for each other in a circle.
 */
async function settleBatch(
  kind: WriteKind,
  submissions: readonly Submission[],
): Promise<JobOutcome[]> {
  failPoint('batch-taken');
  const settled = await inPipeline(
    tx => Promise.all([findUnsettled(submissions, tx), kind.lock(submissions, tx)]),
    ([unsettled, locked], tx) => {
      const writes = unsettled.map(submission => ({ ...submission, resultId: newId() }));
      const decisions = kind.plan(writes, locked);
      const planned = writes.flatMap((write, index) => {
        const decision = decisions[index];
        return decision && 'plan' in decision ? [{ write, plan: decision.plan }] : [];
      });
      const jobs = writes.map((write, index) => toSettledJob(kind, write, decisions[index]));
      const writing = [kind.write(planned, locked, tx), settleJobs(kind.type, jobs, tx)] as const;
      failPoint('job-written');
      return Promise.all(writing).then(([bodies]) =>
        jobs.map(job => toOutcome(kind, job, bodies.get(job.resultId ?? '') ?? null)),
      );
    },
  );
  const isSettled = new Set(settled.map(({ id }) => id));
  const skipped = submissions.filter(({ id }) => !isSettled.has(id));
  const earlier = skipped.length === 0 ? [] : await findOutcomes(skipped, [kind]);
  return [...settled, ...earlier.filter(outcome => outcome !== null)];
}

function toOutcome(kind: WriteKind, job: SettledJob, body: string | null): JobOutcome {
  const { companyId, id, fingerprint, submissionId } = job.submission;
  const { resultId, problem } = job;
  return {
    ...{ companyId, id, type: kind.type, status: statusOf(job), fingerprint, submissionId },
    ...{ resultId, problem, body },
  };
}
