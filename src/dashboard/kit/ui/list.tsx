// Lists whose rows are links. The first cell has the row's one link, which CSS stretches over the
// whole row, so rows work without JavaScript and a screen reader meets one link per row. On a phone
// a row has two lines: name and figure, and below them the other cells.
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Permission } from '../../../users/roles.js';
import { Money, PageContext, Pager } from './components.js';
import { formatDay, formatQuantity } from './format.js';

export interface ListColumn<Row> {
  readonly head: string;
  /** Null leaves the cell empty, even on a phone. */
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures are aligned at the end of the cell. */
  readonly align?: 'end';
  /** Text that may be long or have no spaces. */
  readonly wraps?: boolean;
  /** On a phone: at the end of the first line, or not at all. Otherwise on the second line. */
  readonly phone?: 'figure' | 'hidden';
  /** Hidden unless the window is at least as wide: 1152 px for medium, 1200 px for wide. */
  readonly from?: 'medium' | 'wide';
  /** Hidden if the window is as wide as for medium, where other columns say the same. */
  readonly until?: 'medium';
  readonly sort?: Sort;
  /** Left out for visitors without it. */
  readonly permission?: Permission;
  /** The sum of the column over all rows of the list, for a last row. */
  readonly total?: ComponentChildren;
  /** The column is left out if it is empty in all rows of the page. */
  readonly optional?: true;
}

export const AMOUNT_COLUMN: ListColumn<{ readonly amount: string }> = {
  head: 'Amount',
  align: 'end',
  phone: 'figure',
  cell: ({ amount }) => <Money value={amount} />,
};

type Way = 'ascending' | 'descending';

export interface Sort {
  /** The list in this column's order, or in the opposite order if it is sorted by it now. */
  readonly href: string;
  /** The order of the link. */
  readonly way: Way;
  readonly now: Way | null;
}

interface ListProps<Row> {
  /** Describes the table to screen readers. */
  readonly caption: string;
  /** The first one is the row's name. */
  readonly columns: readonly ListColumn<Row>[];
  readonly rows: readonly Row[];
  /** The page of a row. */
  readonly hrefOf?: (row: Row) => string | null;
}

export function List<Row>({ caption, columns, rows, hrefOf }: ListProps<Row>) {
  const shown = columns.filter(
    ({ optional, cell }) => !optional || rows.some(row => (cell(row) ?? null) !== null),
  );
  return (
    <RoleTable kind="list" caption={caption} columns={shown} rows={rows}>
      {(column, row, isFirst) => (
        <Cell key={column.head} column={column} row={row} href={isFirst && hrefOf?.(row)} />
      )}
    </RoleTable>
  );
}

export type Column<Row> = Pick<ListColumn<Row>, 'head' | 'cell' | 'align' | 'permission'>;

interface TableProps<Row> extends Pick<ListProps<Row>, 'caption' | 'rows'> {
  readonly columns: readonly Column<Row>[];
}

/** Rows that are not links. On a narrow screen each is a card, with its first cell as the title. */
export function Table<Row>({ caption, columns, rows }: TableProps<Row>) {
  return (
    <RoleTable kind="cards" caption={caption} columns={columns} rows={rows}>
      {({ head, cell, align }, row) => (
        <td key={head} role="cell" class={align} data-label={head}>
          <div>{cell(row)}</div>
        </td>
      )}
    </RoleTable>
  );
}

interface RoleTableProps<Row> extends Omit<ListProps<Row>, 'hrefOf'> {
  readonly kind: 'list' | 'cards';
  /** Renders a cell. */
  readonly children: (column: ListColumn<Row>, row: Row, isFirst: boolean) => ComponentChildren;
}

/** CSS displays rows and cells as blocks on narrow screens, which removes their implicit roles. */
function RoleTable<Row>({ kind, caption, rows, children, ...table }: RoleTableProps<Row>) {
  const { may } = useContext(PageContext);
  const columns = table.columns.filter(({ permission }) => !permission || may(permission));
  return (
    <table class={kind} role="table">
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ head, align, from, until, sort }) => (
            <th
              key={head}
              role="columnheader"
              scope="col"
              class={classNames(align, from && `${from}-only`, until && `below-${until}`)}
              aria-sort={sort?.now ?? undefined}
            >
              {sort ? <SortLink head={head} sort={sort} /> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={index} role="row">
            {columns.map((column, at) => children(column, row, at === 0))}
          </tr>
        ))}
      </tbody>
      {columns.some(({ total }) => total !== undefined) && <TotalRow columns={columns} />}
    </table>
  );
}

function TotalRow<Row>({ columns }: { columns: readonly ListColumn<Row>[] }) {
  return (
    <tfoot role="rowgroup">
      <tr role="row">
        {columns.map(({ head, total, align, from, until, phone }, index) => {
          const content = index === 0 ? 'Total' : (total ?? null);
          const widths = [from && `${from}-only`, until && `below-${until}`];
          const classes = [align, ...widths, phone && `phone-${phone}`];
          return (
            <td key={head} role="cell" class={classNames(...classes, content === null && 'blank')}>
              {content}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}

function SortLink({ head, sort: { href, way, now } }: { head: string; sort: Sort }) {
  return (
    <a href={href} title={`Sort ${way}`}>
      {head}
      {now && <span aria-hidden="true">{now === 'descending' ? ' ↓' : ' ↑'}</span>}
    </a>
  );
}

interface CellProps<Row> {
  readonly column: ListColumn<Row>;
  readonly row: Row;
  readonly href: string | null | undefined | false;
}

function Cell<Row>({ column, row, href }: CellProps<Row>) {
  const { cell, align, wraps, phone, from, until } = column;
  const content = cell(row);
  const widths = [from && `${from}-only`, until && `below-${until}`];
  const classes = [align, wraps && 'wraps', ...widths, phone && `phone-${phone}`];
  return (
    <td role="cell" class={classNames(...classes, content === null && 'blank')}>
      {href ? (
        <a class="row-link" href={href}>
          {content}
        </a>
      ) : (
        content
      )}
    </td>
  );
}

function classNames(...names: readonly (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}

/** A calendar day, YYYY-MM-DD. A phone leaves out the current year. */
export function RowDay({ on }: { on: string }) {
  const isThisYear = on.startsWith(`${new Date().getUTCFullYear()}-`);
  const [day, year] = formatDay(on).split(/(?=, \d+$)/u);
  return (
    <time class="row-day" datetime={on}>
      {day}
      <span class={isThisYear ? 'this-year' : undefined}>{year}</span>
    </time>
  );
}

/** How many rows a list has, where its page starts among them, and what is unknown. */
export interface Extent {
  /** Null: more than `limit`. */
  readonly total: number | null;
  /** The rows before the page's first one; null: not counted. */
  readonly before: number | null;
  /** The highest number to which rows are counted; null if they are not counted. */
  readonly limit: number | null;
}

/** The sum of a figure of all rows of the list, as exact decimal text. */
export interface ListSum {
  readonly label: string;
  readonly amount: string;
}

interface FootProps {
  /** Undefined if the list does not count its rows. */
  readonly extent: Extent | undefined;
  readonly sums?: readonly ListSum[] | undefined;
  /** The rows of this page. */
  readonly count: number;
  readonly first?: string | null;
  readonly previous?: string | null;
  readonly next: string | null;
}

/** The line below a list: 51–100 of 308, their sums, and the links to the list's other pages. */
export function ListFoot({ extent, sums = [], count, ...links }: FootProps) {
  if (!extent) return <Pager {...links} />;
  return (
    <div class="list-foot">
      <p class="note">
        {count > 0 && extentText(extent, count)}
        {count > 0 &&
          sums.map(({ label, amount }) => (
            <span key={label}>
              {' · '}
              {label} <Money value={amount} />
            </span>
          ))}
      </p>
      <Pager {...links} />
    </div>
  );
}

export function extentText({ total, before, limit }: Extent, count: number): string {
  const many = limit === null ? 'many' : `more than ${formatQuantity(limit)}`;
  const all = total === null ? many : formatQuantity(total);
  if (before === null) return `${formatQuantity(count)} of ${all}`;
  const [first, last] = [before + 1, before + count].map(formatQuantity);
  return first === last ? `${first} of ${all}` : `${first}–${last} of ${all}`;
}

export interface Tab {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** Links to the usual filters of a list. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="filter-tabs" aria-label={label}>
      {tabs.map(tab => (
        <a key={tab.href} href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
