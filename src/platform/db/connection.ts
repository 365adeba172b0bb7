// The process's pool of Postgres connections and the ways to run SQL on it. Statements take bind
// values and are prepared once per connection. Clients are in pipeline mode: a transaction can send
// several statements before the first answer arrives. Models use the same connections (models.ts).
import type pg from 'pg';
import { ConnectionError, isAfterFailure } from '../postgres-errors.js';
import { LentClient, openSqlPool, ProductClient } from './client.js';
import {
  beginWith,
  DATABASE_LIMITS,
  type DatabaseLimits,
  LIST_LIMITS,
  LOOKUP_PLANS,
  limitSettings,
  SESSION_SETTINGS,
  SET_LOCALLY,
  type Settings,
  sessionLimits,
  type TransactionLimits,
} from './limits.js';

export interface DatabaseOptions {
  readonly url: string;
  readonly poolMax: number;
  /** Further connections, for lists. A process without them reads lists on the others. */
  readonly listsMax?: number;
  /** The application_name in pg_stat_activity. */
  readonly name: string;
  readonly lookupPlans?: boolean;
  /** True behind a pooler in transaction mode. A session then must not hold any state. */
  readonly pooled?: boolean;
  readonly limits?: Partial<DatabaseLimits>;
}

export interface Database {
  readonly pool: pg.Pool;
  /** The pool for lists (list-reads.ts): the same one, or one with a shorter statement limit. */
  readonly listPool: pg.Pool;
  /** How many connections lists have, which they share with other statements in some processes. */
  readonly listConnections: number;
  readonly options: DatabaseOptions;
  readonly limits: DatabaseLimits;
  /** Settings of each transaction. Without a pooler, sessions start with them. */
  readonly settings: Settings;
}

let opened: Database | undefined;

/** Opens the process's database and returns its pool. Connects on first use. */
export function openDatabase(options: DatabaseOptions): pg.Pool {
  const limits = { ...DATABASE_LIMITS, ...options.limits };
  const plans = options.lookupPlans ? LOOKUP_PLANS : {};
  const settings = { ...SESSION_SETTINGS, ...limitSettings(limits), ...plans };
  const { url, name, pooled } = options;
  const open = (max: number, started: Settings) =>
    openSqlPool({ url, name, max, settings: pooled ? null : started }, limits);
  const pool = open(options.poolMax, settings);
  const listSettings = { ...settings, ...limitSettings(LIST_LIMITS) };
  const { listsMax = 0 } = options;
  const listPool = listsMax > 0 ? open(listsMax, listSettings) : pool;
  const listConnections = listsMax > 0 ? listsMax : options.poolMax;
  opened = { pool, listPool, listConnections, options, limits, settings };
  return pool;
}

export function database(): Database {
  if (!opened) throw new Error('the database is not open: call openDatabase first');
  return opened;
}

/** Closes the process's database after the statements in flight. */
export async function closeDatabase(): Promise<void> {
  const closing = opened;
  opened = undefined;
  if (!closing) return;
  await Promise.all([...new Set([closing.pool, closing.listPool])].map(pool => pool.end()));
}

/**
 * Connects a client of its own for work that needs a session, such as a migration or a long
 * snapshot. The caller ends it.
 */
export async function connectClient(
  url: string,
  name: string,
  limits?: Partial<DatabaseLimits>,
): Promise<pg.Client> {
  const client = new ProductClient({
    connectionString: url,
    application_name: name,
    ...sessionLimits(limits),
  });
  await client.connect();
  return client;
}

/**
 * Runs one statement with $1… values and returns its rows, in the transaction if there is one. Each
 * text stays prepared in every connection, because planning often takes longer than running.
 */
export function query<Row extends object>(
  sql: string,
  bind: unknown[],
  tx?: Transaction,
): Promise<Row[]> {
  return tx ? tx.query<Row>(sql, bind) : runAlone(client => client.query<Row>(sql, bind));
}

/** Runs a statement that returns at most one row, like `query`. Returns the row, or null. */
export async function queryOne<Row extends object>(
  sql: string,
  bind: unknown[],
  tx?: Transaction,
): Promise<Row | null> {
  const [row] = await query<Row>(sql, bind, tx);
  return row ?? null;
}

/**
 * Runs one statement outside of a transaction. A pooler's sessions have none of the product's
 * settings, so behind one the statement gets a transaction that sets them, in the same round trip.
 */
export async function runAlone<Result>(
  statement: (client: LentClient) => Promise<Result>,
): Promise<Result> {
  if (!database().options.pooled) return withClient(statement);
  return withTransaction(async (begun, tx, client) => {
    tx.end();
    const answer = statement(client);
    for (const outcome of await Promise.allSettled([begun, answer, commit(client)]))
      if (outcome.status === 'rejected') throw outcome.reason;
    return answer;
  });
}

/**
 * Runs `work` in one transaction at READ COMMITTED. Rejects with its first failure, after ROLLBACK.
 * If the answer to COMMIT is lost, the outcome is unknown. A transaction of a web process that
 * writes a company's rows needs a turn: see companies/write-turns.ts.
 */
export function inTransaction<Result>(
  work: (tx: Transaction) => Promise<Result>,
  limits: TransactionLimits = {},
): Promise<Result> {
  return withTransaction(async (begun, tx, client) => {
    await begun;
    const result = await work(tx);
    tx.end();
    await commit(client, tx);
    return result;
  }, limitSettings(limits));
}

/**
 * Like `inTransaction`, in two round trips: BEGIN with the statements of `read`, then the ones of
 * `write` with COMMIT. `write` starts when BEGIN and `read` have succeeded, and must send all its
 * statements before it awaits anything: COMMIT follows them at once. If one of them fails, Postgres
 * answers COMMIT with a rollback. Until then it may throw to roll back.
 */
export function inPipeline<Found, Result>(
  read: (tx: Transaction) => Promise<Found>,
  write: (found: Found, tx: Transaction) => Promise<Result>,
  limits: TransactionLimits = {},
  pool = database().pool,
): Promise<Result> {
  return withTransaction(
    async (begun, tx, client) => {
      const [found] = await Promise.all([read(tx), begun]);
      const sent = client.together(() => {
        const writing = write(found, tx);
        tx.end();
        return [writing, commit(client, tx)] as const;
      });
      const [written, committed] = await Promise.allSettled(sent);
      if (written.status === 'rejected') throw written.reason;
      if (committed.status === 'rejected') throw committed.reason;
      return written.value;
    },
    limitSettings(limits),
    pool,
  );
}

/** Sends BEGIN, and ROLLBACK if `work` fails. */
function withTransaction<Result>(
  work: (begun: Promise<unknown>, tx: Transaction, client: LentClient) => Promise<Result>,
  own: Settings = {},
  pool = database().pool,
): Promise<Result> {
  return withClient(async client => {
    const tx = new Transaction(client);
    try {
      // If BEGIN fails, the reads already sent ran in autocommit and hold no locks.
      return await client.together(() => work(begin(own, client), tx, client));
    } catch (error) {
      tx.end();
      // Answered after all that was sent before. If it fails, the connection is lost.
      await client.command('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }, pool);
}

async function commit(client: LentClient, tx?: Transaction): Promise<void> {
  const answer = await client.command('COMMIT');
  if (answer !== 'COMMIT') throw new Error(`COMMIT was answered with ${answer}`);
  for (const callback of tx?.afterCommit ?? []) callback();
}

/** Sends BEGIN with the settings, and behind a pooler with those that its sessions do not have. */
function begin(own: Settings, client: LentClient): Promise<unknown> {
  const { options, settings } = database();
  return client.command(beginWith(options.pooled ? { ...settings, ...own } : own));
}

/** An open transaction. */
export class Transaction {
  readonly #lent: LentClient;
  #firstFailure: unknown;
  #hasEnded = false;
  /** Called once COMMIT has succeeded. They must not throw. */
  readonly afterCommit: (() => void)[] = [];

  constructor(lent: LentClient) {
    this.#lent = lent;
  }

  get client(): pg.Client {
    return this.#lent.client;
  }

  query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return this.#send(() => this.#lent.query<Row>(text, values));
  }

  /** Runs a statement that is not worth preparing, such as a model's. */
  run(text: string, values: unknown[]): Promise<pg.QueryResult> {
    return this.#send(() => this.#lent.run(text, values));
  }

  async #send<Result>(statement: () => Promise<Result>): Promise<Result> {
    // The client may already serve another caller.
    if (this.#hasEnded) throw new Error('the transaction has ended');
    try {
      return await statement();
    } catch (error) {
      this.#firstFailure ??= error;
      throw isAfterFailure(error) ? this.#firstFailure : error;
    }
  }

  /** Changes settings for the rest of the transaction. */
  set(settings: Settings): Promise<unknown> {
    return this.query(SET_LOCALLY, [Object.keys(settings), Object.values(settings)]);
  }

  /** Refuses further statements. */
  end(): void {
    this.#hasEnded = true;
  }
}

/** Throws ConnectionError, and nothing has been sent, if no connection is free or opens in time. */
export async function withClient<Result>(
  work: (client: LentClient) => Promise<Result>,
  pool = database().pool,
): Promise<Result> {
  const { options } = database();
  const client = await pool.connect().catch(error => {
    throw new ConnectionError(error);
  });
  // A prepared statement belongs to its session, which a pooler lends to another client next.
  const lent = new LentClient(client, !options.pooled);
  try {
    return await work(lent);
  } finally {
    client.release(lent.brokenBy ?? lent.isFull);
  }
}
