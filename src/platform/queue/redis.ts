// Connections to Redis: a single server, a master found through Sentinels, or a Cluster. During an
// outage, a connection either fails commands at once (requests must not wait for it) or holds them
// back (workers, subscriptions). Both kinds reconnect forever.
import { createRequire } from 'node:module';
import type { Redis, RedisOptions } from 'ioredis';
import { backOffMs } from '../async/back-off.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { OutageLog } from '../process/outage-log.js';

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** The limit of a command whose caller sets no shorter one. */
const COMMAND_TIMEOUT_MS = 2_000;
/** A silent peer is dropped after this time plus ten seconds of probes. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Loaded on first use, so that a process without Redis starts faster. */
const loadLibrary = (): typeof import('ioredis') => createRequire(import.meta.url)('ioredis');

export type { Redis } from 'ioredis';

type WhileDown = 'fail' | 'wait';

export interface RedisTarget {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  /** The name of the Sentinels' master. */
  readonly name?: string;
  /** That of the Sentinels themselves. */
  readonly sentinelPassword?: string;
  readonly options: Pick<RedisOptions, 'username' | 'password' | 'db' | 'tls'>;
}

/** Parses a REDIS_URL that the configuration has validated. `rediss` means TLS. */
export function parseRedisUrl(url: string): RedisTarget {
  const [scheme = '', rest = ''] = url.split('://');
  const kind = scheme.includes('+sentinel')
    ? 'sentinel'
    : scheme.includes('+cluster')
      ? 'cluster'
      : 'single';
  const at = rest.lastIndexOf('@');
  const [username = '', ...password] = at < 0 ? [] : rest.slice(0, at).split(':');
  const [place = '', query] = rest.slice(at + 1).split('?');
  const [hosts = '', ...path] = place.split('/');
  const [name, db] = kind === 'sentinel' ? path : [undefined, path[0]];
  const sentinelPassword = new URLSearchParams(query).get('sentinelPassword');
  return {
    kind,
    nodes: hosts
      .split(',')
      .map(host => toNode(host, kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT)),
    ...(name === undefined ? {} : { name: decodeURIComponent(name) }),
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
    options: {
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password.length === 0 ? {} : { password: decodeURIComponent(password.join(':')) }),
      ...(db === undefined || db === '' ? {} : { db: Number(db) }),
      ...(scheme.startsWith('rediss') ? { tls: {} } : {}),
    },
  };
}

function toNode(text: string, defaultPort: number): { host: string; port: number } {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/u.exec(text) ?? [];
  return {
    host: host.replace(/^\[|\]$/gu, '') || '127.0.0.1',
    port: port === undefined ? defaultPort : Number(port),
  };
}

/** `whileDown`: commands `fail` at once while Redis is unavailable, or `wait` until it returns. */
export function openRedis(url: string, whileDown: WhileDown, log: Log, onStop: OnStop): Redis {
  const redis = connect(parseRedisUrl(url), whileDown);
  // Each process has a connection that fails; it reports for the others.
  const outage = new OutageLog(log, {
    failing: 'redis is unavailable; continuing without it',
    working: 'redis is available again',
    level: whileDown === 'fail' ? 'warn' : 'debug',
  });
  redis.on('error', error => outage.failed({ reason: error.message }));
  redis.on('ready', () => outage.succeeded());
  onStop(`redis (${whileDown})`, () => redis.disconnect());
  return redis;
}

function connect(to: RedisTarget, whileDown: WhileDown): Redis {
  const { kind, nodes, options } = to;
  const retryStrategy = (attempt: number) => backOffMs(attempt, RECONNECT_MIN_MS, RECONNECT_MAX_MS);
  const enableOfflineQueue = whileDown === 'wait';
  const shared = {
    ...options,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_AFTER_MS,
    ...(whileDown === 'fail'
      ? { maxRetriesPerRequest: 0, commandTimeout: COMMAND_TIMEOUT_MS }
      : { maxRetriesPerRequest: null }),
  };
  if (kind === 'cluster') {
    const cluster = new (loadLibrary().Cluster)([...nodes], {
      clusterRetryStrategy: retryStrategy,
      enableOfflineQueue,
      redisOptions: shared,
    });
    // Except for its constructor, a Cluster has every method of Redis that the product uses.
    return cluster as unknown as Redis;
  }
  const { host, port } = nodes[0] ?? { host: '127.0.0.1', port: REDIS_PORT };
  const target = kind === 'sentinel' ? sentinels(to) : { host, port };
  return new (loadLibrary().Redis)({ ...shared, ...target, retryStrategy, enableOfflineQueue });
}

/** With TLS, both the Sentinels and the master are asked over it. */
function sentinels({ nodes, name = '', sentinelPassword, options: { tls } }: RedisTarget) {
  const overTls = tls ? { enableTLSForSentinelMode: true, sentinelTLS: tls } : {};
  const password = sentinelPassword === undefined ? {} : { sentinelPassword };
  return { sentinels: [...nodes], name, ...password, ...overTls };
}

/** Resolves to true if Redis answers, else rejects. In a Cluster, every master must answer. */
export async function pingAll(redis: Redis): Promise<true> {
  const client: unknown = redis;
  const nodes = client instanceof loadLibrary().Cluster ? client.nodes('master') : [redis];
  if (nodes.length === 0) throw new Error('no master of the Cluster is known');
  await Promise.all(nodes.map(node => node.ping()));
  return true;
}

/** The kinds of writes of BullMQ's scripts. Leaves nothing behind. */
const TRIAL = `
  for _, write in ipairs({
    {'SET', '1'}, {'INCR'}, {'HSET', 'field', '1'}, {'LPUSH', '1'}, {'SADD', '1'},
    {'ZADD', '1', 'member'}, {'XADD', '*', 'field', '1'}
  }) do
    redis.call(write[1], KEYS[1], unpack(write, 2))
    redis.call('DEL', KEYS[1])
  end`;

/**
 * Resolves to true if Redis takes writes to keys that start with each prefix; else rejects, such as
 * for a read-only replica, a full memory or missing permissions. All of them still answer a PING.
 */
export async function tryWrites(redis: Redis, prefixes: readonly string[]): Promise<true> {
  await Promise.all(prefixes.map(prefix => redis.eval(TRIAL, 1, `${prefix}:trial`)));
  return true;
}

/** Warns about settings with which Redis may lose or refuse jobs: that only makes writes slower. */
export async function warnOfUnsafeSettings(redis: Redis, log: Log): Promise<void> {
  try {
    const policy = ((await redis.config('GET', 'maxmemory-policy')) as string[])[1];
    const appendOnly = ((await redis.config('GET', 'appendonly')) as string[])[1];
    if (policy !== 'noeviction')
      log.warn({ policy }, 'redis may evict jobs; set maxmemory-policy noeviction');
    if (appendOnly !== 'yes') log.warn('redis loses jobs in a crash; set appendonly yes');
  } catch (error) {
    log.debug({ err: { message: (error as Error).message } }, 'reading the redis settings failed');
  }
}
