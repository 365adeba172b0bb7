// Connections to Redis. Two kinds: one that fails at once while Redis is away (requests must not wait for it), and one
// that waits for it to come back (workers, subscriptions). Both reconnect for ever.
import { Redis } from 'ioredis';
import type { OnStop } from './lifecycle.js';
import type { Log } from './log.js';

const RECONNECT_MAX_MS = 1_000;
const COMMAND_TIMEOUT_MS = 2_000;

export type { Redis } from 'ioredis';

/** `patience` "none": a command fails at once while Redis is away. "endless": it waits for Redis to come back. */
export function openRedis(url: string, patience: 'none' | 'endless', log: Log, onStop: OnStop): Redis {
  const redis = new Redis(url, {
    retryStrategy: attempt => Math.min(50 * 2 ** Math.min(attempt, 6), RECONNECT_MAX_MS) * (0.5 + Math.random() / 2),
    connectTimeout: COMMAND_TIMEOUT_MS,
    ...(patience === 'none'
      ? { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: COMMAND_TIMEOUT_MS }
      : { maxRetriesPerRequest: null }),
  });
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

/** Warns an operator of settings under which Redis may lose or refuse jobs. The product survives both, but slower. */
export async function warnOfUnsafeSettings(redis: Redis, log: Log): Promise<void> {
  try {
    const policy = ((await redis.config('GET', 'maxmemory-policy')) as string[])[1];
    const appendOnly = ((await redis.config('GET', 'appendonly')) as string[])[1];
    if (policy !== 'noeviction') log.warn({ policy }, 'redis may evict jobs: set maxmemory-policy noeviction');
    if (appendOnly !== 'yes') log.warn('redis forgets jobs in a crash: set appendonly yes');
  } catch (error) {
    log.debug({ err: { message: (error as Error).message } }, 'redis settings could not be read');
  }
}
