// Analyzes tables that grow fast. Postgres plans a foreign key's check once per connection: if the
// table was empty then, the plan may use any index and read all of a company's rows until the table
// is analyzed. Autovacuum checks only once a minute, in which a new database can take 100,000 rows.

import { pollForever } from '../async/poll.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { query } from './connection.js';

const POLL_EVERY_MS = 10_000;
/** A table with fewer rows is not analyzed, because any plan is fast enough. */
const MIN_ROWS = 200;

/**
 * Analyzes the tables that have grown fourfold since they were last analyzed and returns their
 * names. Slower growth is left to autovacuum.
 */
export async function analyzeGrownTables(): Promise<string[]> {
  const grown = await query<{ name: string }>(
    `SELECT stats.relid::regclass::text AS name
     FROM pg_stat_user_tables stats
     JOIN pg_class class ON class.oid = stats.relid
     WHERE stats.schemaname = current_schema()
       AND stats.n_live_tup > $1 + GREATEST(class.reltuples, 0) * 4`,
    [MIN_ROWS],
  );
  for (const { name } of grown) await query(`ANALYZE ${name}`, []);
  return grown.map(({ name }) => name);
}

/** Analyzes grown tables until stopped. Safe in every scheduler process. */
export function analyzeTablesForever(log: Log, onStop: OnStop): void {
  const poll = async (): Promise<boolean> => {
    const names = await analyzeGrownTables();
    if (names.length > 0) log.info({ tables: names }, 'analyzed tables that have grown');
    return false;
  };
  pollForever('statistics', POLL_EVERY_MS, poll, log, onStop);
}
