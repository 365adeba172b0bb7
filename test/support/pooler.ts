// A real PgBouncer in transaction mode, as small as its pool can be: sessions go from hand to hand with every transaction.
import { spawn, spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRunUser } from '../../src/embedded-postgres/binaries.js';
import { watchOutput } from './canary.js';
import { freePort, temporaryDirectory, until } from './processes.js';
import { atEnd } from './suite.js';

export const PGBOUNCER_MISSING = 'pgbouncer is not installed: apt-get install pgbouncer';
const POOL_SIZE = 3;

export function hasPgbouncer(): boolean {
  return spawnSync('pgbouncer', ['--version']).status === 0;
}

/** Starts one in front of the database until the suite ends, with PgBouncer's own defaults but for the mode; its URL. */
export async function startPooler(
  databaseUrl: string,
  settings: readonly string[] = [],
): Promise<string> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const listenPort = await freePort();
  const { path, remove } = await temporaryDirectory();
  atEnd(remove);
  const user = await findRunUser(path);
  const users = join(path, 'users.txt');
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const file = join(path, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    [`* = host=${hostname} port=${port}`, ...settings].join(' '),
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${POOL_SIZE}`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  await Promise.all([users, file].map(name => chmod(name, 0o644)));
  const child = spawn('pgbouncer', [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  watchOutput('pgbouncer', child);
  let output = '';
  child.stderr.on('data', chunk => {
    output += chunk;
  });
  const ended = new Promise(resolve => child.once('exit', resolve));
  atEnd(async () => {
    // At once: SIGTERM would do, SIGINT waits for clients.
    child.kill('SIGTERM');
    await ended;
  });
  await until(`pgbouncer is up:\n${output}`, async () => output.includes('process up'));
  return Object.assign(new URL(databaseUrl), { port: String(listenPort) }).toString();
}
