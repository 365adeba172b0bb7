// The PostgreSQL cluster: the directory with a server's databases and our password file. Created if
// missing, checked for its version, and readable by its user only. If root runs this, it may have
// to be outside of the data directory.
import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  type Binaries,
  canEnter,
  EmbeddedPostgresError,
  findBinaries,
  findRunUser,
  makeSharedDir,
  type RunUser,
  runProgram,
} from './binaries.js';
import { makeTemporaryName, moveIntoPlace, removeAbandoned } from './temporary-dir.js';

export interface ClusterOptions {
  /** The directory of the data, for example ".data". Created if missing. */
  readonly dataDir: string;
  /** Receives progress messages of one line. */
  say(message: string): void;
  /** The npm package with the programs; found by name if absent. */
  readonly packageDir?: string;
}

export interface Cluster {
  /** A real path. */
  readonly dir: string;
  readonly logFile: string;
  readonly passwordFile: string;
  /** The password of CLUSTER_USER. */
  readonly password: string;
  readonly binaries: Binaries;
  /** Runs the server; null for the current user. */
  readonly user: RunUser | null;
}

/** The superuser and only user. */
export const CLUSTER_USER = 'tradepost';
const PASSWORD_FILE = 'tradepost-password';

/** Finds or creates the cluster of `dataDir`. Any number of processes may call this at once. */
export async function openCluster({ dataDir, packageDir, say }: ClusterOptions): Promise<Cluster> {
  await fs.mkdir(dataDir, { recursive: true });
  const root = await fs.realpath(dataDir);
  const user = await findRunUser(join(root, 'postgres'));
  const binaries = await findBinaries({ packageDir, dataDir: root, user, say });
  const dir = await placeCluster(root, user, say);
  if (user && !(await canEnter(dirname(dir), user))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL runs as the user ${user.name}, who cannot enter ${dirname(dir)}: open it and ` +
        'its parent directories ("chmod o+x"), or set DATABASE_URL.',
    );
  }
  await removeAbandoned(dir);
  const isNew = ((await fs.readdir(dir).catch(nullWhenMissing)) ?? []).length === 0;
  if (isNew) await createCluster(dir, binaries, user, say);
  await checkVersion(dir, binaries.majorVersion);
  await makePrivate(dir, user);
  const passwordFile = join(dir, PASSWORD_FILE);
  const password = await fs.readFile(passwordFile, 'utf8');
  return {
    dir,
    logFile: join(dirname(dir), 'postgres.log'),
    passwordFile,
    password,
    binaries,
    user,
  };
}

/** The first error in the output or log of PostgreSQL's programs. */
export function firstProblem(text: string): string {
  const problem = /(?:FATAL|PANIC|ERROR|error): +(.+)/.exec(text)?.[1];
  return problem ?? text.trim().split('\n')[0] ?? '';
}

/** Handler for `.catch` that returns null if the file does not exist. */
export function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** The real path of the cluster, which may not exist: `<dataDir>/postgres` or its link target. */
async function placeCluster(
  dataDir: string,
  user: RunUser | null,
  say: ClusterOptions['say'],
): Promise<string> {
  const path = join(dataDir, 'postgres');
  const found = await fs.lstat(path).catch(nullWhenMissing);
  if (found?.isSymbolicLink()) {
    const target = resolve(dataDir, await fs.readlink(path));
    await fs.mkdir(dirname(target), { recursive: true });
    return fs
      .realpath(target)
      .catch(async () => join(await fs.realpath(dirname(target)), basename(target)));
  }
  if (found || !user || (await canEnter(dataDir, user))) return path;
  // Always a new name, so that a new data directory never finds the data of a deleted one.
  const id = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  const home = join(await makeSharedDir(user), `${id}-${randomBytes(4).toString('hex')}`);
  await fs.mkdir(home);
  await fs.chmod(home, 0o755);
  try {
    await fs.symlink(join(home, 'postgres'), path);
    say(
      `PostgreSQL runs as the user ${user.name}, who cannot enter ${dataDir}: the data is in ` +
        `${home} (${path} links there)`,
    );
  } catch (error) {
    await fs.rm(home, { recursive: true });
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return placeCluster(dataDir, user, say);
}

/** Builds the cluster aside and renames it when complete: no crash or race leaves a partial one. */
async function createCluster(
  dir: string,
  binaries: Binaries,
  user: RunUser | null,
  say: ClusterOptions['say'],
): Promise<void> {
  say(`Creating a PostgreSQL cluster in ${dir}`);
  const temporary = makeTemporaryName(dir);
  const cluster = join(temporary, 'cluster');
  const passwordFile = join(temporary, 'password');
  try {
    await fs.mkdir(temporary, { mode: 0o700 });
    await writeSecret(passwordFile, randomBytes(24).toString('base64url'));
    if (user) await giveTo(temporary, user);
    const args = [
      '-D',
      cluster,
      `--username=${CLUSTER_USER}`,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
    ];
    // PostgreSQL's own Unicode rules, because the machine may have no locales.
    args.push(
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    );
    const { code, output } = await runProgram(join(binaries.binDir, 'initdb'), args, user);
    if (code !== 0) {
      throw new EmbeddedPostgresError(
        `PostgreSQL could not create its cluster in ${dir} (${firstProblem(output)}): check the ` +
          'free space and the permissions there, or set DATABASE_URL.',
      );
    }
    await fs.rename(passwordFile, join(cluster, PASSWORD_FILE));
    await moveIntoPlace(cluster, dir);
  } finally {
    await fs.rm(temporary, { recursive: true, force: true });
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
  const version = (
    await fs.readFile(join(dir, 'PG_VERSION'), 'utf8').catch(nullWhenMissing)
  )?.trim();
  if (version === majorVersion) return;
  throw new EmbeddedPostgresError(
    version === undefined
      ? `${dir} is neither empty nor a PostgreSQL cluster: move it away to start with an empty ` +
          'database, or set DATABASE_URL.'
      : `The data in ${dir} is from PostgreSQL ${version}, but the programs are PostgreSQL ` +
          `${majorVersion}; nothing was changed: move the directory away to start with an empty ` +
          `database, dump the data with PostgreSQL ${version} and restore it, or set DATABASE_URL.`,
  );
}

/** PostgreSQL requires a private directory; a copy may be root's, or readable by others. */
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
