// The one Sequelize of a process and the few ways it is used. Hot paths are SQL with bind values through `query`, which
// prepares each statement once a connection; models serve the rest. Sequelize's errors carry SQL and parameters, so they
// are described here and never logged whole.
import type { Socket } from 'node:net';
import pg from 'pg';
import { DatabaseError, type Transaction as ModelTransaction, Sequelize } from 'sequelize';
import { SQL_STATE, sqlState } from '../postgres-errors.js';
import {
  clientLimits,
  DATABASE_LIMITS,
  type DatabaseLimits,
  KEEP_ALIVE_AFTER_MS,
  sessionLimits,
} from './limits.js';

export type { ModelTransaction };

/** An open transaction, for `query`. Models need Sequelize's own kind. */
export type Transaction = ModelTransaction | PipelinedTransaction;

/** One whose statements are sent as they come, without a wait for the answers to those before; see pipeline.ts. */
export interface PipelinedTransaction {
  readonly connection: Connection;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolMax: number;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** True behind a pooler in transaction mode, which lends a session for one transaction: nothing may be left in it. */
  readonly pooled?: boolean;
  readonly limits?: Partial<DatabaseLimits>;
}

let sequelize: Sequelize | undefined;
/** Behind a pooler: the limits to begin each transaction with, as it takes none with a connection. */
let transactionLimits: DatabaseLimits | undefined;

/** Opens the process's database. Connects on first use; `waitForDatabase` waits for it. */
export function openDatabase({
  url,
  poolMax,
  name,
  pooled = false,
  limits = {},
}: DatabaseOptions): Sequelize {
  const all = { ...DATABASE_LIMITS, ...limits };
  transactionLimits = pooled ? all : undefined;
  sequelize = new Sequelize(url, {
    dialect: 'postgres',
    dialectModule: Object.create(pg, { Client: { value: PipelinedClient } }),
    logging: false,
    pool: { max: poolMax, min: 0, acquire: all.acquireMs, idle: 30_000 },
    // Sequelize's own SET of client_min_messages would stay behind in the pooler's session.
    dialectOptions: {
      application_name: name,
      ...(pooled ? { ...clientLimits(all), clientMinMessages: 'ignore' } : sessionLimits(all)),
    },
    // Sequelize hands on `keepAlive`, but not after how long.
    hooks: { afterConnect: connection => keepAlive(connection as pg.Client) },
    define: { underscored: true, timestamps: false },
  });
  return sequelize;
}

/** Sends what it is given without a wait. Sequelize asks one thing at a time of a connection: only those notice who do not. */
class PipelinedClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, pipeline: true } as pg.ClientConfig);
  }
}

function keepAlive(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setKeepAlive(true, KEEP_ALIVE_AFTER_MS);
}

/** Connects one client of its own, for what needs a session: a migration, a long snapshot. The caller ends it. */
export async function connectClient(
  url: string,
  name: string,
  limits?: Partial<DatabaseLimits>,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    ...sessionLimits(limits),
  });
  client.on('error', () => undefined); // The statement in hand rejects too, and is what counts.
  await client.connect();
  return client;
}

export function db(): Sequelize {
  if (!sequelize) throw new Error('the database is not open: call openDatabase first');
  return sequelize;
}

export async function closeDatabase(): Promise<void> {
  await sequelize?.close();
  sequelize = undefined;
}

/**
 * Runs one statement with $1… values and returns its rows. Joins the transaction where one is given. The text must come
 * from a bounded set: each one stays prepared, as planning a statement often takes longer than running it.
 */
export async function query<Row extends object>(
  sql: string,
  bind: unknown[],
  tx?: Transaction,
): Promise<Row[]> {
  if (tx) return run<Row>(connectionOf(tx), sql, bind, tx);
  return withConnection(connection => run<Row>(connection, sql, bind));
}

/** Lends a connection of the pool. */
export async function withConnection<Result>(
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { connectionManager } = db();
  const connection = (await connectionManager.getConnection({
    type: 'write',
  } as never)) as Connection;
  try {
    return await work(connection);
  } finally {
    connectionManager.releaseConnection(connection);
  }
}

/** Sequelize's connections are the driver's clients; one that is marked is not handed out again. */
export type Connection = pg.Client & { _invalid?: boolean };

function connectionOf(tx: Transaction): Connection {
  const { connection } = tx as { connection?: Connection };
  if (!connection) throw new Error('the transaction has ended');
  return connection;
}

/** The first failure of each open transaction that has one. */
const failures = new WeakMap<Transaction, DatabaseError>();
/** What Postgres says of every statement after it. */
const IN_FAILED_TRANSACTION = '25P02';

async function run<Row extends object>(
  connection: Connection,
  text: string,
  values: unknown[],
  tx?: Transaction,
): Promise<Row[]> {
  try {
    // A prepared statement stays in its session, which behind a pooler is another client's a moment later.
    const name = transactionLimits ? {} : { name: statementName(text) };
    return (await connection.query<Row>({ ...name, text, values })).rows;
  } catch (error) {
    const failure = toDatabaseError(error, text, connection);
    if (!tx) throw failure;
    // Of statements that were sent together the later ones fail for the first one's sake.
    const first = failures.get(tx) ?? failure;
    failures.set(tx, first);
    throw sqlState(failure) === IN_FAILED_TRANSACTION ? first : failure;
  }
}

/** Sequelize's own kind of error of what the driver threw. */
export function toDatabaseError(
  error: unknown,
  text: string,
  connection: Connection,
): DatabaseError {
  const failure = error as Error & { code?: unknown; sql?: string };
  // What Postgres did not say itself leaves the connection in an unknown state.
  if (!SQL_STATE.test(String(failure.code))) connection._invalid = true;
  return new DatabaseError(Object.assign(failure, { sql: text }) as never);
}

const statementNames = new Map<string, string>();

function statementName(text: string): string {
  const name = statementNames.get(text) ?? `tradepost_${statementNames.size}`;
  if (!statementNames.has(text)) statementNames.set(text, name);
  return name;
}

/** Like `query`, for statements with one row or none: the row, or null. */
export async function queryOne<Row extends object>(
  sql: string,
  bind: unknown[],
  tx?: Transaction,
): Promise<Row | null> {
  const rows = await query<Row>(sql, bind, tx);
  return rows[0] ?? null;
}

/**
 * SQL that joins a table to a list `w` by the columns of a unique index, one index look-up a row. A plain join with a
 * list reads the whole table as long as the planner thinks it small, which in the middle of growth is tens of thousands.
 */
export function lateral(table: string, alias: string, ...columns: string[]): string {
  const matches = columns.map(column => `t.${column} = w.${column}`).join(' AND ');
  return `LATERAL (SELECT * FROM ${table} t WHERE ${matches} LIMIT 1) ${alias}`;
}

/** One transaction on one connection at READ COMMITTED. When COMMIT's answer is lost, its outcome is unknown. */
export async function inTransaction<Result>(
  work: (tx: ModelTransaction) => Promise<Result>,
): Promise<Result> {
  return db().transaction(async tx => {
    await setLimits(tx);
    return work(tx);
  });
}

/** Behind a pooler: begins a transaction's time limits. */
export async function setLimits(tx: Transaction): Promise<void> {
  if (!transactionLimits) return;
  const { statementMs, lockMs, idleInTransactionMs } = transactionLimits;
  await query(
    `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
       set_config('idle_in_transaction_session_timeout', $3, true)`,
    [statementMs, lockMs, idleInTransactionMs].map(String),
    tx,
  );
}
