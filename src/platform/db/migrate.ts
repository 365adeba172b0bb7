// Brings the schema up to date: runs the pending .sql files of src/migrations in order of name. All
// run in one transaction under an advisory lock, so a crash or two releases at once leave nothing
// half done. Forward only.
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { retryStart, StartError } from '../process/lifecycle.js';
import { connectClient } from './connection.js';
import { COMMAND_LIMITS, type DatabaseLimits } from './limits.js';

// The compiled tree is in dist/; the .sql files stay in the sources.
const DIRECTORY = fileURLToPath(new URL('../../../../src/migrations', import.meta.url));
/** The key of the advisory lock, any fixed number. One run at a time holds it. */
const ADVISORY_LOCK = 7_262_001;
/** The wait for another run, which may take long. */
const OTHER_RUN_MS = 60_000;
const LOCK_NOT_AVAILABLE = '55P03';
const NO_PERMISSION = '42501';
const NOT_OWNER =
  'The user of DATABASE_URL may not create tables. Make it the owner of its database';
const LOCKED =
  'Another session holds a lock that the migration needs. ' +
  'End its transaction (see pg_stat_activity) and run it again.';

const FOREIGN =
  'The schema is from a version that this release cannot migrate. ' +
  'Use an empty database. Unknown migration:';

/**
 * BullMQ stores five events per job, and each one wakes every session that listens to anything in
 * this database. Nothing reads them.
 */
const WITHOUT_EVENTS = `
  SELECT pg_advisory_xact_lock(${ADVISORY_LOCK});
  CREATE OR REPLACE FUNCTION bullmq.publish_event(p_queue text, p_event text, p_data jsonb)
    RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint'`;

export interface MigrateOptions {
  readonly databaseUrl: string;
  /** True if BullMQ stores its queues in this Postgres. */
  readonly queueInPostgres: boolean;
}

/** Runs `migrate` once Postgres answers, with the same wait as the start of every process. */
export function migrateWhenReady(
  options: MigrateOptions,
  say: (message: string) => void,
): Promise<string[]> {
  return retryStart(
    () => migrate(options),
    reason => say(`waiting for Postgres: ${reason}`),
  );
}

/**
 * Applies the pending migrations and returns their names. Waits for a table's lock no longer than
 * any statement does.
 */
export async function migrate(
  options: MigrateOptions,
  limits: Partial<DatabaseLimits> = {},
): Promise<string[]> {
  const client = await connectClient(options.databaseUrl, 'tradepost-migrate', {
    ...COMMAND_LIMITS,
    ...limits,
  });
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = ${OTHER_RUN_MS}`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    // Short again: while a migration waits for a table, all later statements on it wait too.
    await client.query('SET LOCAL lock_timeout TO DEFAULT');
    await client.query(
      `CREATE TABLE IF NOT EXISTS migrations (
         name text PRIMARY KEY,
         applied_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    const pending = await pendingMigrations(client);
    for (const name of pending) {
      await client.query(await readFile(`${DIRECTORY}/${name}`, 'utf8'));
      await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
    }
    await client.query('COMMIT');
    await client.query(`SET lock_timeout = ${OTHER_RUN_MS}`);
    if (options.queueInPostgres) {
      await (await import('../queue/bullmq.js')).runMigrations(client);
      await client.query(WITHOUT_EVENTS);
    }
    return pending;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === NO_PERMISSION) throw new StartError(`${NOT_OWNER} (${message}).`);
    throw code === LOCK_NOT_AVAILABLE ? new Error(LOCKED) : error;
  } finally {
    await client.end();
  }
}

/** True if nothing is pending. A newer release's schema counts as current. Changes nothing. */
export async function schemaIsCurrent(options: MigrateOptions): Promise<boolean> {
  const client = await connectClient(options.databaseUrl, 'tradepost-migrate');
  try {
    const { rows } = await client.query("SELECT to_regclass('migrations') IS NOT NULL AS present");
    if (!rows[0].present || (await pendingMigrations(client)).length > 0) return false;
    if (!options.queueInPostgres) return true;
    // Imported here, since commands do not need the library.
    const { assertSchemaCompatibility, LATEST_SCHEMA_VERSION } = await import('../queue/bullmq.js');
    return (await assertSchemaCompatibility(client)) >= LATEST_SCHEMA_VERSION;
  } catch (error) {
    if (error instanceof Error && error.name === 'SchemaMigrationRequiredError') return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** Unknown migrations after the last known one belong to a newer release. */
async function pendingMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
  const applied = new Set(rows.map(row => row.name));
  const names = (await readdir(DIRECTORY)).filter(name => name.endsWith('.sql')).sort();
  const foreign = rows.find(({ name }) => !names.includes(name) && name < (names.at(-1) ?? ''));
  if (foreign) throw new StartError(`${FOREIGN} ${foreign.name}.`);
  return names.filter(name => !applied.has(name));
}
