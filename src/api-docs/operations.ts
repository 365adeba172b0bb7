// The operations of the document: one entry an endpoint, its query and body taken from the schemas that validate them.
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

/** Request bodies, by the name of their schema in the document. */
export const requestBodies: Readonly<Record<string, Joi.Schema>> = {
  InvoiceRequest: invoiceRequest,
  AdjustmentRequest: adjustmentRequest,
};

// No examples here: the reference's try-it would send them, and a key that everybody uses is no key.
export const parameters: Readonly<Record<string, Spec>> = {
  RequestId: headerParameter(
    'X-Request-Id',
    'Your own id for the request, 1–128 characters of `A-Za-z0-9._:-`, `order-4711` say. It comes back, and stands in the log and in the job.',
    // What is not of this form is replaced, not refused.
    { type: 'string' },
  ),
  IfNoneMatch: headerParameter(
    'If-None-Match',
    'The ETag of what you have: 304 where it is current.',
    {
      type: 'string',
    },
  ),
  Prefer: headerParameter(
    'Prefer',
    '`wait=N`: wait up to N seconds for the outcome (0–30, default 10, more is 30). `respond-async`: answer 202 at once. RFC 7240; see [Waiting](/docs/waiting).',
    { type: 'string' },
  ),
  IdempotencyKey: headerParameter(
    'Idempotency-Key',
    'Makes repeating safe: the same key, path and body give the same outcome for 30 days. 1–255 visible ASCII characters, best a UUID. See [Idempotency](/docs/idempotency).',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  ),
  Id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id that was given at creation.',
    schema: { type: 'string', format: 'uuid' },
  },
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
        'The month is that of the invoice dates, in the time zone of the company. The figures are computed ahead: reading them costs the same with ten invoices or ten million. They follow a write within 5 seconds.',
      success: success('The summary.', ref('Summary'), 'Summary', ['ETag']),
    }),
  },
  '/invoices': {
    get: list('listInvoices', 'Invoices', 'List invoices', ['invoices:read'], invoiceQuery, {
      description:
        'Newest first: by date, then by creation. A bare array; more pages by the `Link` header.',
      success: success('A page of invoices.', listOf('Invoice'), 'Invoices', ['ETag', 'Link']),
    }),
    post: write('createInvoice', 'Invoices', 'Create an invoice', ['invoices:write'], {
      description:
        'Makes the invoice and takes its items out of stock, both or neither. Amounts are rounded line by line, half up; the total is their exact sum. Numbers are gap-free and in order of creation.',
      body: 'InvoiceRequest',
      examples: invoiceRequests,
      success: created('The invoice.', 'Invoice', ['Location']),
      problems: ['OutOfStock'],
    }),
  },
  '/invoices/{id}': {
    get: read('getInvoice', 'Invoices', 'Get an invoice', ['invoices:read'], {
      description: 'The same object that creation and the list give.',
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
          'By name. A bare array; `low=1` gives what has to be reordered; more pages by the `Link` header.',
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
          'Applies the entries in order, all or none. An unknown name makes an item where the reason is `received` or `count`; otherwise it is refused as `unknown_item`.',
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
        'How a write is doing that was answered with 202. Readable for 30 days, with the matching scope.',
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
      description: 'Needs no key and is not counted.',
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

/** Scopes stand in the security requirement (OpenAPI 3.1 calls them roles there) and, for readers, in the text. */
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

function headerParameter(name: string, description: string, schema: Spec): Spec {
  return { name, in: 'header', description, schema };
}
