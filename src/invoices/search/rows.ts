// The statements of an invoice search that read a page of rows in list order.
import { readRows } from '../../platform/db/list-reads.js';
import { numberText, orderReferenceText } from '../queries.js';
import { type Bind, bindFrom, filterRange, stateOf } from './conditions.js';
import type { InvoiceSearch, ListedInvoice } from './types.js';

/** The columns of a listed invoice. */
export const COLUMNS = `i.id,
  ${numberText} AS number,
  i.number AS running,
  i.status,
  i.date::text AS date,
  i.customer_name AS "customerName",
  i.reference,
  ${orderReferenceText} AS "orderReference",
  i.due_date::text AS "dueDate",
  trim_scale(i.total)::text AS total,
  trim_scale(i.total - i.paid - i.credited)::text AS "amountDue"`;

/** The page's invoices in a search without a text. */
export function listRows(
  companyId: string,
  search: InvoiceSearch,
  isAscending: boolean,
): Promise<ListedInvoice[]> {
  const [bind, value] = bindFrom(companyId, search.limit + 1);
  return readRows<ListedInvoice>(
    companyId,
    `SELECT ${COLUMNS}
     FROM invoices i
     WHERE ${pageRange(search, isAscending, value).join(' AND ')}
     ORDER BY ${orderOf('i', isAscending, dateColumnOf(search))}
     LIMIT $2`,
    bind,
  );
}

/** The invoices with these numbers, in list order. */
export function rowsAt(
  companyId: string,
  numbers: readonly string[],
  isAscending: boolean,
): Promise<ListedInvoice[]> {
  return readRows<ListedInvoice>(
    companyId,
    `SELECT ${COLUMNS}
     FROM invoices i
     WHERE i.company_id = $1 AND i.number = ANY($2::bigint[])
     ORDER BY ${orderOf('i', isAscending)}`,
    [companyId, numbers],
  );
}

/** The conditions of the rows after the page's start, but for the text. */
export function pageRange(search: InvoiceSearch, isAscending: boolean, value: Bind): string[] {
  return [
    ...filterRange(search, value),
    ...stateOf(search),
    ...invoicesFrom('i', search, isAscending, value),
  ];
}

/** The condition that a row of this alias follows the position where the page starts. */
export function invoicesFrom(
  alias: string,
  search: InvoiceSearch,
  isAscending: boolean,
  value: Bind,
): string[] {
  const { start } = search;
  if (start === null) return [];
  const [date, number] = start.position;
  const position = `(${value(date)}::date, ${value(number)}::bigint)`;
  const own = `(${alias}.${dateColumnOf(search)}, ${alias}.number)`;
  return [`${own} ${isAscending ? '>' : '<'} ${position}`];
}

/** The alias matters: a bare name would be the output column, which is text. */
export function orderOf(alias: string, isAscending: boolean, date: DateColumn = 'date'): string {
  const direction = isAscending ? 'ASC' : 'DESC';
  return `${alias}.${date} ${direction}, ${alias}.number ${direction}`;
}

type DateColumn = 'date' | 'due_date';

/** The date by which a search sorts. */
export function dateColumnOf({ byDueDate }: Pick<InvoiceSearch, 'byDueDate'>): DateColumn {
  return byDueDate ? 'due_date' : 'date';
}
