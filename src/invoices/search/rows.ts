// The statements of an invoice search that read a page of rows in list order.
import { readRows } from '../../platform/db/list-reads.js';
import { numberText } from '../queries.js';
import {
  anyOf,
  type Bind,
  bindFrom,
  filterRange,
  matchersOf,
  matchesOf,
  positionsBy,
  stateOf,
} from './conditions.js';
import { COUNT_LIMIT, type InvoiceRow, type InvoiceSearch } from './types.js';

/** A search reads this many invoices in list order first, which takes about 2 ms. */
const NEAR = 2_000;

/** The columns of the list's order. */
interface InvoicePosition {
  readonly date: string;
  readonly number: string;
}

const COLUMNS = `i.id,
  ${numberText} AS number,
  i.number AS running,
  i.status,
  i.date::text AS date,
  i.customer_name AS "customerName",
  i.reference,
  i.due_date::text AS "dueDate",
  trim_scale(i.total)::text AS total,
  trim_scale(i.total - i.paid - i.credited)::text AS "amountDue"`;

/** The page's invoices in a search without a text. */
export function listRows(
  companyId: string,
  search: InvoiceSearch,
  isAscending: boolean,
): Promise<InvoiceRow[]> {
  const [bind, value] = bindFrom(companyId, search.limit + 1);
  return readRows<InvoiceRow>(
    companyId,
    `SELECT ${COLUMNS}
     FROM invoices i
     WHERE ${pageRange(search, isAscending, value).join(' AND ')}
     ORDER BY ${orderOf('i', isAscending)}
     LIMIT $2`,
    bind,
  );
}

/** The matches among the next NEAR invoices. If they fill the page, they are the page. */
export function nearRows(
  companyId: string,
  search: InvoiceSearch,
  isAscending: boolean,
): Promise<InvoiceRow[]> {
  const [bind, value] = bindFrom(companyId, search.limit + 1);
  const order = orderOf('i', isAscending);
  return readRows<InvoiceRow>(
    companyId,
    `SELECT ${COLUMNS}
     FROM (
       SELECT *
       FROM invoices i
       WHERE ${nearRange(search, isAscending, value).join(' AND ')}
       ORDER BY ${order}
       LIMIT ${NEAR}
     ) i
     WHERE ${[anyOf(matchesOf(search.text, value)), ...stateOf(search)].join(' AND ')}
     ORDER BY ${order}
     LIMIT $2`,
    bind,
  );
}

/** A row of a narrow search: how many invoices it finds, and how many are newer than the first. */
type CountedRow = InvoiceRow & { found: number; newer: number };

/**
 * The page's matches among all positions that the indexes find, with their number. The indexes are
 * read at the same time, on a connection each, unless they find too many positions to transfer.
 */
export async function foundRows(
  companyId: string,
  search: InvoiceSearch,
  isAscending: boolean,
): Promise<CountedRow[]> {
  const lists = await Promise.all(
    matchersOf(search.text).map(matcher => readPositions(companyId, search, matcher)),
  );
  if (lists.some(({ length }) => length > COUNT_LIMIT))
    return joinedRows(companyId, search, isAscending);
  const positions = [
    ...new Map(lists.flat().map(position => [position.number, position])).values(),
  ];
  const order = (a: InvoicePosition, b: InvoicePosition) => (isAscending ? 1 : -1) * compare(a, b);
  const { start, limit } = search;
  const [date = '', number = ''] = start?.position ?? [];
  const page = positions
    .filter(position => start === null || order(position, { date, number }) > 0)
    .sort(order)
    .slice(0, limit + 1);
  const [first] = page;
  const newer = first ? positions.filter(position => compare(position, first) > 0).length : 0;
  const rows = await readRows<InvoiceRow>(
    companyId,
    `SELECT ${COLUMNS}
     FROM invoices i
     WHERE i.company_id = $1 AND i.number = ANY($2::bigint[])
     ORDER BY ${orderOf('i', isAscending)}`,
    [companyId, page.map(({ number }) => number)],
  );
  return rows.map(row => ({ ...row, found: positions.length, newer }));
}

/** The positions that meet one condition of the search, at most COUNT_LIMIT + 1 of them. */
function readPositions(
  companyId: string,
  search: InvoiceSearch,
  matcher: (value: Bind) => string,
): Promise<InvoicePosition[]> {
  const [bind, value] = bindFrom(companyId);
  const range = filterRange(search, value);
  return readRows<InvoicePosition>(
    companyId,
    `SELECT date::text AS date, number
     FROM (${positionsBy([...range, matcher(value)], search)}) position
     LIMIT ${COUNT_LIMIT + 1}`,
    bind,
  );
}

/** Orders rows by date, then by number. */
function compare(a: InvoicePosition, b: InvoicePosition): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1;
  return Number(a.number) - Number(b.number);
}

function joinedRows(
  companyId: string,
  search: InvoiceSearch,
  isAscending: boolean,
): Promise<CountedRow[]> {
  const [bind, value] = bindFrom(companyId, search.limit + 1);
  const range = filterRange(search, value);
  const positions = matchesOf(search.text, value).map(
    match => `(${positionsBy([...range, match], search)})`,
  );
  const start = startOf('f', search, isAscending, value);
  return readRows<CountedRow>(
    companyId,
    `WITH found AS MATERIALIZED (${positions.join(' UNION ')}),
     page AS MATERIALIZED (
       SELECT f.date, f.number
       FROM found f
       ${start.length === 0 ? '' : `WHERE ${start.join(' AND ')}`}
       ORDER BY ${orderOf('f', isAscending)}
       LIMIT $2
     )
     SELECT ${COLUMNS},
       (SELECT count(*)::int FROM found) AS found,
       (
         SELECT count(*)::int
         FROM found
         WHERE (date, number) > (
           SELECT f.date, f.number FROM page f ORDER BY ${orderOf('f', isAscending)} LIMIT 1
         )
       ) AS newer
     FROM page
     JOIN invoices i USING (date, number)
     WHERE i.company_id = $1
     ORDER BY ${orderOf('i', isAscending)}`,
    bind,
  );
}

/** Only open invoices have an index, so for other states this reads the newest of all states. */
function nearRange(search: InvoiceSearch, isAscending: boolean, value: Bind): string[] {
  const isIndexed = search.state !== 'paid' && search.state !== 'void';
  return pageRange(isIndexed ? search : { ...search, state: null }, isAscending, value);
}

function pageRange(search: InvoiceSearch, isAscending: boolean, value: Bind): string[] {
  return [
    ...filterRange(search, value),
    ...stateOf(search),
    ...startOf('i', search, isAscending, value),
  ];
}

/** The condition that a row of this alias follows the position where the page starts. */
function startOf(
  alias: string,
  { start }: InvoiceSearch,
  isAscending: boolean,
  value: Bind,
): string[] {
  if (start === null) return [];
  const [date, number] = start.position;
  const position = `(${value(date)}::date, ${value(number)}::bigint)`;
  return [`(${alias}.date, ${alias}.number) ${isAscending ? '>' : '<'} ${position}`];
}

/** The alias matters: a bare name would be the output column, which is text. */
function orderOf(alias: string, isAscending: boolean): string {
  const direction = isAscending ? 'ASC' : 'DESC';
  return `${alias}.date ${direction}, ${alias}.number ${direction}`;
}
