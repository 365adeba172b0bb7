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

/** The order in which all transactions lock rows of jobs. Postgres sorts UUIDs like their text. */
export function compareJobs(a: JobKey, b: JobKey): number {
  const [one, other] = [a.companyId + a.id, b.companyId + b.id];
  return one < other ? -1 : Number(one > other);
}

type JobKey = Pick<Submission, 'companyId' | 'id'>;

/** Persists jobs, each at most once. Returns how many rows were inserted or updated. */
export async function persistJobs(
  jobs: readonly JobToPersist[],
  onConflict: typeof KEEP_EXISTING | typeof RUN_EXISTING_EARLIER,
): Promise<number> {
  const rows = jobs
    .toSorted((a, b) => compareJobs(a.submission, b.submission))
    .map(({ submission, weight, runInMs }) => ({ ...submission, weight, runInMs }));
  const persisted = await query(
    `INSERT INTO jobs AS j (
       company_id, id, type, status, fingerprint,
       submission_id, request_id, payload, weight, created_by,
       run_at, created_at
     )
     SELECT "companyId", id, type, 'queued', decode(fingerprint, 'hex'),
       "submissionId", "requestId", payload, weight, "createdBy",
       now() + "runInMs" * interval '1 millisecond', "acceptedAt"
     FROM json_to_recordset($1) AS job (
       "companyId" uuid, id uuid, type text, fingerprint text,
       "submissionId" uuid, "requestId" text, payload json, weight int, "createdBy" json,
       "runInMs" int, "acceptedAt" timestamptz
     )
     ON CONFLICT (company_id, id) ${onConflict}
     RETURNING 1`,
    [JSON.stringify(rows)],
  );
  return persisted.length;
}
