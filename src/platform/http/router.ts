// Routers that match paths literally: /INVOICES and /invoices/ are not /invoices. A near match
// would bypass the exact path's middleware (credentials, limits), and an empty id match a list.
import Router from '@koa/router';

export function createRouter(): Router {
  return new Router({ sensitive: true, strict: true });
}
