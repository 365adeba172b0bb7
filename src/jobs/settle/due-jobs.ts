// Claims queued rows that are due. A claim is divided over companies, so a company with many or
// heavy rows gets no larger share than others.

import { hasRows } from '../../platform/async/has-rows.js';
import { query } from '../../platform/db/connection.js';
import { timeJson } from '../../platform/db/sql.js';
import { IS_AHEAD_OF_CLOCK } from '../attempts.js';
import { PLACE_DELAY } from '../persist.js';
import { NO_COMPANY, queuedCompanies } from '../queries.js';
import { MAX_BATCH_LINES, MIN_WEIGHT, type Submission } from '../write-kind.js';
import { NONE_AHEAD_PAUSES } from './sequences.js';

/**
 * A claimed row becomes due again after this time, in case its worker died. Longer than a usual
 * batch.
 */
const CLAIM_MS = 2_000;
/** The pause between two looks for rows that are ahead of the clock. */
const FOLLOW_CLOCK_MS = 10_000;
const FOLLOWED_ROWS = 1_000;
/** Companies that one claim examines. The next claim continues after them. */
const COMPANIES_PER_CLAIM = 1_000;
/** A weight that no share reaches. */
const UNLIMITED = 2 ** 31 - 1;

export class DueJobs {
  readonly #queue: string;
  /** The company after which the next claim starts. */
  #after = NO_COMPANY;
  #followedAt = Number.NEGATIVE_INFINITY;

  constructor(queue: string) {
    this.#queue = queue;
  }

  /**
   * Claims up to `limit` rows of about one batch's weight, divided over the companies that are not
   * excluded. A share has at least one row.
   */
  async claim(limit: number, isExcluded: (companyId: string) => boolean): Promise<Submission[]> {
    const queued = `jobs WHERE status = 'queued' AND job_queue(type) = '${this.#queue}'`;
    if (!(await hasRows(queued))) return [];
    await this.#followClock();
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
    const share = {
      rows: Math.floor(limit / due.length),
      weight: Math.ceil(MAX_BATCH_LINES / due.length),
    };
    return this.claimOf(ids, share, CLAIM_MS);
  }

  /** Makes rows due whose time is ahead of the clock. */
  async #followClock(): Promise<void> {
    if (performance.now() - this.#followedAt < FOLLOW_CLOCK_MS) return;
    const rows = await query(
      `WITH ahead AS MATERIALIZED (
         SELECT company_id, id
         FROM jobs
         WHERE status = 'queued' AND job_queue(type) = $1
           AND ${IS_AHEAD_OF_CLOCK}
         LIMIT ${FOLLOWED_ROWS}
         FOR UPDATE SKIP LOCKED
       )
       UPDATE jobs j
       SET run_at = now() + ${PLACE_DELAY}
       FROM ahead
       WHERE j.company_id = ahead.company_id AND j.id = ahead.id
       RETURNING 1`,
      [this.#queue],
    );
    if (rows.length < FOLLOWED_ROWS) this.#followedAt = performance.now();
  }

  /**
   * Claims a share for each company. The rows are due again after `claimMs`. Rows of a sequence are
   * claimed in its order.
   */
  claimOf(
    companyIds: readonly string[],
    { rows, weight = UNLIMITED }: { readonly rows: number; readonly weight?: number },
    claimMs: number,
  ): Promise<Submission[]> {
    return query<Submission>(
      `WITH due AS MATERIALIZED (
         SELECT due.company_id, due.id
         FROM unnest($2::uuid[]) AS company (id),
           LATERAL (
             SELECT company_id, id,
               sum(weight) OVER (ORDER BY run_at, id) - weight AS weight_before
             FROM (
               SELECT company_id, id, run_at, COALESCE(weight, ${MIN_WEIGHT}) AS weight
               FROM jobs
               WHERE status = 'queued' AND job_queue(type) = $1
                 AND company_id = company.id AND run_at <= now()
                 AND ${NONE_AHEAD_PAUSES}
               ORDER BY run_at
               LIMIT $3
               FOR UPDATE SKIP LOCKED
             ) locked
           ) due
         WHERE due.weight_before < $5
       )
       UPDATE jobs j
       SET run_at = now() + $4 * interval '1 millisecond' + ${PLACE_DELAY}
       FROM due
       WHERE j.company_id = due.company_id AND j.id = due.id
       RETURNING j.company_id AS "companyId", j.id, j.type,
         encode(j.fingerprint, 'hex') AS fingerprint,
         j.submission_id AS "submissionId", j.request_id AS "requestId",
         ${timeJson('j.created_at')} AS "acceptedAt",
         j.payload, j.created_by AS "createdBy",
         CASE
           WHEN j.sequence_id IS NOT NULL
           THEN json_build_object('id', j.sequence_id, 'place', j.place)
         END AS sequence,
         '' AS "replyTo"`,
      [this.#queue, companyIds, rows, claimMs, weight],
    );
  }
}
