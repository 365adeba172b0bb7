// The benchmark's testbed: its own Postgres with the same data twice (in the product's tables and,
// in another database, in the baseline's), its own redis-server, and the processes.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findServer, startServer, stopServer } from '../../src/embedded-postgres/server.js';
import { migrate } from '../../src/platform/db/migrate.js';
import { launch, PROCESS_SCRIPTS, temporaryDirectory } from '../support/processes.js';
import { hasRedisServer, REDIS_MISSING, startRedis } from '../support/redis-server.js';
import type { Mode } from '../support/suite.js';
import { openTestCluster, type ServerKind } from '../support/test-cluster.js';
import { createBaselineDatabase } from './baseline/database.js';
import { makeRecords } from './records.js';
import { fillWorld, type World, type WorldOptions } from './world.js';

const PROGRAMS = {
  ...PROCESS_SCRIPTS,
  baseline: 'test/bench/baseline/server.js',
  koa: 'test/bench/koa-ceiling.js',
  rung: 'test/bench/ladder/rung.js',
  'rung-worker': 'test/bench/ladder/rung-worker.js',
} as const;
export type Program = keyof typeof PROGRAMS;
const RATE_LIMIT_PER_HOUR = '100000000';
/** Each statement costs a little more with them. */
const STATISTICS = [
  'shared_preload_libraries = pg_stat_statements',
  'pg_stat_statements.track_planning = on',
];

export interface Running {
  readonly name: Program;
  readonly pid: number;
  readonly port: number;
}

export interface Testbed {
  readonly mode: Mode;
  readonly world: World;
  readonly databaseUrl: string;
  /** The baseline's database; null if it does not run. */
  readonly baselineUrl: string | null;
  /** One or several of each requested program. */
  readonly processes: readonly Running[];
  readonly postgresPid: number;
  /** Null in Postgres mode. */
  readonly redis: { readonly pid: number; readonly url: string } | null;
  /** Starts a further process. The testbed stops it if the caller has not. */
  readonly start: (name: Program, args?: readonly string[]) => Promise<Started>;
}

export interface Started {
  readonly running: Running;
  readonly stop: () => Promise<unknown>;
}

export interface OpenOptions {
  /** Which programs run Postgres. */
  readonly postgres: ServerKind;
  /** Of each write queue. */
  readonly shards: number;
  /** Collects the cost of each statement: see statements.ts. */
  readonly countsStatements: boolean;
  readonly say: (text: string) => void;
  /** Keeps the data for the next run. */
  readonly dataDir: string | undefined;
  /** Called at once with what stops everything that runs by then: filling takes minutes. */
  readonly onOpening: (close: () => Promise<void>) => void;
}

/** Closes everything again if it fails. */
export async function openTestbed(
  mode: Mode,
  options: WorldOptions,
  programs: readonly Program[],
  { postgres, shards, countsStatements, say, dataDir, onOpening }: OpenOptions,
): Promise<Testbed> {
  if (mode === 'redis' && !hasRedisServer()) throw new Error(REDIS_MISSING);
  const closings: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closing of closings.splice(0).reverse()) await closing();
  };
  onOpening(close);
  try {
    const { path, remove } =
      dataDir === undefined ? await temporaryDirectory() : await openDirectory(dataDir);
    closings.push(remove);
    const cluster = await openTestCluster(postgres, path, countsStatements ? STATISTICS : []);
    const failure = await startServer(cluster);
    if (failure !== null) throw new Error(`Postgres did not start: ${failure}`);
    closings.push(() => stopServer(cluster));
    const server = await findServer(cluster.dir);
    if (!server) throw new Error('Postgres ended');
    const authority = `tradepost:${cluster.password}@127.0.0.1:${server.port}`;
    const databaseUrl = `postgres://${authority}/postgres`;
    const redis = mode === 'redis' ? await startRedis() : null;
    if (redis) closings.push(() => redis.stop());
    await migrate({ databaseUrl, queueInPostgres: mode === 'postgres' });
    const world = await openWorld(join(path, 'world.json'), databaseUrl, options, say);
    const baselineUrl = programs.includes('baseline')
      ? await createBaselineDatabase(databaseUrl)
      : null;
    const run = (name: Program, logFile: string, args: readonly string[] = []) => {
      const env = {
        HOST: '127.0.0.1',
        PORT: '0',
        RATE_LIMIT_PER_HOUR,
        DATABASE_URL: (name === 'baseline' && baselineUrl) || databaseUrl,
        DATA_DIR: path,
        REDIS_URL: redis?.url ?? '',
        QUEUE_SHARDS: String(shards),
        WEBHOOK_ALLOW: '127.0.0.0/8',
      };
      // The log goes to a file: reading a pipe would cost this process time.
      const launched = launch(PROGRAMS[name], env, { name, args, logFile: join(path, logFile) });
      closings.push(() => launched.stop());
      return launched;
    };
    if (options.records !== 'none') {
      // By a process of its own, so that the measured one is new.
      const maker = run('web', 'maker.log');
      const baseUrl = `http://127.0.0.1:${await maker.ready}`;
      await makeRecords(options.records, world.companies, { databaseUrl, baseUrl });
      await maker.stop();
    }
    let count = 0;
    const start = async (name: Program, args: readonly string[] = []): Promise<Started> => {
      const launched = run(name, `${name}-${count++}.log`, args);
      const running = { name, pid: launched.pid, port: await launched.ready };
      return { running, stop: () => launched.stop() };
    };
    const started = await Promise.allSettled(programs.map(name => start(name)));
    for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason;
    const processes = started.flatMap(outcome =>
      outcome.status === 'fulfilled' ? [outcome.value.running] : [],
    );
    return {
      mode,
      world,
      databaseUrl,
      baselineUrl,
      processes,
      postgresPid: server.pid,
      redis,
      start,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openDirectory(path: string) {
  await mkdir(path, { recursive: true });
  return { path, remove: async () => undefined };
}

/** The world that the file describes, or a new one with its description. */
async function openWorld(
  file: string,
  databaseUrl: string,
  options: WorldOptions,
  say: (text: string) => void,
): Promise<World> {
  if (existsSync(file)) {
    const stored = JSON.parse(await readFile(file, 'utf8')) as {
      options: WorldOptions;
      world: World;
    };
    if (!isDeepStrictEqual(stored.options, options))
      throw new Error(`${file} describes other data: ${JSON.stringify(stored.options)}`);
    return stored.world;
  }
  say(
    `filling: ${options.companies} companies with ${options.items} items each, ` +
      `${options.invoices} invoices`,
  );
  const world = await fillWorld(databaseUrl, options);
  await writeFile(file, JSON.stringify({ options, world }));
  return world;
}
