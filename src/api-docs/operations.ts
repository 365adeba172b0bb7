// The operations of the document: one entry per endpoint, with query and body from the schemas that
// validate them.
import type Joi from 'joi';
import { adjustmentRequest, inventoryQuery } from '../inventory/schema.js';
import { invoiceQuery, invoiceRequest } from '../invoices/schema.js';
import { adjustmentRequests, type Example, invoiceRequests } from './examples.js';
import { queryParameters } from './json-schema.js';
import {
  accepted,
  created,
  notModified,
  openApiDocument,
  type ProblemResponse,
  problemsOf,
  success,
} from './responses.js';
import { ref } from './schemas.js';

type Spec = Readonly<Record<string, unknown>>;

/** Request bodies by the name of their schema in the document. */
export const requestBodies: Readonly<Record<string, Joi.Schema>> = {
  InvoiceRequest: invoiceRequest,
  AdjustmentRequest: adjustmentRequest,
};

const READ = ['RequestId', 'IfNoneMatch'];
const WRITE = ['Prefer', 'IdempotencyKey', 'RequestId'];
const EVERY: readonly ProblemResponse[] = [
  'Unauthorized',
  'Forbidden',
  'NotAcceptable',
  'TooManyRequests',
  'InternalError',
  'Unavailable',
];
const EVERY_WRITE: readonly ProblemResponse[] = [
  ...EVERY,
  'BadWriteRequest',
  'TooLarge',
  'UnsupportedMediaType',
  'Unprocessable',
];

/** The paths of the document, below /api/external. */
export const paths: Readonly<Record<string, Readonly<Record<string, Spec>>>> = {
  '/summary': {
    get: read('getSummary', 'Summary', 'Financial summary of the current month', ['summary:read'], {
      description:
        'The month goes by invoice dates, in the time zone of the company. The figures are ' +
        'precomputed: reading them costs the same with ten invoices or ten million. They ' +
        'include a write within 5 seconds.',
      success: success('The summary.', ref('Summary'), 'Summary', ['ETag']),
    }),
  },
  '/invoices': {
    get: list('listInvoices', 'Invoices', 'List invoices', ['invoices:read'], invoiceQuery, {
      description:
        'Newest first: by date, then by creation. A plain array; the `Link` header leads to the' +
        ' next page.',
      success: success('A page of invoices.', listOf('Invoice'), 'Invoices', ['ETag', 'Link']),
    }),
    post: write('createInvoice', 'Invoices', 'Create an invoice', ['invoices:write'], {
      description:
        'Creates the invoice and reduces the stock of its items, both or neither. Each line ' +
        'amount is rounded half up, and the total is their exact sum. Numbers are gap-free and ' +
        'in order of creation.',
      body: 'InvoiceRequest',
      examples: invoiceRequests,
      success: created('The invoice.', 'Invoice', ['Location']),
      problems: ['OutOfStock'],
    }),
  },
  '/invoices/{id}': {
    get: read('getInvoice', 'Invoices', 'Get an invoice', ['invoices:read'], {
      description: 'The same object that creation and the list return.',
      path: ['Id'],
      success: success('The invoice.', ref('Invoice'), 'Invoice', ['ETag']),
      problems: ['NotFound'],
    }),
  },
  '/inventory': {
    get: list(
      'listInventory',
      'Inventory',
      'List stock items',
      ['inventory:read'],
      inventoryQuery,
      {
        description:
          'By name. A plain array; `low=1` returns the items to reorder; the `Link` header ' +
          'leads to the next page.',
        success: success('A page of stock items.', listOf('Item'), 'Item', ['ETag', 'Link']),
      },
    ),
  },
  '/inventory/adjustments': {
    post: write(
      'adjustInventory',
      'Inventory',
      'Receive, count or correct stock',
      ['inventory:write'],
      {
        description:
          'Applies the entries in order, all or none. With the reason `received` or `count`, an' +
          ' unknown name creates an item; with other reasons it is refused as `unknown_item`.',
        body: 'AdjustmentRequest',
        examples: adjustmentRequests,
        success: created('The adjustment with its movements.', 'Adjustment', []),
        problems: ['StockRefused'],
      },
    ),
  },
  '/jobs/{id}': {
    get: read('getJob', 'Jobs', 'Get a queued write', ['invoices:read', 'inventory:read'], {
      description:
        'Status of a write that returned 202. Available for 30 days, with the matching scope.',
      path: ['Id'],
      success: success('The job.', ref('Job'), 'Job', ['ETag']),
      problems: ['NotFound'],
    }),
  },
  '/openapi.json': {
    get: {
      operationId: 'getOpenApiDocument',
      tags: ['Documentation'],
      summary: 'This document',
      description: 'Needs no key and does not count towards the rate limit.',
      security: [],
      parameters: refs(READ),
      responses: {
        200: openApiDocument,
        304: notModified,
        ...problemsOf(['BadDocumentRequest', 'NotAcceptable', 'InternalError']),
      },
    },
  },
};

interface OperationParts {
  readonly description: string;
  readonly success: Spec;
  readonly path?: readonly string[];
  readonly problems?: readonly ProblemResponse[];
}

function read(
  operationId: string,
  tag: string,
  summary: string,
  scopes: readonly string[],
  parts: OperationParts,
): Spec {
  const { success: ok, path = [], problems = [] } = parts;
  return {
    ...operation(operationId, tag, summary, scopes, parts.description),
    parameters: refs([...path, ...READ]),
    responses: { 200: ok, 304: notModified, ...problemsOf([...EVERY, 'BadRequest', ...problems]) },
  };
}

function list(
  operationId: string,
  tag: string,
  summary: string,
  scopes: readonly string[],
  query: Joi.ObjectSchema,
  parts: OperationParts,
): Spec {
  const filters = queryParameters(query).map(parameter => ({ in: 'query', ...parameter }));
  return {
    ...operation(operationId, tag, summary, scopes, parts.description),
    parameters: [...filters, ...refs(READ)],
    responses: {
      200: parts.success,
      304: notModified,
      ...problemsOf([...EVERY, 'BadListRequest']),
    },
  };
}

interface WriteParts extends OperationParts {
  readonly body: string;
  readonly examples: Readonly<Record<string, Example>>;
}

function write(
  operationId: string,
  tag: string,
  summary: string,
  scopes: readonly string[],
  parts: WriteParts,
): Spec {
  const { body, examples, problems = [] } = parts;
  return {
    ...operation(operationId, tag, summary, scopes, parts.description),
    parameters: refs(WRITE),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref(body), examples } },
    },
    responses: { 201: parts.success, 202: accepted, ...problemsOf([...EVERY_WRITE, ...problems]) },
  };
}

/** The scopes are in the security requirement (as OpenAPI 3.1 roles) and, for people, in text. */
function operation(
  operationId: string,
  tag: string,
  summary: string,
  scopes: readonly string[],
  description: string,
): Spec {
  const needs = scopes.map(scope => `\`${scope}\``).join(' or ');
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description}\n\nScope: ${needs}.`,
    security: scopes.flatMap(scope => [{ apiKey: [scope] }, { bearer: [scope] }]),
  };
}

function listOf(name: string): { type: string; items: Spec } {
  return { type: 'array', items: ref(name) };
}

function refs(names: readonly string[]): Spec[] {
  return names.map(name => ({ $ref: `#/components/parameters/${name}` }));
}
