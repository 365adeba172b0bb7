// Finds a cluster's running server by its lock file, whichever process started it, and starts or
// stops one. The server outlives the process that started it. hold.ts decides when to stop it.
import * as fs from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError, type RunUser, runProgram } from './binaries.js';
import { type Cluster, firstProblem, nullWhenMissing } from './cluster.js';
import { isAlive, makeTemporaryName } from './temporary-dir.js';

/** The content of a lock file. A value that a starting server has not written is 0 or NaN. */
export interface Server {
  readonly pid: number;
  readonly port: number;
}

/** Recovery after a crash replays up to max_wal_size (1 GB) of log. */
const START_TIMEOUT_S = 120;
const STOP_DEADLINE_MS = 60_000;
const STOP_POLL_MS = 20;
/** A lock file is written at once; if it is still empty after this, its writer crashed. */
const EMPTY_LOCK_AGE_MS = 5_000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** Listens on 127.0.0.1 only. Logs no statements or details: they may contain customer data. */
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
const PORT_IN_USE = /could not bind|could not create any TCP\/IP sockets/;
/**
 * Failed starts that are worth a retry. "Is empty": another process's server was writing the lock
 * file. "Ready": the server started, but its holders stopped it between two polls of pg_ctl.
 */
const TRANSIENT_FAILURE = new RegExp(
  [
    'pre-existing shared memory block',
    'file ".*" (already exists|is empty)',
    'did not start in time',
    'ready to accept connections',
  ].join('|'),
);

/** Reads the lock file. Removes a stale lock whose process id now belongs to another program. */
export async function findServer(dir: string): Promise<Server | null> {
  const lockFile = join(dir, 'postmaster.pid');
  const lock = await fs.readFile(lockFile, 'utf8').catch(nullWhenMissing);
  if (lock === null) return null;
  const [firstLine, , , portLine] = lock.split('\n');
  const pid = Math.abs(Number(firstLine)); // A single-user session's is negative.
  const port = Number(portLine);
  if (!pid || !port) {
    const writtenAt = (await fs.stat(lockFile).catch(nullWhenMissing))?.mtimeMs ?? 0;
    if (Date.now() - writtenAt < EMPTY_LOCK_AGE_MS) return { pid, port };
  } else {
    // PostgreSQL removes a dead server's lock itself, after a check for its orphans.
    if (!isAlive(pid)) return null;
    if (await isServerOf(pid, dir)) return { pid, port };
  }
  await removeStaleLock(lockFile, lock);
  return null;
}

/**
 * Null if the server started, or the reason to retry. Throws EmbeddedPostgresError if a retry
 * cannot help.
 */
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
  const text = (await fs.readFile(logFile)).subarray(logStart).toString() + output;
  const isTransient =
    PORT_IN_USE.test(text) || TRANSIENT_FAILURE.test(text) || (await findServer(dir)) !== null;
  if (isTransient) return firstProblem(text);
  throw new EmbeddedPostgresError(
    `PostgreSQL did not start in ${dir} (${firstProblem(text)}): see ${logFile}, fix the problem ` +
      'and try again, or set DATABASE_URL.',
  );
}

/** Unlike `pg_ctl stop -w`, never waits for a server that another process starts afterwards. */
export async function stopServer({ dir, logFile }: Cluster): Promise<void> {
  const server = await findServer(dir);
  if (!server?.pid) return;
  process.kill(server.pid, 'SIGINT'); // A "fast" shutdown closes connections and writes all data.
  const deadline = Date.now() + STOP_DEADLINE_MS;
  while ((await findServer(dir))?.pid === server.pid) {
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL in ${dir} (process ${server.pid}) did not stop in ` +
          `${STOP_DEADLINE_MS / 1000} s: see ${logFile}, and end that process.`,
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
  // Another process may have started the server since we read the stale lock: restore its lock.
  if ((await fs.readFile(aside, 'utf8')) !== staleLock)
    await fs.link(aside, lockFile).catch(() => {});
  await fs.rm(aside, { force: true });
}

/** Makes the log writable for the server, rotates it at the limit, and returns its size. */
async function openLog(logFile: string, user: RunUser | null): Promise<number> {
  const size = (await fs.lstat(logFile).catch(() => null))?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) await fs.rename(logFile, `${logFile}.old`);
  // Never follow a link: root would give the file behind it to the user.
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

/** The last run's port if it is free, because clients of a crashed server reconnect to it. */
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
