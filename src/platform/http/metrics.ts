// GET /metrics for Prometheus: open to direct requests on this machine and to bearers of
// METRICS_TOKEN. For everyone else the path does not exist.
import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Config } from '../../../config/index.js';
import { renderMetrics } from '../db/published-metrics.js';
import { isLoopback, isLoopbackHost } from './address.js';
import { noParameters } from './input/query.js';
import { createRouter } from './router.js';

const PATH = '/metrics';
const FORWARDING_HEADER = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/u;

/** Answers /metrics, including unsupported methods, for those who may read it. */
export function metricsRoute(token: Config['metricsToken']): Middleware {
  const router = createRouter();
  router.get(PATH, noParameters, async ctx => {
    const { text, type } = await renderMetrics();
    ctx.body = text;
    ctx.set('Content-Type', type);
  });
  const routes = router.routes() as Middleware;
  return (ctx, next) =>
    ctx.path === PATH && mayRead(ctx, token) ? routes(ctx, async () => undefined) : next();
}

function mayRead(ctx: Context, token: Config['metricsToken']): boolean {
  if (isDirect(ctx)) return true;
  const bearer = /^bearer +(\S+)$/iu.exec(ctx.get('Authorization'))?.[1];
  return token !== undefined && bearer !== undefined && areEqual(bearer, token);
}

/**
 * True for a request of this machine that no proxy forwards. A proxy on this machine is a loopback
 * peer as well. It adds a header, or at least passes on the host that its client asked for.
 */
function isDirect(ctx: Context): boolean {
  const { socket, headers } = ctx.req;
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    isLoopbackHost(headers.host ?? '') &&
    !isForwarded(ctx)
  );
}

/** True if a proxy says so. */
function isForwarded(ctx: Context): boolean {
  return Object.keys(ctx.headers).some(name => FORWARDING_HEADER.test(name));
}

function areEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
