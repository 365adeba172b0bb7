// A PostgreSQL of our own in `<dataDir>/postgres`, for a machine with nothing but Node. Several processes share one
// server: each holder keeps a connection open, and those connections are the count of holders, so that one that is
// killed counts no more. The server outlives a crash of its holders; the next hold finds and adopts it.
import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Binaries, RunUser } from './postgres-binaries.js';
import {
  canEnter,
  EmbeddedPostgresError,
  findBinaries,
  findRunUser,
  isAlive,
  makeSharedDir,
  makeTemporaryName,
  moveIntoPlace,
  removeAbandoned,
  runProgram,
} from './postgres-binaries.js';

export { EmbeddedPostgresError };

export interface EmbeddedPostgres {
  /** postgres://… URL of the database `tradepost`, user `tradepost`. */
  readonly url: string;
  /** Resolves when the server dies while held (so the owner may call hold again); never after release(). */
  readonly lost: Promise<void>;
  /** Lets go; the last holder stops the server and waits until it is down. Idempotent. */
  release(): Promise<void>;
}

export interface HoldOptions {
  /** e.g. ".data"; made if missing. */
  readonly dataDir: string;
  /** Progress for people, a line at a time. */
  say(message: string): void;
  /** The npm package with the programs, when it is not to be found by its name. */
  readonly packageDir?: string;
}

interface Cluster {
  readonly dir: string;
  readonly logFile: string;
  readonly binaries: Binaries;
  readonly user: RunUser | null;
  readonly password: string;
}

const NAME = 'tradepost';
const HOLDER = 'tradepost-holder';
const LEAVING = 'tradepost-leaving';
/** Counting the holders and stopping the server are one step under this advisory lock; any number nobody else uses. */
const HOLDERS_LOCK = 7_264_918_350_117;
const PASSWORD_FILE = 'tradepost-password';
/** For another process's start or stop, and for the memory of a killed server to be let go. */
const HOLD_DEADLINE_MS = 30_000;
const RETRY_MS = 100;
const CONNECT_TIMEOUT_MS = 5_000;
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

/**
 * Starts the server of `dataDir`, or joins the running one, and holds it. Any number of processes may call this at once.
 * A server left by a crash, a half-made directory and a stale lock file are dealt with; what only a person can mend is
 * an EmbeddedPostgresError.
 */
export async function holdEmbeddedPostgres(options: HoldOptions): Promise<EmbeddedPostgres> {
  try {
    const cluster = await openCluster(options);
    const { client, port } = await reachServer(cluster);
    return makeHold(cluster, client, port);
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (error instanceof EmbeddedPostgresError || !code || !path) throw error;
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL cannot use ${path} (${message}): check its owner, its permissions and the free space, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

function makeHold(cluster: Cluster, client: pg.Client, port: number): EmbeddedPostgres {
  let released: Promise<void> | undefined;
  const lost = new Promise<void>(resolveLost => {
    client.once('end', () => {
      if (!released) resolveLost();
    });
  });
  return {
    url: `postgres://${NAME}:${cluster.password}@127.0.0.1:${port}/${NAME}`,
    lost,
    release: () => {
      released ??= letGo(cluster, client);
      return released;
    },
  };
}

async function letGo(cluster: Cluster, client: pg.Client): Promise<void> {
  try {
    if (await isLastHolder(client)) await stopServer(cluster);
  } finally {
    await client.end();
  }
}

/** True with the lock kept, so that whoever comes meanwhile waits, is cut off by the stop, and starts the server anew. */
async function isLastHolder(client: pg.Client): Promise<boolean> {
  try {
    // Under another name first: of two that leave together each must see that the other one is going.
    await client.query(`SET application_name = '${LEAVING}'`);
    await client.query('SELECT pg_advisory_lock($1)', [HOLDERS_LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE application_name = $1', [HOLDER]);
    return rowCount === 0;
  } catch {
    return false; // The server is gone, or another holder is stopping it.
  }
}

/** Not `pg_ctl stop -w`: that would go on waiting for a server which another process starts right after this one. */
async function stopServer({ dir, logFile }: Cluster): Promise<void> {
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

/** Retries through another process's start, stop or crash until this process's holding connection is up. */
async function reachServer(cluster: Cluster): Promise<{ client: pg.Client; port: number }> {
  const deadline = Date.now() + HOLD_DEADLINE_MS;
  for (;;) {
    const server = await findServer(cluster.dir);
    const outcome = server ? await connectHolder(cluster, server.port) : await startServer(cluster);
    if (server && outcome instanceof pg.Client) return { client: outcome, port: server.port };
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL in ${cluster.dir}${server ? ` (process ${server.pid})` : ''} did not become ready in ${HOLD_DEADLINE_MS / 1000} s (${outcome}): see ${cluster.logFile}, then try again.`,
      );
    }
    if (outcome !== null) await delay(RETRY_MS);
  }
}

/** The holding connection; null to try again at once, or the reason to wait before trying again. */
async function connectHolder(cluster: Cluster, port: number): Promise<pg.Client | string | null> {
  const client = makeClient(cluster, port, NAME);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const served = rows[0]?.data_directory ?? '';
    if ((await fs.realpath(served)) !== cluster.dir) throw new Error(`port ${port} serves ${served}`);
    // Waits for a holder that is counting; if it stops the server this fails, and the caller starts it again.
    await client.query('SELECT pg_advisory_lock($1)', [HOLDERS_LOCK]);
    await client.query('SELECT pg_advisory_unlock($1)', [HOLDERS_LOCK]);
    return client;
  } catch (error) {
    client.end().catch(() => {});
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === '3D000') return createDatabase(cluster, port);
    if (code !== '28P01') return message;
    throw new EmbeddedPostgresError(
      `PostgreSQL in ${cluster.dir} refuses the password in ${join(cluster.dir, PASSWORD_FILE)}: put the right one there, or set DATABASE_URL.`,
    );
  }
}

async function createDatabase(cluster: Cluster, port: number): Promise<string | null> {
  const client = makeClient(cluster, port, 'postgres');
  try {
    await client.connect();
    await client.query(`CREATE DATABASE ${NAME}`);
    return null;
  } catch (error) {
    return (error as Error).message; // Often that another process is making it: looking again tells.
  } finally {
    client.end().catch(() => {});
  }
}

function makeClient({ password }: Cluster, port: number, database: string): pg.Client {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: NAME,
    password,
    database,
    ssl: false,
    application_name: database === NAME ? HOLDER : NAME,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {}); // 'end' follows and is what counts.
  return client;
}

/** Null when the server came up, or a reason to try again; what trying again cannot mend is an error. */
async function startServer({ dir, logFile, binaries, user }: Cluster): Promise<string | null> {
  const logStart = await openLog(logFile, user);
  const settings = [...SETTINGS, `port=${await choosePort(dir)}`].map(setting => `-c ${setting}`).join(' ');
  const args = ['start', '-w', '-t', String(START_TIMEOUT_S), '-D', dir, '-l', logFile, '-o', settings];
  const { code, output } = await runProgram(join(binaries.binDir, 'pg_ctl'), args, user);
  if (code === 0) return null;
  const said = (await fs.readFile(logFile)).subarray(logStart).toString() + output;
  const isWorthRetrying = TAKEN_PORT.test(said) || STILL_GOING.test(said) || (await findServer(dir)) !== null;
  if (isWorthRetrying) return firstProblem(said);
  throw new EmbeddedPostgresError(
    `PostgreSQL did not start in ${dir} (${firstProblem(said)}): see ${logFile}, mend that and try again, or set DATABASE_URL.`,
  );
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

/** Makes the log writable for the server, keeps one old log beyond the limit, and returns where the next line will be. */
async function openLog(logFile: string, user: RunUser | null): Promise<number> {
  const size = (await fs.lstat(logFile).catch(() => null))?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) await fs.rename(logFile, `${logFile}.old`);
  // Never through a link: root would give the file behind it away.
  const flags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_APPEND | fs.constants.O_NOFOLLOW;
  const file = await fs.open(logFile, flags, 0o600);
  try {
    if (user) await file.chown(user.uid, user.gid);
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

function firstProblem(text: string): string {
  const problem = /(?:FATAL|PANIC|ERROR|error): +(.+)/.exec(text)?.[1];
  return problem ?? text.trim().split('\n')[0] ?? '';
}

/** The running server of this directory by its lock file; a lock that a reused process id makes look alive is removed. */
async function findServer(dir: string): Promise<{ pid: number; port: number } | null> {
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

async function isServerOf(pid: number, dir: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const [program = '', ...args] = (await fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
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
  if ((await fs.readFile(aside, 'utf8')) !== staleLock) await fs.link(aside, lockFile).catch(() => {});
  await fs.rm(aside, { force: true });
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function openCluster({ dataDir, packageDir, say }: HoldOptions): Promise<Cluster> {
  await fs.mkdir(dataDir, { recursive: true });
  const root = await fs.realpath(dataDir);
  const user = await findRunUser(join(root, 'postgres'));
  const binaries = await findBinaries({ packageDir, dataDir: root, user, say });
  const dir = await placeCluster(root, user, say);
  if (user && !(await canEnter(dirname(dir), user))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL runs as the user ${user.name}, who cannot enter ${dirname(dir)}: open the directories on the way to it ("chmod o+x"), or set DATABASE_URL.`,
    );
  }
  await removeAbandoned(dir);
  const isNew = ((await fs.readdir(dir).catch(nullWhenMissing)) ?? []).length === 0;
  if (isNew) await createCluster(dir, binaries, user, say);
  await checkVersion(dir, binaries.majorVersion);
  await makePrivate(dir, user);
  const password = await fs.readFile(join(dir, PASSWORD_FILE), 'utf8');
  return { dir, logFile: join(dirname(dir), 'postgres.log'), binaries, user, password };
}

/** The real path of the cluster, which may have to be made yet: `<dataDir>/postgres`, or where that links to. */
async function placeCluster(dataDir: string, user: RunUser | null, say: HoldOptions['say']): Promise<string> {
  const path = join(dataDir, 'postgres');
  const found = await fs.lstat(path).catch(nullWhenMissing);
  if (found?.isSymbolicLink()) {
    const target = resolve(dataDir, await fs.readlink(path));
    await fs.mkdir(dirname(target), { recursive: true });
    return fs.realpath(target).catch(async () => join(await fs.realpath(dirname(target)), basename(target)));
  }
  if (found || !user || (await canEnter(dataDir, user))) return path;
  // A new name each time: a new data directory must never come upon the data of a deleted one.
  const id = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  const home = join(await makeSharedDir(user), `${id}-${randomBytes(4).toString('hex')}`);
  await fs.mkdir(home);
  await fs.chmod(home, 0o755);
  try {
    await fs.symlink(join(home, 'postgres'), path);
    say(
      `PostgreSQL runs as the user ${user.name}, who cannot enter ${dataDir}: the data are in ${home} (${path} links there)`,
    );
  } catch (error) {
    await fs.rm(home, { recursive: true });
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return placeCluster(dataDir, user, say);
}

/** Made aside and renamed when complete, password and all, so that no crash or race leaves half a cluster. */
async function createCluster(
  dir: string,
  binaries: Binaries,
  user: RunUser | null,
  say: HoldOptions['say'],
): Promise<void> {
  say(`Creating a PostgreSQL cluster in ${dir}`);
  const workshop = makeTemporaryName(dir);
  const cluster = join(workshop, 'cluster');
  const passwordFile = join(workshop, 'password');
  try {
    await fs.mkdir(workshop, { mode: 0o700 });
    await writeSecret(passwordFile, randomBytes(24).toString('base64url'));
    if (user) await giveTo(workshop, user);
    const args = ['-D', cluster, `--username=${NAME}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    // Unicode rules that come with PostgreSQL, as the machine may have no locales.
    args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
    const { code, output } = await runProgram(join(binaries.binDir, 'initdb'), args, user);
    if (code !== 0) {
      throw new EmbeddedPostgresError(
        `PostgreSQL could not create its cluster in ${dir} (${firstProblem(output)}): check the free space and the permissions there, or set DATABASE_URL.`,
      );
    }
    await fs.rename(passwordFile, join(cluster, PASSWORD_FILE));
    await moveIntoPlace(cluster, dir);
  } finally {
    await fs.rm(workshop, { recursive: true, force: true });
  }
}

async function writeSecret(path: string, secret: string): Promise<void> {
  const file = await fs.open(path, 'wx', 0o600);
  try {
    await file.writeFile(secret);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function checkVersion(dir: string, majorVersion: string): Promise<void> {
  const version = (await fs.readFile(join(dir, 'PG_VERSION'), 'utf8').catch(nullWhenMissing))?.trim();
  if (version === majorVersion) return;
  throw new EmbeddedPostgresError(
    version === undefined
      ? `${dir} is not empty and not a PostgreSQL cluster: move it away to start with an empty database, or set DATABASE_URL.`
      : `The data in ${dir} are of PostgreSQL ${version} and the programs here are PostgreSQL ${majorVersion}; nothing was changed: move the directory away to start with an empty database, or dump the data with PostgreSQL ${version} and restore them, or set DATABASE_URL.`,
  );
}

/** PostgreSQL wants the directory to be its user's alone; a copy or a restored backup may be root's or readable by others. */
async function makePrivate(dir: string, user: RunUser | null): Promise<void> {
  const { uid, mode } = await fs.stat(dir);
  if (user && uid !== user.uid) await giveTo(dir, user);
  if ((mode & 0o077) !== 0) await fs.chmod(dir, 0o700);
}

async function giveTo(path: string, user: RunUser): Promise<void> {
  await fs.lchown(path, user.uid, user.gid);
  if (!(await fs.lstat(path)).isDirectory()) return;
  for (const name of await fs.readdir(path)) await giveTo(join(path, name), user);
}
