// Request schemas of payments, allocations, refunds, credit notes and voiding.
import Joi from 'joi';
import { MAX_CUSTOMER_NAME } from '../customers/schema.js';
import {
  array,
  type ObjectOf,
  object,
  oneOf,
  optional,
  typed,
  type ValueOf,
  yesOrNo,
} from '../platform/http/input/typed-schema.js';
import { findsId, uuid } from '../platform/http/input/uuid.js';
import {
  calendarDate,
  codeText,
  decimal,
  MAX_ITEMS,
  multilineText,
  type NumberSchema,
  positiveDecimal,
  text,
} from '../platform/http/input/validate.js';

export const METHODS = [
  'bank_transfer',
  'cash',
  'card',
  'cheque',
  'direct_debit',
  'other',
] as const;
export const CREDIT_REASONS = [
  'return',
  'damaged',
  'price',
  'order_change',
  'duplicate',
  'cancelled',
  'other',
] as const;

export const MAX_EXTERNAL_ID = 100;
/** The maximum of a payment, which is the maximum of an invoice's total. */
const MAX_AMOUNT = 99_999_999_999.99;
const MAX_QTY = 1_000_000;

const AT_MOST = 'At most 366 days after today.';

const moneyDetails = {
  method: optional(oneOf(...METHODS)).description('How the money was transferred.'),
  reference: optional(codeText(100)).description('Your own reference.'),
  externalId: optional(codeText(MAX_EXTERNAL_ID)).description(
    "The transfer's ID elsewhere, for example at the bank. Each ID can be used only once.",
  ),
  note: optional(multilineText(1_000)).description('Free text.'),
};

/** A payment or credit note: a request has exactly one of the two. */
const funds = {
  paymentId: optional(uuid(findsId('payments?externalId'))).description(
    'The payment that the money comes from.',
  ),
  creditNoteId: optional(uuid(findsId('credit-notes?number'))).description(
    'The credit note that the money comes from.',
  ),
};
export type FundsRequest = ObjectOf<typeof funds>;

const invoiceName = {
  invoiceId: optional(uuid('To name an invoice by its number, send number.')).description(
    'Id of the invoice, instead of its number.',
  ),
  number: optional(codeText(40)).description('Number of the invoice, instead of its id.'),
};
/** An invoice by one of its two names. */
export const namedInvoice = object(invoiceName).xor('invoiceId', 'number');

function recipient(amount: NumberSchema) {
  return object({ ...invoiceName, amount }).xor('invoiceId', 'number');
}

/** An invoice and the amount it receives: by default its balance, as far as the money reaches. */
export type RecipientRequest = ValueOf<ReturnType<typeof recipient>>;

function recipients(amount: NumberSchema) {
  return array(recipient(amount)).max(MAX_ITEMS);
}

export const paymentRequest = object({
  amount: positiveDecimal(MAX_AMOUNT).required().description("At most the currency's decimals."),
  date: calendarDate().required().description(`The day of the payment. ${AT_MOST}`),
  customerName: optional(text(MAX_CUSTOMER_NAME)).description(
    'Required without `invoices`, `customerId` and `customerNumber`. With `invoices`, it must be ' +
      'their customer. The payment keeps it as sent.',
  ),
  customerId: optional(uuid('To name a customer by number, send customerNumber.')).description(
    "Id of the customer's record, instead of the name.",
  ),
  customerNumber: optional(codeText(30)).description("The customer's number, ignoring case."),
  invoices: optional(
    recipients(
      optional(positiveDecimal(MAX_AMOUNT)).description(
        'By default the balance of the invoice, as far as the money reaches.',
      ),
    ),
  ).description(
    'The invoices that are paid, each once and all of one customer. The remainder of the ' +
      'money stays unallocated.',
  ),
  ...moneyDetails,
}).required();
export type PaymentRequest = ValueOf<typeof paymentRequest>;

export const reversalRequest = object({
  date: calendarDate().required().description(`The day of the reversal. ${AT_MOST}`),
  reason: optional(text(255)).description('Why the payment is reversed.'),
}).required();
export type ReversalRequest = ValueOf<typeof reversalRequest>;

export const allocationRequest = object({
  ...funds,
  invoices: recipients(
    optional(decimal(-MAX_AMOUNT, MAX_AMOUNT)).description(
      'By default the balance of the invoice, as far as the unallocated money reaches. A ' +
        'negative amount takes back money that was allocated.',
    ),
  )
    .min(1)
    .required()
    .description(
      'Invoices of the same customer, each once. All allocations of one payment or credit note ' +
        'together name at most 1,000 invoices.',
    ),
  date: optional(calendarDate()).description(
    `By default today in the company's time zone. ${AT_MOST}`,
  ),
})
  .xor('paymentId', 'creditNoteId')
  .required();
export type AllocationRequest = ValueOf<typeof allocationRequest>;

export const refundRequest = object({
  ...funds,
  amount: positiveDecimal(MAX_AMOUNT).required().description('At most what is unallocated.'),
  date: calendarDate().required().description(`The day of the refund. ${AT_MOST}`),
  ...moneyDetails,
})
  .xor('paymentId', 'creditNoteId')
  .required();
export type RefundRequest = ValueOf<typeof refundRequest>;

const lineNumber = Joi.any()
  .custom((value: unknown, helpers) => {
    if (typeof value !== 'number') return helpers.error('wrong_type', { type: 'a number' });
    const sentence = 'Must be the number of a line, counted from 1.';
    return Number.isInteger(value) && value >= 1
      ? value
      : helpers.error('invalid_value', { sentence });
  })
  .meta({ schema: { type: 'integer', minimum: 1 } });

export const creditItem = object({
  line: typed<number>(lineNumber).required().description("The invoice's line, counted from 1."),
  qty: optional(positiveDecimal(MAX_QTY)).description(
    'Goods: their share of the line is credited.',
  ),
  amount: optional(positiveDecimal(MAX_AMOUNT)).description(
    'A net amount, without goods. Reduces the value of a quantity that is returned later.',
  ),
  restock: optional(yesOrNo()).description(
    'Whether the goods go back into stock. Required, here or for the whole note, with ' +
      '`qty` of a line with a stock item.',
  ),
}).xor('qty', 'amount');
export type CreditItemRequest = ValueOf<typeof creditItem>;

/** The list that finds a credit note by its number. */
export const BY_CREDIT_NOTE_NUMBER = '/credit-notes?number=';

export const creditNoteRequest = object({
  invoiceId: uuid(findsId('invoices?number')).required().description('The invoice to correct.'),
  date: calendarDate().required().description(`Not before the invoice's date. ${AT_MOST}`),
  reason: oneOf(...CREDIT_REASONS)
    .required()
    .description('Why the invoice is corrected.'),
  items: optional(array(creditItem).min(1).max(MAX_ITEMS)).description(
    'The credited lines, in order. Without `items`, everything that remains, by quantity.',
  ),
  restock: optional(yesOrNo()).description('For items without their own `restock`.'),
  reference: optional(codeText(100)).description('Your own reference.'),
  note: optional(multilineText(1_000)).description('Free text.'),
}).required();
export type CreditNoteRequest = ValueOf<typeof creditNoteRequest>;

export const voidRequest = object({
  date: optional(calendarDate()).description(
    "By default today in the company's time zone, or the invoice's date if that is later. " +
      AT_MOST,
  ),
  restock: optional(yesOrNo()).description(
    'Whether the goods go back into stock. By default true.',
  ),
  reason: optional(text(255)).description('Why the invoice was a mistake.'),
  note: optional(multilineText(1_000)).description('Free text on the credit note.'),
}).required();
export type VoidRequest = ValueOf<typeof voidRequest>;
