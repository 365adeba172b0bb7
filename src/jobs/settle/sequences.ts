// Keeps the writes of a sequence in order. A worker handles those that it has as one: they are in
// one batch, in one statement that persists them, and in the order of their places. That alone is
// not enough, because two workers may have parts of a sequence, so each batch also looks for rows
// that wait ahead of its writes while the company is locked.
import { keyArrays, plainArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { compareJobs, PLACE_DELAY } from '../persist.js';
import type { SequencePlace, Submission } from '../write-kind.js';

/** Submissions of one sequence in order, or a submission of its own. */
export type Sequence = readonly [Submission, ...Submission[]];

/** Divides submissions into sequences, in the order of their first submissions. */
export function toSequences(submissions: readonly Submission[]): Sequence[] {
  const sequences = new Map<string, [Submission, ...Submission[]]>();
  for (const submission of submissions) {
    const key = submission.sequence?.id ?? submission.id;
    const sequence = sequences.get(key);
    if (sequence) sequence.push(submission);
    else sequences.set(key, [submission]);
  }
  const placeOf = ({ sequence }: Submission) => sequence?.place ?? 0;
  for (const sequence of sequences.values()) sequence.sort((a, b) => placeOf(a) - placeOf(b));
  return [...sequences.values()];
}

/**
 * SQL: no write that waits ahead of the row of jobs is claimed by a worker, or paused after a
 * failed attempt. Two claims at once may not see each other.
 */
export const NONE_AHEAD_PAUSES = `(
  sequence_id IS NULL
  OR NOT EXISTS (
    SELECT
    FROM jobs ahead
    WHERE ahead.company_id = jobs.company_id
      AND ahead.sequence_id = jobs.sequence_id
      AND ahead.status = 'queued'
      AND ahead.place < jobs.place
      AND ahead.run_at > now()
  )
)`;

/**
 * Returns the submissions of a batch for which none waits ahead that is not in the batch. Requires
 * the locks of the companies.
 */
export async function findReady(
  batch: readonly Submission[],
  tx: Transaction,
): Promise<(submission: Submission) => boolean> {
  const placed = batch.flatMap(({ companyId, sequence }) =>
    sequence ? [{ companyId, ...sequence }] : [],
  );
  if (placed.length === 0) return () => true;
  const sequences = [...new Map(placed.map(each => [each.id, each])).values()];
  const rows = await query<SequencePlace>(
    `SELECT sequence.id, ahead.place
     FROM unnest($1::uuid[], $2::uuid[]) AS sequence (company_id, id),
       LATERAL (
         SELECT place
         FROM jobs
         WHERE company_id = sequence.company_id AND sequence_id = sequence.id
           AND status = 'queued' AND id <> ALL ($3::uuid[])
         ORDER BY place
         LIMIT 1
       ) ahead`,
    [...keyArrays(sequences), plainArray(batch.map(({ id }) => id))],
    tx,
  );
  const firstWaiting = new Map(rows.map(({ id, place }) => [id, place]));
  return ({ sequence }) =>
    !sequence || sequence.place < (firstWaiting.get(sequence.id) ?? Number.POSITIVE_INFINITY);
}

/**
 * Ends the claims of submissions that are not settled. They can be claimed again once none ahead of
 * them is claimed. Only a queued row has a run_at. With a condition on its status, Postgres may
 * read all queued rows.
 */
export async function makeDue(submissions: readonly Submission[]): Promise<void> {
  if (submissions.length === 0) return;
  const ordered = submissions.toSorted(compareJobs);
  await query(
    `UPDATE jobs j
     SET run_at = LEAST(j.run_at, now() + ${PLACE_DELAY})
     FROM unnest($1::uuid[], $2::uuid[]) AS postponed (company_id, id)
     WHERE j.company_id = postponed.company_id AND j.id = postponed.id AND j.run_at IS NOT NULL`,
    keyArrays(ordered),
  );
}
