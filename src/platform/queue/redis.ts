// Connections to Redis: one server, a master that Sentinels name, or a Cluster. Two kinds: one that fails at once while Redis is away (requests must not wait for it), and one
// that waits for it to come back (workers, subscriptions). Both reconnect for ever.
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { backOffMs } from '../async/back-off.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';

const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** The last resort for a command whose caller sets no shorter time. */
const COMMAND_TIMEOUT_MS = 2_000;
/** A peer that is gone without a word is noticed this long after the last one, and ten seconds of probes. */
const KEEP_ALIVE_AFTER_MS = 10_000;

export type { Redis } from 'ioredis';

export interface RedisTarget {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  /** Of a sentinel's master. */
  readonly name?: string;
  readonly options: Pick<RedisOptions, 'username' | 'password' | 'db' | 'tls'>;
}

/** Reads a REDIS_URL whose form the configuration has checked; the s of rediss asks for TLS. */
export function parseRedisUrl(url: string): RedisTarget {
  const [scheme = '', rest = ''] = url.split('://');
  const kind = scheme.includes('+sentinel')
    ? 'sentinel'
    : scheme.includes('+cluster')
      ? 'cluster'
      : 'single';
  const at = rest.lastIndexOf('@');
  const [username = '', ...password] = at < 0 ? [] : rest.slice(0, at).split(':');
  const [hosts = '', ...path] = rest.slice(at + 1).split('/');
  const [name, db] = kind === 'sentinel' ? path : [undefined, path[0]?.split('?')[0]];
  return {
    kind,
    nodes: hosts
      .split(',')
      .map(host => toNode(host, kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT)),
    ...(name === undefined ? {} : { name: decodeURIComponent(name) }),
    options: {
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password.length === 0 ? {} : { password: decodeURIComponent(password.join(':')) }),
      ...(db === undefined || db === '' ? {} : { db: Number(db) }),
      ...(scheme.startsWith('rediss') ? { tls: {} } : {}),
    },
  };
}
const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

function toNode(text: string, defaultPort: number): { host: string; port: number } {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/u.exec(text) ?? [];
  return {
    host: host.replace(/^\[|\]$/gu, '') || '127.0.0.1',
    port: port === undefined ? defaultPort : Number(port),
  };
}

/** `patience` "none": a command fails at once while Redis is away. "endless": it waits for Redis to come back. */
export function openRedis(
  url: string,
  patience: 'none' | 'endless',
  log: Log,
  onStop: OnStop,
): Redis {
  const redis = connect(parseRedisUrl(url), patience);
  let away = false;
  redis.on('error', error => {
    if (!away) log.warn({ err: { message: error.message } }, 'redis is away');
    away = true;
  });
  redis.on('ready', () => {
    if (away) log.info('redis is back');
    away = false;
  });
  onStop(`redis ${patience}`, () => redis.disconnect());
  return redis;
}

function connect({ kind, nodes, name, options }: RedisTarget, patience: 'none' | 'endless'): Redis {
  const retryStrategy = (attempt: number) => backOffMs(attempt, RECONNECT_MIN_MS, RECONNECT_MAX_MS);
  const enableOfflineQueue = patience === 'endless';
  const shared = {
    ...options,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_AFTER_MS,
    ...(patience === 'none'
      ? { maxRetriesPerRequest: 0, commandTimeout: COMMAND_TIMEOUT_MS }
      : { maxRetriesPerRequest: null }),
  };
  if (kind === 'cluster') {
    const cluster = new Cluster([...nodes], {
      clusterRetryStrategy: retryStrategy,
      enableOfflineQueue,
      redisOptions: shared,
    });
    // Apart from its constructor a Cluster is a Redis to everything that the product does with one.
    return cluster as unknown as Redis;
  }
  const { host, port } = nodes[0] ?? { host: '127.0.0.1', port: REDIS_PORT };
  const place = kind === 'sentinel' ? { sentinels: [...nodes], name: name ?? '' } : { host, port };
  return new Redis({ ...shared, ...place, retryStrategy, enableOfflineQueue });
}

/** Resolves to true where Redis answers, of a Cluster every master, as each has a part of the keys; else rejects. */
export async function pingAll(redis: Redis): Promise<true> {
  const client: unknown = redis;
  const nodes = client instanceof Cluster ? client.nodes('master') : [redis];
  if (nodes.length === 0) throw new Error('no node of the Cluster is known');
  await Promise.all(nodes.map(node => node.ping()));
  return true;
}

/** Warns an operator of settings under which Redis may lose or refuse jobs. The product survives both, but slower. */
export async function warnOfUnsafeSettings(redis: Redis, log: Log): Promise<void> {
  try {
    const policy = ((await redis.config('GET', 'maxmemory-policy')) as string[])[1];
    const appendOnly = ((await redis.config('GET', 'appendonly')) as string[])[1];
    if (policy !== 'noeviction')
      log.warn({ policy }, 'redis may evict jobs: set maxmemory-policy noeviction');
    if (appendOnly !== 'yes') log.warn('redis forgets jobs in a crash: set appendonly yes');
  } catch (error) {
    log.debug({ err: { message: (error as Error).message } }, 'redis settings could not be read');
  }
}
