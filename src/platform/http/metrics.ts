// GET /metrics for Prometheus: for peers on this machine and bearers of METRICS_TOKEN; for anybody else it is not there.
import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { renderMetrics } from '../db/published-metrics.js';
import { isLoopback } from './address.js';
import { noParameters } from './query.js';
import { createRouter } from './router.js';

const PATH = '/metrics';

/** Answers /metrics for its readers, wrong methods included; other paths and readers pass by and find nothing. */
export function metricsRoute(token: string | undefined): Middleware {
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

/** A proxy on this machine is a loopback peer that speaks for somebody else: what it forwards needs the token. */
function mayRead(ctx: Context, token: string | undefined): boolean {
  const forwarded = ctx.get('X-Forwarded-For') !== '' || ctx.get('Forwarded') !== '';
  if (!forwarded && isLoopback(ctx.req.socket.remoteAddress ?? '')) return true;
  const given = /^bearer +(\S+)$/iu.exec(ctx.get('Authorization'))?.[1];
  return token !== undefined && given !== undefined && areEqual(given, token);
}

function areEqual(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
