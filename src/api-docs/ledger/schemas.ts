// The JSON Schemas of the ledger's answers.
import { CREDIT_REASONS, METHODS } from '../../ledger/schema.js';
import {
  choice,
  constant,
  count,
  currency,
  date,
  described,
  flag,
  list,
  money,
  number,
  object,
  orNull,
  quantity,
  ref,
  rendered,
  text,
  time,
  uuid,
} from '../../platform/values/json-shape.js';
import { schemasOf } from '../schema-parts.js';

const usage = {
  allocations: described(list(ref('Allocation')), 'The current allocations to invoices.'),
  refunded: described(money, 'The amount paid back to the customer.'),
  unallocated: described(money, 'The amount left for other invoices or a refund.'),
};

const transfer = {
  amount: money,
  date,
  currency,
  customerName: text,
  method: orNull(choice(METHODS)),
  reference: orNull(text),
  externalId: orNull(text),
  note: orNull(text),
};

const Payment = object({
  id: uuid,
  ...transfer,
  amount: described(
    money,
    'allocations + refunded + unallocated, unless it is reversed: then these are 0.',
  ),
  status: choice(['recorded', 'reversed']),
  ...usage,
  createdAt: time,
});

const Allocation = object({ invoiceId: uuid, invoiceNumber: text, amount: money });

const Refund = object({
  id: uuid,
  paymentId: described(orNull(uuid), 'The payment, unless it is a refund of a credit note.'),
  creditNoteId: orNull(uuid),
  ...transfer,
  createdAt: time,
});

const CreditNote = object({
  id: uuid,
  number: described(text, 'Gap-free per company, a series of its own.'),
  invoiceId: uuid,
  invoiceNumber: text,
  customerName: text,
  date,
  currency,
  reason: choice(CREDIT_REASONS),
  items: list(ref('CreditNoteItem')),
  subtotal: described(money, 'Net: the amounts less their share of a document discount.'),
  taxTotal: money,
  taxes: described(
    list(
      object({
        category: text,
        rate: number,
        base: money,
        amount: money,
        reason: orNull(text),
      }),
    ),
    'By the tax groups of the invoice.',
  ),
  total: described(money, 'subtotal + taxTotal. All amounts are positive.'),
  ...usage,
  reference: orNull(text),
  note: orNull(text),
  createdAt: time,
});

const CreditNoteItem = object({
  line: described(count, "The invoice's line, counted from 1."),
  name: text,
  sku: orNull(text),
  qty: described(orNull(quantity), 'Null for a credit by amount.'),
  amount: money,
  itemId: orNull(uuid),
  restocked: described(flag, 'Whether the quantity went back into stock.'),
});

const InvoiceEntry = object({
  sequence: count,
  type: described(
    choice(['payment', 'reversal', 'allocation', 'creditNote']),
    'More values may follow.',
  ),
  id: uuid,
  number: described(orNull(text), 'The number of a credit note; null for other types.'),
  date,
  amount: described(money, 'The change of the amount due: negative for a payment.'),
  createdAt: time,
});

/** The `result` of a job that created a record. */
export const resultSchema = (type: string) =>
  object({
    type: constant(type),
    id: uuid,
    href: rendered({ type: 'string', format: 'uri-reference' }),
  });

export const ledgerSchemas = schemasOf({
  Payment,
  Allocation,
  Refund,
  CreditNote,
  CreditNoteItem,
  InvoiceEntry,
  PaymentResult: resultSchema('payment'),
  RefundResult: resultSchema('refund'),
  CreditNoteResult: resultSchema('creditNote'),
});

/** Members of an error of one field, with the ledger's codes. */
export const ledgerFieldErrorMembers = {
  invoiceId: described(uuid, 'With `amount_exceeds_due`, and `invalid_state` of an invoice.'),
  status: described(text, 'With `invalid_state` of an invoice: its status.'),
  line: described(count, "With `credit_exceeds_invoice`: the invoice's line, counted from 1."),
};

/** Members of an `invalid_state` of an invoice, in the problem and in its error. */
export const invoiceStateMembers = {
  amountPaid: described(money, 'With `invalid_state` of an invoice.'),
  amountCredited: described(money, 'With `invalid_state` of an invoice.'),
};
