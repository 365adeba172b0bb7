// The month's top customers and items, each with a bar relative to the first one.
import { Bar, Money, Panel } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';

export interface TopCustomer {
  readonly name: string;
  readonly count: string;
  readonly total: string;
}

export interface TopItem {
  readonly name: string;
  readonly qty: string;
  readonly total: string;
}

export function TopCustomers({ customers }: { customers: readonly TopCustomer[] }) {
  const rows = customers.map(({ count, ...row }) => ({ ...row, note: countInvoices(count) }));
  return <TopList title="Top customers" rows={rows} />;
}

export function TopItems({ items }: { items: readonly TopItem[] }) {
  const rows = items.map(({ qty, ...row }) => ({ ...row, note: `${formatQuantity(qty)} sold` }));
  return <TopList title="Top items" rows={rows} />;
}

export function countInvoices(count: string): string {
  return `${formatQuantity(count)} ${count === '1' ? 'invoice' : 'invoices'}`;
}

interface TopListProps {
  readonly title: string;
  readonly rows: readonly { name: string; total: string; note: string }[];
}

function TopList({ title, rows }: TopListProps) {
  const largest = Number(rows[0]?.total ?? 0);
  return (
    <Panel title={title} note="This month">
      {rows.length === 0 && <p class="note">No invoices this month yet.</p>}
      <ol class="top">
        {rows.map(({ name, total, note }) => (
          <li key={name}>
            <span class="top-name">{name}</span>
            <Money value={total} />
            <Bar share={largest > 0 ? Number(total) / largest : 0} />
            <span class="note">{note}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
