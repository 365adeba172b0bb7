// Deletes settled jobs past their retention, and with them their Idempotency-Keys.
import { query } from '../platform/db/connection.js';
import type { Log } from '../platform/process/log.js';

/** The contract: an Idempotency-Key is remembered, and a job can be read, for 30 days. */
const RETENTION_DAYS = 30;
/** Rows per statement, so that each one is short. */
const DELETE_CHUNK = 5_000;

/** Deletes old jobs in chunks. Safe in several processes at once. */
export async function deleteOldJobs(log: Log): Promise<void> {
  let total = 0;
  for (let deleted = DELETE_CHUNK; deleted === DELETE_CHUNK; total += deleted) {
    const rows = await query(
      `DELETE FROM jobs
       WHERE (company_id, id) IN (
         SELECT company_id, id
         FROM jobs
         WHERE finished_at < now() - $1 * interval '1 day'
         ORDER BY finished_at
         LIMIT $2
       )
       RETURNING 1`,
      [RETENTION_DAYS, DELETE_CHUNK],
    );
    deleted = rows.length;
  }
  if (total > 0) log.info({ jobs: total }, 'deleted settled jobs past their retention');
}
