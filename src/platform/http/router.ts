// Routers that match paths literally: /INVOICES and /invoices/ are not /invoices. A near match
// would bypass the exact path's middleware (credentials, limits), and an empty id match a list.
import Router from '@koa/router';
import type { Context } from 'koa';
import { API } from '../api-path.js';
import { notFound } from '../errors.js';
import { isUuid } from '../values/ids.js';

/** Longer text is not repeated. */
const MAX_SEARCHED = 64;

export function createRouter(): Router {
  return new Router({ sensitive: true, strict: true });
}

/**
 * The UUID in a path such as /jobs/:id, in lower case. Throws Problem `not_found` for other text.
 * `search`, such as `/invoices?number=`, is the list that finds a record by what people call it.
 */
export function pathId(ctx: Context, noun: string, search?: string): string {
  const id = ctx.params.id ?? '';
  if (isUuid(id)) return id.toLowerCase();
  if (search === undefined || id.length > MAX_SEARCHED) throw notFound(noun);
  const address = `${API}${search}${encodeURIComponent(id)}`;
  throw notFound(noun, `Use its id, a UUID, or search with GET ${address}.`);
}
