// Running middleware for a part of the paths only.
import type { Middleware } from 'koa';

/** Runs the middleware for `base` and what is below it; other requests pass by. */
export function under(base: string, middleware: Middleware): Middleware {
  return (ctx, next) => (ctx.path === base || ctx.path.startsWith(`${base}/`) ? middleware(ctx, next) : next());
}
