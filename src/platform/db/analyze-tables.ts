// Fresh statistics for tables that grow fast. Postgres plans a foreign key's check once a connection: on a table that
// was empty then it may choose any index, and goes on reading all of a company's rows until the table is analyzed.
// Autovacuum does that, but looks only once a minute, and in its first minute a new database can take 100,000 rows.

import { pollForever } from '../async/poll.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { query } from './connection.js';

const LOOK_EVERY_MS = 2_000;
/** Below it any plan will do. */
const MIN_ROWS = 200;

/** Analyzes tables that have grown by half since they were last analyzed, and returns them; slower growth is autovacuum's. */
export async function analyzeGrownTables(): Promise<string[]> {
  const grown = await query<{ name: string }>(
    `SELECT s.relid::regclass::text AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
     WHERE s.schemaname = current_schema() AND s.n_live_tup > $1 + GREATEST(c.reltuples, 0) * 1.5`,
    [MIN_ROWS],
  );
  for (const { name } of grown) await query(`ANALYZE ${name}`, []);
  return grown.map(({ name }) => name);
}

/** Does so again and again until stopped. Safe in every scheduler process. */
export function analyzeTablesForever(log: Log, onStop: OnStop): void {
  const look = async (): Promise<boolean> => {
    const names = await analyzeGrownTables();
    if (names.length > 0) log.info({ tables: names }, 'analyzed tables that have grown');
    return false;
  };
  pollForever('statistics', LOOK_EVERY_MS, look, log, onStop);
}
