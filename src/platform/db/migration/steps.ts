// The steps of a migration file: how a file names them, and how each one runs.
import type pg from 'pg';
import { retryLocked } from './retry.js';

/**
 * once: one transaction. repeat: one statement, in a transaction per run, until it returns or
 * changes no row. concurrently: indexes, each built while the table is read and written.
 */
const KINDS = ['once', 'repeat', 'concurrently'] as const;

export interface MigrationStep {
  readonly kind: (typeof KINDS)[number];
  readonly sql: string;
}

const MARKER = /^[ \t]*-- step: (.*)$/mu;
const COMMENT = /--.*$/gmu;
const BUILD = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+)\s/u;

/** A waiting ACCESS EXCLUSIVE lock holds up every later statement on its table. */
const TABLE_LOCK_MS = 300;
/** A run of a repeated step holds the locks of its rows while it waits for another row. */
const ROW_LOCK_MS = 100;
/** The wait of a build for one older transaction, such as a backup's. */
const BUILD_LOCK_MS = 600_000;
/** Postgres cancels an autovacuum that another session has waited for, after 1 s. */
const MAINTENANCE_LOCK_MS = 5_000;

/** Splits a file at its lines `-- step: KIND`. A file without one is a step that runs once. */
export function parseSteps(name: string, text: string): MigrationStep[] {
  const [first = '', ...parts] = text.split(MARKER);
  const steps = [{ kind: 'once', sql: first }];
  for (let index = 0; index < parts.length; index += 2)
    steps.push({ kind: parts[index] ?? '', sql: parts[index + 1] ?? '' });
  return steps
    .filter(({ sql }) => sql.replaceAll(COMMENT, '').trim() !== '')
    .map(({ kind, sql }) => {
      const known = KINDS.find(each => each === kind);
      if (!known) throw new Error(`${name}: there is no step "${kind}"`);
      return { kind: known, sql };
    });
}

/**
 * Runs one step. `record` is the statement that stores that the step is done, in the transaction
 * of the step if it has one.
 */
export async function runStep(
  client: pg.Client,
  { kind, sql }: MigrationStep,
  record: string,
  retryForMs: number,
): Promise<void> {
  if (kind === 'once')
    return retryLocked(client, retryForMs, () => runOnce(client, `${sql};\n${record}`));
  if (kind === 'repeat')
    while ((await retryLocked(client, retryForMs, () => runBounded(client, sql))) !== 0);
  else
    for (const build of statementsIn(sql))
      await retryLocked(client, retryForMs, () => buildIndex(client, build));
  await client.query(record);
}

async function runOnce(client: pg.Client, sql: string): Promise<void> {
  const tables = await tablesIn(client, sql);
  await inTransaction(client, async () => {
    if (tables.length > 0) {
      await setLockTimeout(client, MAINTENANCE_LOCK_MS);
      // Conflicts with no read or write. An autovacuum of these tables ends, and none starts.
      await client.query(`LOCK TABLE ${tables.join(', ')} IN SHARE UPDATE EXCLUSIVE MODE`);
    }
    await setLockTimeout(client, TABLE_LOCK_MS);
    await client.query(sql);
  });
}

/** Returns the number of rows that the statement returned or changed. */
function runBounded(client: pg.Client, sql: string): Promise<number> {
  return inTransaction(client, async () => {
    await setLockTimeout(client, ROW_LOCK_MS);
    return (await client.query(sql)).rowCount ?? 0;
  });
}

/** The build waits for older transactions of the database, and nothing waits for the build. */
async function buildIndex(client: pg.Client, sql: string): Promise<void> {
  const name = BUILD.exec(sql)?.[1];
  if (name === undefined) throw new Error(`not CREATE INDEX CONCURRENTLY IF NOT EXISTS: ${sql}`);
  try {
    await client.query(`SET lock_timeout = ${BUILD_LOCK_MS}`);
    const { rows } = await client.query(
      'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
      [name],
    );
    // An interrupted build leaves an index that no statement uses and every write maintains.
    if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
    await client.query(sql);
  } finally {
    await client.query('RESET lock_timeout').catch(() => undefined);
  }
}

function statementsIn(sql: string): string[] {
  const statements = sql.replaceAll(COMMENT, '').split(';');
  return statements.map(statement => statement.trim()).filter(statement => statement !== '');
}

/** The existing tables that the step may alter. */
async function tablesIn(client: pg.Client, sql: string): Promise<string[]> {
  const names = Array.from(
    sql.replaceAll(COMMENT, '').matchAll(/\b(?:ALTER TABLE|DROP INDEX|ON)\s+(\w+)/gu),
    ([, name]) => name,
  );
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT altered.relname::text AS name
     FROM pg_class named
     LEFT JOIN pg_index i ON i.indexrelid = named.oid
     JOIN pg_class altered ON altered.oid = COALESCE(i.indrelid, named.oid)
     WHERE named.relnamespace = current_schema()::regnamespace AND altered.relkind = 'r'
       AND named.relname = ANY ($1)
     ORDER BY 1`,
    [names],
  );
  return rows.map(({ name }) => name);
}

async function inTransaction<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // If the connection is lost, Postgres rolls back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function setLockTimeout(client: pg.Client, ms: number): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${ms}`);
}
