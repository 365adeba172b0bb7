// Requests per company and hour, counted in the store that the web processes share. While the store
// is unavailable or hangs, each process counts alone and requests continue.
import type { Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { Batcher } from '../async/batch.js';
import type { Breaker } from '../async/breaker.js';
import { Problem } from '../errors.js';
import type { Redis } from '../queue/redis.js';
import {
  type Count,
  type CountStore,
  memoryCounts,
  postgresCounts,
  redisCounts,
} from './count-stores.js';

/** No refund this close to a window's end: it could arrive in the next and add a request there. */
const REFUND_MARGIN_MS = 1_000;
/** Calls per round to the store, and rounds in flight. */
const BATCH_MAX = 500;
const BATCHES_IN_FLIGHT = 4;
/** Redis answers in under 1 ms. One request pays this when Redis stops answering. */
const COUNT_TIMEOUT_MS = 250;
/** Keys above the maximum that a process remembers, so that they do not reach the store. */
const HELD_MAX = 5_000;

export interface Counter {
  add(key: string): Promise<Count>;
  /** Takes one request back: a refused request does not count. */
  refund(key: string): Promise<void>;
  /** Reads the count for display, without counting. Null if no window is open. */
  peek(key: string): Promise<Count | null>;
}

/** The Redis that web processes share, and the breaker that notices when it hangs. */
export interface SharedRedis {
  readonly redis: Redis;
  readonly breaker: Breaker;
}

/**
 * Counts per key in windows that start with a key's first request: in Redis if there is one, else
 * in Postgres. Above `max`, a key is held in this process's memory until its window ends, at no
 * cost to the store.
 */
export function createCounter(
  shared: SharedRedis | null,
  name: string,
  windowSeconds: number,
  max = Number.POSITIVE_INFINITY,
): Counter {
  const windowMs = windowSeconds * 1_000;
  const store = shared ? redisCounts(shared.redis, name, windowMs) : postgresCounts(name, windowMs);
  let memory: CountStore | undefined;
  const ask = async <Result>(work: (store: CountStore) => Promise<Result>): Promise<Result> => {
    const call = () => work(store);
    try {
      return await (shared ? shared.breaker.call(COUNT_TIMEOUT_MS, call) : call());
    } catch {
      memory ??= memoryCounts(windowMs);
      return work(memory);
    }
  };
  const held = new LRUCache<string, true>({ max: HELD_MAX });
  const add = async (key: string, requests: number): Promise<Count> => {
    const heldMs = held.getRemainingTTL(key);
    if (heldMs > 0) return { used: max + requests, resetMs: heldMs };
    const count = await ask(each => each.add(key, requests));
    if (count.used > max) held.set(key, true, { ttl: count.resetMs });
    return count;
  };
  const together: Together = shared ? inOneWrite(shared.redis) : calls => calls();
  return {
    add: batched<Count>(together, async (key, calls) => {
      const { used, resetMs } = await add(key, calls);
      const before = used - calls;
      return Array.from({ length: calls }, (_, index) => ({
        used: before + index + 1,
        resetMs: Math.max(resetMs, 1),
      }));
    }),
    refund: batched<void>(together, async (key, calls) => {
      await ask(each => each.add(key, -calls));
      return new Array<void>(calls);
    }),
    peek: key => ask(each => each.peek(key)),
  };
}

/**
 * Batches calls, and combines the calls of one key: a company's burst of requests would otherwise
 * queue for its one row. `run` returns one result per call.
 */
function batched<Result>(
  together: Together,
  run: (key: string, calls: number) => Promise<Result[]>,
): (key: string) => Promise<Result> {
  const batcher = new Batcher<string, Result>(
    async keys => {
      const calls = new Map<string, number>();
      for (const key of keys) calls.set(key, (calls.get(key) ?? 0) + 1);
      const results = new Map<string, Result[]>();
      await together(() =>
        Promise.all(
          [...calls].map(async ([key, count]) => results.set(key, await run(key, count))),
        ),
      );
      return keys.map(key => results.get(key)?.shift() as Result);
    },
    { maxSize: BATCH_MAX, maxInFlight: BATCHES_IN_FLIGHT },
  );
  return key => batcher.submit(key);
}

/** Runs calls that send commands to the store at once. */
type Together = <Result>(calls: () => Result) => Result;

/** Sends the commands with one write: to a single Redis, each write costs more than its command. */
function inOneWrite(redis: Redis): Together {
  return calls => {
    // A Cluster has several connections, and none is open during an outage.
    const { stream } = redis as { stream?: Redis['stream'] };
    stream?.cork();
    try {
      return calls();
    } finally {
      stream?.uncork();
    }
  };
}

export interface Limit {
  readonly key: string;
  readonly limit: number;
}

/** Counts requests, sets the RateLimit headers (IETF draft and X- forms), refuses the excess. */
export function rateLimit(
  counter: Counter,
  windowSeconds: number,
  limitOf: (state: Record<string, unknown>) => Limit,
): Middleware {
  return async (ctx, next) => {
    const { key, limit } = limitOf(ctx.state);
    const { used, resetMs } = await counter.add(key);
    const resetSeconds = Math.ceil(resetMs / 1000);
    const left = Math.max(limit - used, 0);
    const { res } = ctx;
    res.setHeader('RateLimit-Policy', `"hourly";q=${limit};w=${windowSeconds}`);
    res.setHeader('RateLimit', `"hourly";r=${left};t=${resetSeconds}`);
    res.setHeader('X-RateLimit-Limit', limit);
    res.setHeader('X-RateLimit-Remaining', left);
    res.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + resetMs) / 1000));
    if (used > limit) {
      if (resetMs > REFUND_MARGIN_MS) await counter.refund(key);
      throw new Problem(
        'rate_limit_exceeded',
        `The limit of ${limit} requests per hour is used up. It resets in ${resetSeconds} s.`,
        { headers: { 'Retry-After': String(resetSeconds) } },
      );
    }
    return next();
  };
}
