// GET /metrics for Prometheus: for peers on this machine and bearers of METRICS_TOKEN; for anybody else it is not there.
import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { renderMetrics } from '../metrics.js';
import { isLoopback } from './address.js';
import { noParameters } from './query.js';

const PATH = '/metrics';

/** Answers GET /metrics; other paths, methods and readers pass by and find nothing. */
export function metricsRoute(token: string | undefined): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== PATH || !(ctx.method === 'GET' || ctx.method === 'HEAD') || !mayRead(ctx, token)) return next();
    await noParameters(ctx, async () => undefined);
    const { text, type } = await renderMetrics();
    ctx.body = text;
    ctx.set('Content-Type', type);
  };
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
