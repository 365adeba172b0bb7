// Payments, allocations, refunds and credit notes; the entries of an invoice, and voiding it.
import type Router from '@koa/router';
import type { ObjectSchema } from 'joi';
import type { Context } from 'koa';
import { type Auth, requireScope } from '../api-keys/authenticate.js';
import { answerWrite, writeRequest } from '../jobs/routes.js';
import type { Submitter } from '../jobs/submit/submitter.js';
import { Problem } from '../platform/errors.js';
import { noParameters, validateQuery } from '../platform/http/input/query.js';
import { validateBody } from '../platform/http/input/validate.js';
import type { Pager } from '../platform/http/pagination.js';
import { createRouter } from '../platform/http/router.js';
import { isUuid } from '../platform/values/ids.js';
import {
  allocationWrites,
  creditNoteWrites,
  paymentWrites,
  refundWrites,
  reversalWrites,
  voidWrites,
} from './batch/kinds.js';
import { checkAllocation, checkCreditNote, checkPayment, checkRefund } from './body-checks.js';
import {
  type InvoiceEntryQuery,
  invoiceEntryQuery,
  listInvoiceEntries,
} from './invoice-entries.js';
import { creditNoteQuery, type EntryQuery, paymentQuery, refundQuery } from './list-schema.js';
import type { LedgerPayload } from './payload.js';
import { findEntry, hasInvoice, hasPayment, type ListedType, listEntries } from './queries.js';
import {
  type AllocationRequest,
  allocationRequest,
  type CreditNoteRequest,
  creditNoteRequest,
  type PaymentRequest,
  paymentRequest,
  type RefundRequest,
  type ReversalRequest,
  refundRequest,
  reversalRequest,
  type VoidRequest,
  voidRequest,
} from './schema.js';

const API = '/api/external';
const READ_PAYMENTS = requireScope('payments:read');
const READ_INVOICES = requireScope('invoices:read');
const WRITE_PAYMENTS = [requireScope('payments:write'), ...writeRequest] as const;
const WRITE_CREDITS = [requireScope('credits:write'), ...writeRequest] as const;

export function ledgerRoutes(submitter: Submitter, pager: Pager): Router {
  const router = createRouter();
  addPaymentRoutes(router, submitter);
  addCreditRoutes(router, submitter);
  addLists(router, pager);
  router.get('/invoices/:id/entries', READ_INVOICES, async ctx => {
    const { limit, cursor } = validateQuery<InvoiceEntryQuery>(invoiceEntryQuery, ctx);
    const { companyId } = auth(ctx);
    const id = pathId(ctx, 'invoice');
    const list = `entries of ${id}`;
    const position = pager.position(companyId, list, cursor);
    const page = await listInvoiceEntries(companyId, id, limit, position);
    if (page === null) throw notFound('invoice');
    if (page.next) pager.linkNext(companyId, ctx, list, page.next);
    ctx.type = 'json';
    ctx.body = page.body;
  });
  return router;
}

function addPaymentRoutes(router: Router, submitter: Submitter): void {
  router.post('/payments', ...WRITE_PAYMENTS, async ctx => {
    const check = (body: unknown) => checkPayment(body, auth(ctx).currency);
    const request = validateBody<PaymentRequest>(paymentRequest, ctx.request.body, check);
    const payload: LedgerPayload = { type: 'payment.record', ...request };
    await answerWrite(ctx, submitter, paymentWrites, { payload }, id => `${API}/payments/${id}`);
  });

  router.post('/payments/:id/reversal', ...WRITE_PAYMENTS, async ctx => {
    const paymentId = pathId(ctx, 'payment');
    const request = validateBody<ReversalRequest>(reversalRequest, ctx.request.body);
    if (!(await hasPayment(auth(ctx).companyId, paymentId))) throw notFound('payment');
    const payload: LedgerPayload = { type: 'payment.reverse', paymentId, ...request };
    const location = () => `${API}/payments/${paymentId}`;
    await answerWrite(ctx, submitter, reversalWrites, { payload }, location);
  });

  router.post('/allocations', ...WRITE_PAYMENTS, async ctx => {
    const check = (body: unknown) => checkAllocation(body, auth(ctx).currency);
    const request = validateBody<AllocationRequest>(allocationRequest, ctx.request.body, check);
    const payload: LedgerPayload = { type: 'allocation.make', ...request };
    const { paymentId, creditNoteId } = request;
    const source =
      paymentId === undefined ? `credit-notes/${creditNoteId}` : `payments/${paymentId}`;
    const location = () => `${API}/${source}`;
    await answerWrite(ctx, submitter, allocationWrites, { payload }, location);
  });

  router.post('/refunds', ...WRITE_PAYMENTS, async ctx => {
    const check = (body: unknown) => checkRefund(body, auth(ctx).currency);
    const request = validateBody<RefundRequest>(refundRequest, ctx.request.body, check);
    const payload: LedgerPayload = { type: 'refund.record', ...request };
    await answerWrite(ctx, submitter, refundWrites, { payload }, id => `${API}/refunds/${id}`);
  });
}

function addCreditRoutes(router: Router, submitter: Submitter): void {
  const location = (id: string) => `${API}/credit-notes/${id}`;

  router.post('/credit-notes', ...WRITE_CREDITS, async ctx => {
    const check = (body: unknown) => checkCreditNote(body, auth(ctx).currency);
    const request = validateBody<CreditNoteRequest>(creditNoteRequest, ctx.request.body, check);
    const payload: LedgerPayload = { type: 'creditNote.create', ...request };
    await answerWrite(ctx, submitter, creditNoteWrites, { payload }, location);
  });

  router.post('/invoices/:id/void', ...WRITE_CREDITS, async ctx => {
    const invoiceId = pathId(ctx, 'invoice');
    const request = validateBody<VoidRequest>(voidRequest, ctx.request.body);
    if (!(await hasInvoice(auth(ctx).companyId, invoiceId))) throw notFound('invoice');
    const payload: LedgerPayload = { type: 'invoice.void', invoiceId, ...request };
    await answerWrite(ctx, submitter, voidWrites, { payload }, location);
  });
}

function addLists(router: Router, pager: Pager): void {
  const lists = [
    ['/payments', 'payment', 'payment', paymentQuery, READ_PAYMENTS],
    ['/refunds', 'refund', 'refund', refundQuery, READ_PAYMENTS],
    ['/credit-notes', 'creditNote', 'credit note', creditNoteQuery, READ_INVOICES],
  ] as const;
  for (const [path, type, name, schema, requireReadScope] of lists) {
    router.get(path, requireReadScope, ctx => answerList(ctx, pager, type, schema));
    router.get(`${path}/:id`, requireReadScope, noParameters, async ctx => {
      const body = await findEntry(auth(ctx).companyId, type, pathId(ctx, name));
      if (body === null) throw notFound(name);
      ctx.type = 'json';
      ctx.body = body;
    });
  }
}

async function answerList(ctx: Context, pager: Pager, type: ListedType, schema: ObjectSchema) {
  const filter = validateQuery<EntryQuery>(schema, ctx);
  const { companyId } = auth(ctx);
  // Part of each cursor's signature. The cursor is the id of its page's last entry.
  const list = `${type} by id`;
  const position = pager.position(companyId, list, filter.cursor);
  const page = await listEntries(companyId, type, filter, position);
  if (page.next) pager.linkNext(companyId, ctx, list, page.next);
  ctx.type = 'json';
  ctx.body = page.body;
}

function auth(ctx: Context): Auth {
  return ctx.state.auth as Auth;
}

/** Throws Problem `not_found` for an id that is not a UUID. */
function pathId(ctx: Context, name: string): string {
  const id = ctx.params.id ?? '';
  if (!isUuid(id)) throw notFound(name);
  return id.toLowerCase();
}

function notFound(name: string): Problem {
  return new Problem('not_found', `There is no such ${name}.`);
}
