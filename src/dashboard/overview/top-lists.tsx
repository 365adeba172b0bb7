// The period's top customers and items, each with a bar relative to the first one and a link to its
// invoices or its item.
import { matchItems } from '../../inventory/names/match-items.js';
import {
  listTopCustomers,
  listTopItems,
  type TopCustomer,
  type TopItem,
} from '../../summary/ranges.js';
import { Bar, Money, Panel } from '../kit/ui/components.js';
import { formatCount, formatQuantity } from '../kit/ui/format.js';
import type { Period } from './period.js';

export interface Tops {
  readonly customers: readonly TopCustomer[];
  readonly items: readonly TopItem[];
  /** The id of each item, in their order; null for lines that are not a stock item. */
  readonly itemIds: readonly (string | null)[];
}

/** Null unless the period is made of whole months. `ofThisMonth` comes from the summary. */
export async function readTops(
  companyId: string,
  period: Period,
  ofThisMonth: Pick<Tops, 'customers' | 'items'>,
): Promise<Tops | null> {
  if (!period.isWholeMonths) return null;
  const [customers, items] =
    period.preset === 'this-month'
      ? [ofThisMonth.customers, ofThisMonth.items]
      : await Promise.all([listTopCustomers(companyId, period), listTopItems(companyId, period)]);
  const matched = await matchItems(
    companyId,
    items.map(({ name }) => name),
  );
  return { customers, items, itemIds: matched.map(item => item?.id ?? null) };
}

export function TopLists({ tops, period }: { tops: Tops | null; period: Period }) {
  if (tops === null)
    return (
      <Panel title="Top customers and items">
        <p class="note">
          Customers and items are counted by month. Choose <a href="/">this month</a>,{' '}
          <a href="/?period=last-month">last month</a> or whole months to see them.
        </p>
      </Panel>
    );
  const { customers, items, itemIds } = tops;
  return (
    <div class="columns">
      <TopList
        title="Top customers"
        note={`${period.name} · including tax`}
        rows={customers.map(({ name, count, total }) => ({
          name,
          total,
          note: formatCount(count, 'invoice'),
          href: `/invoices?${new URLSearchParams({ q: name, from: period.from, to: period.to })}`,
        }))}
      />
      <TopList
        title="Top items"
        note={`${period.name} · excluding tax`}
        rows={items.map(({ name, qty, total }, index) => ({
          name,
          total,
          note: `${formatQuantity(qty)} sold`,
          href: itemIds[index] ? `/inventory/${itemIds[index]}` : null,
        }))}
      />
    </div>
  );
}

interface TopListProps {
  readonly title: string;
  readonly note: string;
  readonly rows: readonly { name: string; total: string; note: string; href: string | null }[];
}

function TopList({ title, note: period, rows }: TopListProps) {
  const largest = Number(rows[0]?.total ?? 0);
  return (
    <Panel title={title} note={period}>
      {rows.length === 0 && <p class="note">No sales in this period.</p>}
      <ol class="top">
        {rows.map(({ name, total, note, href }) => (
          <li key={name}>
            <span class="top-name">{href === null ? name : <a href={href}>{name}</a>}</span>
            <Money value={total} />
            <Bar share={largest > 0 ? Number(total) / largest : 0} />
            <span class="note">{note}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
