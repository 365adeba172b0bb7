// GET /summary.
import type Router from '@koa/router';
import { type Auth, requireScope } from '../api-keys/authenticate.js';
import { noParameters } from '../platform/http/input/query.js';
import { createRouter } from '../platform/http/router.js';
import { readSummary } from './queries.js';

export function summaryRoutes(): Router {
  const router = createRouter();
  router.get('/summary', requireScope('summary:read'), noParameters, async ctx => {
    const { companyId, currency, timeZone } = ctx.state.auth as Auth;
    ctx.body = await readSummary(companyId, currency, timeZone);
    ctx.type = 'json';
  });
  return router;
}
