// The web application: the order of its middleware and every mount, on one screen. Builds, never listens.
import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Config } from '../config/index.js';
import { type Auth, createAuthenticate, REFUSAL_WINDOW_SECONDS } from './api-keys/authenticate.js';
import { stockWrites } from './inventory/jobs.js';
import { inventoryRoutes } from './inventory/routes.js';
import { invoiceWrites } from './invoices/jobs.js';
import { invoiceRoutes } from './invoices/routes.js';
import { jobRoutes } from './jobs/routes.js';
import type { Submitter } from './jobs/service.js';
import type { WriteKind } from './jobs/submission.js';
import { Problem } from './platform/errors.js';
import { methods, problems } from './platform/http/errors.js';
import { createPager } from './platform/http/pagination.js';
import { createCounter, rateLimit } from './platform/http/rate-limit.js';
import { requestLog } from './platform/http/request-log.js';
import { securityHeaders } from './platform/http/security-headers.js';
import type { OnStop } from './platform/lifecycle.js';
import type { Log } from './platform/log.js';
import type { Redis } from './platform/redis.js';
import { summaryRoutes } from './summary/routes.js';

export const WRITE_KINDS = [invoiceWrites, stockWrites] as unknown as readonly WriteKind[];
const HOUR_SECONDS = 3600;

export interface AppParts {
  readonly config: Config;
  readonly secret: string;
  readonly redis: Redis | null;
  readonly submitter: Submitter;
  /** /healthz, /readyz, /metrics. */
  readonly health: Router;
  readonly log: Log;
  readonly onStop: OnStop;
}

export function buildApp(parts: AppParts): Koa {
  const { config, log } = parts;
  const app = new Koa({ proxy: config.trustProxy > 0, maxIpsCount: config.trustProxy });
  app.on('error', error => log.debug({ err: { message: error.message } }, 'response not sent'));
  app.use(requestLog(log)).use(securityHeaders).use(problems(log)).use(methods);
  app.use(parts.health.routes());
  app.use(api(parts));
  return app;
}

/** Everything under the base path: credentials first, before it is told what exists. */
function api({ config, secret, redis, submitter, log, onStop }: AppParts): Middleware {
  const pager = createPager(secret, config.publicUrl);
  const router = new Router({ prefix: '/api/external' });
  router.use(createAuthenticate(createCounter(redis, 'refused-keys', REFUSAL_WINDOW_SECONDS), log, onStop));
  router.use(
    rateLimit(createCounter(redis, 'requests', HOUR_SECONDS), HOUR_SECONDS, state => {
      const { companyId, rateLimitPerHour } = state.auth as Auth;
      return { key: companyId, limit: rateLimitPerHour ?? config.rateLimitPerHour };
    }),
  );
  router.use(acceptsJson);
  for (const slice of [summaryRoutes(), invoiceRoutes(submitter, pager), inventoryRoutes(submitter, pager), jobRoutes(WRITE_KINDS)]) {
    router.use(slice.routes());
  }
  return router.routes();
}

const acceptsJson: Middleware = async (ctx, next) => {
  if (!ctx.accepts('application/json')) throw new Problem('not_acceptable', 'Answers are application/json; Accept must allow that.');
  await next();
};
