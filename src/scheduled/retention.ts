// Deletes finished jobs and imports past their retention, and with them their Idempotency-Keys and
// refused rows.
import { query } from '../platform/db/connection.js';
import type { Log } from '../platform/process/log.js';

/** The contract: an Idempotency-Key is remembered, and a job can be read, for 30 days. */
const RETENTION_DAYS = 30;
/** Rows per short statement. An import may have thousands of refused rows. */
const CHUNKS = { jobs: 5_000, imports: 20 } as const;

/** Deletes a table's old rows in chunks. Safe in several processes at once. */
export async function deleteOldRows(table: keyof typeof CHUNKS, log: Log): Promise<void> {
  const chunk = CHUNKS[table];
  let total = 0;
  for (let deleted: number = chunk; deleted === chunk; total += deleted) {
    const rows = await query(
      `DELETE FROM ${table}
       WHERE (company_id, id) IN (
         SELECT company_id, id
         FROM ${table}
         WHERE finished_at < now() - $1 * interval '1 day'
         ORDER BY finished_at
         LIMIT $2
       )
       RETURNING 1`,
      [RETENTION_DAYS, chunk],
    );
    deleted = rows.length;
  }
  if (total > 0) log.info({ [table]: total }, `deleted ${table} past their retention`);
}
