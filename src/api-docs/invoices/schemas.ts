// The JSON Schemas of answers with invoices.
import { INVOICE, issuedSchemas } from '../../invoices/issued/invoice-shape.js';
import { MAX_BATCH_INVOICES } from '../../invoices/schema.js';
import { described, list, object, ref, rendered } from '../../platform/values/json-shape.js';
import { either, schemasOf } from '../schema-parts.js';

const InvoiceBatchResults = object({
  results: described(
    list(either('CreatedResult', 'RefusedResult', 'AcceptedResult'), MAX_BATCH_INVOICES),
    'In the order of the request.',
  ),
});

const CreatedResult = object({
  status: rendered({ type: 'integer', const: 201 }),
  invoice: INVOICE,
});

const RefusedResult = object({
  status: described(
    rendered({ type: 'integer', minimum: 403, maximum: 503 }),
    '403, 409 or 422. 500 or 503 if the same single request would have returned it.',
  ),
  problem: ref('Problem'),
});

const AcceptedResult = object({
  status: rendered({ type: 'integer', const: 202 }),
  job: ref('Job'),
});

export const invoiceSchemas = {
  ...issuedSchemas,
  ...schemasOf({
    InvoiceBatchResults,
    CreatedResult,
    RefusedResult,
    AcceptedResult,
  }),
};
