// Deletes finished rows past their retention, for the slices that own the tables.
import type { Log } from '../process/log.js';
import { queryOne } from './connection.js';

export interface Retention {
  /** A table with the columns company_id, id and finished_at. */
  readonly table: string;
  readonly days: number;
  /** A condition of rows that stay whatever their age. Default: none. */
  readonly keep?: string;
  /** Rows per statement, so that none holds its locks for long. */
  readonly chunk: number;
}

/**
 * Deletes a table's old rows in chunks. Each one starts where the last one ended, so the rows to
 * keep are read once. Safe in several processes at once.
 */
export async function deleteOldRows(
  { table, days, keep = 'false', chunk }: Retention,
  log: Log,
): Promise<void> {
  let total = 0;
  let from = '-infinity';
  for (let found = chunk; found === chunk; total += found) {
    const row = await queryOne<{ found: number; last: string | null }>(
      `WITH old AS (
         SELECT company_id, id, finished_at
         FROM ${table}
         WHERE finished_at >= $3 AND finished_at < now() - $1 * interval '1 day' AND NOT (${keep})
         ORDER BY finished_at
         LIMIT $2
       ), deleted AS (
         DELETE FROM ${table}
         WHERE (company_id, id) IN (SELECT company_id, id FROM old)
       )
       SELECT count(*)::int AS found, max(finished_at)::text AS last
       FROM old`,
      [days, chunk, from],
    );
    found = row?.found ?? 0;
    from = row?.last ?? from;
  }
  if (total > 0) log.info({ [table]: total }, `deleted ${table} past their retention`);
}
