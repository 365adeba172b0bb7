// The list of invoices. Its statement reads a bounded number of rows for any filters: those that an
// index serves are its range, and the others are checked on at most WALK_MAX rows of that range.
import type { ListStatement } from '../companies/consistent-reads.js';
import { hasOneName, walkOfNames } from '../customers/names/list-filter.js';
import { plainArray } from '../platform/db/arrays.js';
import { lookUpOne, type Walk, walkEnd, walkRows } from '../platform/db/sql.js';
import { matchKey } from '../platform/values/text.js';
import { HAS_DUE, PAST_DUE } from './overdue.js';
import { numberText, parseInvoiceNumber } from './queries.js';
import { type InvoiceQuery, MAX_PAGE, STATUSES } from './schema.js';

/** The filters that a statement checks. The list of ledger/lists finds the numbers. */
export interface InvoiceFilters
  extends Omit<InvoiceQuery, 'q' | 'updatedSince' | 'reference' | 'orderReference'> {
  /** The running numbers of the invoices that may be listed, COUNT_LIMIT of them at most. */
  readonly numbers?: readonly string[];
  /** SQL that reads the invoice as i. */
  readonly condition?: (value: Bind) => string;
}

const ORDER = 'i.date DESC, i.number DESC';
type Bind = (value: unknown) => string;

/**
 * The statement of a list page: one row per invoice, and one more to detect a next page. `names`
 * are the match keys that the filter selects, of which there is one at least; null for all.
 */
export function invoiceListStatement(
  companyId: string,
  filter: InvoiceFilters,
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
  if (filter.condition) filters.push(filter.condition(value));
  if (filter.overdue) filters.push(`i.status = 'open'`, HAS_DUE);
  const rest = { range: [...dates, ...found], order: ORDER, filters: [...filters, ...due] };
  const walk = walkOf(filter, isOfNames ? names : null, rest, value);
  const isByDueDate = due.length > 0 && names === null && numbersOf(filter) === null;
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

function walkOf(
  filter: InvoiceFilters,
  names: readonly string[] | null,
  rest: Omit<Walk, 'from'>,
  value: Bind,
): Walk {
  if (names) return walkOfNames(INVOICES, names, rest, value);
  const numbers = numbersOf(filter);
  if (numbers === null) return { from: 'invoices i', ...rest };
  const found = lookUpOne('invoices', 'found', 'company_id = $1 AND number = wanted.number');
  const from = `(
    SELECT found.*
    FROM unnest(${value(plainArray(numbers))}::bigint[]) AS wanted (number), ${found}
  ) i`;
  // All of them are read before they are sorted.
  return { from, ...rest, range: [...rest.range, ...rest.filters], filters: [] };
}

/** The dates of the invoice. An invoice is due on its date or later. */
function datesOf({ from, to, dueTo }: InvoiceFilters, value: Bind): string[] {
  return [
    ...(from === undefined ? [] : [`i.date >= ${value(from)}::date`]),
    ...(to === undefined ? [] : [`i.date <= ${value(to)}::date`]),
    ...(dueTo === undefined ? [] : [`i.date <= ${value(dueTo)}::date`]),
  ];
}

function dueOf({ dueFrom, dueTo, overdue }: InvoiceFilters, value: Bind): string[] {
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

function chooseIndex(filter: InvoiceFilters, names: readonly string[] | null, value: Bind): Index {
  const { number, status, overdue } = filter;
  const others: string[] = [];
  // Among the invoices with its running number, the full text decides.
  if (number !== undefined) others.push(`lower(${numberText}) = ${value(matchKey(number))}`);
  const isOfNames = names !== null && numbersOf(filter) === null;
  if (names !== null && !isOfNames) others.push(hasOneName('i', names, value));
  // A literal, so that a partial index applies whatever the value of a parameter.
  if (status !== undefined) others.push(`i.status = '${status}'`);
  else if (overdue) others.push(`i.status = 'open'`);
  const found = isOfNames ? [] : others.slice(0, 1);
  return { found, filters: others.slice(found.length), isOfNames };
}

/** The running numbers among which a filter selects, each once; null for all. */
function numbersOf({ number, numbers }: InvoiceFilters): readonly string[] | null {
  if (numbers !== undefined) return numbers;
  if (number === undefined) return null;
  return [...new Set(parseInvoiceNumber(matchKey(number)).map(reading => reading.number))];
}

/** Due invoices that a page reads to sort them. */
const FEW_MAX = 2_000;

/** The first invoices that are due in the range, in the order of the index of due dates. */
function dueScan(
  { status, overdue }: InvoiceFilters,
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

function fewAreDue(filter: InvoiceFilters, due: readonly string[]): string {
  return `(SELECT count(*) <= ${FEW_MAX} FROM (${dueScan(filter, due, '1')}) due)`;
}

/**
 * All invoices that are due in the range if they are few; otherwise the rows in the list's order,
 * of which many match. Postgres runs only one of the two.
 */
function dueRows(
  filter: InvoiceFilters,
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
