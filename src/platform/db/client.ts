// The Postgres client of every pool and single connection, and a client of a pool while one piece
// of work uses it.
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { leavesConnectionUsable } from '../postgres-errors.js';
import {
  clientLimits,
  type DatabaseLimits,
  SESSION_SETTINGS,
  type Settings,
  startOptions,
} from './limits.js';

const IDLE_TIMEOUT_MS = 30_000;
/** The driver's message for a statement on a connection that it knows to be lost. */
const NOT_SENT = /is not queryable$/u;

interface SessionOptions {
  /**
   * The session starts with SESSION_SETTINGS and these. Null behind a pooler, which refuses
   * settings at the start of a session: each transaction then has to set them.
   */
  readonly settings?: Settings | null;
}

/**
 * The client of every session of the product.
 *
 * It always has a listener for `error`. Postgres may end a connection at any moment, even before
 * the code that asked for it can listen, and without a listener the event would end the process.
 * The statement in flight or the next one rejects, so nothing is missed.
 */
export class ProductClient extends pg.Client {
  /** Why the connection was lost, in Postgres's own words if it said why. */
  lostBy: Error | undefined;

  constructor({ settings = {}, ...config }: pg.ClientConfig & SessionOptions) {
    super(config);
    this.on('error', error => {
      this.lostBy ??= error;
    });
    if (settings === null) return;
    // The driver has read the operator's own options from the URL. The last of two values holds.
    const { connectionParameters } = this as unknown as {
      connectionParameters: { options?: string | undefined };
    };
    const own = startOptions({ ...SESSION_SETTINGS, ...settings });
    connectionParameters.options = `${connectionParameters.options ?? ''} ${own}`;
  }
}

/** A client that prepares each statement with values, for a library that does not. */
export class PreparingClient extends ProductClient {
  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args;
    const isPreparable = typeof text === 'string' && Array.isArray(values);
    const prepared = isPreparable ? [{ name: statementName(text), text, values }, ...rest] : args;
    return (super.query as (...args: unknown[]) => never).apply(this, prepared);
  }
}

/** A pool of clients. `onLost` is called for a connection that is lost while it is idle. */
export function openPool(
  {
    Client = ProductClient,
    ...options
  }: Omit<pg.PoolConfig, 'Client'> & SessionOptions & { Client?: typeof ProductClient },
  onLost: (error: Error) => void = () => undefined,
): pg.Pool {
  const pool = new pg.Pool({ ...options, Client: Client as never });
  pool.on('error', onLost);
  return pool;
}

/** A pool for the statements of this process. */
export function openSqlPool(
  { url, name, ...options }: { url: string; name: string; max: number } & SessionOptions,
  limits: DatabaseLimits,
): pg.Pool {
  const types = new pg.TypeOverrides();
  // A date as text: the driver would make it an instant in this process's time zone.
  types.setTypeParser(pg.types.builtins.DATE, text => text);
  return openPool({
    ...options,
    connectionString: url,
    application_name: name,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    pipeline: true,
    types,
    // No statement depends on the server's own time zone. A pooler keeps track of this setting.
    onConnect: client => client.query(`SET TIME ZONE 'UTC'`),
    ...clientLimits(limits),
  });
}

/** A client that the pool lends for one piece of work. */
export class LentClient {
  /** The error after which the client must not be reused. */
  brokenBy: Error | undefined;
  readonly client: pg.PoolClient;
  readonly #prepares: boolean;

  constructor(client: pg.PoolClient, prepares: boolean) {
    this.client = client;
    this.#prepares = prepares;
  }

  async query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    const statement = this.#prepares
      ? { name: this.#prepared(text), text, values }
      : { text, values };
    return (await this.#send<Row>(statement)).rows;
  }

  /** Runs a statement without preparing it, for texts that have their values in them. */
  run(text: string, values: unknown[]): Promise<pg.QueryResult> {
    return this.#send({ text, values });
  }

  /** True once the session holds so many prepared statements that a new one should replace it. */
  get isFull(): boolean {
    return (preparedBy.get(this.client)?.size ?? 0) >= PREPARED_MAX;
  }

  #prepared(text: string): string {
    const name = statementName(text);
    const names = preparedBy.get(this.client) ?? new Set();
    preparedBy.set(this.client, names.add(name));
    return name;
  }

  /** Sends the statements that `send` sends before it awaits anything in one packet. */
  together<Result>(send: () => Result): Result {
    const { stream } = this.client.connection;
    stream.cork();
    try {
      return send();
    } finally {
      stream.uncork();
    }
  }

  /** Runs a command without values and returns its tag, such as COMMIT. */
  async command(text: string): Promise<string> {
    return (await this.#send({ text })).command;
  }

  async #send<Row extends object>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    try {
      return await this.client.query<Row>(statement);
    } catch (thrown) {
      const error = this.#reasonOf(thrown as Error);
      if (!leavesConnectionUsable(error)) this.brokenBy = error;
      throw error;
    }
  }

  /** For a statement that was not sent, why the connection had been lost before. */
  #reasonOf(error: Error): Error {
    const { lostBy } = this.client as pg.PoolClient & Partial<ProductClient>;
    return NOT_SENT.test(error.message) ? (lostBy ?? error) : error;
  }
}

/**
 * A session keeps a prepared statement of some 30 KB until it ends. The product's own statements
 * are fewer than this; lists with many different combinations of filters are more.
 */
const PREPARED_MAX = 200;
const preparedBy = new WeakMap<pg.PoolClient, Set<string>>();

/** A name stands for one text for ever: a session may have prepared it. */
const statementNames = new LRUCache<string, string>({ max: 1_000 });
let nameCount = 0;

function statementName(text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  nameCount += 1;
  const name = `tradepost_${nameCount}`;
  statementNames.set(text, name);
  return name;
}
