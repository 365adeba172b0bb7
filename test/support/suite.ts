// Stores and stacks for tests. A stack is one process on a database of its own, which does the work
// of web, worker and scheduler; for tests that need real processes it is one of each. A shared
// stack is made for the first test that asks for it and lives until all tests of this mocha process
// have run; a test's own ends with its outermost `describe`.
import { randomBytes } from 'node:crypto';
import type { Suite } from 'mocha';
import pg from 'pg';
import { openDatabase } from '../../src/platform/db/connection.js';
import { COMMAND_LIMITS } from '../../src/platform/db/limits.js';
import { migrate } from '../../src/platform/db/migrate.js';
import { takeFindings } from './canary.js';
import { type PostgresServer, SERVER_VARIABLE, startServer } from './postgres-server.js';
import {
  lastWarnings,
  type ProcessType,
  type RunningProcess,
  startProcess,
  startStackProcess,
  temporaryDirectory,
} from './processes.js';
import { hasRedisServer, REDIS_MISSING, type RedisServer, startRedis } from './redis-server.js';

export type Mode = 'postgres' | 'redis';
export const MODES: readonly Mode[] = ['postgres', 'redis'];

export interface Stores {
  readonly mode: Mode;
  readonly databaseUrl: string;
  readonly redis: RedisServer | null;
  /** The environment of a process on these stores. */
  readonly env: Record<string, string>;
  sql<Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<Row[]>;
}

export interface Stack extends Stores {
  /** The process that listens. The other work is in it too, except in `Processes`. */
  readonly web: RunningProcess;
  readonly baseUrl: string;
}

/** A stack of real processes. */
export interface Processes extends Stack {
  readonly worker: RunningProcess;
  readonly scheduler: RunningProcess;
}

type Release = () => Promise<unknown>;
/** Released when the outermost `describe` that is running ends. */
const ownReleases: Release[] = [];
/** Released when all tests of this mocha process have run. */
const sharedReleases: Release[] = [];
let databaseCount = 0;
let serverUrl: Promise<string> | undefined;
const stacks = new Map<Mode, Promise<Stack>>();
const templates = new Map<Mode, Promise<string>>();

/** Registers a release for the end of the outermost `describe`. The last one runs first. */
export function atEnd(release: Release): void {
  ownReleases.push(release);
}

/** Makes something that is released only when all tests of this process have run. */
export async function forAllTests<Made>(make: () => Promise<Made>): Promise<Made> {
  const before = ownReleases.length;
  const result = await make();
  sharedReleases.push(...ownReleases.splice(before));
  return result;
}

/** A new migrated database, and a new Redis in that mode; on the given server, else the suite's. */
export async function makeStores(mode: Mode, ownServerUrl?: string): Promise<Stores> {
  const databaseUrl = ownServerUrl
    ? await makeMigrated(ownServerUrl, mode)
    : await copyTemplate(await suiteServerUrl(), mode);
  const redis = mode === 'redis' ? await startRedis() : null;
  if (redis) atEnd(() => redis.stop());
  const { path, remove } = await temporaryDirectory();
  atEnd(remove);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  pool.on('error', () => undefined);
  atEnd(() => pool.end());
  return {
    mode,
    databaseUrl,
    redis,
    env: {
      DATABASE_URL: databaseUrl,
      DATA_DIR: path,
      SESSION_SECRET: randomBytes(24).toString('hex'),
      METRICS_TOKEN: randomBytes(24).toString('hex'),
      WEBHOOK_ALLOW: '127.0.0.0/8,::1/128',
      ...(redis ? { REDIS_URL: redis.url } : {}),
    },
    sql: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
  };
}

/** Copying a migrated database takes a fraction of the time of migrating an empty one. */
async function copyTemplate(onServer: string, mode: Mode): Promise<string> {
  const template = templates.get(mode) ?? makeMigrated(onServer, mode);
  templates.set(mode, template);
  return createDatabase(onServer, mode, new URL(await template).pathname.slice(1));
}

async function makeMigrated(onServer: string, mode: Mode): Promise<string> {
  const databaseUrl = await createDatabase(onServer, mode);
  await migrate({ databaseUrl, queueInPostgres: mode === 'postgres' });
  return databaseUrl;
}

async function createDatabase(onServer: string, mode: Mode, template = 'template1') {
  databaseCount += 1;
  // The mocha processes of a run share a server.
  const name = `test_${mode}_${databaseCount}_${process.pid}`;
  const client = new pg.Client({ connectionString: onServer });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  await client.end();
  return Object.assign(new URL(onServer), { pathname: `/${name}` }).toString();
}

/**
 * Starts a process, or one for several of them, that ends with the outermost `describe` at the
 * latest.
 */
export async function startForTests(
  type: ProcessType | readonly ProcessType[],
  env: Record<string, string>,
): Promise<RunningProcess> {
  const running = await (typeof type === 'string'
    ? startProcess(type, env)
    : startStackProcess(type, env));
  atEnd(() => running.stop());
  return running;
}

/** One process for all work, or for that of these types, on stores of its own. */
export async function makeStack(
  mode: Mode,
  types: readonly ProcessType[] = ['web', 'worker', 'scheduler'],
): Promise<Stack> {
  const stores = await makeStores(mode);
  const web = await startForTests(types, stores.env);
  return { ...stores, web, baseUrl: `http://127.0.0.1:${web.port}` };
}

/** A worker that a test may kill, beside one process for the other work, on stores of their own. */
export async function makeWithWorker(
  mode: Mode,
  settings: Record<string, string> = {},
): Promise<Omit<Processes, 'scheduler'>> {
  const stores = await makeStores(mode);
  const env = { ...stores.env, ...settings };
  const [web, worker] = await Promise.all([
    startForTests(['web', 'scheduler'], env),
    startForTests('worker', env),
  ]);
  return { ...stores, env, web, worker, baseUrl: `http://127.0.0.1:${web.port}` };
}

/** One process of each type on stores of their own. */
export async function makeProcesses(
  mode: Mode,
  settings: Record<string, string> = {},
): Promise<Processes> {
  const stores = await makeStores(mode);
  const env = { ...stores.env, ...settings };
  const [web, worker, scheduler] = await Promise.all([
    startForTests('web', env),
    startForTests('worker', env),
    startForTests('scheduler', env),
  ]);
  return { ...stores, env, web, worker, scheduler, baseUrl: `http://127.0.0.1:${web.port}` };
}

/** The stack that tests of this mode share; each test has a company of its own. */
export function sharedStack(mode: Mode): Promise<Stack> {
  const stack = stacks.get(mode) ?? forAllTests(() => makeStack(mode));
  stacks.set(mode, stack);
  return stack;
}

/**
 * Describes the same rules in both queue modes, on the shared stacks or on those of `make`. The
 * Redis half needs redis-server.
 */
export function inBothModes(
  title: string,
  define: (stack: () => Stack) => void,
  make: (mode: Mode) => Promise<Stack> = sharedStack,
): void {
  for (const mode of MODES) describeMode(mode, `${title} (queue in ${mode})`, define, make);
}

export function describeMode(
  mode: Mode,
  title: string,
  define: (stack: () => Stack) => void,
  make: (mode: Mode) => Promise<Stack> = sharedStack,
): Suite {
  return describe(title, () => {
    let stack: Stack | undefined;
    before(async function () {
      if (mode === 'redis') requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
      stack = await make(mode);
      // Tests share an address, and together they exceed the dashboard's limit per minute. In Redis
      // mode too few tests open pages for that.
      await stack.sql(`DELETE FROM rate_limits WHERE key LIKE 'dashboard-address:%'`);
    });
    define(() => {
      if (!stack) throw new Error('the stack exists only while tests run');
      return stack;
    });
  });
}

/** Skips a test that needs a missing program, and says why. With REQUIRE_ALL=1 the test fails. */
export function requireOrSkip(context: Mocha.Context, present: boolean, reason: string): void {
  if (present) return;
  if (process.env.REQUIRE_ALL === '1') throw new Error(reason);
  process.stdout.write(`    skipped: ${reason}\n`);
  context.skip();
}

/** A pool of the test's own process, whose transactions a slow and busy host may hold up. */
export function openForTests(url: string, poolMax: number): pg.Pool {
  return openDatabase({ url, poolMax, name: 'test', limits: COMMAND_LIMITS });
}

/** The server of the whole run, or one for this mocha process if it was started alone. */
export function suiteServerUrl(): Promise<string> {
  const { [SERVER_VARIABLE]: url } = process.env;
  serverUrl ??= url ? Promise.resolve(url) : forAllTests(async () => (await startPostgres()).url);
  return serverUrl;
}

/** A server that stops with the outermost `describe`. */
export async function startPostgres(): Promise<PostgresServer> {
  const server = await startServer();
  atEnd(() => server.stop());
  return server;
}

export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    // Idle processes would slow down the tests that follow.
    for (const suite of this.test?.parent?.suites ?? [])
      suite.afterAll('release its resources', () => releaseAll(ownReleases));
  },
  afterEach(this: Mocha.Context): void {
    if (this.currentTest?.state === 'failed') process.stdout.write(lastWarnings());
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    await releaseAll(ownReleases);
    await releaseAll(sharedReleases);
    const findings = takeFindings();
    if (findings.length > 0) throw new Error(`secrets were revealed:\n${findings.join('\n')}`);
  },
};

async function releaseAll(releases: Release[]): Promise<void> {
  for (const release of releases.splice(0).reverse()) await release();
}
