// GET /metrics for Prometheus: open to bearers of METRICS_TOKEN and, in development, to peers on
// this machine. For everyone else the path does not exist. A deployment does not trust local peers:
// a reverse proxy on this machine is one too, and may not say that it forwards.
import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Config } from '../../../config/index.js';
import { renderMetrics } from '../db/published-metrics.js';
import { isLoopback } from './address.js';
import { noParameters } from './input/query.js';
import { createRouter } from './router.js';

const PATH = '/metrics';
const FORWARDING_HEADER = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/u;

type MetricsConfig = Pick<Config, 'metricsToken' | 'development'>;

/** Answers /metrics, including unsupported methods, for those who may read it. */
export function metricsRoute(config: MetricsConfig): Middleware {
  const router = createRouter();
  router.get(PATH, noParameters, async ctx => {
    const { text, type } = await renderMetrics();
    ctx.body = text;
    ctx.set('Content-Type', type);
  });
  const routes = router.routes() as Middleware;
  return (ctx, next) =>
    ctx.path === PATH && mayRead(ctx, config) ? routes(ctx, async () => undefined) : next();
}

function mayRead(ctx: Context, { metricsToken, development }: MetricsConfig): boolean {
  if (development && !isForwarded(ctx) && isLoopback(ctx.req.socket.remoteAddress ?? ''))
    return true;
  const bearer = /^bearer +(\S+)$/iu.exec(ctx.get('Authorization'))?.[1];
  return metricsToken !== undefined && bearer !== undefined && areEqual(bearer, metricsToken);
}

/** True if a proxy says so. */
function isForwarded(ctx: Context): boolean {
  return Object.keys(ctx.headers).some(name => FORWARDING_HEADER.test(name));
}

function areEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
