// The JSON Schemas of statements and receivables.
import type { JsonSchema } from '../json-schema.js';
import {
  count,
  currency,
  date,
  described,
  list,
  money,
  object,
  orNull,
  ref,
  text,
  uuid,
} from '../schema-parts.js';

const ageing = {
  outstanding: described(money, 'The money due on invoices: the sum of the five ages.'),
  current: described(money, 'Not yet due, or without a due date.'),
  days1To30: money,
  days31To60: money,
  days61To90: money,
  over90: money,
  unallocated: described(money, 'The unallocated money of payments and credit notes.'),
  balance: described(money, '`outstanding` less `unallocated`.'),
};

const Ageing = object(ageing);

const StatementCustomer = object({
  id: described(orNull(uuid), 'Null for a name without a record.'),
  number: orNull(text),
  name: text,
});

const ActivityLine = object({
  date: described(date, 'Of a reversal or refund: its effective date.'),
  type: {
    type: 'string',
    enum: ['invoice', 'payment', 'creditNote', 'reversal', 'refund'],
  },
  id: described(uuid, 'Of a reversal: the id of its payment.'),
  number: described(orNull(text), 'The number of an invoice or credit note.'),
  reference: orNull(text),
  dueDate: orNull(date),
  debit: described(orNull(money), 'Of an invoice, reversal or refund.'),
  credit: described(orNull(money), 'Of a payment or credit note.'),
  balance: described(money, 'After this line.'),
});

const Activity = object({
  type: { type: 'string', const: 'activity' },
  customer: ref('StatementCustomer'),
  currency,
  from: date,
  to: date,
  opening: described(money, 'The balance before the first line of this page.'),
  entries: described(
    list(ref('ActivityLine')),
    'By date: the invoices of a day by number, then its entries by sequence.',
  ),
  closing: described(money, 'The balance at the end of `to`.'),
  ageing: ref('Ageing'),
});

const OpenItems = object({
  type: { type: 'string', const: 'open' },
  customer: ref('StatementCustomer'),
  currency,
  asOf: date,
  invoices: described(
    list(
      object({
        id: uuid,
        number: text,
        date,
        dueDate: orNull(date),
        reference: orNull(text),
        total: money,
        due: described(money, 'At the end of `asOf`.'),
        daysOverdue: described(orNull(count), '0 if it is not overdue; null without a due date.'),
      }),
    ),
    'By due date, those without one last; then by date and number.',
  ),
  credits: described(
    list(
      object({
        type: { type: 'string', enum: ['payment', 'creditNote'] },
        id: uuid,
        number: described(orNull(text), 'The number of a credit note.'),
        date,
        unallocated: described(money, 'At the end of `asOf`.'),
      }),
    ),
    'After all invoices, by date.',
  ),
  ageing: ref('Ageing'),
});

const CustomerReceivables = object({
  customerId: described(orNull(uuid), 'Null for a name without a record.'),
  name: text,
  creditLimit: orNull(money),
  hold: { type: 'boolean', description: 'New invoices are refused.' },
  ...ageing,
});

const Receivables = object({
  asOf: described(date, 'The day from which the ages count.'),
  basis: { type: 'string', enum: ['dueDate', 'date'] },
  currency,
  totals: described(ref('Ageing'), 'Of all matching customers, on every page.'),
  customers: list(ref('CustomerReceivables')),
});

export const receivableSchemas: Readonly<Record<string, JsonSchema>> = {
  Activity,
  ActivityLine,
  Ageing,
  CustomerReceivables,
  OpenItems,
  Receivables,
  StatementCustomer,
};
