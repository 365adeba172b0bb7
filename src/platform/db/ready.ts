// What every process of the Procfile does before its own work: Postgres answers, the schema is current, models are bound.
import type { Config } from '../../../config/index.js';
import { backOffMs } from '../async/back-off.js';
import { connectionFailure } from '../postgres-errors.js';
import { type OnStop, StartError } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { closeDatabase, db, openDatabase, queryOne } from './connection.js';
import { type MigrateOptions, schemaIsCurrent } from './migrate.js';

/** How long a start waits for Postgres. */
const WAIT_MS = 60_000;
/** Supervisors may start `release` and the other processes at the same moment: so long it may still be at work. */
const SCHEMA_WAIT_MS = 3_000;
const SCHEMA_LOOK_MS = 250;
const RETRY_MIN_MS = 200;
const RETRY_MAX_MS = 3_000;

/**
 * Opens the database, waiting up to a minute for it. Throws StartError with what to do. Returns the URL for what needs a
 * session of its own.
 */
export async function openReadyDatabase(
  config: Config,
  type: string,
  log: Log,
  onStop: OnStop,
): Promise<string> {
  const { databaseUrl, databaseDirectUrl } = config;
  if (databaseUrl === undefined || databaseDirectUrl === undefined) {
    throw new StartError(
      'DATABASE_URL is not set. Set it, or run `npm start`, which brings its own Postgres.',
    );
  }
  const pooled = databaseDirectUrl !== databaseUrl;
  openDatabase({
    url: databaseUrl,
    poolMax: config.databasePoolMax,
    name: `tradepost-${type}`,
    pooled,
  });
  onStop('database', closeDatabase);
  await waitForDatabase(log);
  await waitForSchema({
    databaseUrl: databaseDirectUrl,
    queueInPostgres: config.redisUrl === undefined,
  });
  if (pooled) await warnOfMissingLimit(log);
  return databaseDirectUrl;
}

/** A statement outside a transaction has only the limit that the pooler's sessions bring. */
async function warnOfMissingLimit(log: Log): Promise<void> {
  const row = await queryOne<{ ms: string }>(
    "SELECT setting AS ms FROM pg_settings WHERE name = 'statement_timeout'",
    [],
  );
  if (row?.ms === '0') log.warn('the pooler sets no statement_timeout: see Growing in README.md');
}

async function waitForSchema(options: MigrateOptions): Promise<void> {
  const deadline = Date.now() + SCHEMA_WAIT_MS;
  while (!(await schemaIsCurrent(options))) {
    if (Date.now() > deadline)
      throw new StartError('The database schema is not current. Run `npm run migrate`.');
    await new Promise(resolve => setTimeout(resolve, SCHEMA_LOOK_MS));
  }
}

async function waitForDatabase(log: Log): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await db().authenticate({ logging: false });
      return;
    } catch (error) {
      const reason = connectionFailure(error) ?? (error as Error).message;
      if (Date.now() > deadline)
        throw new StartError(`Postgres did not answer for ${WAIT_MS / 1000} s: ${reason}.`);
      log.warn({ reason }, 'waiting for Postgres');
      await new Promise(resolve =>
        setTimeout(resolve, backOffMs(attempt, RETRY_MIN_MS, RETRY_MAX_MS)),
      );
    }
  }
}
