// A streaming replica of an embedded Postgres, made from a copy of its files, because the embedded
// binaries lack pg_basebackup.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import { openCluster } from '../../src/embedded-postgres/cluster.js';
import { findServer, startServer, stopServer } from '../../src/embedded-postgres/server.js';
import { temporaryDirectory } from './processes.js';
import { atEnd } from './suite.js';

/** Files of the running server, which a copy must not have. */
const EXCLUDED = ['postmaster.pid', 'postmaster.opts'];

export interface Standby {
  /** The same database as in the primary's URL. */
  readonly url: string;
  sql(text: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** Starts a standby of the server with this data directory, until the suite ends or `stop`. */
export async function startStandby(primaryUrl: string, primaryDataDir: string): Promise<Standby> {
  const { path, remove } = await temporaryDirectory();
  atEnd(remove);
  const dir = join(path, 'postgres');
  const primary = new pg.Client({ connectionString: primaryUrl });
  await primary.connect();
  await primary.query("SELECT pg_backup_start('standby', true)");
  await cp(join(primaryDataDir, 'postgres'), dir, {
    recursive: true,
    filter: source => !EXCLUDED.includes(basename(source)),
  });
  const { rows } = await primary.query<{ labelfile: string }>(
    'SELECT labelfile FROM pg_backup_stop(false)',
  );
  await primary.end();
  const { hostname, port, username, password } = new URL(primaryUrl);
  const source =
    `host=${hostname} port=${port} ` + `user=${username} password=${decodeURIComponent(password)}`;
  await writeFile(join(dir, 'backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(join(dir, 'standby.signal'), '');
  const settings = await readFile(join(dir, 'postgresql.auto.conf'), 'utf8');
  await writeFile(join(dir, 'postgresql.auto.conf'), `${settings}primary_conninfo = '${source}'\n`);
  const cluster = await openCluster({ dataDir: path, say: () => undefined });
  const stop = () => stopServer(cluster);
  atEnd(stop);
  const failure = await startServer(cluster);
  const server = await findServer(cluster.dir);
  if (failure !== null || !server) throw new Error(`the standby did not start: ${failure}`);
  const url = Object.assign(new URL(primaryUrl), { port: String(server.port) }).toString();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  atEnd(() => pool.end());
  return { url, sql: async text => (await pool.query(text)).rows, stop };
}
