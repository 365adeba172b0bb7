// The system that faults are done to: its own Postgres and redis-server, and the product's
// processes under a supervisor.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Cluster } from '../../src/embedded-postgres/cluster.js';
import { findServer, startServer } from '../../src/embedded-postgres/server.js';
import { migrate } from '../../src/platform/db/migrate.js';
import type { TestCompany } from '../support/factories.js';
import { freePort, type ProcessType, temporaryDirectory, until } from '../support/processes.js';
import { type RedisServer, startRedis } from '../support/redis-server.js';
import type { Mode } from '../support/suite.js';
import { openTestCluster, type ServerKind } from '../support/test-cluster.js';
import type { Bystanders } from './bystanders.js';
import { PROCESSES } from './fault.js';
import { History } from './history.js';
import type { LedgerKind } from './ledger-writes.js';
import { mountSmallDisk, type SmallDisk } from './small-disk.js';
import { Supervisor } from './supervisor.js';
import { Targets } from './targets.js';

const START_TIMEOUT_MS = 60_000;
const QUERY_RETRY_MS = 250;
/** The share of requests whose client hangs up while no fault raises it. */
export const USUAL_HANG_UP_SHARE = 0.02;

export interface SystemOptions {
  readonly mode: Mode;
  /** Which programs run Postgres; the embedded ones by default. */
  readonly postgres?: ServerKind;
  /** How many processes of each type. */
  readonly counts: Readonly<Record<ProcessType, number>>;
  /** Puts the database on a small disk, which a fault can fill. */
  readonly smallDisk: boolean;
  /** Receives every line that a process writes. */
  readonly onLine: (name: string, line: string) => void;
}

export class System {
  readonly mode: Mode;
  readonly openedAt = Date.now();
  readonly webPorts: number[] = [];
  readonly history = new History();
  readonly processes: Supervisor;
  /** Present once the companies of the load exist. */
  bystanders: Bystanders | undefined;
  redis: RedisServer | null = null;
  databaseUrl = '';
  hangUpShare = USUAL_HANG_UP_SHARE;
  readonly targets = new Targets();
  /** For which the clients of the load write. */
  companies: readonly TestCompany[] = [];
  /** The only kinds that clients write while a fault concerns them; null: all kinds. */
  ledgerKinds: readonly LedgerKind[] | null = null;
  readonly #options: SystemOptions;
  #cluster: Cluster | undefined;
  #disk: SmallDisk | undefined;
  #removeData: () => Promise<void> = async () => undefined;

  constructor(options: SystemOptions) {
    this.#options = options;
    this.mode = options.mode;
    this.processes = new Supervisor(this.history, options.onLine);
  }

  async open(): Promise<void> {
    const { path, remove } = await temporaryDirectory();
    this.#removeData = remove;
    if (this.#options.smallDisk) this.#disk = mountSmallDisk(path);
    this.#cluster = await openTestCluster(this.#options.postgres ?? 'embedded', path);
    await this.startPostgres();
    const { port } = (await findServer(this.#cluster.dir)) ?? { port: 0 };
    this.databaseUrl = `postgres://tradepost:${this.#cluster.password}@127.0.0.1:${port}/postgres`;
    if (this.mode === 'redis') this.redis = await startRedis();
    await migrate({ databaseUrl: this.databaseUrl, queueInPostgres: this.mode === 'postgres' });
    const env = {
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: path,
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      ...(this.redis ? { REDIS_URL: this.redis.url } : {}),
    };
    for (const type of PROCESSES) {
      for (let index = 1; index <= this.#options.counts[type]; index += 1) {
        const webPort = type === 'web' ? await freePort() : 0;
        if (type === 'web') this.webPorts.push(webPort);
        this.processes.start(`${type}.${index}`, type, { ...env, PORT: String(webPort) });
      }
    }
    await this.processes.allReady();
  }

  async close(): Promise<void> {
    await this.processes.stopAll();
    await this.redis?.stop('SIGKILL');
    if (this.#cluster && (await findServer(this.#cluster.dir))) await this.stopPostgres('SIGINT');
    this.#disk?.unmount();
    await this.#removeData();
  }

  fillDisk(): void {
    this.#disk?.fill();
  }

  freeDisk(): void {
    this.#disk?.free();
  }

  /** Starts Postgres unless it runs. */
  async startPostgres(): Promise<void> {
    const cluster = this.#cluster;
    if (!cluster) throw new Error('the system is not open');
    let problem: string | null = null;
    await until(
      () => `Postgres starts: ${problem}`,
      async () => {
        problem = (await findServer(cluster.dir)) ? null : await startServer(cluster);
        return problem === null;
      },
      START_TIMEOUT_MS,
    );
  }

  /** Ends Postgres: SIGINT is a fast shutdown, SIGQUIT an immediate one. */
  async stopPostgres(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const server = this.#cluster && (await findServer(this.#cluster.dir));
    if (!server) return;
    process.kill(server.pid, signal);
    await until('Postgres has ended', async () => !isAlive(server.pid));
  }

  /** Runs a statement, and retries it while a fault makes Postgres unavailable. */
  async query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        return await this.#queryOnce<Row>(sql, values);
      } catch (error) {
        if (Date.now() > deadline || error instanceof SyntaxError) throw error;
        await delay(QUERY_RETRY_MS);
      }
    }
  }

  /** True if Postgres accepts statements. */
  isPostgresUp(): Promise<boolean> {
    return this.#queryOnce('SELECT 1', []).then(
      () => true,
      () => false,
    );
  }

  /** Runs work on a connection of its own, which no fault of connections may hit. */
  async withClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  #queryOnce<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
    return this.withClient(async client => (await client.query<Row>(sql, values)).rows);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
