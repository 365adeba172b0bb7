// Reads the page of a list in the order that its address asks for.
import { COUNT_LIMIT } from '../../../platform/db/list-reads.js';
import type {
  FigureOrder,
  SortedPage,
  SortedRows,
} from '../../../platform/db/lists/sorted-reads.js';
import type { Cursors } from '../../../platform/http/pagination.js';
import type { Role } from '../../../users/roles.js';
import type { Extent, ListColumn, ListSum } from '../ui/list.js';
import type { Filters } from './filters.js';
import { type Figures, figureOrderOf, maySortBy } from './sorts.js';

/** The number of rows of a page. */
export const LIST_ROWS = 50;

/** A page begins after a position, or ends before it. */
export interface PageStart {
  readonly position: string[];
  readonly direction: 'after' | 'before';
}

export interface ListRows<Row> {
  readonly rows: readonly Row[];
  /** The last row's position if more rows follow. */
  readonly next: readonly string[] | null;
  /** The first row's position if the page before it is full; only of a list that goes back. */
  readonly previous?: readonly string[] | null;
  /** Omitted if the list does not count its rows. */
  readonly extent?: Extent;
  /** The sums of all rows that the filters select. */
  readonly sums?: readonly ListSum[] | undefined;
}

/** The part of a list's declaration that reads its pages. */
export interface OrderedList<Row, Name extends string> {
  /** Signs the list's cursors. */
  readonly cursorName: string;
  /** True if its pages also link to the page before them. Otherwise they link to the first one. */
  readonly goesBack?: true;
  /** `today` is a day of the company's calendar. */
  readonly columns: (filters: Filters<Name>, today: string) => readonly ListColumn<Row>[];
  readonly read: (
    companyId: string,
    filters: Filters<Name>,
    start: PageStart | null,
  ) => Promise<ListRows<Row>>;
  /** Columns that sort the list by their figures. */
  readonly figures?: FigureSorts<Row, Name>;
}

interface FigureSorts<Row, Name extends string> extends Figures {
  /** Null if there are too many rows to sort. */
  readonly read: (
    companyId: string,
    filters: Filters<Name>,
    page: SortedPage,
  ) => Promise<SortedRows<Row, readonly ListSum[]> | null>;
}

/** The filters without an order by a figure that the visitor may not see. */
export function visibleFilters<Row, Name extends string>(
  { figures, columns }: OrderedList<Row, Name>,
  filters: Filters<Name>,
  today: string,
  role: Role,
): Filters<Name> {
  const order = figureOrderOf(figures, filters);
  if (!figures || !order || maySortBy(order, figures, columns(filters, today), role))
    return filters;
  return { ...filters, order: null };
}

/** The page in the order that was asked for, or the first one in the usual order. */
export async function readOrdered<Row, Name extends string>(
  { figures, read }: OrderedList<Row, Name>,
  companyId: string,
  filters: Filters<Name>,
  start: PageStart | null,
): Promise<{ page: ListRows<Row>; tooMany: FigureOrder | null }> {
  const order = figureOrderOf(figures, filters);
  if (!figures || !order) return { page: await read(companyId, filters, start), tooMany: null };
  const sorted = await figures.read(companyId, filters, { order, start, limit: LIST_ROWS });
  if (sorted) {
    const { total, before } = sorted;
    return { page: { ...sorted, extent: { total, before, limit: COUNT_LIMIT } }, tooMany: null };
  }
  return { page: await read(companyId, { ...filters, order: null }, null), tooMany: order };
}

/** Null for the first page. Throws Problem `invalid_cursor`. */
export function readPageStart<Row, Name extends string>(
  list: OrderedList<Row, Name>,
  filters: Filters<Name>,
  companyId: string,
  query: URLSearchParams,
  pager: Cursors,
): PageStart | null {
  const cursorName = cursorNameOf(list, filters);
  const read = (name: string) =>
    pager.position(companyId, cursorName, query.get(name) ?? undefined);
  const before = list.goesBack && read('before');
  if (before) return { position: before, direction: 'before' };
  const after = read(list.goesBack ? 'after' : 'cursor');
  return after ? { position: after, direction: 'after' } : null;
}

/** Each order by a figure has cursors of its own, because their positions have other values. */
export function cursorNameOf<Row, Name extends string>(
  { cursorName, figures }: OrderedList<Row, Name>,
  filters: Filters<Name>,
): string {
  const order = figureOrderOf(figures, filters);
  return order ? [cursorName, order.by, order.smallestFirst].join(' ') : cursorName;
}
