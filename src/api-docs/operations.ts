// The operations of the document: one entry per endpoint, with query and body from the schemas that
// validate them.
import type Joi from 'joi';
import { adjustmentRequest, inventoryQuery, itemPatch } from '../inventory/schema.js';
import { MAX_BATCH_LINES } from '../invoices/checks/check-requests.js';
import { invoiceBatch, invoiceQuery, invoiceRequest, MAX_BATCH } from '../invoices/schema.js';
import { movementQuery } from '../ledger/item-movements.js';
import { MAX_FIELD_ERRORS } from '../platform/problem-document.js';
import { adjustmentRequests, itemPatches } from './examples.js';
import { invoiceBatches, invoiceRequests } from './invoices/examples.js';
import { ledgerBodies, ledgerPaths } from './ledger/operations.js';
import {
  batch,
  EVERY_BODY,
  list,
  listOf,
  operation,
  READ,
  read,
  refs,
  type Spec,
  write,
} from './operation.js';
import { created, notModified, openApiDocument, problemsOf, success } from './responses.js';
import { ref } from './schema-parts.js';

/** Request bodies by the name of their schema in the document. */
export const requestBodies: Readonly<Record<string, Joi.Schema>> = {
  InvoiceRequest: invoiceRequest,
  InvoiceBatch: invoiceBatch,
  AdjustmentRequest: adjustmentRequest,
  ItemPatch: itemPatch,
  ...ledgerBodies,
};

const JOB_SCOPES = ['invoices:read', 'inventory:read', 'payments:read'];

const UPDATE =
  'A JSON Merge Patch (RFC 7396): only the given fields change, and null removes a value. Stock ' +
  'changes only by adjustments. A renamed item is still matched by its former names until ' +
  'another item takes them. An archived item is in no list but that of archived items and is ' +
  'matched by no line or entry; it keeps its history.';

const BATCH =
  `Up to ${MAX_BATCH} invoices in one request, which counts once towards the rate limit. ` +
  `Together they have at most ${MAX_BATCH_LINES.toLocaleString('en')} lines. Each invoice stands ` +
  'alone: one that is refused keeps no other from being created. With an Idempotency-Key the ' +
  'n-th invoice has the key `<key>/<n>`, from 0, so a repeated request replays each invoice by ' +
  `itself. All problems of an answer list at most ${MAX_FIELD_ERRORS} field errors together, the ` +
  'first ones; `errorsOmitted` of each problem says how many of its errors are not listed.';

/** The paths of the document, below /api/external. */
export const paths: Readonly<Record<string, Readonly<Record<string, Spec>>>> = {
  '/summary': {
    get: read('getSummary', 'Summary', 'Financial summary of the current month', ['summary:read'], {
      description:
        'The month goes by the dates of invoices, payments, refunds and credit notes, in the ' +
        'time zone of the company. `invoices`, `sales`, `previous`, `change` and the top lists ' +
        'are what was invoiced, even if it is credited later. `outstanding`, `overdue` and ' +
        '`unallocated` are as of today. The figures are precomputed: reading them costs the ' +
        'same with ten invoices or ten million. They include a write within 5 seconds.',
      success: success('The summary.', ref('Summary'), 'Summary', ['ETag']),
    }),
  },
  '/invoices': {
    get: list('listInvoices', 'Invoices', 'List invoices', ['invoices:read'], invoiceQuery, {
      description:
        'Newest first: by date, then by creation. A plain array; the `Link` header leads to the' +
        ' next page. With several filters, a page may have fewer invoices than the limit, or ' +
        'none, and still have a next page.',
      success: success('A page of invoices.', listOf('Invoice'), 'Invoices', ['ETag', 'Link']),
    }),
    post: write('createInvoice', 'Invoices', 'Create an invoice', ['invoices:write'], {
      description:
        'Creates the invoice and reduces the stock of its items, both or neither. Each line ' +
        'amount is rounded half up. The total is their exact sum, less the discount of the ' +
        'invoice, plus the tax of each category and rate, rounded half up once. Numbers are ' +
        'gap-free and in order of creation.',
      body: 'InvoiceRequest',
      examples: invoiceRequests,
      success: created('The invoice.', 'Invoice', ['Location']),
      problems: ['OutOfStock'],
    }),
  },
  '/invoices/batch': {
    post: batch('createInvoices', 'Invoices', 'Create many invoices', ['invoices:write'], {
      description: BATCH,
      body: 'InvoiceBatch',
      examples: invoiceBatches,
      success: success('One result per invoice.', ref('InvoiceBatchResults'), 'BatchResults', [
        'Preference-Applied',
        'Idempotency-Replayed',
      ]),
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
  ...ledgerPaths,
  '/inventory': {
    get: list(
      'listInventory',
      'Inventory',
      'List stock items',
      ['inventory:read'],
      inventoryQuery,
      {
        description:
          'By name. A plain array; `low=1` returns the items to reorder; `archived=1` returns ' +
          'the archived ones; the `Link` header leads to the next page. With `q`, a page may ' +
          'have fewer items than the limit, or none, and still have a next page.',
        success: success('A page of stock items.', listOf('Item'), 'Items', ['ETag', 'Link']),
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
  '/inventory/{id}': {
    get: read('getItem', 'Inventory', 'Get a stock item', ['inventory:read'], {
      description: 'The same object that the list returns. Archived items too.',
      path: ['Id'],
      success: success('The item.', ref('Item'), 'Item', ['ETag']),
      problems: ['NotFound'],
    }),
    patch: {
      ...operation('updateItem', 'Inventory', 'Change a stock item', ['inventory:write'], UPDATE),
      parameters: refs(['Id', 'IfMatch', 'RequestId']),
      requestBody: {
        required: true,
        content: {
          'application/merge-patch+json': { schema: ref('ItemPatch'), examples: itemPatches },
          'application/json': { schema: ref('ItemPatch'), examples: itemPatches },
        },
      },
      responses: {
        200: success('The changed item.', ref('Item'), 'Item', ['ETag']),
        ...problemsOf([...EVERY_BODY, 'BadUpdateRequest', 'NotFound', 'ItemConflict']),
        ...problemsOf(['PreconditionFailed', 'Invalid']),
      },
    },
  },
  '/inventory/{id}/movements': {
    get: list(
      'listItemMovements',
      'Inventory',
      "List an item's movements",
      ['inventory:read'],
      movementQuery,
      {
        description:
          'Newest first. A plain array; the `Link` header leads to the next page. Each movement ' +
          'comes from an invoice, an adjustment or a credit note. With filters, a page may have ' +
          'fewer movements than the limit, or none, and still have a next page.',
        path: ['Id'],
        success: success('A page of movements.', listOf('ItemMovement'), 'ItemMovements', [
          'ETag',
          'Link',
        ]),
        problems: ['NotFound'],
      },
    ),
  },
  '/jobs/{id}': {
    get: read('getJob', 'Jobs', 'Get a queued write', JOB_SCOPES, {
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
