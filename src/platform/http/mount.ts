// Running middleware for a part of the paths only.
import type { Middleware } from 'koa';

/** Runs the middleware for `base` and what is below it; other requests pass by. */
export function under(base: string, middleware: Middleware): Middleware {
  return (ctx, next) => (isUnder(base, ctx.path) ? middleware(ctx, next) : next());
}

/** Runs the middleware for what is not under `base`, and for `exception`: a router looks at all of its routes for each request. */
export function outside(base: string, middleware: Middleware, exception?: string): Middleware {
  return (ctx, next) =>
    isUnder(base, ctx.path) && ctx.path !== exception ? next() : middleware(ctx, next);
}

function isUnder(base: string, path: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}
