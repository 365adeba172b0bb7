// The JSON Schemas of a job and its result.
import {
  choice,
  constant,
  described,
  list,
  object,
  orNull,
  ref,
  reference,
  rendered,
  text,
  time,
  uuid,
} from '../../platform/values/json-shape.js';
import { WRITE_KINDS } from '../../write-kinds.js';
import { resultSchema } from '../ledger/schemas.js';
import { schemasOf } from '../schema-parts.js';

const RESULTS = ['Invoice', 'Adjustment', 'Payment', 'Refund', 'CreditNote'].map(
  made => `${made}Result`,
);

const Job = object({
  id: uuid,
  type: choice(WRITE_KINDS.map(({ type }) => type)),
  status: choice(['queued', 'succeeded', 'failed']),
  createdAt: time,
  finishedAt: described(
    orNull(rendered({ type: 'string', format: 'date-time' })),
    'Null while the job is queued.',
  ),
  requestId: described(text, 'The request that created the job.'),
  result: described(
    rendered({ anyOf: [...RESULTS.map(reference), { type: 'null' }] }),
    'The created record, once the job has succeeded.',
  ),
  error: described(orNull(ref('Problem')), 'The reason, once the job has failed.'),
});

const AdjustmentResult = object({
  type: constant('adjustment'),
  id: uuid,
  href: rendered({ type: 'null' }),
  movements: list(ref('Movement')),
});

export const jobSchemas = schemasOf({
  Job,
  InvoiceResult: resultSchema('invoice'),
  AdjustmentResult,
});
