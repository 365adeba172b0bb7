// The endpoints of invoices. What changes an issued invoice is in the ledger, and so is their list,
// which shows the changes.

import { writeRequest } from '../api/answer-write.js';
import { answerBatch } from '../api/batch-answer.js';
import { authOf, type Endpoint, readEndpoint, writeEndpoint } from '../api/endpoint.js';
import { MAX_BATCH_LINES } from '../jobs/write-kind.js';
import { MAX_FIELD_ERRORS } from '../platform/problem-document.js';
import { checkBatch, checkRequest } from './checks/check-requests.js';
import { checkOwnScopes } from './checks/scopes.js';
import { invoiceWrites } from './post.js';
import { findInvoice } from './queries.js';
import { BY_NUMBER, invoiceBatch, invoiceRequest, MAX_BATCH_INVOICES } from './schema.js';

export const invoiceEndpoints: readonly Endpoint[] = [
  writeEndpoint({
    path: '/invoices',
    id: 'createInvoice',
    tag: 'Invoices',
    summary: 'Create an invoice',
    description:
      'Creates the invoice and reduces the stock of its items, both or neither. Each line ' +
      'amount is rounded half up. The total is their exact sum, less the discount of the ' +
      'invoice, plus the tax of each category and rate, rounded half up once. Numbers are ' +
      'gap-free and in order of creation.',
    scope: 'invoices:write',
    body: { name: 'InvoiceRequest', schema: invoiceRequest },
    answer: 'The invoice.',
    schema: 'Invoice',
    conflicts: {
      InvoiceRefused: [
        'customer_on_hold',
        'credit_limit_exceeded',
        'insufficient_stock',
        'invalid_state',
        'email_not_configured',
      ],
    },
    kind: invoiceWrites,
    check: async (body, auth) => {
      checkOwnScopes(body, auth);
      return (await checkRequest(body, auth)).checked;
    },
    location: id => `/invoices/${id}`,
  }),
  {
    type: 'batch',
    path: '/invoices/batch',
    id: 'createInvoices',
    tag: 'Invoices',
    summary: 'Create many invoices',
    description:
      `Up to ${MAX_BATCH_INVOICES} invoices in one request, which counts once towards the rate ` +
      `limit. Together they have at most ${MAX_BATCH_LINES.toLocaleString('en')} lines. A ` +
      'refused invoice does not affect the others. They are created in the order sent, also ' +
      'after a 202. With an Idempotency-Key the n-th invoice has the key `<key>/<n>`, from 0, ' +
      'and is replayed by itself. The problems of a response together list the first ' +
      `${MAX_FIELD_ERRORS} field errors; \`errorsOmitted\` of each problem says how many of its ` +
      'errors are not listed.',
    scope: 'invoices:write',
    body: { name: 'InvoiceBatch', schema: invoiceBatch },
    answer: 'One result per invoice.',
    schema: 'InvoiceBatchResults',
    middleware: ({ submitter }) => [
      ...writeRequest,
      async ctx => {
        const entries = await checkBatch(ctx.request.body, authOf(ctx));
        await answerBatch(ctx, submitter, invoiceWrites, entries, 'invoice');
      },
    ],
  },
  readEndpoint({
    path: '/invoices/{id}',
    id: 'getInvoice',
    tag: 'Invoices',
    summary: 'Get an invoice',
    description: 'The same object that creation and the list return.',
    scope: 'invoices:read',
    noun: 'invoice',
    search: BY_NUMBER,
    answer: 'The invoice.',
    schema: 'Invoice',
    find: ({ companyId }, id) => findInvoice(companyId, id),
  }),
];
