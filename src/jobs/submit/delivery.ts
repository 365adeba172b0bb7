// The two ways from a request to a worker: the queue, which is fast, and the jobs row in Postgres,
// which is durable. One submission may take both; the jobs row makes sure that it is settled once.
import { Batcher } from '../../platform/async/batch.js';
import { orNullAfter } from '../../platform/async/timeout.js';
import { query } from '../../platform/db/connection.js';
import { failPoint, queueCopies } from '../../platform/process/fail-point.js';
import { type QueueShards, shardOf } from '../../platform/queue/open.js';
import { MAX_ATTEMPTS_BY_KEY } from '../attempts.js';
import { type JobToPersist, KEEP_EXISTING, persistJobs } from '../persist.js';
import { findJobs } from '../queries.js';
import { MAX_BATCH_LINES, type Submission } from '../write-kind.js';
import type { PendingSequence } from './pending-write.js';

/** All of a batch request, which then is usually settled in one transaction. */
const SUBMISSIONS_PER_QUEUE_JOB = 100;
/** Queue jobs beside one in flight start with this many. */
const SUBMISSIONS_BESIDE = 50;
const BYTES_PER_QUEUE_JOB = 1024 * 1024;
/**
 * A queue job costs the queue and the worker about as much as ten submissions in it. So submissions
 * wait for the job in flight and share the next one, unless they fill a job, or the job in flight
 * is older than this: it may wait for a lock that the others do not need.
 */
const LONG_JOB_MS = 20;
const JOBS_IN_FLIGHT = 8;
/** After this time an unanswered job no longer counts as in flight. */
const ANSWER_MS = 100;
const ROWS_PER_INSERT = 500;
const INSERTS_IN_FLIGHT = 2;

export type Enqueue = (sequence: PendingSequence) => Promise<null>;

/**
 * Adds a sequence to its company's shard of the kind's queue, in one queue job. Sequences that
 * arrive while a queue job is in flight share the next one.
 */
export function createEnqueue(queues: QueueShards): Enqueue {
  const batchers = new Map(
    Object.entries(queues).map(([queue, producers]) => [
      queue,
      producers.map(
        producer =>
          new Batcher<PendingSequence, null>(
            async sequences => {
              const writes = sequences.flatMap(sequence => sequence.writes);
              const submissions = writes.map(({ submission }) => submission);
              for (let copy = 0; copy < queueCopies(); copy += 1)
                await producer.add('batch', { submissions });
              failPoint('enqueued');
              const outcomes = () => Promise.all(writes.map(({ outcome }) => outcome));
              await orNullAfter(ANSWER_MS, outcomes);
              return sequences.map(() => null);
            },
            {
              maxSize: SUBMISSIONS_PER_QUEUE_JOB,
              sizeOf: ({ writes }) => writes.length,
              maxInFlight: JOBS_IN_FLIGHT,
              beside: { from: SUBMISSIONS_BESIDE, afterMs: LONG_JOB_MS },
              weightOf: ({ writes }) => writes.reduce((sum, { bytes }) => sum + bytes, 0),
              maxWeight: BYTES_PER_QUEUE_JOB,
              ownerOf: ({ companyId }) => companyId,
            },
          ),
      ),
    ]),
  );
  return async sequence => {
    const { kind, companyId } = sequence;
    const shards = batchers.get(kind.queue) ?? [];
    const batcher = shards[shardOf(companyId, shards.length)];
    if (!batcher) throw new Error(`queue ${kind.queue} is not open`);
    return batcher.submit(sequence);
  };
}

/**
 * Inserts the jobs rows of sequences as queued, each sequence in one statement. An existing row
 * stays as it is, settled or not. Returns for each job whether its row has this fingerprint: two
 * requests with one key may both have found no row.
 */
export function createPersist(): Batcher<readonly JobToPersist[], readonly boolean[]> {
  return new Batcher<readonly JobToPersist[], readonly boolean[]>(
    async sequences => {
      const jobs = sequences.flat();
      const inserted = await persistJobs(jobs, KEEP_EXISTING);
      failPoint('persisted');
      if (inserted === jobs.length) return sequences.map(sequence => sequence.map(() => true));
      const areOwn = await haveSameFingerprint(jobs.map(({ submission }) => submission));
      const own = new Set(jobs.filter((_, index) => areOwn[index]));
      return sequences.map(sequence => sequence.map(job => own.has(job)));
    },
    {
      maxSize: ROWS_PER_INSERT,
      sizeOf: ({ length }) => length,
      maxInFlight: INSERTS_IN_FLIGHT,
      weightOf: sequence => sequence.reduce((sum, { weight }) => sum + weight, 0),
      maxWeight: MAX_BATCH_LINES,
      ownerOf: ([job]) => job?.submission.companyId ?? '',
    },
  );
}

async function haveSameFingerprint(submissions: readonly Submission[]): Promise<boolean[]> {
  const rows = await findJobs<{ id: string; fingerprint: string }>(
    submissions,
    `j.id, encode(j.fingerprint, 'hex') AS fingerprint`,
  );
  const fingerprints = new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]));
  return submissions.map(
    ({ id, fingerprint }) => (fingerprints.get(id) ?? fingerprint) === fingerprint,
  );
}

/**
 * Queues a job again that failed because of an internal error, which an Idempotency-Key does not
 * store. The job now belongs to this submission and gets one more attempt. A row that has changed
 * since, or failed too often, stays as it is.
 */
export async function requeue(submission: Submission): Promise<void> {
  const { companyId, id, submissionId, requestId, createdBy } = submission;
  await query(
    `UPDATE jobs
     SET status = 'queued', error = NULL, finished_at = NULL, run_at = now(), queued_at = now(),
       submission_id = $3, request_id = $4, created_by = $6
     WHERE company_id = $1 AND id = $2
       AND status = 'failed' AND payload IS NOT NULL AND attempts < $5`,
    [companyId, id, submissionId, requestId, MAX_ATTEMPTS_BY_KEY, JSON.stringify(createdBy)],
  );
}
