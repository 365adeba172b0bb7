// Reading jobs: as clients see them, and as the waiting process needs them.
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { lateral, timeJson } from '../platform/db/sql.js';
import type { ProblemDocument } from '../platform/problem-document.js';
import type { JobType, Settled, WriteKind } from './write-kind.js';

/** The one definition of a job's JSON, with the jobs row as j. */
function jobJson(kinds: readonly WriteKind[]): string {
  const results = kinds.map(kind => `WHEN '${kind.type}' THEN ${kind.resultSql}`).join(' ');
  return `(SELECT row_to_json(r)::text FROM (SELECT j.id, j.type, j.status, ${timeJson('j.created_at')} AS "createdAt",
    ${timeJson('j.finished_at')} AS "finishedAt", j.request_id AS "requestId",
    CASE WHEN j.status = 'succeeded' THEN CASE j.type ${results} END END AS result, j.error) r)`;
}

export interface FoundJob {
  readonly type: JobType;
  readonly body: string;
}

/** A job's JSON text, null where the company has no such job. */
export async function findJob(
  companyId: string,
  id: string,
  kinds: readonly WriteKind[],
): Promise<FoundJob | null> {
  return queryOne<FoundJob>(
    `SELECT j.type, ${jobJson(kinds)} AS body FROM jobs j WHERE j.company_id = $1 AND j.id = $2`,
    [companyId, id],
  );
}

/** The company's job as its own pages show it. */
export interface JobState {
  readonly id: string;
  readonly type: JobType;
  readonly status: Settled['status'];
  readonly requestId: string;
  readonly acceptedAt: Date;
  readonly finishedAt: Date | null;
  readonly resultId: string | null;
  readonly problem: ProblemDocument | null;
  /** What was asked for; null where it is done, and where it was refused while its asker waited. */
  readonly payload: unknown;
}

const jobState = `j.id, j.type, j.status, j.request_id AS "requestId", j.created_at AS "acceptedAt",
  j.finished_at AS "finishedAt", j.result_id AS "resultId", j.error AS problem,
  COALESCE(j.payload, j.refused_payload) AS payload`;

/** Null where the company has no such job. */
export async function findJobState(companyId: string, id: string): Promise<JobState | null> {
  return queryOne<JobState>(
    `SELECT ${jobState} FROM jobs j WHERE j.company_id = $1 AND j.id = $2`,
    [companyId, id],
  );
}

/**
 * The job that a resource, created at `at`, came from; null once it is no longer kept. A job ends in the transaction that
 * creates its result, so it is found by the time: an index on result_id would cost every write for the sake of a page.
 */
export async function findJobOfResult(
  companyId: string,
  resultId: string,
  at: string,
): Promise<JobState | null> {
  return queryOne<JobState>(
    `SELECT ${jobState} FROM jobs j
     WHERE j.company_id = $1 AND j.result_id = $2
       AND j.finished_at BETWEEN $3::timestamptz - interval '1 second' AND $3::timestamptz + interval '20 seconds'
     ORDER BY j.finished_at LIMIT 1`,
    [companyId, resultId, at],
  );
}

export interface JobRef {
  readonly companyId: string;
  readonly id: string;
}

/** What became of each job, null where there is no row yet; in the order asked. */
export async function findSettled(
  refs: readonly JobRef[],
  kinds: readonly WriteKind[],
  tx?: Transaction,
): Promise<(Settled | null)[]> {
  const rows = await query<Omit<Settled, 'body' | 'problem'> & { error: string | null }>(
    `SELECT j.company_id AS "companyId", j.id, j.type, j.status, encode(j.fingerprint, 'hex') AS fingerprint,
       j.submission_id AS "submissionId", j.result_id AS "resultId", j.error::text AS error
     FROM unnest($1::uuid[], $2::uuid[]) AS w (company_id, id), ${lateral('jobs', 'j', 'company_id', 'id')}`,
    [refs.map(ref => ref.companyId), refs.map(ref => ref.id)],
    tx,
  );
  const bodies = new Map<string, string>();
  for (const kind of kinds) {
    const results = rows.flatMap(row =>
      row.type === kind.type && row.resultId
        ? [{ companyId: row.companyId, resultId: row.resultId }]
        : [],
    );
    if (results.length > 0)
      for (const [id, body] of await kind.bodies(results, tx)) bodies.set(id, body);
  }
  const settled = new Map(
    rows.map(({ error, ...row }) => [
      row.id,
      {
        ...row,
        body: bodies.get(row.resultId ?? '') ?? null,
        problem: error === null ? null : JSON.parse(error),
      },
    ]),
  );
  return refs.map(ref => settled.get(ref.id) ?? null);
}

/** How long the oldest queued job has waited, in seconds; 0 where none waits. */
export async function oldestQueuedSeconds(): Promise<number> {
  const row = await queryOne<{ seconds: string }>(
    "SELECT COALESCE(EXTRACT(EPOCH FROM now() - min(created_at)), 0) AS seconds FROM jobs WHERE status = 'queued'",
    [],
  );
  return Math.max(0, Math.round(Number(row?.seconds ?? 0)));
}
