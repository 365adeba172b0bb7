// The server of a cluster: finds the running one by its lock file, whoever started it, and starts or stops one. It
// outlives the process that started it. Who may stop it, and when, is for embedded-postgres.ts to know.
import * as fs from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  EmbeddedPostgresError,
  isAlive,
  makeTemporaryName,
  type RunUser,
  runProgram,
} from './binaries.js';
import { type Cluster, firstProblem, nullWhenMissing } from './cluster.js';

/** While a starting server is still writing its lock file, what is not known yet is 0 or NaN. */
export interface Server {
  readonly pid: number;
  readonly port: number;
}

/** Recovery after a crash replays at most max_wal_size (1 GB) of log. */
const START_TIMEOUT_S = 120;
const STOP_DEADLINE_MS = 60_000;
const STOP_POLL_MS = 20;
/** A lock file is written in one go; one still empty after this was cut off by a crash. */
const EMPTY_LOCK_AGE_MS = 5_000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** Nothing listens but 127.0.0.1. The log carries neither statements nor details, as they may hold a client's data. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=100',
  'shared_buffers=128MB',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
];
const TAKEN_PORT = /could not bind|could not create any TCP\/IP sockets/;
/**
 * Failed starts that end well by themselves. "Is empty": the lock file was met while another process's server was writing
 * it. "Ready": the server did start, and other holders came and stopped it between two looks of pg_ctl.
 */
const STILL_GOING =
  /pre-existing shared memory block|file ".*" (already exists|is empty)|did not start in time|ready to accept connections/;

/** The running server of this directory by its lock file; a lock that a reused process id makes look alive is removed. */
export async function findServer(dir: string): Promise<Server | null> {
  const lockFile = join(dir, 'postmaster.pid');
  const lock = await fs.readFile(lockFile, 'utf8').catch(nullWhenMissing);
  if (lock === null) return null;
  const [firstLine, , , portLine] = lock.split('\n');
  const pid = Math.abs(Number(firstLine)); // Negative for a single-user session.
  const port = Number(portLine);
  if (!pid || !port) {
    const writtenAt = (await fs.stat(lockFile).catch(nullWhenMissing))?.mtimeMs ?? 0;
    if (Date.now() - writtenAt < EMPTY_LOCK_AGE_MS) return { pid, port };
  } else {
    if (!isAlive(pid)) return null; // PostgreSQL removes this one itself, and first looks for orphans of the dead server.
    if (await isServerOf(pid, dir)) return { pid, port };
  }
  await removeStaleLock(lockFile, lock);
  return null;
}

/** Null when the server came up, or a reason to try again; what trying again cannot mend is an error. */
export async function startServer({
  dir,
  logFile,
  binaries,
  user,
}: Cluster): Promise<string | null> {
  const logStart = await openLog(logFile, user);
  const settings = [...SETTINGS, `port=${await choosePort(dir)}`]
    .map(setting => `-c ${setting}`)
    .join(' ');
  const args = [
    'start',
    '-w',
    '-t',
    String(START_TIMEOUT_S),
    '-D',
    dir,
    '-l',
    logFile,
    '-o',
    settings,
  ];
  const { code, output } = await runProgram(join(binaries.binDir, 'pg_ctl'), args, user);
  if (code === 0) return null;
  const said = (await fs.readFile(logFile)).subarray(logStart).toString() + output;
  const isWorthRetrying =
    TAKEN_PORT.test(said) || STILL_GOING.test(said) || (await findServer(dir)) !== null;
  if (isWorthRetrying) return firstProblem(said);
  throw new EmbeddedPostgresError(
    `PostgreSQL did not start in ${dir} (${firstProblem(said)}): see ${logFile}, mend that and try again, or set DATABASE_URL.`,
  );
}

/** Not `pg_ctl stop -w`: that would go on waiting for a server which another process starts right after this one. */
export async function stopServer({ dir, logFile }: Cluster): Promise<void> {
  const server = await findServer(dir);
  if (!server?.pid) return;
  process.kill(server.pid, 'SIGINT'); // A "fast" shutdown: connections are cut, everything is written.
  const deadline = Date.now() + STOP_DEADLINE_MS;
  while ((await findServer(dir))?.pid === server.pid) {
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL in ${dir} (process ${server.pid}) did not stop in ${STOP_DEADLINE_MS / 1000} s: see ${logFile}, and end that process.`,
      );
    }
    await delay(STOP_POLL_MS);
  }
}

async function isServerOf(pid: number, dir: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const [program = '', ...args] = (
      await fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    ).split('\0');
    const workingDir = await fs.readlink(`/proc/${pid}/cwd`).catch(() => null);
    return basename(program) === 'postgres' && (args.includes(dir) || workingDir === dir);
  }
  const { output } = await runProgram('/bin/ps', ['-o', 'command=', '-p', String(pid)], null);
  return output.includes('postgres') && output.includes(dir);
}

async function removeStaleLock(lockFile: string, staleLock: string): Promise<void> {
  const aside = makeTemporaryName(lockFile);
  if ((await fs.rename(lockFile, aside).catch(nullWhenMissing)) === null) return;
  // Another process may have removed the stale lock and started the server since we read it: its lock goes back.
  if ((await fs.readFile(aside, 'utf8')) !== staleLock)
    await fs.link(aside, lockFile).catch(() => {});
  await fs.rm(aside, { force: true });
}

/** Makes the log writable for the server, keeps one old log beyond the limit, and returns where the next line will be. */
async function openLog(logFile: string, user: RunUser | null): Promise<number> {
  const size = (await fs.lstat(logFile).catch(() => null))?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) await fs.rename(logFile, `${logFile}.old`);
  // Never through a link: root would give the file behind it away.
  const flags =
    fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_APPEND | fs.constants.O_NOFOLLOW;
  const file = await fs.open(logFile, flags, 0o600);
  try {
    if (user) await file.chown(user.uid, user.gid);
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** The port of the last run where it is free, as clients of a server that crashed go on asking there. */
async function choosePort(dir: string): Promise<number> {
  const options = await fs.readFile(join(dir, 'postmaster.opts'), 'utf8').catch(() => '');
  const last = Number(/\bport=(\d+)/.exec(options)?.[1] ?? 0);
  return listenOnce(last).catch(() => listenOnce(0));
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolvePort(typeof address === 'object' && address ? address.port : port));
    });
  });
}
