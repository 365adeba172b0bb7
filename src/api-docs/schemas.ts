// The API's answers as JSON Schema. Every field is always present (absent values are null), so all
// are required. Objects are open, because fields may be added at any time; our tests close them.
import { REASONS } from '../inventory/schema.js';
import { MOVEMENT_KINDS } from '../ledger/item-movements.js';
import { PROBLEMS } from '../platform/errors.js';
import { AGES } from '../receivables/ageing.js';
import { WRITE_KINDS } from '../write-kinds.js';
import { receivableSchemas } from './customers/receivables.js';
import { customerProblemMembers, customerSchemas } from './customers/schemas.js';
import { invoiceSchemas } from './invoices/schemas.js';
import type { JsonSchema } from './json-schema.js';
import {
  invoiceStateMembers,
  ledgerFieldErrorMembers,
  ledgerSchemas,
  resultSchema,
} from './ledger/schemas.js';
import { FIELD_CODES } from './problem-guide.js';
import {
  count,
  currency,
  date,
  described,
  fieldErrorMembers,
  list,
  money,
  month,
  number,
  object,
  orNull,
  quantity,
  ref,
  text,
  time,
  uuid,
} from './schema-parts.js';

const Item = object({
  id: uuid,
  sku: orNull(text),
  name: text,
  unit: orNull(text),
  onHand: described(number, 'The sum of all movements, at most 4 decimals.'),
  reorderPoint: quantity,
  low: { type: 'boolean', description: '`onHand <= reorderPoint`.' },
  unitCost: orNull(number),
  unitPrice: orNull(number),
  updatedAt: time,
  archived: {
    type: 'boolean',
    description:
      'Out of use: only in the list of archived items. Lines and entries do not match it.',
  },
});

const ItemMovement = object({
  id: uuid,
  kind: { type: 'string', enum: MOVEMENT_KINDS },
  delta: described(number, 'The quantity added; negative if removed.'),
  onHandAfter: quantity,
  source: object({
    type: { type: 'string', enum: ['invoice', 'adjustment', 'creditNote'] },
    id: uuid,
    number: described(
      orNull(text),
      'The number of the invoice or credit note; null for an adjustment.',
    ),
  }),
  createdAt: time,
});

const Movement = object({
  itemId: uuid,
  name: text,
  delta: described(number, 'The quantity added; negative if removed.'),
  onHandBefore: quantity,
  onHandAfter: quantity,
});

const Adjustment = object({
  id: uuid,
  reason: { type: 'string', enum: REASONS },
  reference: orNull(text),
  note: orNull(text),
  createdAt: time,
  movements: described(list(ref('Movement')), 'One per entry, in the order of the request.'),
});

const Job = object({
  id: uuid,
  type: { type: 'string', enum: WRITE_KINDS.map(({ type }) => type) },
  status: { type: 'string', enum: ['queued', 'succeeded', 'failed'] },
  createdAt: time,
  finishedAt: described(
    orNull({ type: 'string', format: 'date-time' }),
    'Null while the job is queued.',
  ),
  requestId: described(text, 'The request that created the job.'),
  result: {
    anyOf: [
      ...['InvoiceResult', 'AdjustmentResult', 'PaymentResult', 'RefundResult'].map(ref),
      ref('CreditNoteResult'),
      { type: 'null' },
    ],
    description: 'The created record, once the job has succeeded.',
  },
  error: {
    anyOf: [ref('Problem'), { type: 'null' }],
    description: 'The reason, once the job has failed.',
  },
});

const AdjustmentResult = object({
  type: { type: 'string', const: 'adjustment' },
  id: uuid,
  href: { type: 'null' },
  movements: list(ref('Movement')),
});

const countAndTotal = { count, total: money };
const percent = described(
  orNull(number),
  'One decimal, rounded half up; null where the base is 0.',
);

const Summary = object({
  period: object({
    month,
    from: date,
    to: described(date, 'The last day of the month.'),
    timezone: described(text, 'IANA name.'),
  }),
  currency,
  invoices: object({
    ...countAndTotal,
    average: described(
      orNull(number),
      'Rounded half up to the minor unit of the currency; null without invoices.',
    ),
  }),
  previous: object({
    month,
    ...countAndTotal,
    toSameDay: object(countAndTotal, 'The previous month, up to the same day of the month.'),
  }),
  change: object(
    { countPercent: percent, totalPercent: percent },
    'This month compared with `previous.toSameDay`.',
  ),
  topCustomers: described(
    list(
      object({
        name: text,
        count: described(count, "The customer's invoices of the month, credited or not."),
        total: described(money, 'With tax, less credit notes.'),
      }),
      5,
    ),
    'The customers with the largest net totals, if these are above 0.',
  ),
  topItems: described(
    list(
      object({
        name: text,
        qty: described(quantity, 'Sold less credited. A credit note by amount does not change it.'),
        total: described(money, "Before tax and the invoice's own discount, less credit notes."),
      }),
      5,
    ),
    'The items with the largest net totals, if both net figures are above 0.',
  ),
  inventory: object({
    items: count,
    low: count,
    outOfStock: count,
    value: described(
      number,
      'Σ onHand × unitCost, the sum rounded half up to the minor unit of the currency.',
    ),
  }),
  computedAt: described(
    time,
    'When the figures were computed. They include a change within 5 seconds.',
  ),
  sales: object({ net: money, tax: money }, '`invoices.total`, split.'),
  credited: object(
    { ...countAndTotal, net: money, tax: money },
    "The month's credit notes, by their own dates.",
  ),
  received: object(
    { count: { type: 'integer' }, total: money },
    "The month's payments less its reversals, by their own dates. Below 0 if more was reversed.",
  ),
  refunded: object(countAndTotal, "The month's refunds, by their own dates."),
  outstanding: object(countAndTotal, 'The invoices of any month with an amount due.'),
  overdue: object(
    countAndTotal,
    'Those of them with a due date before today, in the time zone of the company.',
  ),
  unallocated: object({ total: money }, 'The unallocated money of payments and credit notes.'),
  receivables: object(
    Object.fromEntries(AGES.map(age => [age, money])),
    '`outstanding.total` by the days after the due date, in the time zone of the company. ' +
      '`current` is not yet due or has no due date.',
  ),
});

const FieldError: JsonSchema = {
  type: 'object',
  properties: {
    pointer: described(text, 'RFC 6901 pointer into the request body.'),
    code: { type: 'string', enum: Object.keys(FIELD_CODES) },
    detail: text,
    itemId: described(
      orNull(uuid),
      'With `insufficient_stock` and `stock_conflict`; null for an item that this adjustment ' +
        'would create.',
    ),
    ...ledgerFieldErrorMembers,
    existingId: described(uuid, 'With `already_exists` of a customer: the record.'),
    ...invoiceStateMembers,
    requested: described(number, "The line's own quantity, or the amount of the request."),
    available: described(number, 'The quantity on hand, or the amount due or unallocated.'),
    onHand: described(number, 'With `stock_conflict`: the quantity on hand.'),
  },
  required: ['pointer', 'code', 'detail'],
};

const Problem: JsonSchema = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'URL of the explanation.',
    },
    title: text,
    status: { type: 'integer', minimum: 400, maximum: 599 },
    code: {
      type: 'string',
      enum: Object.keys(PROBLEMS),
      description: 'For programs. More values may follow.',
    },
    detail: described(text, 'For people. The wording may change.'),
    instance: described(text, 'The path of the request, as it was sent.'),
    requestId: described(text, 'For the log and for support; also in X-Request-Id.'),
    existingId: described(uuid, 'With `already_exists`: the existing item, transfer or customer.'),
    requested: described(
      money,
      'With `amount_exceeds_unallocated`, and with `credit_limit_exceeded`: the total of the ' +
        'invoice.',
    ),
    available: described(
      money,
      'With `amount_exceeds_unallocated`: the unallocated amount. With `credit_limit_exceeded`: ' +
        'what is left of the limit; negative if it is exceeded already.',
    ),
    ...invoiceStateMembers,
    parameter: described(text, 'With `invalid_parameter` and `unknown_parameter`: its name.'),
    ...customerProblemMembers,
    requiredScope: described(text, 'With `insufficient_scope`: the scope that the key lacks.'),
    ...fieldErrorMembers,
  },
  required: ['type', 'title', 'status', 'code', 'detail', 'instance', 'requestId'],
};

export const responseSchemas: Readonly<Record<string, JsonSchema>> = {
  ...{ ...ledgerSchemas, ...customerSchemas, ...receivableSchemas, Summary, ...invoiceSchemas },
  Item,
  Adjustment,
  Movement,
  ItemMovement,
  Job,
  InvoiceResult: resultSchema('invoice'),
  AdjustmentResult,
  Problem,
  FieldError,
};
