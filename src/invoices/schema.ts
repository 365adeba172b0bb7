// Request schemas of POST /invoices and GET /invoices.
import Joi from 'joi';
import { recordFilters } from '../api/list-filters.js';
import { TAX_CATEGORIES } from '../companies/tax-category.js';
import { onOff } from '../platform/http/input/query.js';
import {
  array,
  type ObjectOf,
  object,
  oneOf,
  optional,
  type Typed,
  typed,
  unchecked,
  type ValueOf,
  type WithValues,
  yesOrNo,
} from '../platform/http/input/typed-schema.js';
import { findsId, uuid } from '../platform/http/input/uuid.js';
import {
  calendarDate,
  codeText,
  cursor,
  decimal,
  linesOfText,
  MAX_ITEMS,
  pageSize,
  positiveDecimal,
  type TextSchema,
  text,
} from '../platform/http/input/validate.js';

export const MAX_QTY = 1_000_000;
export const MAX_SKU = 64;
export const MAX_PRICE = 999_999_999.9999;
/** The maximum of a total and of the amounts that lead to it. A double holds it exactly. */
export const MAX_TOTAL = 99_999_999_999.99;
export const MAX_PERCENT = 100;

const percent = () =>
  positiveDecimal(MAX_PERCENT).description('In percent. Rounded half up to the minor unit.');
const amount = () =>
  positiveDecimal(MAX_TOTAL).description('With at most the decimals of the currency.');

const discount = { percent: optional(percent()), amount: optional(amount()) };
/** Has exactly one of `percent` and `amount`. */
export type DiscountRequest = ObjectOf<typeof discount>;

const documentDiscount = object({
  ...discount,
  reason: optional(text(255)).description('The reason, in your words.'),
}).xor('percent', 'amount');

const lineRequest = object({
  name: optional(text(255)).description(
    'Product or service. Without `sku`, it is required and reduces the stock of the item ' +
      'with this name, ignoring case and spacing. If no item has this name, the line moves ' +
      'no stock. With `sku`, it defaults to the name of the item.',
  ),
  qty: positiveDecimal(MAX_QTY).required().description('Quantity, greater than zero.'),
  price: optional(decimal(0, MAX_PRICE)).description(
    'Price of one unit, excluding tax. Required, unless `sku` names an item that has a ' +
      '`unitPrice`, which is then the default.',
  ),
  sku: optional(codeText(MAX_SKU)).description(
    'Stock-keeping unit of the item whose stock is reduced, ignoring case and spacing, ' +
      'instead of the name. Must exist. The line keeps its `name`, which may differ from ' +
      "the item's name.",
  ),
  discount: optional(object(discount).xor('percent', 'amount')).description(
    'Reduces the amount of the line.',
  ),
  taxRate: optional(decimal(0, MAX_PERCENT)).description(
    "Tax in percent: on every line or on none. On none: the tax of the customer's record, " +
      'or else the default of the company, if there is one.',
  ),
  taxCategory: optional(oneOf(...TAX_CATEGORIES)).description(
    '`S` standard or reduced rate (with a rate above 0; the default there), `Z` zero rate ' +
      '(the default at 0), `E` exempt, `AE` reverse charge, `K` intra-Community supply, ' +
      '`G` export, `O` not subject to tax (on all lines or none).',
  ),
});

/** A line as a worker gets it: with a name and a price. */
export type InvoiceLineRequest = WithValues<ValueOf<typeof lineRequest>, 'name' | 'price'>;

const requestFor = (customerName: TextSchema) =>
  object({
    customerName: customerName.description('Required without `customerId` and `customerNumber`.'),
    customerId: optional(uuid('To name a customer by number, send customerNumber.')).description(
      "Id of the customer's record, whose `name` the invoice gets.",
    ),
    customerNumber: optional(codeText(30)).description("The customer's number, ignoring case."),
    date: calendarDate().required().description('The invoice date.'),
    items: array(lineRequest)
      .min(1)
      .max(MAX_ITEMS)
      .required()
      .description('The lines, in the order they appear on the invoice.'),
    reference: optional(codeText(100)).description(
      'Your own reference for this invoice. The list can be filtered by it.',
    ),
    dueDate: optional(calendarDate()).description(
      'Not before `date`. Without it: `date` and the payment terms of the customer, or else of ' +
        'the company, if there are any.',
    ),
    orderReference: optional(codeText(100)).description("The buyer's order number."),
    deliveryDate: optional(calendarDate()).description('When the goods or services are delivered.'),
    note: optional(linesOfText(1000)).description('Free text, with line feeds.'),
    discount: optional(documentDiscount).description('Reduces the sum of the lines.'),
    taxReason: optional(text(255)).description(
      'Why no tax is due on lines with category `E`. Required when a line has it.',
    ),
    ignoreCredit: optional(yesOrNo()).description(
      '`true` skips hold and limit. Also needs `customers:write`.',
    ),
    send: optional(yesOrNo()).description('`true` e-mails it. Also needs `documents:send`.'),
  }).required();

/** A request that may have a `customerId` or `customerNumber` in place of the name. */
export const invoiceRequest = requestFor(optional(text(255)));
/** A request without either. */
export const namedInvoiceRequest = requestFor(text(255).required());

/** A request as a worker gets it: with the name of its customer, and lines that are filled. */
export type InvoiceRequest = Omit<
  WithValues<ValueOf<typeof invoiceRequest>, 'customerName'>,
  'items' | 'customerNumber' | 'send'
> & { readonly items: readonly InvoiceLineRequest[] };

export const MAX_BATCH_INVOICES = 100;

export const invoiceBatch = object({
  invoices: array(unchecked('InvoiceRequest'))
    .min(1)
    .max(MAX_BATCH_INVOICES)
    .required()
    .description('The invoices. Each has the form of a single create request.'),
}).required();

/** The list that finds an invoice by its number. */
export const BY_NUMBER = '/invoices?number=';

export const STATUSES = ['open', 'paid', 'void'] as const;
export type InvoiceStatus = (typeof STATUSES)[number];

/** An overdue invoice has no status of its own. */
function status(): Typed<InvoiceStatus | undefined, Joi.StringSchema> {
  const known: readonly string[] = STATUSES;
  const schema = Joi.string()
    .custom((value: string, helpers) => {
      if (known.includes(value)) return value;
      const advice = value === 'overdue' ? ' For overdue invoices, send overdue=1.' : '';
      const sentence = `Must be one of ${STATUSES.join(', ')}.${advice}`;
      return helpers.error('invalid_value', { sentence });
    })
    .meta({ schema: { type: 'string', enum: STATUSES } });
  return typed(schema);
}

/** The largest page of invoices. */
export const MAX_PAGE = 200;

export const invoiceQuery = object({
  limit: pageSize(50, MAX_PAGE).description('Invoices per page.'),
  cursor: cursor(),
  from: calendarDate().description('Invoices dated on or after this day.'),
  to: calendarDate().description('Invoices dated on or before this day.'),
  customerName: codeText(255).description("The customer's full name, ignoring case and spacing."),
  customerId: uuid(findsId('customers?number')).description(
    "Id of a customer's record: invoices with any of its names. Empty without such a record.",
  ),
  ...recordFilters(
    'Invoices',
    'the number, the customer, the reference, the order number, the names and SKUs of the lines, ' +
      "and the number, phone number, contact and cities of the customer's record",
  ),
  number: codeText(40).description('Full invoice number, ignoring case.'),
  reference: codeText(100).description('Full reference, ignoring case and spacing.'),
  orderReference: codeText(100).description("The buyer's order number, ignoring case and spacing."),
  status: status().description('Only invoices with this status.'),
  overdue: onOff().description(
    '`1` or `true` lists only open invoices on which something was due before today, in the time ' +
      'zone of the company.',
  ),
  dueFrom: calendarDate().description('Invoices due on or after this day.'),
  dueTo: calendarDate().description('Invoices due on or before this day.'),
});
export type InvoiceQuery = ValueOf<typeof invoiceQuery>;
