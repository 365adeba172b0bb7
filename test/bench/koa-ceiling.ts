// Bare Koa routes to compare the product with: one that answers at once, and one behind the
// product's own authentication and rate limit.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { configOrExit } from '../../config/index.js';
import { type Auth, createAuthenticate } from '../../src/api-keys/authenticate.js';
import { Breaker } from '../../src/platform/async/breaker.js';
import { closeDatabase, openDatabase } from '../../src/platform/db/connection.js';
import { createCounter, rateLimit } from '../../src/platform/http/rate-limit.js';
import { runProcess } from '../../src/platform/process/lifecycle.js';
import { openRedis } from '../../src/platform/queue/redis.js';

const HOUR_SECONDS = 3600;
const config = configOrExit();

await runProcess('koa', { ...config, logLevel: 'warn' }, async (log, onStop) => {
  openDatabase({
    url: config.databaseUrl ?? '',
    poolMax: config.databasePoolMax,
    name: 'tradepost-koa',
  });
  onStop('database', closeDatabase);
  const redis =
    config.redisUrl === undefined ? null : openRedis(config.redisUrl, 'fail', log, onStop);
  const shared = redis && {
    redis,
    breaker: new Breaker('redis', () => redis.ping(), log, onStop),
  };
  const app = new Koa();
  app.use(async (ctx, next) => {
    if (ctx.path === '/api/external/empty') ctx.body = '{}';
    else await next();
  });
  app.use(createAuthenticate(createCounter(shared, 'bench-refused', 60, 30), log, onStop));
  app.use(
    rateLimit(createCounter(shared, 'bench-requests', HOUR_SECONDS), HOUR_SECONDS, state => {
      const { companyId, rateLimitPerHour } = state.auth as Auth;
      return { key: companyId, limit: rateLimitPerHour ?? config.rateLimitPerHour };
    }),
  );
  app.use(async ctx => {
    ctx.type = 'json';
    ctx.body = '{}';
  });
  const server = createServer(app.callback());
  onStop('http', () => server.close());
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ ready: true, port: (server.address() as AddressInfo).port }),
  );
});
