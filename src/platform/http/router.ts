// Routers that match paths literally: /INVOICES and /invoices/ are not /invoices. A near match
// would bypass the middleware of the exact path (credentials, limits), and an empty id would match
// a list.
import Router from '@koa/router';

export function createRouter(): Router {
  return new Router({ sensitive: true, strict: true });
}
