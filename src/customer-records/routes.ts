// The endpoints of customers. Their writes are not queued: the response comes from the transaction.
import type { Context, Middleware } from 'koa';
import {
  idempotencyKey,
  recordBatchRequest,
  recordRequest,
  senderOf,
} from '../api/answer-write.js';
import { type Endpoint, listEndpoint, patchEndpoint, readEndpoint } from '../api/endpoint.js';
import { inLargeTurn } from '../api/large-bodies.js';
import { customerQuery } from '../customers/list-schema.js';
import { findCustomer, listCustomers } from '../customers/queries.js';
import {
  customerBatch,
  customerMerge,
  customerPatch,
  customerRequest,
  MAX_BATCH_CUSTOMERS,
} from '../customers/schema.js';
import { type StoredResponse, sendResponse } from '../jobs/stored-responses.js';
import { problemText } from '../platform/http/errors.js';
import { noParameters } from '../platform/http/input/query.js';
import { validateBody } from '../platform/http/input/validate.js';
import { pathId } from '../platform/http/router.js';
import { countNames } from './identify.js';
import {
  type CustomerCall,
  createCustomer,
  createCustomers,
  deleteCustomer,
  mergeCustomers,
  updateCustomer,
} from './service.js';

/** The list that finds a record by its number. */
const BY_NUMBER = '/customers?number=';

const CONFLICTS = { CustomerConflict: ['already_exists', 'invalid_state'] } as const;

export const customerEndpoints: readonly Endpoint[] = [
  listEndpoint({
    path: '/customers',
    id: 'listCustomers',
    tag: 'Customers',
    summary: 'List customers',
    description:
      'The records by name. A plain array; the `Link` header leads to the next page. ' +
      '`archived=1` returns the archived records and those that were merged. The number and the ' +
      'external id of a merged record find the record that remains.',
    scope: 'customers:read',
    query: customerQuery,
    answer: 'A page of customers.',
    schema: 'Customer',
    cursors: 'customers',
    page: ({ companyId }, filter, position) => listCustomers(companyId, filter, position),
  }),
  {
    type: 'create',
    path: '/customers',
    id: 'createCustomer',
    tag: 'Customers',
    summary: 'Create a customer',
    description:
      'Creates a record for one or more names. Invoices and payments belong to it by their ' +
      'customer name, even those that existed before. A number, external id or name that ' +
      'another record has, even an archived one, is refused with `existingId`.',
    scope: 'customers:write',
    body: { name: 'CustomerRequest', schema: customerRequest },
    answer: 'The record.',
    schema: 'Customer',
    hasLocation: true,
    conflicts: { CustomerExists: ['already_exists'] },
    middleware: () => [
      ...recordRequest,
      async ctx => sendResponse(ctx, await createCustomer(callOf(ctx))),
    ],
  },
  {
    type: 'action',
    path: '/customers/batch',
    id: 'createCustomers',
    tag: 'Customers',
    summary: 'Create or update many customers',
    description:
      `Up to ${MAX_BATCH_CUSTOMERS} customers in one request, which counts once towards the ` +
      'rate limit. A refused customer does not affect the others. With `"onExisting": ' +
      '"update"`, a customer whose `externalId`, else whose `name`, a record has changes the ' +
      'fields of that record that were sent. With an Idempotency-Key the n-th customer has the ' +
      'key `<key>/<n>`, from 0.',
    scope: 'customers:write',
    body: { name: 'CustomerBatch', schema: customerBatch },
    answer: 'One result per customer.',
    schema: 'CustomerBatchResults',
    middleware: () => [...recordBatchRequest, answerBatch],
  },
  readEndpoint({
    path: '/customers/{id}',
    id: 'getCustomer',
    tag: 'Customers',
    summary: 'Get a customer',
    description: 'The id of a merged record returns the record that remains.',
    scope: 'customers:read',
    noun: 'customer',
    search: BY_NUMBER,
    answer: 'The record.',
    schema: 'Customer',
    find: ({ companyId }, id) => findCustomer(companyId, id),
  }),
  patchEndpoint({
    path: '/customers/{id}',
    id: 'updateCustomer',
    tag: 'Customers',
    summary: 'Change a customer',
    description:
      'A JSON Merge Patch (RFC 7396): only the given fields change, and null removes a value. ' +
      'So do the given parts of an address; `tax` is replaced as a whole. ' +
      'After a rename the former name remains as an alias. An alias that an invoice or payment ' +
      'has cannot be removed. `"archived": true` needs a customer without anything outstanding ' +
      'or unallocated.',
    scope: 'customers:write',
    noun: 'customer',
    search: BY_NUMBER,
    body: { name: 'CustomerPatch', schema: customerPatch },
    answer: 'The changed record.',
    schema: 'Customer',
    conflicts: CONFLICTS,
    patch: (ctx, id, checkCurrent) => {
      const { companyId, createdBy } = senderOf(ctx);
      const call = { companyId, changedBy: createdBy, body: ctx.request.body };
      return updateCustomer(call, id, checkCurrent);
    },
  }),
  {
    type: 'delete',
    path: '/customers/{id}',
    id: 'deleteCustomer',
    tag: 'Customers',
    summary: 'Delete a customer',
    description: 'Only while no invoice, payment, refund or credit note has one of its names.',
    scope: 'customers:write',
    noun: 'customer',
    answer: 'Deleted.',
    schema: 'Customer',
    conflicts: { CustomerState: ['invalid_state'] },
    middleware: () => [
      noParameters,
      async ctx => {
        const { companyId, createdBy } = senderOf(ctx);
        await deleteCustomer(companyId, pathId(ctx, 'customer', BY_NUMBER), createdBy);
        ctx.status = 204;
      },
    ],
  },
  {
    type: 'action',
    path: '/customers/{id}/merge',
    id: 'mergeCustomers',
    tag: 'Customers',
    summary: 'Merge another customer into this one',
    description:
      'The record in the body ends: its names become aliases of this one, which keeps its own ' +
      'data. Its id, number and external id then find this record. A merge is final.',
    scope: 'customers:write',
    noun: 'customer',
    body: { name: 'CustomerMerge', schema: customerMerge },
    answer: 'The record that remains.',
    schema: 'Customer',
    conflicts: { CustomerState: ['invalid_state'] },
    middleware: () => [
      ...recordRequest,
      async ctx =>
        sendResponse(ctx, await mergeCustomers(pathId(ctx, 'customer', BY_NUMBER), callOf(ctx))),
    ],
  },
];

function callOf(ctx: Context): CustomerCall {
  const { companyId, createdBy } = senderOf(ctx);
  const { body } = ctx.request;
  return { companyId, changedBy: createdBy, body, idempotencyKey: idempotencyKey(ctx) };
}

/** A batch takes as long as it has names and aliases, whatever its size. */
const LARGE_NAMES = 500;

const answerBatch: Middleware = async ctx => {
  const { customers, onExisting } = validateBody(customerBatch, ctx.request.body);
  const create = () => createCustomers(callOf(ctx), customers, onExisting);
  const isLarge = countNames(customers) > LARGE_NAMES;
  const responses = await (isLarge ? inLargeTurn(ctx, create) : create());
  if (responses.every(({ isReplayed }) => isReplayed)) ctx.set('Idempotency-Replayed', 'true');
  ctx.type = 'json';
  ctx.body = `{"results":[${responses.map(response => resultText(ctx, response)).join(',')}]}`;
};

function resultText(ctx: Context, response: StoredResponse): string {
  const { status } = response;
  if ('body' in response) return `{"status":${status},"customer":${response.body}}`;
  return `{"status":${status},"problem":${problemText(response.problem, ctx.state.requestId)}}`;
}
