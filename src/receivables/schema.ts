// Query parameters of statements and receivables.
import { onOff } from '../platform/http/input/query.js';
import { object, oneOf, type ValueOf } from '../platform/http/input/typed-schema.js';
import { findsId, uuid } from '../platform/http/input/uuid.js';
import { calendarDate, codeText, cursor, pageSize } from '../platform/http/input/validate.js';
import { MAX_LINES } from './activity.js';

/** The largest page of receivables. */
const MAX_CUSTOMERS = 1_000;

const format = () =>
  oneOf('json', 'csv')
    .default('json')
    .description('`csv` returns all rows as `text/csv`, without pages.');

export const statementQuery = object({
  customerId: uuid(findsId('customers?number')).description(
    'A record. Send this or `customerName`.',
  ),
  customerName: codeText(255).description(
    'A name or alias of a record, or a name without one, ignoring case and spacing.',
  ),
  type: oneOf('activity', 'open')
    .default('activity')
    .description('`activity`: all lines of the period. `open`: the open items at the end of `to`.'),
  from: calendarDate().description(
    'The first day; by default the first of the month of `to`. Not for open items.',
  ),
  to: calendarDate().description('The last day; by default today in the company’s time zone.'),
  format: format(),
  limit: pageSize(1_000, MAX_LINES).description('Lines per page.'),
  cursor: cursor(),
});
export type StatementQuery = ValueOf<typeof statementQuery>;

export const receivablesQuery = object({
  asOf: calendarDate().description(
    'The end of this day, from what is dated up to it. By default the present, which includes ' +
      'invoices with a later date.',
  ),
  basis: oneOf('dueDate', 'date')
    .default('dueDate')
    .description('The date from which the days run: the due date or the date of the invoice.'),
  customerId: uuid(findsId('customers?number')).description('Only this record.'),
  overdue: onOff().description('`1` or `true` lists only customers with overdue money.'),
  overLimit: onOff().description(
    '`1` or `true` lists only customers whose `balance` exceeds their credit limit.',
  ),
  sort: oneOf('outstanding', 'name')
    .default('outstanding')
    .description('`outstanding`: the largest first.'),
  format: format(),
  limit: pageSize(100, MAX_CUSTOMERS).description('Customers per page.'),
  cursor: cursor(),
});
