// Deletes finished rows past their retention, for the slices that own the tables.
import type { Log } from '../process/log.js';
import { query } from './connection.js';

export interface Retention {
  /** A table with the columns company_id, id and finished_at. */
  readonly table: string;
  readonly days: number;
  /** A condition of rows that stay whatever their age. Default: none. */
  readonly keep?: string;
  /** Rows per statement, so that none holds its locks for long. */
  readonly chunk: number;
}

/** Deletes a table's old rows in chunks. Safe in several processes at once. */
export async function deleteOldRows(
  { table, days, keep = 'false', chunk }: Retention,
  log: Log,
): Promise<void> {
  let total = 0;
  for (let deleted = chunk; deleted === chunk; total += deleted) {
    const rows = await query(
      `DELETE FROM ${table}
       WHERE (company_id, id) IN (
         SELECT company_id, id
         FROM ${table}
         WHERE finished_at < now() - $1 * interval '1 day' AND NOT (${keep})
         ORDER BY finished_at
         LIMIT $2
       )
       RETURNING 1`,
      [days, chunk],
    );
    deleted = rows.length;
  }
  if (total > 0) log.info({ [table]: total }, `deleted ${table} past their retention`);
}
