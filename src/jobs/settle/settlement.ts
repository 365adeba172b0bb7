// The worker's side of a queued write: gathers submissions into micro-batches and settles each batch in one
// transaction, once, whatever is delivered twice, killed or repeated. The jobs row is what makes it once.
import { v7 as uuidv7 } from 'uuid';
import { backOffMs } from '../../platform/async/back-off.js';
import { Batcher } from '../../platform/async/batch.js';
import { inPipeline } from '../../platform/db/connection.js';
import type { Problem } from '../../platform/errors.js';
import {
  describeError,
  isTransient,
  RetryTransactionError,
  violatedConstraint,
} from '../../platform/postgres-errors.js';
import { problemDocument } from '../../platform/problem-document.js';
import { failPoint } from '../../platform/process/fail-point.js';
import type { Log } from '../../platform/process/log.js';
import { countBatch } from '../../platform/process/metrics.js';
import type { Reply } from '../../platform/queue/replies.js';
import { findSettled } from '../queries.js';
import type { Settled, Submission, WriteKind } from '../write-kind.js';
import { claimDue, findOwners, recordFailedAttempt, writeSettled } from './rows.js';

/**
 * Transactions in flight. A second one begins when it is full, as of few companies it would wait for the first one's locks
 * and two small ones cost Postgres more than one; or when the first one takes long, which may be held up by a lock that
 * others need not wait for.
 */
const BATCHES_IN_FLIGHT = 2;
const LONG_BATCH_MS = 100;
/** Repeats of a batch that met an outage or another transaction, before the queue or the recovery poll has it again. */
const TRANSIENT_RETRIES = 5;
const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 1_000;
/** A longer body is left to the asker's look-up: Redis cuts off a subscriber that is 32 MB behind. */
const REPLY_BODY_MAX = 32 * 1024;

export interface SettlementOptions {
  readonly batchMax: number;
  readonly reply: (address: string, replies: Reply[]) => Promise<void>;
  /** Called after COMMIT with the companies whose data changed. */
  readonly onSettled: (companyIds: Set<string>) => void;
  readonly log: Log;
}

export interface Settlement {
  /** Settles the submissions of one queue job. Rejects where Postgres is away for longer than the repeats last. */
  take(submissions: readonly Submission[]): Promise<void>;
  /** Settles queued rows that are due: what the queue lost, refused or never had. Returns how many it found. */
  recover(): Promise<number>;
}

export function createSettlement(kind: WriteKind, options: SettlementOptions): Settlement {
  const { log } = options;
  /** Jobs from the queue that wait here or are being settled. */
  const inHand = new Set<string>();
  const batcher = new Batcher<Submission, null>(
    async submissions => {
      await settleAndReply(submissions);
      return submissions.map(() => null);
    },
    {
      maxSize: options.batchMax,
      maxInFlight: BATCHES_IN_FLIGHT,
      beside: { from: options.batchMax, afterMs: LONG_BATCH_MS },
    },
  );

  const settleAndReply = async (submissions: readonly Submission[]): Promise<void> => {
    const first = new Map<string, Submission>();
    for (const submission of submissions)
      if (!first.has(submission.id)) first.set(submission.id, submission);
    const settled = await settle([...first.values()]);
    failPoint('committed');
    finish(settled);
    for (const [address, replies] of repliesByAddress(submissions, settled)) {
      options
        .reply(address, replies)
        .catch(error => log.debug({ err: describeError(error) }, 'reply not sent'));
    }
    failPoint('replied');
  };

  const finish = (settled: readonly Settled[]): void => {
    const changed = settled
      .filter(({ status }) => status === 'succeeded')
      .map(({ companyId }) => companyId);
    if (changed.length > 0) options.onSettled(new Set(changed));
  };

  /** An unexpected error splits the batch, so that the one submission that causes it fails alone. */
  const settle = async (submissions: readonly Submission[]): Promise<Settled[]> => {
    try {
      const settled = await retryTransient(() => settleOnce(kind, submissions), kind.retryOn);
      countBatch(kind.type, submissions);
      return settled;
    } catch (error) {
      // What still meets another transaction after all repeats does not pass by waiting: it is the submission's own.
      if (isTransient(error) && !(error instanceof RetryTransactionError)) throw error;
      if (submissions.length > 1) {
        const middle = Math.ceil(submissions.length / 2);
        return [
          ...(await settle(submissions.slice(0, middle))),
          ...(await settle(submissions.slice(middle))),
        ];
      }
      for (const submission of submissions) await recordFailedAttempt(kind, submission, error, log);
      return [];
    }
  };

  return {
    take: async submissions => {
      for (const { id } of submissions) inHand.add(id);
      try {
        await Promise.all(submissions.map(submission => batcher.submit(submission)));
      } finally {
        for (const { id } of submissions) inHand.delete(id);
      }
    },
    recover: async () => {
      const claimed = await claimDue(kind, options.batchMax);
      // Under load a submission may wait here for longer than its row: to run it twice would add to the load.
      const due = claimed.filter(({ id }) => !inHand.has(id));
      if (due.length > 0) {
        const settled = await settle(due);
        failPoint('committed');
        finish(settled);
        log.info({ kind: kind.type, jobs: due.length }, 'ran queued jobs');
      }
      return claimed.length;
    },
  };
}

function repliesByAddress(
  submissions: readonly Submission[],
  settled: readonly Settled[],
): Map<string, Reply[]> {
  const results = new Map(settled.map(result => [result.id, result]));
  const addresses = new Map<string, Map<string, Reply>>();
  for (const { id, replyTo } of submissions) {
    const result = results.get(id);
    if (replyTo === '' || !result) continue;
    const replies = addresses.get(replyTo) ?? new Map<string, Reply>();
    const isShort = (result.body?.length ?? 0) <= REPLY_BODY_MAX;
    addresses.set(replyTo, replies.set(id, { jobId: id, ...(isShort ? { content: result } : {}) }));
  }
  return new Map([...addresses].map(([address, replies]) => [address, [...replies.values()]]));
}

/**
 * Does the work again, later and later, where Postgres is away or another transaction was in the way; the latter is also
 * what a violation of one of `races` tells.
 */
export async function retryTransient<Result>(
  work: () => Promise<Result>,
  races: readonly string[],
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isPassing = isTransient(error) || races.includes(violatedConstraint(error) ?? '');
      if (!isPassing || attempt === TRANSIENT_RETRIES) throw error;
      await new Promise(resolve =>
        setTimeout(resolve, backOffMs(attempt, RETRY_MIN_MS, RETRY_MAX_MS)),
      );
    }
  }
}

/**
 * Settles or skips each submission in one transaction: lets the slice decide and write, and writes the jobs rows. Locks are
 * taken in one order (stock, the company row, jobs rows, each sorted), so two batches never wait for each other in a circle.
 */
function settleOnce(kind: WriteKind, submissions: readonly Submission[]): Promise<Settled[]> {
  failPoint('batch-taken');
  return inPipeline(
    tx => Promise.all([findOwners(submissions, tx), kind.read(submissions, tx)]),
    async ([owners, ground], tx) => {
      const mine = submissions.flatMap(submission => {
        const owner = owners.get(submission.id);
        return owner ? [{ ...submission, ...owner, resultId: uuidv7() }] : [];
      });
      const { refusals, written } = kind.post(mine, ground, tx);
      const settled = mine.map((posting, index) =>
        toSettled(kind, posting, refusals[index] ?? null),
      );
      const [bodies] = await Promise.all([
        written,
        writeSettled(settled, new Map(mine.map(posting => [posting.id, posting])), tx),
      ]);
      failPoint('job-written');
      const skipped = submissions.filter(({ id }) => !owners.has(id));
      const before = skipped.length === 0 ? [] : await findSettled(skipped, [kind], tx);
      return [
        ...settled.map(found => ({ ...found, body: bodies.get(found.resultId ?? '') ?? null })),
        ...before.filter(found => found !== null),
      ];
    },
  );
}

/** Without its body, which is not there yet. */
function toSettled(
  kind: WriteKind,
  posting: Submission & { resultId: string },
  refusal: Problem | null,
): Settled {
  const { companyId, id, fingerprint, submissionId, requestId, resultId } = posting;
  const job = { companyId, id, type: kind.type, fingerprint, submissionId, body: null };
  if (refusal === null) return { ...job, status: 'succeeded', resultId, problem: null };
  return {
    ...job,
    status: 'failed',
    resultId: null,
    problem: { ...problemDocument(refusal, kind.path), requestId },
  };
}
