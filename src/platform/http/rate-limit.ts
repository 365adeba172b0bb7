// Requests per company and hour, counted in the shared store (rate-limiter-flexible). While that store is away or hangs
// each process counts for itself and requests go on. The library's own insurance waits for an error, and on a Redis that
// hangs there is none for long; a breaker knows it after one call.
import type { Middleware } from 'koa';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { Batcher } from '../async/batch.js';
import type { Breaker } from '../async/breaker.js';
import { query } from '../db/connection.js';
import { Problem } from '../errors.js';
import type { Redis } from '../queue/redis.js';

/** Above any limit: the library only counts, the comparison with the caller's own limit is made here. */
const NO_LIMIT = 2_000_000_000;
/** Nothing is taken back so near to a window's end: arriving in the next one it would make room there. */
const TAKE_BACK_MARGIN_MS = 1_000;
/** Calls in one round to the store, and rounds at once. */
const BATCH_MAX = 500;
const BATCHES_IN_FLIGHT = 4;
/** Redis answers in less than one; a request pays this once, when Redis has stopped answering. */
const COUNT_TIMEOUT_MS = 250;

export interface Count {
  /** Requests in the window, this one included. */
  readonly used: number;
  readonly resetMs: number;
}

export interface Counter {
  add(key: string): Promise<Count>;
  /** Takes one back: a refused request does not count. */
  refund(key: string): Promise<void>;
  /** The count as it stands, for people to see; counts nothing. Null where no window is open. */
  peek(key: string): Promise<Count | null>;
}

/** The Redis that web processes share, and what knows whether it hangs. */
export interface SharedRedis {
  readonly redis: Redis;
  readonly breaker: Breaker;
}

/**
 * Counts per key in windows that start with a key's first request; in Redis where there is one, else in Postgres. From
 * `max` on a key is only held in this process's memory until its window ends, at no cost to the store.
 */
export function createCounter(
  shared: SharedRedis | null,
  name: string,
  windowSeconds: number,
  max?: number,
): Counter {
  const options = {
    points: max ?? NO_LIMIT,
    duration: windowSeconds,
    ...(max === undefined ? {} : { inMemoryBlockOnConsumed: max + 1 }),
  };
  const store = shared
    ? new RateLimiterRedis({
        ...options,
        storeClient: shared.redis,
        // Without a hash tag: the counts spread over a Cluster, and each is one key.
        keyPrefix: `tradepost:${name}`,
        rejectIfRedisNotReady: true,
      })
    : new RateLimiterPostgres({
        ...options,
        storeClient: unnamed,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: name,
      });
  const own = new RateLimiterMemory({ points: NO_LIMIT, duration: windowSeconds, keyPrefix: name });
  const ask = async <Found extends RateLimiterRes | null>(
    work: (limiter: RateLimiterAbstract) => Promise<Found>,
  ): Promise<Found | RateLimiterRes> => {
    try {
      return await (shared
        ? shared.breaker.call(COUNT_TIMEOUT_MS, () => work(store))
        : work(store));
    } catch (refused) {
      return refused instanceof RateLimiterRes ? refused : work(own);
    }
  };
  const add = batched<Count>(async (key, calls) => {
    const result = await ask(limiter => limiter.consume(key, calls));
    // A key that is held in memory comes back without its count.
    const isHeld = max !== undefined && result.consumedPoints === 0;
    const before = isHeld ? max : result.consumedPoints - calls;
    const resetMs = Math.max(result.msBeforeNext, 1);
    return Array.from({ length: calls }, (_, at) => ({ used: before + at + 1, resetMs }));
  });
  const refund = batched<void>(async (key, calls) => {
    await ask(limiter => limiter.reward(key, calls));
    return Array.from({ length: calls }, () => undefined);
  });
  const peek = async (key: string): Promise<Count | null> => {
    const found = await ask(limiter => limiter.get(key));
    return found && { used: found.consumedPoints, resetMs: Math.max(found.msBeforeNext, 1) };
  };
  return { add, refund, peek };
}

/** The library names its statements, and a name is not known to the next session that a pooler lends. */
const unnamed = {
  query: async ({ text, values }: { text: string; values: unknown[] }) => {
    const rows = await query<object>(text, values);
    return { rows, rowCount: rows.length };
  },
};

/**
 * Calls that come while others are in flight ride together, those of one key as one: a burst of a company's requests
 * would else queue up for its one row. `run` returns one result a call.
 */
function batched<Result>(
  run: (key: string, calls: number) => Promise<Result[]>,
): (key: string) => Promise<Result> {
  const batcher = new Batcher<string, Result>(
    async keys => {
      const calls = new Map<string, number>();
      for (const key of keys) calls.set(key, (calls.get(key) ?? 0) + 1);
      const results = new Map<string, Result[]>();
      await Promise.all(
        [...calls].map(async ([key, count]) => results.set(key, await run(key, count))),
      );
      return keys.map(key => results.get(key)?.shift() as Result);
    },
    { maxSize: BATCH_MAX, maxInFlight: BATCHES_IN_FLIGHT },
  );
  return key => batcher.submit(key);
}

export interface Limit {
  readonly key: string;
  readonly limit: number;
}

/** Counts each request and refuses what is over the limit; sets the RateLimit headers (IETF draft and X- forms). */
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
    ctx.set({
      'RateLimit-Policy': `"hourly";q=${limit};w=${windowSeconds}`,
      RateLimit: `"hourly";r=${left};t=${resetSeconds}`,
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(left),
      'X-RateLimit-Reset': String(Math.ceil((Date.now() + resetMs) / 1000)),
    });
    if (used > limit) {
      if (resetMs > TAKE_BACK_MARGIN_MS) await counter.refund(key);
      throw new Problem(
        'rate_limit_exceeded',
        `The limit of ${limit} requests an hour is used up. It resets in ${resetSeconds} s.`,
        {
          headers: { 'Retry-After': String(resetSeconds) },
        },
      );
    }
    await next();
  };
}
