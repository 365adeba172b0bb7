// The web application: the order of its middleware and every mount, on one screen. Builds, never listens.
import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Config } from '../config/index.js';
import { docsRoutes, endsHere } from './api-docs/routes.js';
import {
  type Auth,
  createAuthenticate,
  MAX_REFUSALS,
  REFUSAL_WINDOW_SECONDS,
} from './api-keys/authenticate.js';
import type { UsageOf } from './dashboard/keys/usage.js';
import { dashboardRoutes } from './dashboard/routes.js';
import { inventoryRoutes } from './inventory/routes.js';
import { invoiceRoutes } from './invoices/routes.js';
import { jobRoutes } from './jobs/routes.js';
import type { Submitter } from './jobs/submit/submitter.js';
import { Problem } from './platform/errors.js';
import { acceptsJson } from './platform/http/accept.js';
import { closeOnUnreadBody } from './platform/http/body.js';
import { methods, problems } from './platform/http/errors.js';
import { metricsRoute } from './platform/http/metrics.js';
import { outside, under } from './platform/http/mount.js';
import { createPager, type Pager } from './platform/http/pagination.js';
import {
  type Counter,
  createCounter,
  type Limit,
  rateLimit,
  type SharedRedis,
} from './platform/http/rate-limit.js';
import { representation } from './platform/http/representation.js';
import { requestLog } from './platform/http/request-log.js';
import { securityHeaders } from './platform/http/security-headers.js';
import type { OnStop } from './platform/process/lifecycle.js';
import type { Log } from './platform/process/log.js';
import type { QueueShards } from './platform/queue/open.js';
import { summaryRoutes } from './summary/routes.js';
import { WRITE_KINDS } from './write-kinds.js';

const API = '/api/external';
/** The one address below it that needs no key. */
const DOCUMENT = `${API}/openapi.json`;
const HOUR_SECONDS = 3600;

export interface AppParts {
  readonly config: Config;
  readonly secret: string;
  /** Null where the counts are kept in Postgres. */
  readonly shared: SharedRedis | null;
  readonly submitter: Submitter;
  /** For the queue board. */
  readonly queues: QueueShards;
  /** /healthz and /readyz. */
  readonly health: Router;
  readonly log: Log;
  readonly onStop: OnStop;
}

export function buildApp(parts: AppParts): Koa {
  const { config, secret, shared, submitter, log, onStop } = parts;
  const pager = createPager(secret, config.publicUrl);
  const app = new Koa({ proxy: config.trustProxy > 0, maxIpsCount: config.trustProxy });
  app.on('error', error => log.debug({ err: { message: error.message } }, 'response not sent'));

  app.use(requestLog(log)).use(securityHeaders).use(closeOnUnreadBody).use(representation);
  app.use(problems(log)).use(methods);
  app
    .use(outside(API, metricsRoute(config.metricsToken)))
    .use(outside(API, parts.health.routes() as Middleware));
  app.use(under(DOCUMENT, refuseOtherAnswers));
  app
    .use(outside(API, docsRoutes(API, config.publicUrl).routes() as Middleware, DOCUMENT))
    .use(endsHere);

  const requests = createCounter(shared, 'requests', HOUR_SECONDS);
  const usage = usageOf(requests, config);
  for (const part of dashboardRoutes({
    ...parts,
    pager,
    publicUrl: config.publicUrl,
    api: API,
    usage,
  }))
    app.use(outside(API, part));

  // Credentials first, before anything is told of what exists.
  const refusals = createCounter(shared, 'refused-keys', REFUSAL_WINDOW_SECONDS, MAX_REFUSALS);
  app.use(under(API, createAuthenticate(refusals, log, onStop)));
  app.use(
    under(
      API,
      rateLimit(requests, HOUR_SECONDS, state => limitOf(state.auth as Auth, config)),
    ),
  );
  app.use(under(API, refuseOtherAnswers));

  for (const slice of apiSlices(submitter, pager)) app.use(slice.prefix(API).routes());
  return app;
}

/** The routers below the base path. */
export function apiSlices(submitter: Submitter, pager: Pager): Router[] {
  return [
    summaryRoutes(),
    invoiceRoutes(submitter, pager),
    inventoryRoutes(submitter, pager),
    jobRoutes(WRITE_KINDS),
  ];
}

/** How much of its limit a company has used; the look counts nothing. */
function usageOf(requests: Counter, config: Config): UsageOf {
  return async (companyId, rateLimitPerHour) => {
    const count = await requests.peek(companyId);
    return {
      used: count?.used ?? 0,
      resetMs: count?.resetMs ?? null,
      limit: rateLimitPerHour ?? config.rateLimitPerHour,
    };
  };
}

function limitOf({ companyId, rateLimitPerHour }: Auth, config: Config): Limit {
  return { key: companyId, limit: rateLimitPerHour ?? config.rateLimitPerHour };
}

const refuseOtherAnswers: Middleware = async (ctx, next) => {
  if (!acceptsJson(ctx.get('Accept')))
    throw new Problem('not_acceptable', 'Answers are application/json; Accept must allow that.');
  await next();
};
