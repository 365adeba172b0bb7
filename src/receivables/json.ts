// The JSON of statements and receivables. Amounts are written from their decimal texts, so sums of
// any size are exact.
import type { ActivityLine, ActivityPage, ActivityRange } from './activity.js';
import { ageingJson } from './ageing.js';
import type { StatementCustomer } from './customer.js';
import type { CustomerReceivables, Receivables } from './list.js';
import type { OpenItems } from './open-items.js';

/** The values of an object as JSON texts. */
type Members = Readonly<Record<string, string>>;

const json = (value: string | number | boolean | null) => JSON.stringify(value);
const amount = (text: string | null) => text ?? 'null';
const list = <Row>(rows: readonly Row[], render: (row: Row) => string) =>
  `[${rows.map(render).join(',')}]`;

function object(members: Members): string {
  return `{${Object.entries(members)
    .map(([name, text]) => `${json(name)}:${text}`)
    .join(',')}}`;
}

const customer = ({ id, number, name }: StatementCustomer) => JSON.stringify({ id, number, name });

export function activityJson(
  of: StatementCustomer,
  currency: string,
  { from, to }: ActivityRange,
  { opening, entries, closing, ageing }: ActivityPage,
): string {
  return object({
    type: '"activity"',
    customer: customer(of),
    currency: json(currency),
    from: json(from),
    to: json(to),
    opening,
    entries: list(entries, lineJson),
    closing,
    ageing: `{${ageingJson(ageing)}}`,
  });
}

function lineJson({ date, type, id, number, reference, dueDate, ...line }: ActivityLine): string {
  return object({
    date: json(date),
    type: json(type),
    id: json(id),
    number: json(number),
    reference: json(reference),
    dueDate: json(dueDate),
    debit: amount(line.debit),
    credit: amount(line.credit),
    balance: line.balance,
  });
}

export function openItemsJson(
  of: StatementCustomer,
  currency: string,
  asOf: string,
  { invoices, credits, ageing }: OpenItems,
): string {
  return object({
    type: '"open"',
    customer: customer(of),
    currency: json(currency),
    asOf: json(asOf),
    invoices: list(invoices, ({ id, number, date, dueDate, reference, ...invoice }) =>
      object({
        id: json(id),
        number: json(number),
        date: json(date),
        dueDate: json(dueDate),
        reference: json(reference),
        total: invoice.total,
        due: invoice.due,
        daysOverdue: json(invoice.daysOverdue),
      }),
    ),
    credits: list(credits, ({ type, id, number, date, unallocated }) =>
      object({
        type: json(type),
        id: json(id),
        number: json(number),
        date: json(date),
        unallocated,
      }),
    ),
    ageing: `{${ageingJson(ageing)}}`,
  });
}

export function receivablesJson(
  { asOf, totals, customers }: Receivables,
  basis: string,
  currency: string,
): string {
  return object({
    asOf: json(asOf),
    basis: json(basis),
    currency: json(currency),
    totals: `{${ageingJson(totals)}}`,
    customers: list(customers, customerJson),
  });
}

function customerJson(row: CustomerReceivables): string {
  const { customerId, name, creditLimit, hold } = row;
  const own = { customerId: json(customerId), name: json(name), creditLimit: amount(creditLimit) };
  const members = object({ ...own, hold: json(hold) });
  return `${members.slice(0, -1)},${ageingJson(row)}}`;
}
