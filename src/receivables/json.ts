// The JSON of statements and receivables. Postgres writes the rows, and amounts are written from
// their decimal texts, so sums of any size are exact.
import type { ActivityPage, ActivityRange } from './activity.js';
import { ageingJson } from './ageing.js';
import type { StatementCustomer } from './customer.js';
import type { Receivables } from './list.js';
import type { OpenItems } from './open-items.js';

const json = (value: string) => JSON.stringify(value);

/** An object of members that are JSON texts. */
function object(members: Readonly<Record<string, string>>): string {
  const texts = Object.entries(members).map(([name, text]) => `${json(name)}:${text}`);
  return `{${texts.join(',')}}`;
}

const customer = ({ id, number, name }: StatementCustomer) => JSON.stringify({ id, number, name });

export function activityJson(
  of: StatementCustomer,
  currency: string,
  { from, to }: ActivityRange,
  { opening, lines, closing, ageing }: ActivityPage,
): string {
  return object({
    type: '"activity"',
    customer: customer(of),
    currency: json(currency),
    from: json(from),
    to: json(to),
    opening,
    entries: `[${lines}]`,
    closing,
    ageing: `{${ageingJson(ageing)}}`,
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
    invoices: `[${invoices}]`,
    credits: `[${credits}]`,
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
    customers: `[${customers}]`,
  });
}
