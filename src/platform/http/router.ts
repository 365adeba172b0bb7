// Routers that match paths literally: /INVOICES and /invoices/ are not /invoices. A near match
// would bypass the exact path's middleware (credentials, limits), and an empty id match a list.
import Router from '@koa/router';
import type { Context } from 'koa';
import { notFound } from '../errors.js';
import { isUuid } from '../values/ids.js';

export function createRouter(): Router {
  return new Router({ sensitive: true, strict: true });
}

/** The UUID in a path such as /jobs/:id, in lower case. Throws Problem `not_found`. */
export function pathId(ctx: Context, noun: string): string {
  const id = ctx.params.id ?? '';
  if (!isUuid(id)) throw notFound(noun);
  return id.toLowerCase();
}
