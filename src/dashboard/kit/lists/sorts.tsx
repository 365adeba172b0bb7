// The orders of a list: the links in the heads of its columns, and the sorting by figures that a
// list declares.
import { COUNT_LIMIT } from '../../../platform/db/list-reads.js';
import type { FigureOrder } from '../../../platform/db/lists/sorted-reads.js';
import { may, type Role } from '../../../users/roles.js';
import { formatQuantity } from '../ui/format.js';
import type { ListColumn, Sort } from '../ui/list.js';
import { addressOf, type Choices } from './filters.js';

/** The values of the parameter `order` for a column. A first click chooses the first one. */
export type ColumnOrders = Readonly<Partial<Record<'ascending' | 'descending', string | null>>>;

/** The link of a column's head. `name` is the parameter. */
export function sortLink(
  path: string,
  filters: object,
  orders: ColumnOrders,
  name = 'order',
): Sort {
  const current = (filters as Readonly<Record<string, string | null>>)[name] ?? null;
  const ways = Object.entries(orders) as ['ascending' | 'descending', string | null][];
  const now = ways.find(([, order]) => order === current)?.[0] ?? null;
  const [way, order] = ways.find(([each]) => each !== now) ?? ways[0] ?? ['ascending', null];
  return { href: addressOf(path, { ...filters, [name]: order }), way, now };
}

/** Figures by which a list can be sorted, if its filters select few enough rows. */
export interface Figures {
  /** The names of the orders, and the heads of the columns. */
  readonly columns: Readonly<Record<string, string>>;
  /** Completes the sentence that there are too many, such as invoices. */
  readonly rows: string;
  /** The sentence that says how to select fewer rows. */
  readonly advice: string;
}

const SMALLEST_FIRST = '-smallest';

/** The values that the parameters of a list may have, with its orders by figures. */
export function withFigureOrders<Name extends string>(
  choices: Choices<Name>,
  figures: Figures | undefined,
): Choices<Name> {
  const orders = Object.keys(figures?.columns ?? {}).flatMap(by => [by, by + SMALLEST_FIRST]);
  const { order = [] }: Readonly<Record<string, readonly string[]>> = choices;
  return orders.length === 0 ? choices : { ...choices, order: [...order, ...orders] };
}

/** The order by a figure that an address asks for; null for any other order. */
export function figureOrderOf(figures: Figures | undefined, filters: object): FigureOrder | null {
  const { order }: { order?: string | null } = filters;
  if (!order) return null;
  const by = order.replace(SMALLEST_FIRST, '');
  return Object.hasOwn(figures?.columns ?? {}, by) ? { by, smallestFirst: order !== by } : null;
}

/** The columns with the links that sort by figures. */
export function withFigureSorts<Row>(
  columns: readonly ListColumn<Row>[],
  figures: Figures,
  path: string,
  filters: object,
): readonly ListColumn<Row>[] {
  const orders = new Map(Object.entries(figures.columns).map(([by, head]) => [head, by]));
  return columns.map(column => {
    const by = orders.get(column.head);
    if (by === undefined) return column;
    const ways = { descending: by, ascending: by + SMALLEST_FIRST };
    return { ...column, sort: sortLink(path, filters, ways) };
  });
}

/** False for a figure that the visitor does not see, so no address sorts by it. */
export function maySortBy<Row>(
  { by }: FigureOrder,
  { columns: heads }: Figures,
  columns: readonly ListColumn<Row>[],
  role: Role,
): boolean {
  const column = columns.find(({ head }) => head === heads[by]);
  return column !== undefined && (!column.permission || may(role, column.permission));
}

/** Says why the list is in its usual order. */
export function TooMany({ figures, order }: { figures: Figures; order: FigureOrder }) {
  const head = figures.columns[order.by];
  return (
    <p class="note" role="status">
      More than {formatQuantity(COUNT_LIMIT)} {figures.rows} are too many to sort by “{head}”.{' '}
      {figures.advice}
    </p>
  );
}
