// The product's real processes, and the stores they run on, for tests: started on free ports, stopped by their pid.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../config/index.js';
import { checkOutput, registerSecret, registerSecretsOf, watchOutput } from './canary.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const START_TIMEOUT_MS = 45_000;
const SCRIPTS = {
  web: 'dist/src/server.js',
  worker: 'dist/workers/main.js',
  scheduler: 'dist/workers/scheduler.js',
} as const;

export type ProcessType = keyof typeof SCRIPTS;

export interface RunningProcess {
  readonly type: ProcessType;
  readonly pid: number;
  /** Of a web process. */
  readonly port: number;
  /** What it wrote so far, stdout and stderr. */
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  /** Stops it: SIGTERM and a wait, or the signal given. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a process of the Procfile and waits until it is ready. Rejects with its output where it ends before. */
export async function startProcess(
  type: ProcessType,
  env: Record<string, string>,
): Promise<RunningProcess> {
  const child = spawn(process.execPath, [SCRIPTS[type]], {
    cwd: ROOT,
    env: cleanEnvironment({ PORT: '0', HOST: '127.0.0.1', ...env }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = collect(type, child);
  const ended = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)));
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${type} not ready in time:\n${output()}`)),
      START_TIMEOUT_MS,
    );
    child.once('message', message => {
      clearTimeout(timer);
      resolve((message as { port?: number }).port ?? 0);
    });
    child.once('exit', code => {
      clearTimeout(timer);
      reject(new Error(`${type} ended with ${code}:\n${output()}`));
    });
  });
  return {
    type,
    pid: child.pid ?? 0,
    port,
    output,
    ended,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a compiled script to its end. */
export function runScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  input = '',
): CommandResult {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'dist', script), ...args],
    {
      cwd: ROOT,
      env: cleanEnvironment(env),
      input,
      encoding: 'utf8',
      timeout: 30_000,
    },
  );
  // What comes in on stdin is a password; a key's maker and rotator print it, once.
  registerSecret(input.trim());
  checkOutput(script, stderr);
  checkOutput(
    script,
    stdout,
    () => args[0] === 'key' && ['create', 'rotate'].includes(args[1] ?? ''),
  );
  return { code: status, stdout, stderr };
}

export function cleanEnvironment(env: Record<string, string>): NodeJS.ProcessEnv {
  registerSecretsOf(env);
  const cleared = {
    DATABASE_URL: '',
    DATABASE_DIRECT_URL: '',
    DATABASE_REPLICA_URL: '',
    QUEUE_SHARDS: '',
    REDIS_URL: '',
    PUBLIC_URL: '',
    RATE_LIMIT_PER_HOUR: '',
    NODE_ENV: '',
    SESSION_SECRET: '',
  };
  return childEnvironment({ ...cleared, ...env });
}

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  readonly port: number;
  signal(signal: NodeJS.Signals): void;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export function hasRedisServer(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** Starts Debian's redis-server with nothing kept on disk, with further settings as its command line has them. */
export async function startRedis(
  port?: number,
  settings: readonly string[] = [],
): Promise<RedisServer> {
  const chosen = port ?? (await freePort());
  const child = spawn(
    'redis-server',
    [
      ...[
        '--port',
        String(chosen),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--appendonly',
        'no',
        '--dir',
        tmpdir(),
      ],
      ...settings,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output = collect('redis-server', child);
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  await until(`redis-server ready:\n${output()}`, async () =>
    output().includes('Ready to accept connections'),
  );
  return {
    url: `redis://127.0.0.1:${chosen}`,
    pid: child.pid ?? 0,
    port: chosen,
    signal: signal => child.kill(signal),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** A directory that every user of the machine may enter, and its removal. */
export async function temporaryDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'tradepost-test-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Waits until the condition holds; rejects with `what` after the deadline. */
export async function until(
  what: string,
  condition: () => Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

function collect(name: string, child: ChildProcess): () => string {
  watchOutput(name, child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}
