// Deletes the oldest rows of feeds. A feed stays without gaps: rows go in their order, whatever
// their times say.
import { query } from '../platform/db/connection.js';

/** Rows per statement. */
const ROWS_PER_STEP = 500;

/** Deletes rows older than `days` of all companies. Resolves to the number of deleted rows. */
export async function deleteExpiredRows(days: number): Promise<number> {
  const companies = await query<{ companyId: string }>(
    `SELECT c.id AS "companyId"
     FROM companies c
     CROSS JOIN LATERAL (
       SELECT created_at
       FROM feed
       WHERE company_id = c.id
       ORDER BY last_sequence
       LIMIT 1
     ) oldest
     WHERE oldest.created_at < now() - $1 * interval '1 day'`,
    [days],
  );
  let total = 0;
  for (const { companyId } of companies) {
    for (let count = ROWS_PER_STEP; count === ROWS_PER_STEP; total += count)
      count = await deleteStep(companyId, days);
  }
  return total;
}

async function deleteStep(companyId: string, days: number): Promise<number> {
  const deleted = await query(
    `WITH oldest AS MATERIALIZED (
       SELECT last_sequence, created_at < now() - $2 * interval '1 day' AS is_old
       FROM feed
       WHERE company_id = $1
       ORDER BY last_sequence
       LIMIT ${ROWS_PER_STEP}
     )
     DELETE FROM feed
     WHERE company_id = $1
       AND last_sequence = ANY (ARRAY(SELECT last_sequence FROM oldest WHERE is_old))
       AND last_sequence < COALESCE(
         (SELECT min(last_sequence) FROM oldest WHERE NOT is_old),
         9223372036854775807
       )
     RETURNING 1`,
    [companyId, days],
  );
  return deleted.length;
}
