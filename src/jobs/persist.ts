// Inserts jobs rows as queued, for web, which promises them, and for workers, which set them aside.
import { query } from '../platform/db/connection.js';
import type { Submission } from './write-kind.js';

export interface JobToPersist {
  readonly submission: Submission;
  readonly weight: number;
  /** A worker may run the row after this time. */
  readonly runInMs: number;
}

/** An existing row stays as it is, and its lock is not waited for. */
export const KEEP_EXISTING = 'DO NOTHING';
/** An existing row becomes due as early as a new one would, even if it has been claimed. */
export const RUN_EXISTING_EARLIER = `
  DO UPDATE SET run_at = LEAST(j.run_at, excluded.run_at) WHERE j.status = 'queued'`;

/**
 * SQL: how much later than the first of its sequence the row j becomes due, so that the index by
 * time has the rows of a sequence in its order.
 */
export const PLACE_DELAY = "COALESCE(j.place, 0) * interval '1 microsecond'";

/** The order in which all transactions lock rows of jobs. Postgres sorts UUIDs like their text. */
export function compareJobs(a: JobKey, b: JobKey): number {
  const [one, other] = [a.companyId + a.id, b.companyId + b.id];
  return one < other ? -1 : Number(one > other);
}

type JobKey = Pick<Submission, 'companyId' | 'id'>;

/**
 * Persists jobs, each at most once, all or none. Returns how many rows were inserted or updated.
 */
export async function persistJobs(
  jobs: readonly JobToPersist[],
  onConflict: typeof KEEP_EXISTING | typeof RUN_EXISTING_EARLIER,
): Promise<number> {
  const rows = jobs
    .toSorted((a, b) => compareJobs(a.submission, b.submission))
    .map(({ submission, weight, runInMs }) => {
      const { id: sequenceId, place } = submission.sequence ?? {};
      return { ...submission, sequenceId, place, weight, runInMs };
    });
  const persisted = await query(
    `INSERT INTO jobs AS j (
       company_id, id, type, status, fingerprint,
       submission_id, request_id, payload, weight, created_by,
       sequence_id, place,
       run_at, created_at
     )
     SELECT "companyId", id, type, 'queued', decode(fingerprint, 'hex'),
       "submissionId", "requestId", payload, weight, "createdBy",
       "sequenceId", place,
       now() + "runInMs" * interval '1 millisecond' + ${PLACE_DELAY}, "acceptedAt"
     FROM json_to_recordset($1) AS j (
       "companyId" uuid, id uuid, type text, fingerprint text,
       "submissionId" uuid, "requestId" text, payload json, weight int, "createdBy" json,
       "sequenceId" uuid, place smallint,
       "runInMs" int, "acceptedAt" timestamptz
     )
     ON CONFLICT (company_id, id) ${onConflict}
     RETURNING 1`,
    [JSON.stringify(rows)],
  );
  return persisted.length;
}
