// What the faults are done to: an own Postgres, an own redis-server, and the product's processes, each started again by
// a plain supervisor when it ends, as in production.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { type Cluster, openCluster } from '../../src/embedded-postgres/cluster.js';
import { findServer, startServer } from '../../src/embedded-postgres/server.js';
import { migrate } from '../../src/platform/db/migrate.js';
import {
  cleanEnvironment,
  freePort,
  type RedisServer,
  ROOT,
  startRedis,
  temporaryDirectory,
  until,
} from '../support/processes.js';
import type { Mode } from '../support/suite.js';
import { mountSmallDisk, type SmallDisk } from './small-disk.js';

const SCRIPTS = {
  web: 'dist/src/server.js',
  worker: 'dist/workers/main.js',
  scheduler: 'dist/workers/scheduler.js',
};
export type Type = keyof typeof SCRIPTS;
const RESTART_MS = 300;
const BOOT_TIMEOUT_MS = 60_000;

interface Managed {
  readonly name: string;
  readonly type: Type;
  readonly env: Record<string, string>;
  child: ChildProcess;
  /** What a fault adds to its environment at the next start. */
  extra: Record<string, string>;
  ready: boolean;
}

export interface StageOptions {
  readonly mode: Mode;
  readonly webs: number;
  readonly workers: number;
  readonly schedulers: number;
  /** Keep the database on a small disk, which a fault may fill. */
  readonly smallDisk: boolean;
  /** Called with every line that a process writes. */
  readonly onLine: (name: string, line: string) => void;
}

/** Something happened to a process, from which what it had in hand has to recover. */
export interface Disturbance {
  readonly what: string;
  readonly at: number;
}

export class Stage {
  readonly mode: Mode;
  readonly openedAt = Date.now();
  readonly webPorts: number[] = [];
  redis: RedisServer | null = null;
  databaseUrl = '';
  readonly #options: StageOptions;
  readonly #managed = new Map<string, Managed>();
  #cluster: Cluster | undefined;
  #removeData: () => Promise<void> = async () => undefined;
  /** The share of requests whose client hangs up in the middle. */
  hangUpShare = 0.02;
  readonly disturbances: Disturbance[] = [];
  /** False while several faults are at work: then nobody can tell which one an answer waited for. */
  isMeasured = true;
  readonly #kills = new Map<string, number>();
  #disk: SmallDisk | undefined;
  readonly #pauses: { readonly port: number; readonly from: number; to: number }[] = [];
  #closing = false;

  constructor(options: StageOptions) {
    this.#options = options;
    this.mode = options.mode;
  }

  async open(): Promise<void> {
    const { path, remove } = await temporaryDirectory();
    this.#removeData = remove;
    if (this.#options.smallDisk) this.#disk = mountSmallDisk(path);
    this.#cluster = await openCluster({ dataDir: path, say: () => undefined });
    await this.startPostgres();
    const { port } = (await findServer(this.#cluster.dir)) ?? { port: 0 };
    this.databaseUrl = `postgres://tradepost:${this.#cluster.password}@127.0.0.1:${port}/postgres`;
    if (this.mode === 'redis') this.redis = await startRedis();
    await migrate({ databaseUrl: this.databaseUrl, queueInPostgres: this.mode === 'postgres' });
    const base = {
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: path,
      LOG_LEVEL: 'info',
      ...(this.redis ? { REDIS_URL: this.redis.url } : {}),
    };
    const count = {
      web: this.#options.webs,
      worker: this.#options.workers,
      scheduler: this.#options.schedulers,
    };
    for (const type of ['web', 'worker', 'scheduler'] as const) {
      for (let index = 1; index <= count[type]; index += 1) {
        const port = type === 'web' ? await freePort() : 0;
        if (type === 'web') this.webPorts.push(port);
        this.#launch({
          name: `${type}.${index}`,
          type,
          env: { ...base, PORT: String(port), HOST: '127.0.0.1' },
          extra: {},
        });
      }
    }
    await this.allReady();
  }

  async close(): Promise<void> {
    this.#closing = true;
    const children = [...this.#managed.values()].map(({ child }) => child);
    for (const child of children) child.kill('SIGCONT');
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map(child => ended(child)));
    await this.redis?.stop('SIGKILL');
    if (this.#cluster && (await findServer(this.#cluster.dir))) await this.stopPostgres('SIGINT');
    this.#disk?.unmount();
    await this.#removeData();
  }

  /** Every process is up and has said that it is ready. */
  async allReady(): Promise<void> {
    await until(
      'every process is ready',
      async () => [...this.#managed.values()].every(({ ready }) => ready),
      BOOT_TIMEOUT_MS,
    );
  }

  names(type: Type): string[] {
    return [...this.#managed.values()]
      .filter(managed => managed.type === type)
      .map(({ name }) => name);
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.#managed.get(name)?.child.kill(signal);
  }

  /** Stops a process's clockwork for a while. What is sent to it meanwhile cannot be answered in time. */
  async freeze(name: string, seconds: number): Promise<void> {
    const pause = {
      port: Number(this.#managed.get(name)?.env.PORT),
      from: Date.now(),
      to: Number.POSITIVE_INFINITY,
    };
    this.#pauses.push(pause);
    this.signal(name, 'SIGSTOP');
    this.disturbed(`${this.#managed.get(name)?.type} stopped`);
    await new Promise(resolve => setTimeout(resolve, seconds * 1000));
    this.signal(name, 'SIGCONT');
    pause.to = Date.now();
  }

  /** True where the web process at this port was frozen at some moment between the two. */
  wasFrozen(port: number, from: number, to: number): boolean {
    return this.#pauses.some(pause => pause.port === port && pause.from <= to && pause.to >= from);
  }

  /** True where the process does not run because of a SIGSTOP. */
  isFrozen(name: string): boolean {
    const pid = String(this.#managed.get(name)?.child.pid);
    return spawnSync('ps', ['-o', 'state=', '-p', pid], { encoding: 'utf8' })
      .stdout.trim()
      .startsWith('T');
  }

  /** How often this process was killed. */
  kills(name: string): number {
    return this.#kills.get(name) ?? 0;
  }

  /** Notes a moment from which on recovery is measured. */
  disturbed(what: string): void {
    if (this.isMeasured) this.disturbances.push({ what, at: Date.now() });
  }

  fillDisk(): void {
    this.#disk?.fill();
  }

  freeDisk(): void {
    this.#disk?.free();
  }

  /** Ends a process; the supervisor starts it again, with this added to its environment that one time. */
  async restart(
    name: string,
    signal: NodeJS.Signals,
    extra: Record<string, string> = {},
  ): Promise<void> {
    const managed = this.#managed.get(name);
    if (!managed) return;
    managed.extra = extra;
    managed.ready = false;
    managed.child.kill(signal);
    await ended(managed.child);
  }

  /** Starts the server where none runs. */
  async startPostgres(): Promise<void> {
    if (!this.#cluster) throw new Error('there is no cluster');
    const cluster = this.#cluster;
    let failure: string | null = null;
    const starts = async () => {
      failure = (await findServer(cluster.dir)) ? null : await startServer(cluster);
      return failure === null;
    };
    await until('Postgres starts', starts, BOOT_TIMEOUT_MS).catch(error => {
      throw new Error(`${error.message}: ${failure}`);
    });
  }

  /** Ends the postmaster: SIGINT fast, SIGQUIT immediate, SIGKILL. */
  async stopPostgres(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const server = this.#cluster && (await findServer(this.#cluster.dir));
    if (!server) return;
    process.kill(server.pid, signal);
    await until('Postgres is gone', async () => !isAlive(server.pid));
  }

  /** Runs a statement, again and again where Postgres is the fault of the moment. */
  async query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const deadline = Date.now() + BOOT_TIMEOUT_MS;
    for (;;) {
      try {
        return await this.#queryOnce<Row>(sql, values);
      } catch (error) {
        if (Date.now() > deadline || error instanceof SyntaxError) throw error;
        await new Promise(resolve => setTimeout(resolve, 250));
      }
    }
  }

  /** True where Postgres takes statements. */
  answers(): Promise<boolean> {
    return this.#queryOnce('SELECT 1', []).then(
      () => true,
      () => false,
    );
  }

  async #queryOnce<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  #launch({ name, type, env, extra }: Omit<Managed, 'child' | 'ready'>): void {
    const child = spawn(process.execPath, [join(ROOT, SCRIPTS[type])], {
      cwd: ROOT,
      env: cleanEnvironment({ ...env, ...extra }),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const managed: Managed = { name, type, env, extra: {}, child, ready: false };
    this.#managed.set(name, managed);
    child.once('message', () => {
      managed.ready = true;
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.split('\n')) if (line !== '') this.#options.onLine(name, line);
      });
    }
    child.once('exit', (_code, signal) => {
      managed.ready = false;
      if (signal === 'SIGKILL') {
        this.#kills.set(name, this.kills(name) + 1);
        this.disturbed(`${type} killed`);
      }
      if (!this.#closing)
        setTimeout(
          () => this.#closing || this.#launch({ name, type, env, extra: managed.extra }),
          RESTART_MS,
        );
    });
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise(resolve => child.once('exit', () => resolve()));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
