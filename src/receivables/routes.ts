// GET /statements and GET /receivables.

import type { Endpoint } from '../api/endpoint.js';
import { reportEndpoint } from '../api/report-endpoint.js';
import type { Auth } from '../api-keys/authenticate.js';
import { notFound } from '../platform/errors.js';
import { invalidParameter } from '../platform/http/input/query.js';
import type { Page } from '../platform/http/pagination.js';
import { firstDayOfMonth } from '../platform/values/days.js';
import { matchKey } from '../platform/values/text.js';
import { type ActivityRange, readActivity } from './activity.js';
import { findByName, findRecord, type StatementCustomer } from './customer.js';
import { findToday } from './dues/refresh.js';
import { exportActivity, exportOpenItems, exportReceivables } from './export.js';
import { ACTIVITY, OPEN_ITEMS, RECEIVABLES_JSON } from './json.js';
import { LINE_POSITION } from './lines.js';
import { readReceivables } from './list.js';
import { OPEN_POSITION, readOpenItems } from './open-items.js';
import { receivablesQuery, type StatementQuery, statementQuery } from './schema.js';

const REPORT = {
  tag: 'Receivables',
  scope: ['invoices:read', 'payments:read'],
  needsAllScopes: true,
} as const;

export const receivablesEndpoints: readonly Endpoint[] = [
  reportEndpoint({
    ...REPORT,
    path: '/statements',
    id: 'getStatement',
    summary: "Get a customer's statement of account",
    description:
      'The lines that move the balance of a customer, or its open items at the end of a day. ' +
      'The balance is all debits less all credits, and also what is due on invoices less what ' +
      'is unallocated. Invoices, payments and credit notes count from their own date. ' +
      'Reversals and refunds have their effective date: the latest of their own date and the ' +
      'dates of everything recorded earlier for the same payment, credit note or invoice. ' +
      'Allocations move no balance and are not listed. `closing` and `ageing` cover the ' +
      'whole statement on every page; `opening` is the balance before the first line of the page.',
    query: statementQuery,
    answer: 'A page of the statement.',
    schema: ['Activity', 'OpenItems'],
    noun: 'customer',
    check: refuseCombinations,
    cursors: statementOf,
    page: readStatement,
    csv: exportStatement,
  }),
  reportEndpoint({
    ...REPORT,
    path: '/receivables',
    id: 'getReceivables',
    summary: 'List receivables by age',
    description:
      'One row for each record, or name without a record, that has something outstanding or ' +
      'unallocated. `totals` are the sums of all rows, not only of the page. The ages are days ' +
      'after the due date; `current` is not yet due or has no due date. They add up to ' +
      '`outstanding`, and `balance` is that less `unallocated`.',
    query: receivablesQuery,
    answer: 'A page of customers, with the totals of all.',
    schema: 'Receivables',
    cursors: ({ sort }) => `receivables by ${sort}`,
    page: async ({ companyId, currency }, query, position) => {
      const page = await readReceivables(companyId, query, query.limit, position);
      return {
        body: RECEIVABLES_JSON.json({ ...page, basis: query.basis, currency }),
        next: page.next,
      };
    },
    csv: async ({ companyId }, query) => exportReceivables(companyId, query),
  }),
];

function refuseCombinations({ customerId, customerName, type, from }: StatementQuery): void {
  if ((customerId === undefined) === (customerName === undefined))
    throw invalidParameter(
      'customerId',
      'or "customerName" must be given, and only one of the two.',
    );
  if (type === 'open' && from !== undefined)
    throw invalidParameter('from', 'does not apply to open items; send "to" alone.');
}

/** The statement of another customer refuses its cursors. */
function statementOf({ type, customerId, customerName }: StatementQuery): string {
  return `${type} statement of ${customerId ?? matchKey(customerName ?? '')}`;
}

/** A position has the days of the statement before the place in it. */
async function readStatement(
  { companyId, currency }: Auth,
  filter: StatementQuery,
  [from, to, ...place]: readonly string[] = [],
): Promise<Page> {
  const { limit, type } = filter;
  const { customer, range } = await resolve(companyId, filter, { from, to });
  const { keys } = customer;
  const nextOf = (next: readonly string[] | null) => next && [range.from, range.to, ...next];
  if (type === 'open') {
    const position = OPEN_POSITION.position(place);
    const items = await readOpenItems(companyId, { keys, day: range.to, limit, position });
    const body = OPEN_ITEMS.json({ ...items, type, customer, currency, asOf: range.to });
    return { body, next: nextOf(items.next && OPEN_POSITION.values(items.next)) };
  }
  const position = LINE_POSITION.position(place);
  const page = await readActivity(companyId, { keys, range, limit, position });
  const body = ACTIVITY.json({ ...page, ...range, type, customer, currency, entries: page.lines });
  return { body, next: nextOf(page.next && LINE_POSITION.values(page.next)) };
}

async function exportStatement(
  { companyId }: Auth,
  filter: StatementQuery,
): Promise<AsyncGenerator<string>> {
  const { customer, range } = await resolve(companyId, filter, {});
  return filter.type === 'open'
    ? exportOpenItems(companyId, customer.keys, range.to)
    : exportActivity(companyId, customer.keys, range);
}

/**
 * The customer and the days of a statement. Throws Problem `invalid_parameter` or `not_found`.
 * Its pages have the days of the first one, even if they are read after midnight.
 */
async function resolve(
  companyId: string,
  filter: StatementQuery,
  page: Partial<Record<'from' | 'to', string | undefined>>,
): Promise<{ customer: StatementCustomer; range: ActivityRange }> {
  const to = filter.to ?? page.to ?? (await findToday(companyId)) ?? '';
  const from = filter.from ?? page.from ?? firstDayOfMonth(to);
  if (from > to) throw invalidParameter('from', 'must not be after "to", which is today.');
  const { customerId, customerName = '' } = filter;
  const customer =
    customerId === undefined
      ? await findByName(companyId, customerName)
      : await findRecord(companyId, customerId);
  if (!customer) throw notFound('customer');
  return { customer, range: { from, to } };
}
