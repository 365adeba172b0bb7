// GET /invoices, GET /invoices/{id}, POST /invoices and POST /invoices/batch.
import type Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { type Auth, requireScope } from '../api-keys/authenticate.js';
import { answerBatch } from '../jobs/batch-answer.js';
import { answerWrite, writeRequest } from '../jobs/routes.js';
import type { Submitter } from '../jobs/submit/submitter.js';
import { Problem } from '../platform/errors.js';
import { noParameters, validateQuery } from '../platform/http/input/query.js';
import type { Pager } from '../platform/http/pagination.js';
import { createRouter } from '../platform/http/router.js';
import { isUuid } from '../platform/values/ids.js';
import { checkBatch, checkRequest } from './checks/check-requests.js';
import { listInvoices } from './list.js';
import { invoiceWrites } from './post.js';
import { findInvoice } from './queries.js';
import { type InvoiceQuery, invoiceQuery } from './schema.js';

/** Part of each cursor's signature. The cursor is the id of its page's last invoice. */
const LIST = 'invoices by id';

export function invoiceRoutes(submitter: Submitter, pager: Pager): Router {
  const router = createRouter();

  router.get('/invoices', requireScope('invoices:read'), async ctx => {
    const filter = validateQuery<InvoiceQuery>(invoiceQuery, ctx);
    const { companyId } = ctx.state.auth as Auth;
    const page = await listInvoices(
      companyId,
      filter,
      pager.position(companyId, LIST, filter.cursor),
    );
    if (page.next) pager.linkNext(companyId, ctx, LIST, page.next);
    ctx.type = 'json';
    ctx.body = page.body;
  });

  router.post('/invoices', requireScope('invoices:write'), ...writeRequest, async ctx => {
    const { checked } = await checkRequest(ctx.request.body, ctx.state.auth as Auth);
    await answerWrite(ctx, submitter, invoiceWrites, checked, id => `/api/external/invoices/${id}`);
  });

  router.post('/invoices/batch', requireScope('invoices:write'), ...writeRequest, async ctx => {
    const entries = await checkBatch(ctx.request.body, ctx.state.auth as Auth);
    await answerBatch(ctx, submitter, invoiceWrites, entries, 'invoice');
  });

  const readInvoice = [notBatch, requireScope('invoices:read'), noParameters] as const;
  router.get('/invoices/:id', ...readInvoice, async ctx => {
    const id = ctx.params.id ?? '';
    const body = isUuid(id) ? await findInvoice((ctx.state.auth as Auth).companyId, id) : null;
    if (body === null) throw new Problem('not_found', 'There is no such invoice.');
    ctx.type = 'json';
    ctx.body = body;
  });

  return router;
}

/** /invoices/batch takes other methods than an invoice. */
const notBatch: Middleware = async (ctx: Context, next: Next) => {
  if (ctx.params.id !== 'batch') await next();
};
