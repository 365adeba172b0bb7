// What every process of the Procfile does before its own work: Postgres answers, the schema is current, models are bound.
import type { Config } from '../../config/index.js';
import { backOffMs } from './back-off.js';
import { closeDatabase, connectionFailure, db, openDatabase } from './db.js';
import { type OnStop, StartError } from './lifecycle.js';
import type { Log } from './log.js';
import { type MigrateOptions, schemaIsCurrent } from './migrate.js';

/** How long a start waits for Postgres. */
const WAIT_MS = 60_000;
/** Supervisors may start `release` and the other processes at the same moment: so long it may still be at work. */
const SCHEMA_WAIT_MS = 3_000;
const SCHEMA_LOOK_MS = 250;
const RETRY_MIN_MS = 200;
const RETRY_MAX_MS = 3_000;

/** Opens the database, waiting up to a minute for it. Throws StartError with what to do. Returns its URL. */
export async function openReadyDatabase(config: Config, type: string, log: Log, onStop: OnStop): Promise<string> {
  const { databaseUrl } = config;
  if (databaseUrl === undefined) {
    throw new StartError('DATABASE_URL is not set. Set it, or run `npm start`, which brings its own Postgres.');
  }
  openDatabase({ url: databaseUrl, poolMax: config.databasePoolMax, name: `tradepost-${type}` });
  onStop('database', closeDatabase);
  await waitForDatabase(log);
  await waitForSchema({ databaseUrl, queueInPostgres: config.redisUrl === undefined });
  return databaseUrl;
}

async function waitForSchema(options: MigrateOptions): Promise<void> {
  const deadline = Date.now() + SCHEMA_WAIT_MS;
  while (!(await schemaIsCurrent(options))) {
    if (Date.now() > deadline) throw new StartError('The database schema is not current. Run `npm run migrate`.');
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
      if (Date.now() > deadline) throw new StartError(`Postgres did not answer for ${WAIT_MS / 1000} s: ${reason}.`);
      log.warn({ reason }, 'waiting for Postgres');
      await new Promise(resolve => setTimeout(resolve, backOffMs(attempt, RETRY_MIN_MS, RETRY_MAX_MS)));
    }
  }
}
