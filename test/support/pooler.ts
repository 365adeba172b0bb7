// A real PgBouncer in transaction mode with a small pool, so that server connections change clients
// with every transaction.
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

/** Starts PgBouncer in front of the database until the suite ends. Returns its URL. */
export async function startPooler(databaseUrl: string): Promise<string> {
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
    `* = host=${hostname} port=${port}`,
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
  const exited = new Promise(resolve => child.once('exit', resolve));
  atEnd(async () => {
    // SIGINT would wait for clients.
    child.kill('SIGTERM');
    await exited;
  });
  await until(`pgbouncer is up:\n${output}`, async () => output.includes('process up'));
  return Object.assign(new URL(databaseUrl), { port: String(listenPort) }).toString();
}
