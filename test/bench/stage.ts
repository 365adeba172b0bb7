// Where the measuring happens: an own Postgres with the same data twice (one database for the product, one for the
// baseline, so that neither works off what the other wrote), an own redis-server, and the processes that are measured.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { openCluster } from '../../src/embedded-postgres/cluster.js';
import { findServer, startServer, stopServer } from '../../src/embedded-postgres/server.js';
import { migrate } from '../../src/platform/db/migrate.js';
import {
  cleanEnvironment,
  hasRedisServer,
  ROOT,
  startRedis,
  temporaryDirectory,
} from '../support/processes.js';
import type { Mode } from '../support/suite.js';
import { fillWorld, type World, type WorldOptions } from './world.js';

const PROGRAMS = {
  web: 'dist/src/server.js',
  worker: 'dist/workers/main.js',
  scheduler: 'dist/workers/scheduler.js',
  baseline: 'dist/test/bench/baseline/server.js',
  koa: 'dist/test/bench/koa-ceiling.js',
} as const;
export type Program = keyof typeof PROGRAMS;
const START_TIMEOUT_MS = 60_000;

export interface Running {
  readonly name: Program;
  readonly pid: number;
  readonly port: number;
}

export interface Stage {
  readonly mode: Mode;
  readonly world: World;
  readonly databaseUrl: string;
  /** A copy for the baseline, where it runs. */
  readonly baselineUrl: string | null;
  /** Those that were asked for, one or several of each. */
  readonly processes: readonly Running[];
  readonly postgresPid: number;
  /** Null in Postgres mode. */
  readonly redis: { readonly pid: number; readonly url: string } | null;
  close(): Promise<void>;
}

/** Opens the stage; what was opened before a failure is closed again. Data kept in a directory are taken up again. */
export async function openStage(
  mode: Mode,
  options: WorldOptions,
  programs: readonly Program[],
  say: (text: string) => void,
  keptIn?: string,
): Promise<Stage> {
  if (mode === 'redis' && !hasRedisServer())
    throw new Error(
      'redis-server is not installed: apt-get install redis-server, or brew install redis',
    );
  const closings: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closing of closings.splice(0).reverse()) await closing();
  };
  try {
    const { path, remove } =
      keptIn === undefined ? await temporaryDirectory() : await keptDirectory(keptIn);
    closings.push(remove);
    const cluster = await openCluster({ dataDir: path, say: () => undefined });
    const failure = await startServer(cluster);
    if (failure !== null) throw new Error(`Postgres did not start: ${failure}`);
    closings.push(() => stopServer(cluster));
    const server = await findServer(cluster.dir);
    if (!server) throw new Error('Postgres is gone');
    const databaseUrl = `postgres://tradepost:${cluster.password}@127.0.0.1:${server.port}/postgres`;
    const redis = mode === 'redis' ? await startRedis() : null;
    if (redis) closings.push(() => redis.stop());
    await migrate({ databaseUrl, queueInPostgres: mode === 'postgres' });
    const world = await openWorld(join(path, 'world.json'), databaseUrl, options, say);
    const baselineUrl = programs.includes('baseline') ? await copyDatabase(databaseUrl) : null;
    const start = async (name: Program, at: number): Promise<Running> => {
      const url = name === 'baseline' && baselineUrl !== null ? baselineUrl : databaseUrl;
      const env = { DATABASE_URL: url, DATA_DIR: path, REDIS_URL: redis?.url ?? '' };
      const { running, stop } = await startProgram(name, env, join(path, `${name}-${at}.log`));
      closings.push(stop);
      return running;
    };
    const started = await Promise.allSettled(programs.map(start));
    for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason;
    const processes = started.flatMap(outcome =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    return {
      mode,
      world,
      databaseUrl,
      baselineUrl,
      processes,
      postgresPid: server.pid,
      redis,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function keptDirectory(path: string) {
  await mkdir(path, { recursive: true });
  return { path, remove: async () => undefined };
}

/** The world that the file tells of, or a new one, which it then tells of. */
async function openWorld(
  file: string,
  databaseUrl: string,
  options: WorldOptions,
  say: (text: string) => void,
): Promise<World> {
  if (existsSync(file)) {
    const kept = JSON.parse(await readFile(file, 'utf8')) as {
      options: WorldOptions;
      world: World;
    };
    if (!isDeepStrictEqual(kept.options, options))
      throw new Error(`${file} is of ${JSON.stringify(kept.options)}`);
    return kept.world;
  }
  say(
    `filling: ${options.companies} companies with ${options.items} items each, ${options.invoices} invoices`,
  );
  const world = await fillWorld(databaseUrl, options);
  await writeFile(file, JSON.stringify({ options, world }));
  return world;
}

async function copyDatabase(databaseUrl: string): Promise<string> {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(databaseUrl), { pathname: '/template1' }).toString(),
  });
  await client.connect();
  await client.query('CREATE DATABASE baseline TEMPLATE postgres STRATEGY file_copy');
  await client.end();
  return Object.assign(new URL(databaseUrl), { pathname: '/baseline' }).toString();
}

/** Starts a program that tells by a message when it is ready. Its log goes to a file: a pipe would be this process's work. */
async function startProgram(
  name: Program,
  env: Record<string, string>,
  logFile: string,
): Promise<{ running: Running; stop: () => Promise<unknown> }> {
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [join(ROOT, PROGRAMS[name])], {
    cwd: ROOT,
    env: cleanEnvironment({
      HOST: '127.0.0.1',
      PORT: '0',
      RATE_LIMIT_PER_HOUR: '100000000',
      ...env,
    }),
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const port = await ready(child).catch(error => {
    child.kill('SIGKILL');
    throw new Error(
      `${name} ${(error as Error).message}:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`,
    );
  });
  const stop = () => {
    child.kill('SIGTERM');
    return ended(child);
  };
  return { running: { name, pid: child.pid ?? 0, port }, stop };
}

function ready(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('was not ready in time')), START_TIMEOUT_MS);
    child.once('message', message => {
      clearTimeout(timer);
      resolve((message as { port?: number }).port ?? 0);
    });
    child.once('exit', code => {
      clearTimeout(timer);
      reject(new Error(`ended with ${code}`));
    });
  });
}

function ended(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise(resolve => child.once('exit', resolve));
}
