// GET /invoices, GET /invoices/{id} and POST /invoices.
import type Router from '@koa/router';
import { type Auth, requireScope } from '../api-keys/authenticate.js';
import { answerWrite, writeRequest } from '../jobs/routes.js';
import type { Submitter } from '../jobs/submit/submitter.js';
import { Problem } from '../platform/errors.js';
import { noParameters, validateQuery } from '../platform/http/input/query.js';
import { validateBody } from '../platform/http/input/validate.js';
import type { Pager } from '../platform/http/pagination.js';
import { createRouter } from '../platform/http/router.js';
import { isUuid } from '../platform/values/ids.js';
import { checkInvoice } from './check.js';
import { withDefaults } from './defaults.js';
import { invoiceWrites } from './post.js';
import { findInvoice, listInvoices } from './queries.js';
import { type InvoiceQuery, type InvoiceRequest, invoiceQuery, invoiceRequest } from './schema.js';

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
    const settings = ctx.state.auth as Auth;
    const request = withDefaults(
      validateBody<InvoiceRequest>(invoiceRequest, ctx.request.body, body =>
        checkInvoice(body, settings),
      ),
      settings,
    );
    await answerWrite(ctx, submitter, invoiceWrites, request, id => `/api/external/invoices/${id}`);
  });

  router.get('/invoices/:id', requireScope('invoices:read'), noParameters, async ctx => {
    const id = ctx.params.id ?? '';
    const body = isUuid(id) ? await findInvoice((ctx.state.auth as Auth).companyId, id) : null;
    if (body === null) throw new Problem('not_found', 'There is no such invoice.');
    ctx.type = 'json';
    ctx.body = body;
  });

  return router;
}
