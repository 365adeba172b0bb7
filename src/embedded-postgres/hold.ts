// The embedded PostgreSQL in `<dataDir>/postgres`, for a machine with nothing but Node. Several
// processes share one server. Each holder keeps a connection open, and these connections are the
// count of holders, so a killed holder no longer counts. The server outlives a crash of its
// holders, and the next holder finds and adopts it.
import * as fs from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { ProductClient } from '../platform/db/client.js';
import { EmbeddedPostgresError } from './binaries.js';
import { CLUSTER_USER, type Cluster, type ClusterOptions, openCluster } from './cluster.js';
import { findServer, startServer, stopServer } from './server.js';

export { EmbeddedPostgresError };

export type HoldOptions = ClusterOptions;

export interface EmbeddedPostgres {
  /** postgres://… URL of the database `tradepost`, user `tradepost`. */
  readonly url: string;
  /** Resolves if the server dies while held: the holder may hold it again. Not after release(). */
  readonly lost: Promise<void>;
  /** Idempotent. The last holder stops the server and waits until it is down. */
  release(): Promise<void>;
}

const DATABASE = 'tradepost';
const HOLDER = 'tradepost-holder';
const LEAVING = 'tradepost-leaving';
/** Counting the holders and stopping the server are one step under this lock; any unused number. */
const HOLDERS_LOCK = 7_264_918_350_117;
/** Waits for another process's start or stop, and until a killed server's memory is released. */
const HOLD_DEADLINE_MS = 30_000;
const RETRY_MS = 100;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Starts the server of `dataDir`, or joins the running one, and holds it. Any number of processes
 * may call this at once. Handles a server left by a crash, a partial directory and a stale lock
 * file. Throws EmbeddedPostgresError for a problem that only a person can fix.
 */
export async function holdEmbeddedPostgres(options: HoldOptions): Promise<EmbeddedPostgres> {
  try {
    const cluster = await openCluster(options);
    const { client, port } = await reachServer(cluster);
    return makeHold(cluster, client, port);
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (error instanceof EmbeddedPostgresError || !code || !path) throw error;
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL cannot use ${path} (${message}): check its owner, its permissions ` +
        'and the free space, or set DATABASE_URL.',
      { cause: error },
    );
  }
}

/** Retries during another process's start, stop or crash until this process holds a connection. */
async function reachServer(cluster: Cluster): Promise<{ client: pg.Client; port: number }> {
  const deadline = Date.now() + HOLD_DEADLINE_MS;
  for (;;) {
    const server = await findServer(cluster.dir);
    const outcome = server ? await connectHolder(cluster, server.port) : await startServer(cluster);
    if (server && outcome instanceof ProductClient) return { client: outcome, port: server.port };
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL in ${cluster.dir}${server ? ` (process ${server.pid})` : ''} is not ready ` +
          `after ${HOLD_DEADLINE_MS / 1000} s (${outcome}): see ${cluster.logFile}, ` +
          'then try again.',
      );
    }
    if (outcome !== null) await delay(RETRY_MS);
  }
}

/** The holder's connection; null to retry at once, or the reason to wait before a retry. */
async function connectHolder(cluster: Cluster, port: number): Promise<pg.Client | string | null> {
  const client = makeClient(cluster, port, DATABASE);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const served = rows[0]?.data_directory ?? '';
    if ((await fs.realpath(served)) !== cluster.dir)
      throw new Error(`port ${port} serves ${served}`);
    // Waits for a holder that is counting. If that one stops the server, this fails and is retried.
    await client.query('SELECT pg_advisory_lock($1)', [HOLDERS_LOCK]);
    await client.query('SELECT pg_advisory_unlock($1)', [HOLDERS_LOCK]);
    return client;
  } catch (error) {
    client.end().catch(() => {});
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === '3D000') return createDatabase(cluster, port);
    if (code !== '28P01') return message;
    throw new EmbeddedPostgresError(
      `PostgreSQL in ${cluster.dir} rejects the password in ${cluster.passwordFile}: correct the ` +
        'file, or set DATABASE_URL.',
    );
  }
}

async function createDatabase(cluster: Cluster, port: number): Promise<string | null> {
  const client = makeClient(cluster, port, 'postgres');
  try {
    await client.connect();
    await client.query(`CREATE DATABASE ${DATABASE}`);
    return null;
  } catch (error) {
    return (error as Error).message; // Usually another process is creating it; the caller retries.
  } finally {
    client.end().catch(() => {});
  }
}

function makeClient({ password }: Cluster, port: number, database: string): pg.Client {
  return new ProductClient({
    host: '127.0.0.1',
    port,
    user: CLUSTER_USER,
    password,
    database,
    ssl: false,
    application_name: database === DATABASE ? HOLDER : CLUSTER_USER,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
}

function makeHold(cluster: Cluster, client: pg.Client, port: number): EmbeddedPostgres {
  let released: Promise<void> | undefined;
  const lost = new Promise<void>(resolveLost => {
    client.once('end', () => {
      if (!released) resolveLost();
    });
  });
  return {
    url: `postgres://${CLUSTER_USER}:${cluster.password}@127.0.0.1:${port}/${DATABASE}`,
    lost,
    release: () => {
      released ??= release(cluster, client);
      return released;
    },
  };
}

async function release(cluster: Cluster, client: pg.Client): Promise<void> {
  try {
    if (await isLastHolder(client)) await stopServer(cluster);
  } finally {
    await client.end();
  }
}

/** If true, the lock stays held: a new holder waits, is disconnected and restarts the server. */
async function isLastHolder(client: pg.Client): Promise<boolean> {
  try {
    // Rename first: of two holders that leave together, each must see that the other one leaves.
    await client.query(`SET application_name = '${LEAVING}'`);
    await client.query('SELECT pg_advisory_lock($1)', [HOLDERS_LOCK]);
    const { rowCount } = await client.query(
      'SELECT FROM pg_stat_activity WHERE application_name = $1',
      [HOLDER],
    );
    return rowCount === 0;
  } catch {
    return false; // The server ended, or another holder is stopping it.
  }
}
