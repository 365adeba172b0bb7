// Requests per company and hour, counted in the shared store by rate-limiter-flexible. While the
// store is unavailable or hangs, each process counts alone and requests continue. The library's own
// insurance waits for an error, which a hanging Redis does not send for a long time; the breaker
// needs one call.
import type { Middleware } from 'koa';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { Batcher } from '../async/batch.js';
import type { Breaker } from '../async/breaker.js';
import { Problem } from '../errors.js';
import type { Redis } from '../queue/redis.js';
import { PostgresLimiter } from './postgres-limiter.js';

/** Above any limit: the library only counts; rateLimit compares with the company's own limit. */
const NO_LIMIT = 2_000_000_000;
/** No refund this close to a window's end: it could arrive in the next and add a request there. */
const REFUND_MARGIN_MS = 1_000;
/** Calls per round to the store, and rounds in flight. */
const BATCH_MAX = 500;
const BATCHES_IN_FLIGHT = 4;
/** Redis answers in under 1 ms. One request pays this when Redis stops answering. */
const COUNT_TIMEOUT_MS = 250;

export interface Count {
  /** Requests in the window, including this one. */
  readonly used: number;
  readonly resetMs: number;
}

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
  max?: number,
): Counter {
  const store = openStore(shared, name, {
    points: max ?? NO_LIMIT,
    duration: windowSeconds,
    ...(max === undefined ? {} : { inMemoryBlockOnConsumed: max + 1 }),
  });
  const memory = new RateLimiterMemory({ points: NO_LIMIT, duration: windowSeconds });
  const ask = async <Result extends RateLimiterRes | null>(
    work: (limiter: RateLimiterAbstract) => Promise<Result>,
  ): Promise<Result | RateLimiterRes> => {
    const call = () => work(store);
    try {
      return await (shared ? shared.breaker.call(COUNT_TIMEOUT_MS, call) : call());
    } catch (error) {
      return error instanceof RateLimiterRes ? error : work(memory);
    }
  };
  const together: Together = shared ? inOneWrite(shared.redis) : calls => calls();
  return {
    add: batched<Count>(together, async (key, calls) => {
      const { consumedPoints, msBeforeNext } = await ask(limiter => limiter.consume(key, calls));
      // A key that is held in memory comes back without its count.
      const before = max !== undefined && consumedPoints === 0 ? max : consumedPoints - calls;
      const resetMs = Math.max(msBeforeNext, 1);
      return Array.from({ length: calls }, (_, index) => ({ used: before + index + 1, resetMs }));
    }),
    refund: batched<void>(together, async (key, calls) => {
      await ask(limiter => limiter.reward(key, calls));
      return new Array<void>(calls);
    }),
    async peek(key) {
      const result = await ask(limiter => limiter.get(key));
      return result && { used: result.consumedPoints, resetMs: Math.max(result.msBeforeNext, 1) };
    },
  };
}

function openStore(
  shared: SharedRedis | null,
  name: string,
  options: { readonly points: number; readonly duration: number },
): RateLimiterAbstract {
  if (shared === null) return new PostgresLimiter(name, options);
  return new RateLimiterRedis({
    ...options,
    storeClient: shared.redis,
    // No hash tag: each count is a single key, and the counts spread over a Cluster.
    keyPrefix: `tradepost:${name}`,
    rejectIfRedisNotReady: true,
  });
}

/**
 * Batches calls, and combines those of one key: a company's burst of requests would otherwise queue
 * for its one row. `run` returns one result per call.
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
