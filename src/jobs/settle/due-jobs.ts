// Queued rows that are due, claimed by company: a company with many rows takes no more of a claim
// than one with few.
import { query } from '../../platform/db/connection.js';
import { timeJson } from '../../platform/db/sql.js';
import { NO_COMPANY, queuedCompanies } from '../queries.js';
import type { Submission } from '../write-kind.js';

/** Longer than a batch usually takes, and the delay if the worker dies; a row is settled once. */
const CLAIM_MS = 2_000;
/** Companies that one claim looks at. The next claim continues after them. */
const COMPANIES_PER_CLAIM = 1_000;

export class DueJobs {
  readonly #queue: string;
  /** The company after which the next claim starts. */
  #after = NO_COMPANY;

  constructor(queue: string) {
    this.#queue = queue;
  }

  /** Claims up to `limit` rows, divided over the companies that are not excluded. */
  async claim(limit: number, isExcluded: (companyId: string) => boolean): Promise<Submission[]> {
    const companies = await query<{ id: string; isDue: boolean }>(
      `WITH RECURSIVE ${queuedCompanies('$2', 'job_queue(type) = $1', 'run_at')}
       SELECT id,
         EXISTS (
           SELECT 1
           FROM jobs
           WHERE status = 'queued' AND job_queue(type) = $1
             AND company_id = queued_company.id AND run_at <= now()
         ) AS "isDue"
       FROM queued_company
       OFFSET 1
       LIMIT $3`,
      [this.#queue, this.#after, COMPANIES_PER_CLAIM],
    );
    const due = companies.filter(({ id, isDue }) => isDue && !isExcluded(id)).slice(0, limit);
    const isCut = due.length === limit || companies.length === COMPANIES_PER_CLAIM;
    const last = due.length === limit ? due.at(-1) : companies.at(-1);
    this.#after = isCut && last ? last.id : NO_COMPANY;
    if (due.length === 0) return [];
    const ids = due.map(({ id }) => id);
    return this.claimOf(ids, Math.floor(limit / due.length), CLAIM_MS);
  }

  /** Claims up to `limit` rows of each company. If this process dies, they are due again later. */
  claimOf(companyIds: readonly string[], limit: number, claimMs: number): Promise<Submission[]> {
    return query<Submission>(
      `WITH due AS MATERIALIZED (
         SELECT due.company_id, due.id
         FROM unnest($2::uuid[]) AS company (id),
           LATERAL (
             SELECT company_id, id
             FROM jobs
             WHERE status = 'queued' AND job_queue(type) = $1
               AND company_id = company.id AND run_at <= now()
             ORDER BY run_at
             LIMIT $3
             FOR UPDATE SKIP LOCKED
           ) due
       )
       UPDATE jobs j
       SET run_at = now() + $4 * interval '1 millisecond'
       FROM due
       WHERE j.company_id = due.company_id AND j.id = due.id
       RETURNING j.company_id AS "companyId", j.id, j.type,
         encode(j.fingerprint, 'hex') AS fingerprint,
         j.submission_id AS "submissionId", j.request_id AS "requestId",
         ${timeJson('j.created_at')} AS "acceptedAt",
         j.payload, j.created_by AS "createdBy",
         '' AS "replyTo"`,
      [this.#queue, companyIds, limit, claimMs],
    );
  }
}
