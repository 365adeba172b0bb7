// The one definition of the JSON of a payment, a refund and a credit note.
import {
  choice,
  count,
  currency,
  date,
  described,
  flag,
  type JsonValue,
  list,
  money,
  named,
  namedSchemas,
  number,
  object,
  orNull,
  quantity,
  text,
  time,
  uuid,
} from '../platform/values/json-shape.js';
import { replaceMembers } from '../platform/values/json-text.js';
import { CREDIT_REASONS, METHODS } from './schema.js';

const ALLOCATION = named(
  'Allocation',
  object({ invoiceId: uuid, invoiceNumber: text, amount: money }),
);
/** The part of a payment or credit note that an invoice has. */
export type Allocation = JsonValue<typeof ALLOCATION>;

// The allocations are ordered by each invoice's first allocation.
const usage = {
  allocations: described(list(ALLOCATION), 'The current allocations to invoices.'),
  refunded: described(money, 'The amount paid back to the customer.'),
  unallocated: described(money, 'The amount left for other invoices or a refund.'),
};
const USAGE = object(usage);
/** The use of a payment or credit note so far. Later entries change it. */
export type FundsUsage = JsonValue<typeof USAGE>;

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

export const PAYMENT = named(
  'Payment',
  object({
    id: uuid,
    ...transfer,
    amount: described(
      money,
      'allocations + refunded + unallocated, unless it is reversed: then these are 0.',
    ),
    status: choice(['recorded', 'reversed']),
    ...usage,
    createdAt: time,
  }),
);
export type Payment = JsonValue<typeof PAYMENT>;

export const REFUND = named(
  'Refund',
  object({
    id: uuid,
    paymentId: described(orNull(uuid), 'The payment, unless it is a refund of a credit note.'),
    creditNoteId: orNull(uuid),
    ...transfer,
    createdAt: time,
  }),
);

const CREDIT_NOTE_ITEM = named(
  'CreditNoteItem',
  object({
    line: described(count, "The invoice's line, counted from 1."),
    name: text,
    sku: orNull(text),
    qty: described(orNull(quantity), 'Null for a credit by amount.'),
    amount: money,
    itemId: orNull(uuid),
    restocked: described(flag, 'Whether the quantity went back into stock.'),
  }),
);
export type CreditNoteItem = JsonValue<typeof CREDIT_NOTE_ITEM>;

export const CREDIT_NOTE = named(
  'CreditNote',
  object({
    id: uuid,
    number: described(text, 'Gap-free per company, a series of its own.'),
    invoiceId: uuid,
    invoiceNumber: text,
    customerName: text,
    date,
    currency,
    reason: choice(CREDIT_REASONS),
    items: list(CREDIT_NOTE_ITEM),
    subtotal: described(money, 'Net: the amounts less their share of a document discount.'),
    taxTotal: money,
    taxes: described(
      list(
        object({ category: text, rate: number, base: money, amount: money, reason: orNull(text) }),
      ),
      'By the tax groups of the invoice.',
    ),
    total: described(money, 'subtotal + taxTotal. All amounts are positive.'),
    ...usage,
    reference: orNull(text),
    note: orNull(text),
    createdAt: time,
  }),
);
export type CreditNote = JsonValue<typeof CREDIT_NOTE>;

/** For the OpenAPI document. */
export const entrySchemas = namedSchemas(
  PAYMENT,
  ALLOCATION,
  REFUND,
  CREDIT_NOTE,
  CREDIT_NOTE_ITEM,
);

/** A payment's or credit note's JSON with another usage. */
export function withUsage(body: string, changed: FundsUsage): string {
  return replaceMembers(body, usageTexts(changed));
}

/** A payment's JSON after its reversal. */
export function reversed(body: string): string {
  const nothing = { allocations: [], refunded: '0', unallocated: '0' };
  return replaceMembers(body, { status: '"reversed"', ...usageTexts(nothing) });
}

function usageTexts({ allocations, refunded, unallocated }: FundsUsage) {
  return { allocations: usage.allocations.json(allocations), refunded, unallocated };
}
