// The JSON of statements and receivables. Postgres writes the rows, whose members in SQL have the
// names of these, and amounts are written from their decimal texts, so sums of any size are exact.
import {
  choice,
  constant,
  count,
  currency,
  date,
  described,
  flag,
  type JsonValue,
  joined,
  list,
  money,
  named,
  namedSchemas,
  object,
  orNull,
  text,
  uuid,
} from '../platform/values/json-shape.js';

const figures = {
  outstanding: described(money, 'The money due on invoices: the sum of the five ages.'),
  current: described(money, 'Not yet due, or without a due date.'),
  days1To30: money,
  days31To60: money,
  days61To90: money,
  over90: money,
  unallocated: described(money, 'The unallocated money of payments and credit notes.'),
  balance: described(money, '`outstanding` less `unallocated`.'),
};
export const FIGURES = Object.keys(figures) as (keyof typeof figures)[];

const AGEING = named('Ageing', object(figures));
export type Ageing = JsonValue<typeof AGEING>;

const STATEMENT_CUSTOMER = named(
  'StatementCustomer',
  object({
    id: described(orNull(uuid), 'Null for a name without a record.'),
    number: orNull(text),
    name: text,
  }),
);

const ACTIVITY_LINE = named(
  'ActivityLine',
  object({
    date: described(date, 'Of a reversal or refund: its effective date.'),
    type: choice(['invoice', 'payment', 'creditNote', 'reversal', 'refund']),
    id: described(uuid, 'Of a reversal: the id of its payment.'),
    number: described(orNull(text), 'The number of an invoice or credit note.'),
    reference: orNull(text),
    dueDate: orNull(date),
    debit: described(orNull(money), 'Of an invoice, reversal or refund.'),
    credit: described(orNull(money), 'Of a payment or credit note.'),
    balance: described(money, 'After this line.'),
    orderReference: described(orNull(text), "The buyer's order number on an invoice."),
  }),
);
export type ActivityLine = JsonValue<typeof ACTIVITY_LINE>;

export const ACTIVITY = named(
  'Activity',
  object({
    type: constant('activity'),
    customer: STATEMENT_CUSTOMER,
    currency,
    from: date,
    to: date,
    opening: described(money, 'The balance before the first line of this page.'),
    entries: described(
      joined(list(ACTIVITY_LINE)),
      'By date: the invoices of a day by number, then its entries by sequence.',
    ),
    closing: described(money, 'The balance at the end of `to`.'),
    ageing: AGEING,
  }),
);

const openInvoice = object({
  id: uuid,
  number: text,
  date,
  dueDate: orNull(date),
  reference: orNull(text),
  total: money,
  due: described(money, 'At the end of `asOf`.'),
  daysOverdue: described(orNull(count), '0 if it is not overdue; null without a due date.'),
  orderReference: described(orNull(text), "The buyer's order number."),
});
export type OpenItem = JsonValue<typeof openInvoice>;

const openCredit = object({
  type: choice(['payment', 'creditNote']),
  id: uuid,
  number: described(orNull(text), 'The number of a credit note.'),
  date,
  unallocated: described(money, 'At the end of `asOf`.'),
});
export type OpenCredit = JsonValue<typeof openCredit>;

export const OPEN_ITEMS = named(
  'OpenItems',
  object({
    type: constant('open'),
    customer: STATEMENT_CUSTOMER,
    currency,
    asOf: date,
    invoices: described(
      joined(list(openInvoice)),
      'By due date, those without one last; then by date and number.',
    ),
    credits: described(joined(list(openCredit)), 'After all invoices, by date.'),
    ageing: AGEING,
  }),
);

const CUSTOMER_RECEIVABLES = named(
  'CustomerReceivables',
  object({
    customerId: described(orNull(uuid), 'Null for a name without a record.'),
    name: text,
    creditLimit: orNull(money),
    hold: described(flag, 'New invoices are refused.'),
    ...figures,
  }),
);
export type CustomerReceivables = JsonValue<typeof CUSTOMER_RECEIVABLES>;

export const RECEIVABLES_JSON = named(
  'Receivables',
  object({
    asOf: described(date, 'The day from which the ages count.'),
    basis: choice(['dueDate', 'date']),
    currency,
    totals: described(AGEING, 'Of all matching customers, on every page.'),
    customers: joined(list(CUSTOMER_RECEIVABLES)),
  }),
);

/** For the OpenAPI document. */
export const receivableSchemas = namedSchemas(
  ACTIVITY,
  ACTIVITY_LINE,
  AGEING,
  CUSTOMER_RECEIVABLES,
  OPEN_ITEMS,
  RECEIVABLES_JSON,
  STATEMENT_CUSTOMER,
);
