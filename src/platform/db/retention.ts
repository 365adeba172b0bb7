// Deletes rows past their retention, for the slices that own the tables.
import type { Log } from '../process/log.js';
import { queryOne } from './connection.js';

export interface Retention {
  readonly table: string;
  /** The columns of its primary key. Default: company_id and id. */
  readonly key?: string;
  /** The time from which a row's age counts. Default: finished_at. */
  readonly time?: string;
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
  { table, key = 'company_id, id', time = 'finished_at', days, keep = 'false', chunk }: Retention,
  log: Log,
): Promise<void> {
  let total = 0;
  let from = '-infinity';
  for (let found = chunk; found === chunk; total += found) {
    const row = await queryOne<{ found: number; last: string | null }>(
      `WITH old AS (
         SELECT ${key}, ${time}
         FROM ${table}
         WHERE ${time} >= $3 AND ${time} < now() - $1 * interval '1 day' AND NOT (${keep})
         ORDER BY ${time}
         LIMIT $2
       ), deleted AS (
         DELETE FROM ${table}
         WHERE (${key}) IN (SELECT ${key} FROM old)
       )
       SELECT count(*)::int AS found, max(${time})::text AS last
       FROM old`,
      [days, chunk, from],
    );
    found = row?.found ?? 0;
    from = row?.last ?? from;
  }
  if (total > 0) log.info({ [table]: total }, `deleted ${table} past their retention`);
}
