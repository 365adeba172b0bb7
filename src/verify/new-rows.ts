// The audit's SQL on new rows. Each statement gives them the names of the tables that they come
// from, so verify and the audit share the text of a check. Every table is read by index look-ups.

import { lookUpOne, sqlText } from '../platform/db/sql.js';
import { inRange } from '../rollups/progress.js';
import { CHECKS, RESULT_OF_JOB } from './checks.js';
import { JOBS_WITHOUT_RESULT } from './job-offenders.js';

/** SQL whose rows are the offenders of all checks, with the name of the violation. */
export function offendersOf(
  checks: readonly { readonly name: string; readonly sql: string }[],
): string {
  return checks
    .map(
      ({ name, sql }) => `
    SELECT ${sqlText(name)} AS violation, row_to_json(o) AS offender
    FROM (${sql}) o`,
    )
    .join('\n    UNION ALL');
}

/** A batch's jobs finish at most this long after its rows were created: the limit of a lock. */
const BATCH_MAX_SECONDS = 20;

/**
 * Checks new documents, and the movements of adjustments; new-sales.ts checks the movements of
 * invoices. $1…$4: the invoices' companies, ids, submissions and times. $5…$8: per company the
 * stock versions of the new adjustments (above, up to) and the last movement of its checked
 * adjustments. $9…$13: company, invoice, number, position and match key of the lines that move no
 * stock.
 *
 * An item's movements commit in the order of their ids, as do its adjustments. So the first
 * movements above the last checked ones belong to the new adjustments. Items are read before
 * "movements" names the new ones: a later movement may have changed the stock again.
 */
export const CHECK_DOCUMENTS = `
  WITH ranges AS (
    SELECT *
    FROM unnest($5::uuid[], $6::bigint[], $7::bigint[], $8::bigint[])
      AS r (company_id, above, up_to, adjustment_id)
  ), invoices AS MATERIALIZED (
    SELECT *
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[])
      AS i (company_id, id, submission_id, created_at)
  ), plain_lines AS MATERIALIZED (
    SELECT *
    FROM unnest($9::uuid[], $10::uuid[], $11::bigint[], $12::int[], $13::text[])
      AS l (company_id, invoice_id, number, position, name_key)
  ), adjustments AS MATERIALIZED (
    SELECT a.*
    FROM ranges r, ${inRange('adjustments', 'a', 'stock_version')}
  ), moved AS (
    SELECT a.company_id, (entry ->> 'itemId')::uuid AS item_id, r.adjustment_id AS above,
      count(*) AS count
    FROM adjustments a JOIN ranges r USING (company_id),
      json_array_elements(a.movements) AS entry
    GROUP BY 1, 2, 3
  ), items AS MATERIALIZED (
    SELECT i.company_id, i.id, i.on_hand, last.on_hand_after AS last_balance
    FROM moved,
      ${lookUpOne('items', 'i', 'company_id = moved.company_id AND id = moved.item_id')},
      LATERAL (
        SELECT t.on_hand_after
        FROM movements t
        WHERE t.company_id = i.company_id AND t.item_id = i.id
        ORDER BY t.id DESC
        LIMIT 1
      ) last
  ), movements AS MATERIALIZED (
    SELECT m.*, COALESCE(previous.on_hand_after, 0) AS before
    FROM moved,
      LATERAL (
        SELECT company_id, item_id, id, delta, on_hand_after, kind,
          invoice_id, adjustment_id, credit_note_id
        FROM movements t
        WHERE t.company_id = moved.company_id AND t.item_id = moved.item_id
          AND t.id > moved.above AND t.adjustment_id IS NOT NULL
        ORDER BY t.id
        LIMIT moved.count
      ) m
      LEFT JOIN LATERAL (
        SELECT t.on_hand_after
        FROM movements t
        WHERE t.company_id = m.company_id AND t.item_id = m.item_id AND t.id < m.id
        ORDER BY t.id DESC
        LIMIT 1
      ) previous ON true
    WHERE m.adjustment_id IN (SELECT id FROM adjustments)
  ), times AS (
    SELECT created_at FROM invoices UNION ALL SELECT created_at FROM adjustments
  ), jobs AS MATERIALIZED (
    SELECT company_id, id, submission_id, status, result_id
    FROM jobs
    WHERE finished_at >= (SELECT min(created_at) FROM times)
      AND finished_at <=
        (SELECT max(created_at) + ${BATCH_MAX_SECONDS} * interval '1 second' FROM times)
  ), offenders AS (${offendersOf(
    CHECKS.flatMap(({ name, newSql }) => (newSql === undefined ? [] : [{ name, sql: newSql }])),
  )}
  )
  SELECT violation, offender, NULL AS "companyId", NULL AS "adjustmentId"
  FROM offenders
  UNION ALL
  SELECT NULL, NULL, company_id, max(id)
  FROM movements
  GROUP BY company_id`;

const RESULT = 'company_id = jobs.company_id AND id = jobs.result_id';

/** Checks the jobs that finished from $1 on and before $2, up to $3 of them. */
export const CHECK_JOBS = `
  WITH jobs AS MATERIALIZED (
    SELECT company_id, id, submission_id, type, status, result_id, finished_at
    FROM jobs
    WHERE finished_at >= $1 AND finished_at < $2
    ORDER BY finished_at
    LIMIT $3
  ), invoices AS MATERIALIZED (
    SELECT i.company_id, i.id, i.submission_id
    FROM jobs, ${lookUpOne('invoices', 'i', RESULT)}
  ), adjustments AS MATERIALIZED (
    SELECT a.company_id, a.id, a.submission_id
    FROM jobs, ${lookUpOne('adjustments', 'a', RESULT)}
  ), entries AS MATERIALIZED (
    SELECT e.company_id, e.id, e.submission_id, e.type
    FROM jobs, ${lookUpOne('entries', 'e', RESULT)}
  ), offenders AS (${offendersOf([{ name: RESULT_OF_JOB, sql: JOBS_WITHOUT_RESULT }])}
  )
  SELECT violation, offender, NULL AS count, NULL AS last FROM offenders
  UNION ALL
  SELECT NULL, NULL, count(*), max(finished_at)::text FROM jobs`;
