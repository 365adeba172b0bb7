// What pages are built of. Figures and times read the company's currency and zone from the page they stand on; forms carry
// their token by themselves.
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { formatDay, formatMoney, formatPrice, formatQuantity, formatTime } from './format.js';

/** What every component of a page may want to know. */
export interface PageSettings {
  readonly currency: string;
  readonly timeZone: string;
  /** The token for forms; null where nobody is signed in. */
  readonly token: string | null;
}

export const PageContext = createContext<PageSettings>({
  currency: 'USD',
  timeZone: 'UTC',
  token: null,
});

/** An amount, exact, in the company's currency. The value is decimal text. */
export function Money({ value }: { value: string }) {
  return <span class="figure">{formatMoney(value, useContext(PageContext).currency)}</span>;
}

/** A price of one unit: up to four decimals. */
export function Price({ value }: { value: string }) {
  return <span class="figure">{formatPrice(value, useContext(PageContext).currency)}</span>;
}

export function Quantity({ value }: { value: string | number }) {
  return <span class="figure">{formatQuantity(value)}</span>;
}

/** An instant in the company's zone. */
export function Time({ at }: { at: string }) {
  return <time datetime={at}>{formatTime(at, useContext(PageContext).timeZone)}</time>;
}

/** A calendar day, YYYY-MM-DD. */
export function Day({ on }: { on: string }) {
  return <time datetime={on}>{formatDay(on)}</time>;
}

/** The head of a page: its title, and what can be done here. */
export function PageHead({
  title,
  note,
  children,
}: {
  title: string;
  note?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {note && <p class="note">{note}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </div>
  );
}

/** A part of a page with a heading of its own. */
export function Panel(props: {
  title: string;
  note?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <section class={`panel ${props.class ?? ''}`}>
      <div class="panel-head">
        <h2>{props.title}</h2>
        {props.note && <p class="note">{props.note}</p>}
      </div>
      {props.children}
    </section>
  );
}

/** A link that looks like a button: for going somewhere. What changes something is a Form with a Button. */
export function ButtonLink({
  href,
  quiet,
  children,
}: {
  href: string;
  quiet?: boolean;
  children: ComponentChildren;
}) {
  return (
    <a class={quiet ? 'button quiet' : 'button'} href={href}>
      {children}
    </a>
  );
}

/** What stands where there is nothing yet: why, and what to do next. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export type Tone = 'good' | 'bad' | 'warn' | 'plain';

/** A word about a state: low, paid, failed. Never by colour alone. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures stand at the end, under each other. */
  readonly align?: 'end';
}

interface TableProps<Row> {
  /** What the table is, for who does not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** Rows and columns; on a narrow screen each row is a card, its first cell the title. */
export function Table<Row>({ caption, columns, rows }: TableProps<Row>) {
  // The roles say what CSS would unsay: a cell that is displayed as a block is no cell to a screen reader.
  return (
    <table class="cards" role="table">
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ head, align }) => (
            <th key={head} role="columnheader" scope="col" class={align}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={index} role="row">
            {columns.map(({ head, cell, align }) => (
              <td key={head} role="cell" class={align} data-label={head}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A share of the largest, 0 to 1, as a bar. The figure stands beside it in text. */
export function Bar({ share }: { share: number }) {
  const width = `${(Math.min(Math.max(share, 0), 1) * 100).toFixed(1)}%`;
  return (
    <svg class="bar" aria-hidden="true" focusable="false">
      <rect class="bar-all" width="100%" height="100%" rx="3" />
      <rect class="bar-part" width={width} height="100%" rx="3" />
    </svg>
  );
}

interface PagerProps {
  readonly first?: string | null;
  readonly previous?: string | null;
  readonly next?: string | null;
}

/** The way to more of a list: the addresses of its first, the previous and the next page. */
export function Pager({ first, previous, next }: PagerProps) {
  const links = [
    ['first', 'First page', first],
    ['prev', 'Previous page', previous],
    ['next', 'Next page', next],
  ] as const;
  const known = links.filter(([, , href]) => href);
  if (known.length === 0) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {known.map(([rel, label, href]) => (
        <a key={rel} class="button quiet" href={href ?? ''} rel={rel}>
          {label}
        </a>
      ))}
    </nav>
  );
}
