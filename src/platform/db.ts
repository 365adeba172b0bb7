// The one Sequelize of a process and the few ways it is used. Hot paths are SQL with bind values through `query`, which
// prepares each statement once a connection; models serve the rest. Sequelize's errors carry SQL and parameters, so they
// are described here and never logged whole.
import type { Socket } from 'node:net';
import pg from 'pg';
import { BaseError, ConnectionError, DatabaseError, Sequelize, type Transaction } from 'sequelize';
import {
  clientLimits,
  DATABASE_LIMITS,
  type DatabaseLimits,
  KEEP_ALIVE_AFTER_MS,
  sessionLimits,
} from './database-limits.js';

export type { Transaction } from 'sequelize';

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
export function openDatabase({ url, poolMax, name, pooled = false, limits = {} }: DatabaseOptions): Sequelize {
  const all = { ...DATABASE_LIMITS, ...limits };
  transactionLimits = pooled ? all : undefined;
  sequelize = new Sequelize(url, {
    dialect: 'postgres',
    dialectModule: pg,
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

function keepAlive(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setKeepAlive(true, KEEP_ALIVE_AFTER_MS);
}

/** Connects one client of its own, for what needs a session: a migration, a long snapshot. The caller ends it. */
export async function connectClient(url: string, name: string, limits?: Partial<DatabaseLimits>): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name, ...sessionLimits(limits) });
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
export async function query<Row extends object>(sql: string, bind: unknown[], tx?: Transaction): Promise<Row[]> {
  if (tx) return run<Row>(connectionOf(tx), sql, bind);
  const { connectionManager } = db();
  const connection = (await connectionManager.getConnection({ type: 'write' } as never)) as Connection;
  try {
    return await run<Row>(connection, sql, bind);
  } finally {
    connectionManager.releaseConnection(connection);
  }
}

/** Sequelize's connections are the driver's clients; one that is marked is not handed out again. */
type Connection = pg.Client & { _invalid?: boolean };

function connectionOf(tx: Transaction): Connection {
  const { connection } = tx as unknown as { connection?: Connection };
  if (!connection) throw new Error('the transaction has ended');
  return connection;
}

async function run<Row extends object>(connection: Connection, text: string, values: unknown[]): Promise<Row[]> {
  try {
    // A prepared statement stays in its session, which behind a pooler is another client's a moment later.
    const name = transactionLimits ? {} : { name: statementName(text) };
    return (await connection.query<Row>({ ...name, text, values })).rows;
  } catch (error) {
    const failure = error as Error & { code?: unknown; sql?: string };
    // What Postgres did not say itself leaves the connection in an unknown state.
    if (!SQL_STATE.test(String(failure.code))) connection._invalid = true;
    throw new DatabaseError(Object.assign(failure, { sql: text }) as never);
  }
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
export async function inTransaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return db().transaction(async tx => {
    if (transactionLimits) await setLocally(transactionLimits, tx);
    return work(tx);
  });
}

async function setLocally({ statementMs, lockMs, idleInTransactionMs }: DatabaseLimits, tx: Transaction) {
  await query(
    `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
       set_config('idle_in_transaction_session_timeout', $3, true)`,
    [statementMs, lockMs, idleInTransactionMs].map(String),
    tx,
  );
}

/** SQLSTATE of a failed statement, or undefined where the failure was no statement's. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const parent = (error as Partial<DatabaseError>).parent as { code?: unknown } | undefined;
  return typeof parent?.code === 'string' && SQL_STATE.test(parent.code) ? parent.code : undefined;
}
// The system's own codes (EPIPE) have no digit.
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/u;

/** The violated constraint's name, for the caller that knows what it means. */
export function violatedConstraint(error: unknown): string | undefined {
  const parent = (error as Partial<DatabaseError>)?.parent as { constraint?: string } | undefined;
  return parent?.constraint;
}

// Connection exceptions, resources, operator intervention (a restart), and what a repeat may cure:
// serialisation failure, deadlock, lock timeout.
const TRANSIENT_STATES = /^(08...|53...|57P0[1-5]|40001|40P01|55P03|25P03)$/u;
const TRANSIENT_MESSAGES =
  /Connection terminated|Client has encountered a connection error|Query read timeout|ECONN|EPIPE/u;

/** Thrown inside a transaction that met another one's result and has to run again from its start. */
export class RepeatError extends Error {}

/** True where the same work may succeed a moment later: Postgres is away, or two transactions were in each other's way. */
export function isTransient(error: unknown): boolean {
  // Whatever it was that kept a connection from opening, the statement has not run.
  if (error instanceof ConnectionError || error instanceof RepeatError) return true;
  const state = sqlState(error);
  if (state !== undefined) return TRANSIENT_STATES.test(state);
  return error instanceof Error && TRANSIENT_MESSAGES.test(error.message);
}

/** Why Postgres could not be used, in its or the system's words: several addresses tried are one error without any. */
export function connectionFailure(error: unknown): string | null {
  const { errors, parent, code, message } = error as {
    errors?: unknown[];
    parent?: unknown;
    code?: unknown;
    message?: string;
  };
  const cause = error instanceof AggregateError ? errors?.[0] : error instanceof ConnectionError ? parent : undefined;
  if (cause !== undefined) return connectionFailure(cause) ?? String((cause as Error).message ?? cause);
  return CONNECTION_CODES.test(String(code)) || CONNECTION_MESSAGES.test(message ?? '') ? (message ?? null) : null;
}
// The system's codes; refused credentials, an unknown database, no slot left, starting up.
const CONNECTION_CODES = /^(E[A-Z]{4,}|28...|3D000|53300|57P0[1-3])$/u;
const CONNECTION_MESSAGES = /^(timeout expired|Connection terminated)/u;

/** What may be logged of an error: never a statement's parameters. */
export function describeError(error: unknown): {
  message: string;
  stack?: string | undefined;
  sqlState?: string | undefined;
} {
  if (!(error instanceof Error)) return { message: String(error) };
  const state = sqlState(error);
  if (!state?.startsWith('22')) {
    return { message: error.message, stack: error.stack, ...(state === undefined ? {} : { sqlState: state }) };
  }
  // Of a data exception Postgres quotes the value ("invalid input syntax for type date: ...").
  const message = error.message.replaceAll(/".*"/gsu, '"…"');
  const frames = error.stack?.slice(error.stack.search(/\n\s+at /u)) ?? '';
  return { message, stack: `${error.name}: ${message}${frames}`, sqlState: state };
}
