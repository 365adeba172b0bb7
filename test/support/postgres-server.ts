// A Postgres server for tests. It need not survive a power failure, so it never syncs.
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../../src/embedded-postgres/binaries.js';
import { CLUSTER_USER } from '../../src/embedded-postgres/cluster.js';
import { stopServer } from '../../src/embedded-postgres/server.js';
import { freePort, temporaryDirectory } from './processes.js';
import { openTestCluster, type ServerKind } from './test-cluster.js';

/** Holds the URL of the server that `npm test` has started for its mocha processes. */
export const SERVER_VARIABLE = 'TEST_POSTGRES_URL';
/** Names the programs of servers for which a test chooses none: the embedded ones if absent. */
export const KIND_VARIABLE = 'TEST_POSTGRES';
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
];
/** No password: checking one takes more than half of the CPU time of a connection. */
const ACCESS = `
host all all 127.0.0.1/32 trust
host replication all 127.0.0.1/32 trust
`;

export interface PostgresServer {
  readonly url: string;
  readonly dataDir: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Which programs run it. */
  readonly kind?: ServerKind;
  readonly maxConnections?: number;
  /** Settings such as `work_mem=4MB`. */
  readonly settings?: readonly string[];
}

export async function startServer(options: ServerOptions = {}): Promise<PostgresServer> {
  const { [KIND_VARIABLE]: usual = 'embedded' } = process.env;
  const { kind = usual as ServerKind, maxConnections = 100 } = options;
  const { path, remove } = await temporaryDirectory();
  const cluster = await openTestCluster(kind, path);
  const port = await freePort();
  const own = [`port=${port}`, `max_connections=${maxConnections}`, ...(options.settings ?? [])];
  const settings = [...SETTINGS, ...own].map(setting => `-c ${setting}`).join(' ');
  const { dir, logFile, binaries, password, user } = cluster;
  await writeFile(join(dir, 'pg_hba.conf'), ACCESS);
  await writeFile(logFile, '');
  if (user) await chown(logFile, user.uid, user.gid);
  const args = ['start', '-w', '-D', dir, '-l', logFile, '-o', settings];
  const { code, output } = await runProgram(join(binaries.binDir, 'pg_ctl'), args, user);
  if (code !== 0) throw new Error(`Postgres did not start: ${output}`);
  return {
    url: `postgres://${CLUSTER_USER}:${password}@127.0.0.1:${port}/postgres`,
    dataDir: path,
    async stop() {
      await stopServer(cluster);
      await remove();
    },
  };
}
