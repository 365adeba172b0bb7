// Redis deployments of several real servers on loopback: a Cluster of three masters, and a master
// and replica under a Sentinel. They stop with the suite.
import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort, temporaryDirectory, until } from './processes.js';
import { type RedisServer, startRedis } from './redis-server.js';
import { atEnd } from './suite.js';

const SLOTS = 16_384;
const MASTERS = 3;
const MASTER_NAME = 'tradepost';
const SENTINEL_PASSWORD = 'a=b&c';
/** How long a master must be silent before the replica takes over. */
const DOWN_AFTER_MS = 500;

export interface RedisCluster {
  readonly url: string;
  /** One client per master. */
  readonly clients: readonly Redis[];
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const { path, remove } = await temporaryDirectory();
  atEnd(remove);
  const nodes = await Promise.all(
    Array.from({ length: MASTERS }, async (_, index) => {
      let busPort = 0;
      const server = await startRedis(undefined, async () => {
        busPort = await freePort();
        return [
          ...['--cluster-enabled', 'yes', '--cluster-port', String(busPort)],
          ...['--cluster-config-file', join(path, `nodes-${index}.conf`)],
        ];
      });
      const client = openClient(server);
      // At once: if another node does not start, this one would keep the test process alive.
      atEnd(async () => {
        client.disconnect();
        await server.stop();
      });
      return { ...server, busPort, client };
    }),
  );
  await Promise.all(
    nodes.map(async ({ client }, index) => {
      const [first, end] = [index, index + 1].map(part => Math.floor((SLOTS * part) / MASTERS)) as [
        number,
        number,
      ];
      await client.call('CLUSTER', 'ADDSLOTSRANGE', first, end - 1);
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    }),
  );
  const first = nodes[0]?.client as Redis;
  for (const { port, busPort } of nodes.slice(1))
    await first.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
  for (const { client } of nodes) {
    await until('the cluster is complete', async () => {
      const state = String(await client.call('CLUSTER', 'INFO'));
      return state.includes('cluster_state:ok') && state.includes(`cluster_known_nodes:${MASTERS}`);
    });
  }
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
  return { url: `redis+cluster://${hosts.join(',')}`, clients: nodes.map(({ client }) => client) };
}

export interface WatchedRedis {
  readonly url: string;
  readonly master: RedisServer;
}

/** A master and a replica without a password, and a Sentinel that has one. */
export async function startWatchedRedis(): Promise<WatchedRedis> {
  const master = await startRedis();
  const replica = await startRedis(undefined, [
    '--replicaof',
    '127.0.0.1',
    String(master.port),
    '--repl-diskless-sync-delay',
    '0',
  ]);
  const { path, remove } = await temporaryDirectory();
  atEnd(remove);
  const client = openClient(master);
  await until('the replica is in sync', async () =>
    /slave0:.*state=online/u.test(await client.info('replication')),
  );
  client.disconnect();
  const port = await freePort();
  const file = join(path, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${SENTINEL_PASSWORD}`,
    `dir ${path}`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${master.port} 1`,
    `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER_NAME} 3000`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const sentinel = spawn('redis-server', [file, '--sentinel'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise(resolve => sentinel.once('exit', resolve));
  atEnd(async () => {
    sentinel.kill();
    await exited;
    await Promise.all([master.stop('SIGKILL'), replica.stop('SIGKILL')]);
  });
  const watcher = new Redis({ port, password: SENTINEL_PASSWORD, retryStrategy: () => 50 });
  watcher.on('error', () => undefined);
  await until('the sentinel knows the replica', async () => {
    const known = (await watcher.call('SENTINEL', 'REPLICAS', MASTER_NAME)) as unknown[];
    return known.length === 1;
  });
  watcher.disconnect();
  const query = `sentinelPassword=${encodeURIComponent(SENTINEL_PASSWORD)}`;
  return { url: `redis+sentinel://127.0.0.1:${port}/${MASTER_NAME}?${query}`, master };
}

export interface TlsRedis {
  readonly url: string;
  /** The file of the certificate, which is its own authority. */
  readonly authority: string;
}

/** A master and a Sentinel that speak TLS only, with a certificate for 127.0.0.1. */
export async function startTlsRedis(): Promise<TlsRedis> {
  const { path, remove } = await temporaryDirectory();
  atEnd(remove);
  const [key, cert, config] = ['key', 'cert', 'sentinel.conf'].map(name => join(path, name)) as [
    string,
    string,
    string,
  ];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=redis.example'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1'],
  ]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  const settings = [
    ['port', '0'],
    ['tls-cert-file', cert],
    ['tls-key-file', key],
    ['tls-ca-cert-file', cert],
    ['tls-auth-clients', 'no'],
    ['tls-replication', 'yes'],
  ];
  const [masterPort, port] = [await freePort(), await freePort()];
  const master = await startRedis(undefined, [
    ...settings.flatMap(([name, value]) => [`--${name}`, value as string]),
    ...['--tls-port', String(masterPort)],
  ]);
  atEnd(() => master.stop('SIGKILL'));
  const lines = [
    ...settings.map(setting => setting.join(' ')),
    `tls-port ${port}`,
    'bind 127.0.0.1',
    `dir ${path}`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} 1`,
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  const sentinel = spawn('redis-server', [config, '--sentinel'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise(resolve => sentinel.once('exit', resolve));
  atEnd(async () => {
    sentinel.kill();
    await exited;
  });
  return { url: `rediss+sentinel://127.0.0.1:${port}/${MASTER_NAME}`, authority: cert };
}

function openClient({ port }: RedisServer): Redis {
  const client = new Redis({ port, host: '127.0.0.1' });
  client.on('error', () => undefined);
  return client;
}
