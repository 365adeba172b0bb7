// GET /statements and GET /receivables.
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { authOf, type Endpoint, type Services } from '../jobs/endpoint.js';
import { notFound } from '../platform/errors.js';
import { invalidParameter, validateQuery } from '../platform/http/input/query.js';
import { CSV_TYPE } from '../platform/values/csv.js';
import { firstDayOfMonth } from '../platform/values/days.js';
import { matchKey } from '../platform/values/text.js';
import { type ActivityRange, readActivity } from './activity.js';
import { findByName, findRecord, type StatementCustomer } from './customer.js';
import { exportActivity, exportOpenItems, exportReceivables } from './export.js';
import { ACTIVITY, OPEN_ITEMS, RECEIVABLES } from './json.js';
import { readReceivables } from './list.js';
import { readOpenItems } from './open-items.js';
import { findToday } from './refresh.js';
import { receivablesQuery, type StatementQuery, statementQuery } from './schema.js';

const REPORT = {
  type: 'report',
  tag: 'Receivables',
  scope: ['invoices:read', 'payments:read'],
  needsAllScopes: true,
} as const;

export const receivablesEndpoints: readonly Endpoint[] = [
  {
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
      'Allocations move no balance and are not listed. `closing` and `ageing` are those of the ' +
      'whole statement on every page; `opening` is the balance before the first line of the page.',
    query: statementQuery,
    answer: 'A page of the statement.',
    schema: ['Activity', 'OpenItems'],
    noun: 'customer',
    middleware: services => [statement(services)],
  },
  {
    ...REPORT,
    path: '/receivables',
    id: 'getReceivables',
    summary: 'List receivables by age',
    description:
      'One row for each record, or name without a record, that has something outstanding or ' +
      'unallocated. `totals` are those of all rows, not only of the page. The ages are days ' +
      'after the due date; `current` is not yet due or has no due date. They add up to ' +
      '`outstanding`, and `balance` is that less `unallocated`.',
    query: receivablesQuery,
    answer: 'A page of customers, with the totals of all.',
    schema: 'Receivables',
    middleware: services => [receivables(services)],
  },
];

function statement({ pager }: Services): Middleware {
  return async ctx => {
    const filter = validateQuery(statementQuery, ctx);
    refuseCombinations(filter, ctx);
    const { companyId, currency } = authOf(ctx);
    const list = listOf(filter);
    const [from, to, ...place] = pager.position(companyId, list, filter.cursor) ?? [];
    const range = rangeOf(filter, { from, to }, (await findToday(companyId)) ?? '');
    const customer = await findCustomer(companyId, filter);
    const { keys } = customer;
    if (filter.format === 'csv') {
      const isOpen = filter.type === 'open';
      return sendCsv(
        ctx,
        isOpen
          ? exportOpenItems(companyId, keys, range.to)
          : exportActivity(companyId, keys, range),
      );
    }
    const sendNext = (next: object | null) => {
      if (next)
        pager.linkNext(companyId, ctx, list, [range.from, range.to, ...Object.values(next)]);
    };
    ctx.type = 'json';
    const [one, two, three, four, five] = place as [string, string, string, string, string];
    if (filter.type === 'open') {
      const position = one && {
        ...{ dueDate: one, invoiceDate: two, number: three },
        ...{ creditDate: four, sequence: five },
      };
      const { limit } = filter;
      const items = await readOpenItems(companyId, {
        ...{ keys, day: range.to, limit, position: position || undefined },
      });
      sendNext(items.next);
      ctx.body = OPEN_ITEMS.json({ type: 'open', customer, currency, asOf: range.to, ...items });
    } else {
      const position = one && { date: one, number: two, sequence: three };
      const { limit } = filter;
      const page = await readActivity(companyId, {
        ...{ keys, range, limit, position: position || undefined },
      });
      sendNext(page.next);
      ctx.body = ACTIVITY.json({
        type: 'activity',
        customer,
        currency,
        ...range,
        ...page,
        entries: page.lines,
      });
    }
  };
}

function refuseCombinations(filter: StatementQuery, ctx: Context): void {
  const { customerId, customerName, type, from } = filter;
  if ((customerId === undefined) === (customerName === undefined))
    throw invalidParameter(
      'customerId',
      'or "customerName" must be given, and only one of the two.',
    );
  if (type === 'open' && from !== undefined)
    throw invalidParameter('from', 'does not apply to open items; send "to" alone.');
  refusePages(filter.format, ctx);
}

function refusePages(format: 'json' | 'csv', ctx: Context): void {
  if (format !== 'csv') return;
  for (const name of ['limit', 'cursor'])
    if (ctx.query[name] !== undefined)
      throw invalidParameter(name, 'does not apply to csv, which has all rows.');
}

/** Part of each cursor's signature: the statement of another customer refuses it. */
function listOf({ type, customerId, customerName }: StatementQuery): string {
  return `${type} statement of ${customerId ?? matchKey(customerName ?? '')}`;
}

/** Pages of a statement keep its days, even if they are read after midnight. */
function rangeOf(
  filter: StatementQuery,
  page: { readonly from: string | undefined; readonly to: string | undefined },
  today: string,
): ActivityRange {
  const to = filter.to ?? page.to ?? today;
  const from = filter.from ?? page.from ?? firstDayOfMonth(to);
  if (from > to) throw invalidParameter('from', 'must not be after "to", which is today.');
  return { from, to };
}

async function findCustomer(
  companyId: string,
  { customerId, customerName = '' }: StatementQuery,
): Promise<StatementCustomer> {
  const found =
    customerId === undefined
      ? await findByName(companyId, customerName)
      : await findRecord(companyId, customerId);
  if (!found) throw notFound('customer');
  return found;
}

function receivables({ pager }: Services): Middleware {
  return async ctx => {
    const query = validateQuery(receivablesQuery, ctx);
    refusePages(query.format, ctx);
    const { companyId, currency } = authOf(ctx);
    if (query.format === 'csv') return sendCsv(ctx, exportReceivables(companyId, query));
    const list = `receivables by ${query.sort}`;
    const position = pager.position(companyId, list, query.cursor);
    const page = await readReceivables(companyId, query, query.limit, position);
    if (page.next) pager.linkNext(companyId, ctx, list, page.next);
    ctx.type = 'json';
    ctx.body = RECEIVABLES.json({ basis: query.basis, currency, ...page });
  };
}

/** Reads the first part before the response begins, so that a failure has its status. */
async function sendCsv(ctx: Context, chunks: AsyncGenerator<string>): Promise<void> {
  const first = await chunks.next();
  ctx.set('Content-Type', CSV_TYPE);
  ctx.body = Readable.from(
    (async function* () {
      if (!first.done) yield first.value;
      yield* chunks;
    })(),
  );
}
