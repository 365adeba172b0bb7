// The web application as two lists of middleware, the API's and the site's. Builds, never listens.
import type Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import compose from 'koa-compose';
import type { Config } from '../config/index.js';
import { endpointRouter } from './api/endpoint.js';
import { ENDPOINTS } from './api-docs/endpoints.js';
import { docsRoutes } from './api-docs/routes.js';
import {
  type Auth,
  createAuthenticate,
  MAX_REFUSALS,
  REFUSAL_WINDOW_SECONDS,
} from './api-keys/authenticate.js';
import type { UsageOf } from './dashboard/keys/usage.js';
import type { Submitter } from './jobs/submit/submitter.js';
import { API, isApi } from './platform/api-path.js';
import { Problem } from './platform/errors.js';
import { accepts } from './platform/http/accept.js';
import { methods, problems } from './platform/http/errors.js';
import { closeOnUnreadBody } from './platform/http/input/body.js';
import { metricsRoute } from './platform/http/metrics.js';
import { type Cursors, createCursors } from './platform/http/pagination.js';
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

/** The only path below it that needs no key. */
const DOCUMENT = `${API}/openapi.json`;
const HOUR_SECONDS = 3600;

export interface AppParts {
  readonly config: Config;
  readonly secret: string;
  /** Null if requests are counted in Postgres. */
  readonly shared: SharedRedis | null;
  readonly submitter: Submitter;
  /** For the queue board. */
  readonly producers: QueueShards;
  /** /healthz and /readyz. */
  readonly health: Router;
  readonly log: Log;
  readonly onStop: OnStop;
}

export function buildApp(parts: AppParts): Koa {
  const { config, secret, shared, log } = parts;
  const app = new Koa({ proxy: config.trustProxy > 0, maxIpsCount: config.trustProxy });
  app.on('error', error => log.debug({ err: { message: error.message } }, 'response not sent'));
  app.use(requestLog(log)).use(securityHeaders).use(closeOnUnreadBody).use(representation);
  app.use(problems(log)).use(methods);

  const docs = docsRoutes(config.publicUrl).routes() as Middleware;
  const pager = createCursors(secret, config.publicUrl);
  const requests = createCounter(shared, 'requests', HOUR_SECONDS);
  const api = compose(apiMiddleware(parts, docs, pager, requests));
  const site = compose(siteMiddleware(parts, docs, pager, requests));
  return app.use((ctx, next) => (isApi(ctx.path) ? api(ctx, next) : site(ctx, next)));
}

/** Credentials come first: only the OpenAPI document is readable without a key. */
function apiMiddleware(
  { config, shared, submitter, log, onStop }: AppParts,
  docs: Middleware,
  pager: Cursors,
  requests: Counter,
): Middleware[] {
  const refusals = createCounter(shared, 'refused-keys', REFUSAL_WINDOW_SECONDS, MAX_REFUSALS);
  const limitOf = ({ companyId, rateLimitPerHour }: Auth): Limit => ({
    key: companyId,
    limit: rateLimitPerHour ?? config.rateLimitPerHour,
  });
  const slices = apiSlices(submitter, pager).map(slice => slice.prefix(API));
  return [
    (ctx, next) => (ctx.path === DOCUMENT ? compose([checkAccept, docs])(ctx, next) : next()),
    stopIfMatched,
    createAuthenticate(refusals, log, onStop),
    rateLimit(requests, HOUR_SECONDS, state => limitOf(state.auth as Auth)),
    checkAccept,
    ...slices.map(slice => slice.routes() as Middleware),
    withoutSlash(slices),
  ];
}

/** Names the path that a request with a slash at its end is probably meant for. */
function withoutSlash(slices: readonly Router[]): Middleware {
  return ({ path, method }) => {
    if (!path.endsWith('/')) return;
    const meant = path.slice(0, -1);
    if (!slices.some(slice => slice.match(meant, method).path.length > 0)) return;
    throw new Problem('not_found', `There is nothing at this path. Did you mean ${meant}?`);
  };
}

function siteMiddleware(
  parts: AppParts,
  docs: Middleware,
  pager: Cursors,
  requests: Counter,
): Middleware[] {
  const { config, health } = parts;
  return [
    metricsRoute(config.metricsToken),
    health.routes() as Middleware,
    docs,
    stopIfMatched,
    lazily(async () => {
      const { dashboardRoutes } = await import('./dashboard/routes.js');
      const usage = usageOf(requests, config);
      const { publicUrl } = config;
      return compose(dashboardRoutes({ ...parts, pager, publicUrl, usage }));
    }),
  ];
}

/** The routers below the base path. */
export function apiSlices(submitter: Submitter, pager: Cursors): Router[] {
  return ENDPOINTS.map(endpoints => endpointRouter(endpoints, { submitter, pager }));
}

/** The media type of a document at a path; null for other paths. */
function documentTypeOf(path: string): string | null {
  const [, form] = /\/(pdf|delivery-note|ubl|cii)$/u.exec(path) ?? [];
  if (form === undefined) return null;
  return form === 'ubl' || form === 'cii' ? 'application/xml' : 'application/pdf';
}

/** Endpoints without CSV refuse the parameter. */
const checkAccept: Middleware = (ctx, next) => {
  // Parsing each query would cost a list a tenth of its time.
  const isCsv = ctx.querystring.includes('format=csv') && ctx.query.format === 'csv';
  const type = documentTypeOf(ctx.path) ?? (isCsv ? 'text/csv' : 'application/json');
  if (!accepts(type, ctx.get('Accept')))
    throw new Problem('not_acceptable', `Responses are ${type}. Accept must allow it.`);
  return next();
};

/** Ends a request whose path matched above, though not its method: `methods` answers with 405. */
const stopIfMatched: Middleware = async (ctx, next) => {
  const { matched } = ctx as Context & { matched?: unknown[] };
  if (!matched?.length) return next();
};

/** Loads middleware at its first request: pages would double the start-up time of a process. */
function lazily(load: () => Promise<Middleware>): Middleware {
  let loading: Promise<Middleware> | undefined;
  return async (ctx, next) => {
    loading ??= load();
    await (await loading)(ctx, next);
  };
}

/** Reads how much of its limit a company has used, without counting a request. */
function usageOf(requests: Counter, { rateLimitPerHour: defaultLimit }: Config): UsageOf {
  return async (companyId, rateLimitPerHour) => {
    const count = await requests.peek(companyId);
    return {
      used: count?.used ?? 0,
      resetMs: count?.resetMs ?? null,
      limit: rateLimitPerHour ?? defaultLimit,
    };
  };
}
