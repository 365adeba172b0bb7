// Stores and stacks for tests: shared ones, made when a test first asks for them and gone when all tests have run, and
// ones of a test's own, gone when its outermost describe ends. A stack is one web, one worker and one scheduler process on
// a database of its own.
import { randomBytes } from 'node:crypto';
import type { Suite } from 'mocha';
import pg from 'pg';
import { type EmbeddedPostgres, holdEmbeddedPostgres } from '../../src/embedded-postgres/hold.js';
import { migrate } from '../../src/platform/db/migrate.js';
import { takeFindings } from './canary.js';
import {
  hasRedisServer,
  type RedisServer,
  type RunningProcess,
  startProcess,
  startRedis,
  temporaryDirectory,
} from './processes.js';

export type Mode = 'postgres' | 'redis';
export const MODES: readonly Mode[] = ['postgres', 'redis'];
const REDIS_MISSING =
  'redis-server is not installed: apt-get install redis-server, or brew install redis';

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
  readonly web: RunningProcess;
  readonly worker: RunningProcess;
  readonly scheduler: RunningProcess;
  readonly baseUrl: string;
}

type Release = () => Promise<unknown>;
/** What the tests that are running made for themselves, and what all tests of this process share. */
const own: Release[] = [];
const shared: Release[] = [];
let made = 0;
let postgres: Promise<EmbeddedPostgres> | undefined;
const stacks = new Map<Mode, Promise<Stack>>();

/** Registers what has to be released when the outermost `describe` of its maker ends; the last registered goes first. */
export function atEnd(release: Release): void {
  own.push(release);
}

/** Makes what is released only when all tests of this process have run. */
export async function forAllTests<Made>(make: () => Promise<Made>): Promise<Made> {
  const before = own.length;
  const result = await make();
  shared.push(...own.splice(before));
  return result;
}

/** A fresh, migrated database of its own, with a Redis of its own in that mode; on the server given, else the suite's. */
export async function makeStores(mode: Mode, serverUrl?: string): Promise<Stores> {
  const url = serverUrl ?? (await suitePostgres()).url;
  made += 1;
  const name = `test_${mode}_${made}_${Date.now()}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const databaseUrl = Object.assign(new URL(url), { pathname: `/${name}` }).toString();
  await migrate({ databaseUrl, queueInPostgres: mode === 'postgres' });
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
      ...(redis ? { REDIS_URL: redis.url } : {}),
    },
    sql: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
  };
}

/** Starts a process that ends with its maker's tests at the latest. */
export async function startForTests(
  type: RunningProcess['type'],
  env: Record<string, string>,
): Promise<RunningProcess> {
  const running = await startProcess(type, env);
  atEnd(() => running.stop());
  return running;
}

/** One of each process on stores of their own. */
export async function makeStack(mode: Mode, env: Record<string, string> = {}): Promise<Stack> {
  const stores = await makeStores(mode);
  const all = { ...stores.env, ...env };
  const [web, worker, scheduler] = await Promise.all([
    startForTests('web', all),
    startForTests('worker', all),
    startForTests('scheduler', all),
  ]);
  return { ...stores, env: all, web, worker, scheduler, baseUrl: `http://127.0.0.1:${web.port}` };
}

/** The stack that tests of this mode share; a company each keeps them apart. */
export function sharedStack(mode: Mode): Promise<Stack> {
  const stack = stacks.get(mode) ?? forAllTests(() => makeStack(mode));
  stacks.set(mode, stack);
  return stack;
}

/** Describes the same rules in both queue modes. Where Redis is missing its half is skipped, with REQUIRE_ALL=1 it fails. */
export function inBothModes(title: string, define: (stack: () => Stack) => void): void {
  for (const mode of MODES) describeMode(mode, `${title} (queue in ${mode})`, define);
}

export function describeMode(
  mode: Mode,
  title: string,
  define: (stack: () => Stack) => void,
): Suite {
  return describe(title, () => {
    let stack: Stack | undefined;
    before(async function () {
      this.timeout(60_000);
      if (mode === 'redis') requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
      stack = await sharedStack(mode);
    });
    define(() => {
      if (!stack) throw new Error('the stack is there once tests run');
      return stack;
    });
  });
}

/** Skips with the reason what needs a missing program; with REQUIRE_ALL=1 fails. */
export function requireOrSkip(context: Mocha.Context, present: boolean, reason: string): void {
  if (present) return;
  if (process.env.REQUIRE_ALL === '1') throw new Error(reason);
  process.stdout.write(`    skipped: ${reason}\n`);
  context.skip();
}

function suitePostgres(): Promise<EmbeddedPostgres> {
  postgres ??= forAllTests(async () => (await startPostgres()).held);
  return postgres;
}

/** A server that ends with its maker's tests, and the directory that it lives in. */
export async function startPostgres(): Promise<{ held: EmbeddedPostgres; dataDir: string }> {
  const { path, remove } = await temporaryDirectory();
  atEnd(remove);
  const held = await holdEmbeddedPostgres({ dataDir: path, say: () => undefined });
  atEnd(() => held.release());
  return { held, dataDir: path };
}

export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    // What only waits costs the tests after it processor time.
    for (const suite of this.test?.parent?.suites ?? [])
      suite.afterAll('release what it made', releaseOwn);
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(60_000);
    await releaseOwn();
    await release(shared);
    const findings = takeFindings();
    if (findings.length > 0) throw new Error(`secrets were told:\n${findings.join('\n')}`);
  },
};

const releaseOwn = () => release(own);

async function release(releases: Release[]): Promise<void> {
  for (const one of releases.splice(0).reverse()) await one();
}
