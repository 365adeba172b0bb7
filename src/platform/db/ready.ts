// Opens the database for a process of the Procfile and waits for the current schema. A failed
// connection rejects, and the start is repeated (process/lifecycle.ts).
import type { Config } from '../../../config/index.js';
import { type OnStop, StartError } from '../process/lifecycle.js';
import { addGauge } from '../process/metrics.js';
import { closeDatabase, database, openDatabase, query } from './connection.js';
import { type MigrateOptions, schemaIsCurrent } from './migrate.js';

/** A supervisor may start `release` together with the other processes. */
const SCHEMA_WAIT_MS = 3_000;
const SCHEMA_POLL_MS = 250;

/**
 * Opens the database. Throws StartError with what to do. Returns the URL for work that needs a
 * session of its own.
 */
export async function openReadyDatabase(
  config: Config,
  type: string,
  onStop: OnStop,
): Promise<string> {
  const { databaseUrl, databaseDirectUrl, databasePoolMax } = config;
  if (databaseUrl === undefined || databaseDirectUrl === undefined) {
    throw new StartError(
      'DATABASE_URL is not set. Set it, or run `npm start`, which includes a Postgres server.',
    );
  }
  const pooled = databaseDirectUrl !== databaseUrl;
  // Lists get half of the connections, so that other reads and writes never wait for a list.
  // Behind a pooler each statement of a list has its limit in a transaction of its own.
  const listsMax = type === 'web' && !pooled ? Math.floor(databasePoolMax / 2) : 0;
  openDatabase({
    url: databaseUrl,
    poolMax: databasePoolMax - listsMax,
    listsMax,
    name: `tradepost-${type}`,
    lookupPlans: type === 'worker',
    pooled,
  });
  onStop('database', closeDatabase);
  addPoolGauge();
  await query('SELECT 1', []);
  await waitForSchema({
    databaseUrl: databaseDirectUrl,
    queueInPostgres: config.redisUrl === undefined,
  });
  return databaseDirectUrl;
}

function addPoolGauge(): void {
  addGauge(
    'tradepost_database_pool_connections',
    'Connections of the SQL pools: open, in use, and statements waiting for one.',
    ['state'],
    async () =>
      Object.entries(poolFigures()).map(([state, value]) => ({ labels: { state }, value })),
  );
}

/** The pools' connections: open, in use, and the statements that wait for one. */
function poolFigures(): Record<'open' | 'using' | 'waiting', number> {
  const figures = { open: 0, using: 0, waiting: 0 };
  const { pool: main, listPool } = database();
  for (const pool of new Set([main, listPool])) {
    figures.open += pool.totalCount;
    figures.using += pool.totalCount - pool.idleCount;
    figures.waiting += pool.waitingCount;
  }
  return figures;
}

async function waitForSchema(options: MigrateOptions): Promise<void> {
  const deadline = Date.now() + SCHEMA_WAIT_MS;
  while (!(await schemaIsCurrent(options))) {
    if (Date.now() > deadline)
      throw new StartError('The database schema is not current. Run `npm run migrate`.');
    await new Promise(resolve => setTimeout(resolve, SCHEMA_POLL_MS));
  }
}
