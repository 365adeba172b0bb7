// Brings the schema up to date while processes of the release before serve: applies the pending
// .sql files of src/migrations in order of name. Forward only.
//
// A file is one transaction, or a sequence of steps, each after a line `-- step: KIND`:
// - once: one transaction. It may lock tables for milliseconds, so it reads and changes no rows of
//   large tables: columns are nullable or have a constant default, checks and foreign keys are NOT
//   VALID, and a step of its own validates them. PostgreSQL proves SET NOT NULL by such a check.
// - repeat: one statement that changes a bounded number of rows, or calls a function that does. It
//   runs in transactions of its own until it returns or changes no row.
// - concurrently: CREATE INDEX CONCURRENTLY IF NOT EXISTS, for tables that grow with the data.
//
// A step that is done is recorded with its file, so a run that was interrupted continues with the
// next step. A step that waits for a lock gives up soon, because later statements on that table
// wait behind it, and is repeated for two minutes. One run at a time holds an advisory lock.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { retryStart, StartError } from '../process/lifecycle.js';
import { connectClient } from './connection.js';
import { COMMAND_LIMITS } from './limits.js';
import { retryLocked } from './migration/retry.js';
import { parseSteps, runStep } from './migration/steps.js';

// The compiled tree is in dist/; the .sql files stay in the sources.
const DIRECTORY = fileURLToPath(new URL('../../../../src/migrations', import.meta.url));
/** The key of the advisory lock, any fixed number. One run at a time holds it. */
const ADVISORY_LOCK = 7_262_001;
/** The wait for another run, which may fill large tables. */
const OTHER_RUN_MS = 600_000;
const OTHER_RUN_POLL_MS = 250;
/** The migrations table is small, so reading it only waits for a session that locked it. */
const LOCK_MS = 300;
/** How long a step that meets locks is repeated; longer than any transaction but `verify`. */
const RETRY_FOR_MS = 120_000;
const NO_PERMISSION = '42501';
const NOT_OWNER =
  'The user of DATABASE_URL may not create tables. Make it the owner of its database';
const OTHER_RUN = 'Another migration is still running. Run this again when it has ended.';

const FOREIGN =
  'The schema is from a version that this release cannot migrate. ' +
  'Use an empty database. Unknown migration:';

/**
 * BullMQ stores five events per job, and each one wakes every session that listens to anything in
 * this database. Nothing reads them.
 */
const WITHOUT_EVENTS = `
  CREATE OR REPLACE FUNCTION bullmq.publish_event(p_queue text, p_event text, p_data jsonb)
    RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint'`;
const MIGRATIONS = `
  CREATE TABLE IF NOT EXISTS migrations (
    -- A file, or a file and the number of a step that is done: NAME#1.
    name text PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

export interface MigrateOptions {
  readonly databaseUrl: string;
  /** True if BullMQ stores its queues in this Postgres. */
  readonly queueInPostgres: boolean;
  /** The folder of the .sql files, for tests. */
  readonly directory?: string;
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
 * Applies the pending migrations and returns their names. Needs a session, so `databaseUrl` names
 * Postgres itself and no pooler. Throws a sentence if a lock is not free within `retryForMs`.
 */
export async function migrate(
  options: MigrateOptions,
  retryForMs = RETRY_FOR_MS,
): Promise<string[]> {
  const { directory = DIRECTORY } = options;
  const client = await connectClient(options.databaseUrl, 'tradepost-migrate', {
    ...COMMAND_LIMITS,
    lockMs: LOCK_MS,
  });
  try {
    await excludeOtherRuns(client);
    const pending = await retryLocked(client, retryForMs, async () => {
      await client.query(MIGRATIONS);
      return pendingMigrations(client, directory);
    });
    for (const name of pending) await apply(client, directory, name, retryForMs);
    if (options.queueInPostgres) {
      const { runMigrations } = await import('../queue/bullmq.js');
      await retryLocked(client, retryForMs, async () => {
        await runMigrations(client);
        await client.query(WITHOUT_EVENTS);
      });
    }
    return pending;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw code === NO_PERMISSION ? new StartError(`${NOT_OWNER} (${message}).`) : error;
  } finally {
    // Releases the advisory lock.
    await client.end();
  }
}

/**
 * Takes the advisory lock of the session. Asks again and again, because the snapshot of a session
 * that waits for the lock would hold up the other run's CREATE INDEX CONCURRENTLY.
 */
async function excludeOtherRuns(client: pg.Client): Promise<void> {
  const deadline = performance.now() + OTHER_RUN_MS;
  const lock = `SELECT pg_try_advisory_lock(${ADVISORY_LOCK}) AS locked`;
  while (!(await client.query(lock)).rows[0].locked) {
    if (performance.now() > deadline) throw new Error(OTHER_RUN);
    await delay(OTHER_RUN_POLL_MS);
  }
}

/** Runs the steps of a file that are not recorded. The last one records the file itself. */
async function apply(
  client: pg.Client,
  directory: string,
  name: string,
  retryForMs: number,
): Promise<void> {
  const steps = parseSteps(name, await readFile(`${directory}/${name}`, 'utf8'));
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM migrations WHERE name LIKE '${name}#%'`,
  );
  const done = new Set(rows.map(row => row.name));
  for (const [index, step] of steps.entries()) {
    const stepName = `${name}#${index + 1}`;
    if (done.has(stepName)) continue;
    const record =
      index + 1 < steps.length
        ? `INSERT INTO migrations (name) VALUES ('${stepName}')`
        : `DELETE FROM migrations WHERE name LIKE '${name}#%';
           INSERT INTO migrations (name) VALUES ('${name}')`;
    await runStep(client, step, record, retryForMs);
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
async function pendingMigrations(client: pg.Client, directory = DIRECTORY): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
  const applied = new Set(rows.map(row => row.name));
  const names = (await readdir(directory)).filter(name => name.endsWith('.sql')).sort();
  const last = names.at(-1) ?? '';
  const foreign = [...applied].find(name => !names.includes(fileOf(name)) && name < last);
  if (foreign) throw new StartError(`${FOREIGN} ${foreign}.`);
  return names.filter(name => !applied.has(name));
}

/** The file of a recorded file or step. */
function fileOf(recorded: string): string {
  return recorded.replace(/#\d+$/u, '');
}
