// Routers that take paths literally: /INVOICES and /invoices/ are other paths than /invoices. A path that only nearly
// matches would pass by what is mounted for the exact one (credentials, limits), and an empty id would list everything.
import Router from '@koa/router';

export function createRouter(): Router {
  return new Router({ sensitive: true, strict: true });
}
