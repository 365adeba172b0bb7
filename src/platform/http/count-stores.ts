// The stores of request counts: Redis, Postgres, and this process's memory during their outages. A
// key's window starts with its first request, by the clock of the store, so that web processes
// whose clocks differ share a window. After that clock was set back, an open window ends within the
// length of one.
import { LRUCache } from 'lru-cache';
import { query } from '../db/connection.js';
import type { Redis } from '../queue/redis.js';

/** Keys that a process remembers at most, the recently used ones. */
const MEMORY_MAX = 10_000;

export interface Count {
  /** Requests in the window, including this one. */
  readonly used: number;
  readonly resetMs: number;
}

export interface CountStore {
  /** Adds requests to the key's window, or takes some back. Starts a window if none is open. */
  add(key: string, requests: number): Promise<Count>;
  /** The key's open window, or null. */
  peek(key: string): Promise<Count | null>;
}

const ADD_SCRIPT = `
  local used = redis.call('incrby', KEYS[1], ARGV[1])
  local resetMs = redis.call('pttl', KEYS[1])
  if resetMs >= 0 and resetMs <= tonumber(ARGV[2]) then return { used, resetMs } end
  redis.call('pexpire', KEYS[1], ARGV[2])
  return { used, tonumber(ARGV[2]) }`;

interface WithScript {
  addRequests(key: string, requests: number, windowMs: number): Promise<[number, number]>;
}

/** Counts in Redis. A key has no hash tag, so the counts spread over the nodes of a Cluster. */
export function redisCounts(redis: Redis, name: string, windowMs: number): CountStore {
  redis.defineCommand('addRequests', { numberOfKeys: 1, lua: ADD_SCRIPT });
  const scripts = redis as unknown as WithScript;
  const storedKey = (key: string) => `tradepost:${name}:${key}`;
  return {
    async add(key, requests) {
      const [used, resetMs] = await scripts.addRequests(storedKey(key), requests, windowMs);
      return { used, resetMs };
    },
    async peek(key) {
      const [used, resetMs] = await Promise.all([
        redis.get(storedKey(key)),
        redis.pttl(storedKey(key)),
      ]);
      if (used === null) return null;
      return { used: Number(used), resetMs: Math.min(Math.max(resetMs, 1), windowMs) };
    },
  };
}

const NOW_MS = '(EXTRACT(EPOCH FROM now()) * 1000)::bigint';

export function postgresCounts(name: string, windowMs: number): CountStore {
  return {
    async add(key, requests) {
      const [count] = await query<Count>(
        `INSERT INTO rate_limits AS counted (key, points, expire)
         VALUES ($1, $2, ${NOW_MS} + $3)
         ON CONFLICT (key) DO UPDATE
           SET points = CASE WHEN counted.expire > ${NOW_MS} THEN counted.points ELSE 0 END
               + excluded.points,
             expire = CASE WHEN counted.expire > ${NOW_MS}
               THEN LEAST(counted.expire, excluded.expire) ELSE excluded.expire END
         RETURNING points AS used, (expire - ${NOW_MS})::float AS "resetMs"`,
        [`${name}:${key}`, requests, windowMs],
      );
      return count as Count;
    },
    async peek(key) {
      const [count] = await query<Count>(
        `SELECT points AS used, LEAST(expire - ${NOW_MS}, $2)::float AS "resetMs"
         FROM rate_limits
         WHERE key = $1 AND expire > ${NOW_MS}`,
        [`${name}:${key}`, windowMs],
      );
      return count ?? null;
    },
  };
}

/** Deletes the windows that have ended. */
export async function deleteEndedWindows(): Promise<void> {
  await query(`DELETE FROM rate_limits WHERE expire < ${NOW_MS}`, []);
}

export function memoryCounts(windowMs: number): CountStore {
  const windows = new LRUCache<string, { used: number }>({ max: MEMORY_MAX, ttl: windowMs });
  return {
    async add(key, requests) {
      const window = windows.get(key) ?? { used: 0 };
      if (!windows.has(key)) windows.set(key, window);
      window.used += requests;
      return { used: window.used, resetMs: windows.getRemainingTTL(key) };
    },
    async peek(key) {
      const window = windows.get(key);
      return window ? { used: window.used, resetMs: windows.getRemainingTTL(key) } : null;
    },
  };
}
