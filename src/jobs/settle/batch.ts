// One batch: its size, its transaction and the replies to the processes that wait for it.
import { inPipeline } from '../../platform/db/connection.js';
import type { TransactionLimits } from '../../platform/db/limits.js';
import { failPoint } from '../../platform/process/fail-point.js';
import type { Reply } from '../../platform/queue/replies.js';
import { newId } from '../../platform/values/ids.js';
import { findOutcomes, findUsedKeys } from '../queries.js';
import { reusedKey } from '../submit/answer.js';
import { hasKey } from '../submit/submission.js';
import {
  type JobOutcome,
  kindOf,
  MAX_BATCH_LINES,
  type Submission,
  type WriteQueue,
} from '../write-kind.js';
import { findUnsettled, type SettledJob, settleJobs, statusOf, toSettledJob } from './rows.js';
import { findReady, makeDue, toSequences } from './sequences.js';

/** A longer body is read by the waiting process: Redis drops a subscriber that is 32 MB behind. */
const REPLY_BODY_MAX = 32 * 1024;

/** Splits submissions, in order, into batches of at most MAX_BATCH_LINES, or of one submission. */
export function splitByLines(
  queue: WriteQueue,
  submissions: readonly Submission[],
): Submission[][] {
  const batches: Submission[][] = [];
  let left = 0;
  for (const submission of submissions) {
    const lines = kindOf(queue, submission).lineCount(submission.payload);
    if (batches.length === 0 || lines > left) {
      batches.push([]);
      left = MAX_BATCH_LINES;
    }
    batches.at(-1)?.push(submission);
    left -= lines;
  }
  return batches;
}

/**
 * Settles a batch in one transaction: lock, plan, write. Jobs that are settled already are skipped
 * and their outcomes read. Those whose Idempotency-Key a write that is not queued has used are
 * refused. Those of a sequence are planned in its order, and postponed if others ahead of them wait
 * elsewhere. Locks are taken in one order (company rows, invoices, entries, jobs rows, each
 * sorted), so batches never wait for each other in a circle.
 */
export async function settleBatch(
  queue: WriteQueue,
  submissions: readonly Submission[],
  limits: TransactionLimits,
): Promise<JobOutcome[]> {
  failPoint('batch-taken');
  const ordered = toSequences(submissions).flat();
  let postponed: readonly Submission[] = [];
  const settled = await inPipeline(
    tx =>
      Promise.all([
        queue.lock(ordered, tx),
        findUnsettled(ordered, tx),
        findReady(ordered, tx),
        findUsedKeys(ordered.filter(hasKey), tx),
      ]),
    ([locked, unsettled, isReady, usedKeys], tx) => {
      postponed = unsettled.filter(submission => !isReady(submission));
      const decided = unsettled.filter(isReady).map(submission => {
        const kind = kindOf(queue, submission);
        const write = { ...submission, resultId: newId() };
        const isReused = usedKeys.has(submission.id);
        const decision = isReused ? { refusal: reusedKey() } : kind.plan(write, locked);
        return { kind, write, decision };
      });
      const planned = decided.flatMap(({ write, decision }) =>
        'plan' in decision ? [{ write, plan: decision.plan }] : [],
      );
      const jobs = decided.map(({ kind, write, decision }) => toSettledJob(kind, write, decision));
      const writing = [queue.write(planned, locked, tx), settleJobs(jobs, tx)] as const;
      failPoint('job-written');
      return Promise.all(writing).then(([bodies]) =>
        jobs.map(job => toOutcome(job, bodies.get(job.resultId ?? '') ?? null)),
      );
    },
    limits,
  );
  await makeDue(postponed);
  const isSettled = new Set(settled.map(({ id }) => id));
  const skipped = submissions.filter(({ id }) => !isSettled.has(id));
  const earlier = skipped.length === 0 ? [] : await findOutcomes(skipped, queue.kinds);
  return [...settled, ...earlier.filter(outcome => outcome !== null)];
}

function toOutcome(job: SettledJob, body: string | null): JobOutcome {
  const { companyId, id, type, fingerprint, submissionId } = job.submission;
  const { resultId, problem } = job;
  return {
    companyId,
    id,
    type,
    status: statusOf(job),
    fingerprint,
    submissionId,
    resultId,
    problem,
    body,
  };
}

/** Each process's replies, with one per job. */
export function repliesByAddress(
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
