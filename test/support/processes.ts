// Starts the product's programs for the suite, the fault harness and the benchmark: on a clean
// environment and free ports, each stopped by its own pid.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../config/index.js';
import { checkOutput, registerSecret, registerSecretsOf, watchOutput } from './canary.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Long enough for a host that is slow and busy: only what hangs is to fail. */
const START_TIMEOUT_MS = 120_000;
const COMMAND_TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** The pauses of `until`: an eighth of the time it has waited, because a check may cost much. */
const POLL_MIN_MS = 10;
const POLL_MAX_MS = 200;
/** The report of a failed test shows so many warnings of each process. */
const WARNINGS_SHOWN = 5;
const MAX_WARNING = 1_000;
/** A report of a failed start shows this much of the program's output. */
const REPORT_CHARACTERS = 10_000;

export const PROCESS_SCRIPTS = {
  web: 'src/server.js',
  worker: 'workers/main.js',
  scheduler: 'workers/scheduler.js',
} as const;

/** The program behind `npm start`. */
export const START_SCRIPT = 'src/start/main.js';

export type ProcessType = keyof typeof PROCESS_SCRIPTS;

const STACK_SCRIPT = 'test/support/stack-process.js';

export interface Launched {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Everything written to stdout and stderr so far; empty with `onLine`. */
  readonly output: () => string;
  /**
   * The port in the program's ready message, 0 if it has none. Rejects with the output if the
   * program ends first or is not ready in time.
   */
  readonly ready: Promise<number>;
  /** The exit code; null if a signal ended the program. */
  readonly ended: Promise<number | null>;
  /** Sends the signal, SIGTERM by default, to a program that still runs, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface LaunchOptions {
  readonly name?: string;
  /** The checkout that has the script; this one by default. */
  readonly root?: string;
  readonly args?: readonly string[];
  /** Redirects the output to a file, so that reading it costs this process nothing. */
  readonly logFile?: string;
  /** Receives the output line by line; nothing is collected. */
  readonly onLine?: (line: string) => void;
  /** The lines that may show a secret. */
  readonly mayTell?: (line: string) => boolean;
}

/** Node's options in the Procfile, by script. */
const PROCFILE_OPTIONS = new Map(
  Array.from(
    readFileSync(join(ROOT, 'Procfile'), 'utf8').matchAll(/node(.*) dist\/(\S+)/gu),
    ([, options = '', script = '']) => [script, options.split(' ').filter(Boolean)],
  ),
);

/** Starts a compiled script, with its path below dist/, as the Procfile does. */
export function launch(
  script: string,
  env: Readonly<Record<string, string>>,
  options: LaunchOptions = {},
): Launched {
  const { name = script, root = ROOT, args = [], logFile } = options;
  const log = logFile === undefined ? undefined : openSync(logFile, 'w');
  const nodeOptions = PROCFILE_OPTIONS.get(script) ?? [];
  const child = spawn(process.execPath, [...nodeOptions, join(root, 'dist', script), ...args], {
    cwd: root,
    env: cleanEnvironment(env),
    stdio: ['ignore', log ?? 'pipe', log ?? 'pipe', 'ipc'],
  });
  if (log !== undefined) closeSync(log);
  const output = openOutput(name, child, options);
  const ended = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)));
  const ready = waitUntilReady(name, child, output);
  // A caller that stops the program early does not wait for it.
  ready.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    child,
    output,
    ready,
    ended,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

function openOutput(
  name: string,
  child: ChildProcess,
  { logFile, onLine, mayTell }: LaunchOptions,
): () => string {
  if (logFile !== undefined) return () => readFileSync(logFile, 'utf8');
  if (!onLine) return collectOutput(name, child, mayTell);
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on('line', onLine);
  return () => '';
}

function waitUntilReady(name: string, child: ChildProcess, output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) =>
      reject(new Error(`${name} ${what}:\n${output().slice(-REPORT_CHARACTERS)}`));
    const timer = setTimeout(() => fail('is not ready in time'), START_TIMEOUT_MS);
    timer.unref();
    child.once('message', message => {
      clearTimeout(timer);
      resolve((message as { port?: number }).port ?? 0);
    });
    child.once('exit', code => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}

export interface RunningProcess extends Omit<Launched, 'child' | 'ready'> {
  /** 0 if the process is not a web process. */
  readonly port: number;
}

/** Starts a process of the Procfile and waits until it is ready. Rejects if it ends before. */
export function startProcess(
  type: ProcessType,
  env: Record<string, string>,
  root = ROOT,
): Promise<RunningProcess> {
  return startScript(PROCESS_SCRIPTS[type], env, { name: type, root });
}

/** Starts one process that does the work of these. */
export function startStackProcess(
  types: readonly ProcessType[],
  env: Record<string, string>,
): Promise<RunningProcess> {
  return startScript(STACK_SCRIPT, env, { name: types.join('+'), args: types });
}

async function startScript(
  script: string,
  env: Record<string, string>,
  options: LaunchOptions,
): Promise<RunningProcess> {
  const launched = launch(script, { PORT: '0', HOST: '127.0.0.1', ...env }, options);
  const started = { name: options.name ?? script, output: launched.output };
  running.add(started);
  void launched.ended.then(() => running.delete(started));
  return { ...launched, port: await launched.ready };
}

const running = new Set<{ readonly name: string; readonly output: () => string }>();

/** The last warnings and errors of the processes that run, for the report of a failed test. */
export function lastWarnings(): string {
  return [...running]
    .flatMap(({ name, output }) =>
      Array.from(output().matchAll(/^.*"level":[456]0.*$/gmu), ([line]) => `${name} ${line}`)
        .slice(-WARNINGS_SHOWN)
        .map(line => `    ${line.slice(0, MAX_WARNING)}\n`),
    )
    .join('');
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
  root = ROOT,
): CommandResult {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist', script), ...args],
    {
      cwd: root,
      env: cleanEnvironment(env),
      input,
      encoding: 'utf8',
      timeout: COMMAND_TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    },
  );
  // Standard input carries a password. Creating or rotating a key prints the key once.
  registerSecret(input.trim());
  const printsKey = args[0] === 'key' && ['create', 'rotate'].includes(args[1] ?? '');
  checkOutput(script, stderr);
  checkOutput(script, stdout, () => printsKey);
  return { code: status, stdout, stderr };
}

/** This process's environment without the product's own settings, and with the given ones. */
export function cleanEnvironment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  registerSecretsOf(env);
  const cleared = {
    DATABASE_URL: '',
    DATABASE_DIRECT_URL: '',
    DATABASE_REPLICA_URL: '',
    QUEUE_SHARDS: '',
    REDIS_URL: '',
    PUBLIC_URL: '',
    RATE_LIMIT_PER_HOUR: '',
    NODE_ENV: 'test',
    SESSION_SECRET: '',
  };
  return childEnvironment({ ...cleared, ...env });
}

/** Collects what a process writes, and checks it for secrets. */
export function collectOutput(
  name: string,
  child: ChildProcess,
  mayTell?: (line: string) => boolean,
): () => string {
  watchOutput(name, child, mayTell);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
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

/** Directories of this process start with it: their names tell whose Postgres a server is. */
export const DIRECTORY_PREFIX = join(tmpdir(), `tradepost-test-${process.pid}-`);

/** A directory that every user of the machine may enter, and its removal. */
export async function temporaryDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(DIRECTORY_PREFIX);
  await chmod(path, 0o755);
  // A program that is ending may still write into it.
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
  return { path, remove: () => rm(path, options) };
}

/** Waits until the condition is true. Rejects with `what` after the timeout. */
export async function until(
  what: string | (() => string),
  condition: () => Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const startedAt = Date.now();
  while (!(await condition())) {
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > timeoutMs) {
      const text = typeof what === 'string' ? what : what();
      throw new Error(`not within ${timeoutMs} ms: ${text}`);
    }
    const pauseMs = Math.min(Math.max(waitedMs / 8, POLL_MIN_MS), POLL_MAX_MS);
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
}
