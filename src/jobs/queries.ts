// Reads job rows.
import { keyArrays } from '../platform/db/arrays.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { lookUpOne, timeJson } from '../platform/db/sql.js';
import type { ProblemDocument } from '../platform/problem-document.js';
import type { JobOutcome, WriteKind } from './write-kind.js';

export interface JobRef {
  readonly companyId: string;
  readonly id: string;
}

/** Selects columns (with the jobs row as j) of the jobs that exist, one index probe per job. */
export async function findJobs<Row extends object>(
  refs: readonly JobRef[],
  columns: string,
  tx?: Transaction,
): Promise<Row[]> {
  return query<Row>(
    `SELECT ${columns}
     FROM ${WANTED},
       ${lookUpOne('jobs', 'j', OF_WANTED)}`,
    keyArrays(refs),
    tx,
  );
}

const WANTED = 'unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, id)';
const OF_WANTED = 'company_id = wanted.company_id AND id = wanted.id';

/** The one definition of a job's JSON, with the jobs row as j. */
function jobJson(kinds: readonly WriteKind[]): string {
  const results = kinds.map(kind => `WHEN '${kind.type}' THEN ${kind.resultSql}`).join('\n');
  return `(
    SELECT row_to_json(job)::text
    FROM (
      SELECT j.id, j.type, j.status,
        ${timeJson('j.created_at')} AS "createdAt",
        ${timeJson('j.finished_at')} AS "finishedAt",
        j.request_id AS "requestId",
        CASE WHEN j.status = 'succeeded' THEN CASE j.type ${results} END END AS result,
        j.error
    ) job
  )`;
}

/** A job's type and JSON text; null if the company has no such job. */
export async function findJobJson(
  companyId: string,
  id: string,
  kinds: readonly WriteKind[],
): Promise<{ type: string; body: string } | null> {
  const columns = `j.type, ${jobJson(kinds)} AS body`;
  const [job] = await findJobs<{ type: string; body: string }>([{ companyId, id }], columns);
  return job ?? null;
}

/** The JSON texts of a company's jobs by id. */
export async function findJobBodies(
  companyId: string,
  ids: readonly string[],
  kinds: readonly WriteKind[],
): Promise<Map<string, string>> {
  const refs = ids.map(id => ({ companyId, id }));
  const jobs = await findJobs<{ id: string; body: string }>(
    refs,
    `j.id, ${jobJson(kinds)} AS body`,
  );
  return new Map(jobs.map(({ id, body }) => [id, body]));
}

/** A job as the dashboard shows it. */
export interface JobState {
  readonly id: string;
  readonly type: string;
  readonly status: JobOutcome['status'];
  readonly requestId: string;
  readonly acceptedAt: Date;
  readonly finishedAt: Date | null;
  readonly resultId: string | null;
  readonly problem: ProblemDocument | null;
  /** Null once the job succeeded, and if it was refused before its row was persisted. */
  readonly payload: unknown;
}

const STATE_COLUMNS = `
  j.id, j.type, j.status,
  j.request_id AS "requestId",
  j.created_at AS "acceptedAt", j.finished_at AS "finishedAt",
  j.result_id AS "resultId", j.error AS problem,
  COALESCE(j.payload, j.refused_payload) AS payload`;

/** Null if the company has no such job. */
export async function findJobState(companyId: string, id: string): Promise<JobState | null> {
  const [job] = await findJobs<JobState>([{ companyId, id }], STATE_COLUMNS);
  return job ?? null;
}

/**
 * The job that created a resource at `createdAt`; null once the job is deleted. A job is settled in
 * the transaction that creates its result, so the row is found by time: an index on result_id would
 * cost every write for the sake of one page.
 */
export async function findJobOfResult(
  companyId: string,
  resultId: string,
  createdAt: string,
): Promise<JobState | null> {
  return queryOne<JobState>(
    `SELECT ${STATE_COLUMNS}
     FROM jobs j
     WHERE j.company_id = $1
       AND j.result_id = $2
       AND j.finished_at BETWEEN $3::timestamptz - interval '1 second'
         AND $3::timestamptz + interval '20 seconds'
     ORDER BY j.finished_at
     LIMIT 1`,
    [companyId, resultId, createdAt],
  );
}

const OUTCOME_COLUMNS = `
  j.company_id AS "companyId", j.id, j.type, j.status,
  encode(j.fingerprint, 'hex') AS fingerprint,
  j.submission_id AS "submissionId", j.result_id AS "resultId",
  j.error AS problem`;

type OutcomeRow = Omit<JobOutcome, 'body'>;

/** The outcome of each job in the given order; null for a job without a row. */
export async function findOutcomes(
  refs: readonly JobRef[],
  kinds: readonly WriteKind[],
): Promise<(JobOutcome | null)[]> {
  return withBodies(refs, await findJobs<OutcomeRow>(refs, OUTCOME_COLUMNS), kinds);
}

/**
 * The outcome under each Idempotency-Key; null for a new key. A key of a request that was not
 * queued has an outcome with the fingerprint of that request.
 */
export async function findKeyedOutcomes(
  refs: readonly JobRef[],
  kinds: readonly WriteKind[],
): Promise<(JobOutcome | null)[]> {
  const rows = await query<OutcomeRow>(
    `SELECT ${OUTCOME_COLUMNS}
     FROM ${WANTED}, ${lookUpOne('jobs', 'j', OF_WANTED)}
     UNION ALL
     SELECT s.company_id, s.id, '', 'succeeded', encode(s.fingerprint, 'hex'), NULL, NULL, NULL
     FROM ${WANTED}, ${lookUpOne('stored_responses', 's', OF_WANTED)}`,
    keyArrays(refs),
  );
  return withBodies(refs, rows, kinds);
}

/**
 * The ids of the keyed jobs whose keys requests that are not queued have used. While the companies
 * are locked, no such request can use one.
 */
export async function findUsedKeys(
  keyed: readonly JobRef[],
  tx: Transaction,
): Promise<ReadonlySet<string>> {
  if (keyed.length === 0) return new Set();
  const rows = await query<{ id: string }>(
    `SELECT s.id
     FROM ${WANTED}, ${lookUpOne('stored_responses', 's', OF_WANTED)}`,
    keyArrays(keyed),
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}

async function withBodies(
  refs: readonly JobRef[],
  rows: readonly OutcomeRow[],
  kinds: readonly WriteKind[],
): Promise<(JobOutcome | null)[]> {
  const bodies = new Map<string, string>();
  for (const kind of kinds) {
    const results = rows.flatMap(({ companyId, type, resultId }) =>
      type === kind.type && resultId ? [{ companyId, resultId }] : [],
    );
    if (results.length === 0) continue;
    for (const [id, body] of await kind.readBodies(results)) bodies.set(id, body);
  }
  const outcomes = new Map(
    rows.map(row => [row.id, { ...row, body: bodies.get(row.resultId ?? '') ?? null }]),
  );
  return refs.map(ref => outcomes.get(ref.id) ?? null);
}

/**
 * SQL for a recursive CTE, queued_company (id): the companies with queued jobs, in order, after the
 * one of `after`. It takes one index probe per company, however many jobs are queued.
 */
export function queuedCompanies(after: string, condition = 'true', order = 'queued_at'): string {
  return `queued_company (id) AS (
      SELECT ${after}::uuid
      UNION ALL
      SELECT next.company_id
      FROM queued_company,
        LATERAL (
          SELECT company_id
          FROM jobs
          WHERE status = 'queued' AND ${condition} AND company_id > queued_company.id
          ORDER BY company_id, ${order}
          LIMIT 1
        ) next
    )`;
}

/** Lower than any company's id. */
export const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

/** How long the oldest queued job has waited, in whole seconds; 0 if none is queued. */
export async function oldestQueuedSeconds(tx?: Transaction): Promise<number> {
  const row = await queryOne<{ seconds: string }>(
    `WITH RECURSIVE ${queuedCompanies('$1')}
     SELECT COALESCE(EXTRACT(EPOCH FROM now() - min(oldest.queued_at)), 0) AS seconds
     FROM queued_company,
       LATERAL (
         SELECT queued_at
         FROM jobs
         WHERE status = 'queued' AND company_id = queued_company.id
         ORDER BY queued_at
         LIMIT 1
       ) oldest`,
    [NO_COMPANY],
    tx,
  );
  return Math.max(0, Math.round(Number(row?.seconds ?? 0)));
}

/** Number of jobs, over all companies, that failed by an internal error and need an operator. */
export async function countFailedJobs(tx?: Transaction): Promise<number> {
  const row = await queryOne<{ count: number }>(
    `SELECT count(*)::int AS count
     FROM jobs
     WHERE status = 'failed' AND payload IS NOT NULL`,
    [],
    tx,
  );
  return row?.count ?? 0;
}
