// The list of invoices. Its statement reads a bounded number of rows for any filters: those that an
// index serves are its range, and the others are checked on at most WALK_MAX rows of that range.
import { type ListStatement, readCurrentPage } from '../companies/consistent-reads.js';
import { hasOneName, selectedNames, walkOfNames } from '../customers/names/list-filter.js';
import { isExactly, type Walk, walkEnd, walkRows } from '../platform/db/sql.js';
import { NO_PAGE, type Page } from '../platform/http/pagination.js';
import { HAS_DUE, PAST_DUE } from './overdue.js';
import { numberText, parseInvoiceNumber } from './queries.js';
import { type InvoiceQuery, MAX_PAGE, STATUSES } from './schema.js';

/** Invoices after `position`, the last page's last id, newest date first, then newest number. */
export async function listInvoices(
  companyId: string,
  filter: InvoiceQuery,
  position: string[] | undefined,
): Promise<Page> {
  const names = await selectedNames(companyId, filter);
  if (names?.length === 0) return NO_PAGE;
  const statement = invoiceListStatement(companyId, filter, names, position);
  return readCurrentPage<{ id: string }>(companyId, statement, ({ id }) => [id]);
}

const ORDER = 'i.date DESC, i.number DESC';
type Bind = (value: unknown) => string;

/**
 * The statement of a list page: one row per invoice, and one more to detect a next page. `names`
 * are the match keys that the filter selects, of which there is one at least; null for all.
 */
export function invoiceListStatement(
  companyId: string,
  filter: InvoiceQuery,
  names: readonly string[] | null,
  position: string[] | undefined,
): ListStatement {
  const bind: unknown[] = [companyId, filter.limit];
  const value: Bind = bound => `$${bind.push(bound)}`;
  const dates = ['i.company_id = $1', ...datesOf(filter, value)];
  if (position)
    dates.push(`(i.date, i.number) < (
        SELECT date, number
        FROM invoices
        WHERE company_id = $1 AND id = ${value(position[0])}::uuid
      )`);
  const due = dueOf(filter, value);
  const { found, filters, isOfNames } = chooseIndex(filter, names, value);
  if (filter.overdue) filters.push(`i.status = 'open'`, HAS_DUE);
  const rest = { range: [...dates, ...found], order: ORDER, filters: [...filters, ...due] };
  const walk =
    isOfNames && names
      ? walkOfNames(INVOICES, names, rest, value)
      : { from: 'invoices i', ...rest };
  const isByDueDate = due.length > 0 && names === null && !hasNarrowIndex(filter);
  // The inner, constant limit is for the planner. It does not know $2, so it would expect a tenth
  // of the company's invoices, reject the generic plan as expensive and plan every list of 50
  // again, which took a quarter as long as reading it.
  const rows = walkRows(walk, MAX_PAGE + 1);
  const isFew = isByDueDate ? fewAreDue(filter, due) : null;
  const sql = `
    SELECT i.body
    FROM (${isFew === null ? rows : dueRows(filter, due, [...dates, ...filters], rows, isFew)}) i
    ORDER BY ${ORDER}
    LIMIT $2 + 1`;
  return { sql, bind, limit: filter.limit, walkEnd: endOf(walk, isFew) };
}

/** The dates of the invoice. An invoice is due on its date or later. */
function datesOf({ from, to, dueTo }: InvoiceQuery, value: Bind): string[] {
  return [
    ...(from === undefined ? [] : [`i.date >= ${value(from)}::date`]),
    ...(to === undefined ? [] : [`i.date <= ${value(to)}::date`]),
    ...(dueTo === undefined ? [] : [`i.date <= ${value(dueTo)}::date`]),
  ];
}

function dueOf({ dueFrom, dueTo, overdue }: InvoiceQuery, value: Bind): string[] {
  return [
    ...(dueFrom === undefined ? [] : [`i.due_date >= ${value(dueFrom)}::date`]),
    ...(dueTo === undefined ? [] : [`i.due_date <= ${value(dueTo)}::date`]),
    ...(overdue ? [PAST_DUE] : []),
  ];
}

const INVOICES = {
  table: 'invoices',
  alias: 'i',
  columns: ['date', 'number'],
  pageMax: MAX_PAGE + 1,
} as const;

interface Index {
  /** True if the walk is over the invoices of the filter's customers. */
  readonly isOfNames: boolean;
  /** The condition that chooses the index of the list's order. */
  readonly found: readonly string[];
  /** The remaining ones. */
  readonly filters: string[];
}

function chooseIndex(filter: InvoiceQuery, names: readonly string[] | null, value: Bind): Index {
  const { number, reference, status, overdue } = filter;
  const others: string[] = [];
  if (number !== undefined) {
    // The running number finds candidates through its unique index; the full text decides.
    const running = value(parseInvoiceNumber(number).map(reading => reading.number));
    others.push(`i.number = ANY(${running}::bigint[]) AND ${numberText} = ${value(number)}`);
  }
  if (reference !== undefined) others.push(isExactly('i.reference', value(reference)));
  const isOfNames = names !== null && others.length === 0;
  if (names !== null && !isOfNames) others.push(hasOneName('i', names, value));
  // A literal, so that a partial index applies whatever the value of a parameter.
  if (status !== undefined) others.push(`i.status = '${status}'`);
  else if (overdue) others.push(`i.status = 'open'`);
  const found = isOfNames ? [] : others.slice(0, 1);
  return { found, filters: others.slice(found.length), isOfNames };
}

/** True if a filter selects a number or a reference. */
function hasNarrowIndex({ number, reference }: InvoiceQuery): boolean {
  return number !== undefined || reference !== undefined;
}

/** Due invoices that a page reads to sort them. */
const FEW_MAX = 2_000;

/** The first invoices that are due in the range, in the order of the index of due dates. */
function dueScan(
  { status, overdue }: InvoiceQuery,
  due: readonly string[],
  columns: string,
): string {
  const statuses = status === undefined && !overdue ? STATUSES : [status ?? 'open'];
  const scans = statuses.map(
    each => `(
      SELECT ${columns}
      FROM invoices i
      WHERE i.company_id = $1 AND i.status = '${each}' AND ${due.join(' AND ')}
      ORDER BY i.due_date
      LIMIT ${FEW_MAX + 1}
    )`,
  );
  return scans.join(' UNION ALL ');
}

function fewAreDue(filter: InvoiceQuery, due: readonly string[]): string {
  return `(SELECT count(*) <= ${FEW_MAX} FROM (${dueScan(filter, due, '1')}) due)`;
}

/**
 * All invoices that are due in the range if they are few; otherwise the rows in the list's order,
 * of which many match. Postgres runs only one of the two.
 */
function dueRows(
  filter: InvoiceQuery,
  due: readonly string[],
  filters: readonly string[],
  rows: string,
  isFew: string,
): string {
  return `
    SELECT date, number, body
    FROM (${dueScan(filter, due, '*')}) i
    WHERE ${filters.join(' AND ')} AND ${isFew}
    UNION ALL
    SELECT date, number, body FROM (${rows}) i WHERE NOT ${isFew}`;
}

/** The id of the last invoice that a walk reads. The index of its range has dates and numbers. */
function endOf(walk: Walk, isFew: string | null): string | undefined {
  if (walk.filters.length === 0) return undefined;
  return `
    SELECT json_build_array(id)
    FROM invoices
    WHERE company_id = $1
      AND number = (${walkEnd(walk, 'i.number')})
      ${isFew === null ? '' : `AND NOT ${isFew}`}`;
}
