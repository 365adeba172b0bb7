// A Postgres cluster for tests, fault runs and benchmarks: of the embedded programs, or of those
// that this machine's package manager installed. Those are older than the embedded ones, estimate
// costs in another way and compile statements with LLVM.
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRunUser, type RunUser, runProgram } from '../../src/embedded-postgres/binaries.js';
import { CLUSTER_USER, type Cluster, openCluster } from '../../src/embedded-postgres/cluster.js';

export const SERVER_KINDS = ['embedded', 'installed'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

export const POSTGRES_MISSING = 'PostgreSQL is not installed: apt-get install postgresql';
/** Where Debian and Ubuntu install each major version. */
const VERSIONS = '/usr/lib/postgresql';
/** The cluster's file with the password of CLUSTER_USER. */
const PASSWORD_FILE = 'tradepost-password';
const PASSWORD = 'only-for-tests';

/** The folder with the programs of the oldest installed version; null if there is none. */
export function installedBinDir(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : [];
  const folders = versions.sort((a, b) => a - b).map(version => join(VERSIONS, `${version}/bin`));
  return folders.find(folder => existsSync(join(folder, 'initdb'))) ?? null;
}

/** Opens the cluster of `dataDir`. Its next start has the settings, such as `work_mem = 4MB`. */
export async function openTestCluster(
  kind: ServerKind,
  dataDir: string,
  settings: readonly string[] = [],
): Promise<Cluster> {
  const packageDir = kind === 'installed' ? await openInstalled(dataDir) : undefined;
  const cluster = await openCluster({
    dataDir,
    say: () => undefined,
    ...(packageDir === undefined ? {} : { packageDir }),
  });
  await writeFile(join(cluster.dir, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  return cluster;
}

/**
 * Makes a folder like the npm package's, with the installed programs, and the cluster of `dataDir`
 * if it is missing: the product makes clusters with options that older versions do not have.
 */
async function openInstalled(dataDir: string): Promise<string> {
  const binDir = installedBinDir();
  if (binDir === null) throw new Error(POSTGRES_MISSING);
  const packageDir = join(dataDir, 'installed-postgres');
  const native = join(packageDir, 'native');
  if (!existsSync(native)) {
    await mkdir(native, { recursive: true });
    // The programs find their own libraries; the product only checks that it may read these.
    for (const name of ['bin', 'lib', 'share']) await symlink(binDir, join(native, name));
  }
  const dir = join(dataDir, 'postgres');
  if (!existsSync(dir)) await createCluster(binDir, dir, await findRunUser(dir));
  return packageDir;
}

async function createCluster(binDir: string, dir: string, user: RunUser | null): Promise<void> {
  const passwordFile = `${dir}-${PASSWORD_FILE}`;
  await writeFile(passwordFile, PASSWORD);
  await mkdir(dir, { mode: 0o700 });
  for (const path of user ? [passwordFile, dir] : [])
    await chown(path, user?.uid ?? 0, user?.gid ?? 0);
  const args = [
    ...['-D', dir, `--username=${CLUSTER_USER}`, '--auth=scram-sha-256'],
    ...[`--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
  ];
  const { code, output } = await runProgram(join(binDir, 'initdb'), args, user);
  if (code !== 0) throw new Error(`initdb failed: ${output}`);
  await rename(passwordFile, join(dir, PASSWORD_FILE));
}
