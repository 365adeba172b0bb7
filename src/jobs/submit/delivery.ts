// The two ways of a submission to a worker: the queue, which is fast, and the jobs row, which lasts. Both may be taken
// for the same submission; the row makes it happen once.
import { Batcher } from '../../platform/async/batch.js';
import { query } from '../../platform/db/connection.js';
import { lateral } from '../../platform/db/sql.js';
import { failPoint, queueCopies } from '../../platform/process/fail-point.js';
import { type Producer, shardOf } from '../../platform/queue/open.js';
import type { Submission, WriteKind } from '../write-kind.js';

/** Submissions in one queue job, adds in flight, and bytes in one queue job. */
const SUBMISSIONS_PER_ADD = 50;
const ADDS_IN_FLIGHT = 2;
const BYTES_PER_ADD = 1024 * 1024;

export interface Enqueueing {
  readonly submission: Submission;
  /** Length of its payload's JSON. */
  readonly bytes: number;
}

/** One a shard of the queue. */
export type QueueProducers = Readonly<Record<WriteKind['queue'], readonly Producer[]>>;

/**
 * Queues a submission in its company's shard. Those that arrive while an add is in flight ride together in the next
 * queue job.
 */
export function createEnqueue(
  producers: QueueProducers,
): (kind: WriteKind, enqueueing: Enqueueing) => Promise<null> {
  const batcher = (producer: Producer) =>
    new Batcher<Enqueueing, null>(
      async enqueueings => {
        const submissions = enqueueings.map(({ submission }) => submission);
        for (let copy = 0; copy < queueCopies(); copy += 1)
          await producer.add('batch', { submissions });
        failPoint('enqueued');
        return submissions.map(() => null);
      },
      {
        maxSize: SUBMISSIONS_PER_ADD,
        maxInFlight: ADDS_IN_FLIGHT,
        weigh: ({ bytes }) => bytes,
        maxWeight: BYTES_PER_ADD,
      },
    );
  const shards = { invoices: producers.invoices.map(batcher), stock: producers.stock.map(batcher) };
  return async ({ queue }, enqueueing) => {
    const batchers = shards[queue];
    const shard = shardOf(enqueueing.submission.companyId, batchers.length);
    return (batchers[shard] as Batcher<Enqueueing, null>).submit(enqueueing);
  };
}

export interface Keeping {
  readonly kind: WriteKind;
  readonly submission: Submission;
  readonly runInMs: number;
}

/**
 * Writes jobs rows as queued; a row that is there already, settled or not, stays as it is. Tells of each whether the row
 * is of this body: two requests with one key may both have found no row when they looked.
 */
export function createKeep(): Batcher<Keeping, boolean> {
  return new Batcher<Keeping, boolean>(
    async keepings => {
      const rows = keepings.map(({ kind, submission, runInMs }) => ({
        ...submission,
        type: kind.type,
        runInMs,
      }));
      const written = await query(
        `INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id, payload, run_at, created_at)
         SELECT s."companyId", s.id, s.type, 'queued', decode(s.fingerprint, 'hex'), s."submissionId", s."requestId", s.payload,
           now() + s."runInMs" * interval '1 millisecond', s."acceptedAt"
         FROM json_to_recordset($1) AS s ("companyId" uuid, id uuid, type text, fingerprint text, "submissionId" uuid,
           "requestId" text, payload json, "runInMs" int, "acceptedAt" timestamptz)
         ORDER BY s."companyId", s.id
         ON CONFLICT (company_id, id) DO NOTHING RETURNING 1`,
        [JSON.stringify(rows)],
      );
      failPoint('kept');
      if (written.length === keepings.length) return keepings.map(() => true);
      const fingerprints = await readFingerprints(keepings);
      return keepings.map(
        ({ submission: { id, fingerprint } }) =>
          (fingerprints.get(id) ?? fingerprint) === fingerprint,
      );
    },
    { maxSize: 500, maxInFlight: 2 },
  );
}

async function readFingerprints(keepings: readonly Keeping[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; fingerprint: string }>(
    `SELECT j.id, encode(j.fingerprint, 'hex') AS fingerprint
     FROM unnest($1::uuid[], $2::uuid[]) AS w (company_id, id), ${lateral('jobs', 'j', 'company_id', 'id')}`,
    [
      keepings.map(({ submission }) => submission.companyId),
      keepings.map(({ submission }) => submission.id),
    ],
  );
  return new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]));
}

/**
 * Queues a job again that failed on our side, now for this submission: an error of ours is no outcome that a key keeps.
 * Where the row changed meanwhile, it stays as it is.
 */
export async function requeue({
  companyId,
  id,
  submissionId,
  requestId,
}: Submission): Promise<void> {
  await query(
    `UPDATE jobs SET status = 'queued', attempts = 0, error = NULL, finished_at = NULL, run_at = now(), submission_id = $3,
       request_id = $4
     WHERE company_id = $1 AND id = $2 AND status = 'failed' AND payload IS NOT NULL`,
    [companyId, id, submissionId, requestId],
  );
}
