// The overview of the month. It shows the same precomputed summary that GET /summary returns.
import type { ComponentChildren } from 'preact';
import { listItems } from '../../inventory/queries.js';
import { listDayTotals, readSummary } from '../../summary/queries.js';
import { type Item, StockQuantity, StockStatus } from '../inventory/item-view.js';
import { KEYS } from '../keys/key-parts.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { Answer, PageRequest } from '../kit/page.js';
import {
  Badge,
  ButtonLink,
  Empty,
  Money,
  PageHead,
  Panel,
  Quantity,
  Table,
} from '../kit/ui/components.js';
import { formatAge, formatMonth, formatPercent, formatQuantity } from '../kit/ui/format.js';
import { Stat, Stats } from '../kit/ui/stats.js';
import { DayChart } from './day-chart.js';
import {
  countInvoices,
  type TopCustomer,
  TopCustomers,
  type TopItem,
  TopItems,
} from './top-lists.js';

const MAX_LOW_SHOWN = 8;

/** The API's summary, with figures as decimal text. */
interface Summary {
  readonly period: { readonly month: string; readonly from: string; readonly to: string };
  readonly invoices: Totals & { readonly average: string | null };
  readonly previous: Totals & { readonly month: string; readonly toSameDay: Totals };
  readonly change: { readonly countPercent: string | null; readonly totalPercent: string | null };
  readonly topCustomers: readonly TopCustomer[];
  readonly topItems: readonly TopItem[];
  readonly inventory: {
    readonly items: string;
    readonly low: string;
    readonly outOfStock: string;
    readonly value: string;
  };
  readonly computedAt: string;
}

interface Totals {
  readonly count: string;
  readonly total: string;
}

export async function showOverview({ session, canSee }: PageRequest): Promise<Answer> {
  const { companyId, currency, timeZone } = session;
  const summary = parseDecimalJson<Summary>(
    (await readSummary(companyId, currency, timeZone)) ?? '{}',
  );
  const [days, low] = await Promise.all([
    listDayTotals(companyId, `${summary.previous.month}-01`, summary.period.to),
    listItems(companyId, { limit: MAX_LOW_SHOWN, low: true }, undefined),
  ]);
  const age = formatAge(summary.computedAt, new Date());
  const isNew =
    days.length === 0 &&
    [summary.invoices.count, summary.previous.count, summary.inventory.items].every(
      count => count === '0',
    );
  const body = (
    <>
      <PageHead title="Overview" note={`${formatMonth(summary.period.month)} · Updated ${age}`}>
        <ButtonLink href="/invoices/new">New invoice</ButtonLink>
      </PageHead>
      {isNew ? (
        <FirstSteps currency={currency} canManageKeys={canSee(KEYS)} />
      ) : (
        <>
          <Figures summary={summary} />
          <DayChart month={summary.period.month} previous={summary.previous.month} days={days} />
          <div class="columns">
            <TopCustomers customers={summary.topCustomers} />
            <TopItems items={summary.topItems} />
          </div>
          <LowStock count={summary.inventory.low} items={parseDecimalJson<Item[]>(low.body)} />
        </>
      )}
    </>
  );
  return { title: 'Overview', body, scripts: ['chart.js'] };
}

/** The way to the first figures, for a company that has no invoices or items yet. */
function FirstSteps({ currency, canManageKeys }: { currency: string; canManageKeys: boolean }) {
  return (
    <Empty title="Nothing here yet. Three steps to your first figures:">
      <ol class="steps">
        <li>
          <strong>Add your stock.</strong> <a href="/inventory">Add items</a> with their opening
          stock and reorder points.
        </li>
        <li>
          <strong>Create an API key</strong> so that your shop or till can create invoices:{' '}
          {canManageKeys ? (
            <a href={KEYS}>API access</a>
          ) : (
            <a href="/docs/authentication">how keys work</a>
          )}
          .
        </li>
        <li>
          <strong>Create an invoice</strong> in {currency}, on the page{' '}
          <a href="/invoices/new">New invoice</a> or through <a href="/docs">the API</a>.
        </li>
      </ol>
    </Empty>
  );
}

function Figures({ summary: { invoices, previous, change, inventory } }: { summary: Summary }) {
  const outOfStock = formatQuantity(inventory.outOfStock);
  const toSameDay = previous.count === '0' ? null : previous.toSameDay;
  return (
    <Stats>
      <Stat
        label="Invoiced this month"
        note={
          toSameDay && (
            <>
              <Comparison percent={change.totalPercent} value={<Money value={toSameDay.total} />} />
              <br />
              Last month: <Money value={previous.total} /> ({countInvoices(previous.count)})
            </>
          )
        }
      >
        <Money value={invoices.total} />
      </Stat>
      <Stat
        label="Invoices"
        note={
          toSameDay && (
            <Comparison percent={change.countPercent} value={formatQuantity(toSameDay.count)} />
          )
        }
      >
        <Quantity value={invoices.count} />
      </Stat>
      <Stat label="Average invoice">
        {invoices.average === null ? '–' : <Money value={invoices.average} />}
      </Stat>
      <Stat label="Stock value" note={`${countItems(inventory.items)}, ${outOfStock} out of stock`}>
        <Money value={inventory.value} />
      </Stat>
    </Stats>
  );
}

function countItems(count: string): string {
  return `${formatQuantity(count)} ${count === '1' ? 'item' : 'items'}`;
}

function Comparison(props: { percent: string | null; value: ComponentChildren }) {
  const { percent, value } = props;
  const tone = percent?.startsWith('-') ? 'bad' : Number(percent) > 0 ? 'good' : 'plain';
  return (
    <>
      {percent !== null && <Badge tone={tone}>{formatPercent(percent)}</Badge>} vs {value} at this
      point last month
    </>
  );
}

function LowStock({ count, items }: { count: string; items: readonly Item[] }) {
  return (
    <Panel title="Low stock" note={countItems(count)}>
      {items.length === 0 ? (
        <p class="note">Every item is above its reorder point.</p>
      ) : (
        <Table
          caption="Items at or below their reorder point"
          rows={items}
          columns={[
            {
              head: 'Item',
              cell: ({ id, name }) => <a href={`/inventory/${id}`}>{name}</a>,
            },
            { head: 'Status', cell: item => <StockStatus item={item} /> },
            {
              head: 'On hand',
              align: 'end',
              cell: ({ onHand, unit }) => <StockQuantity value={onHand} unit={unit} />,
            },
            {
              head: 'Reorder point',
              align: 'end',
              cell: ({ reorderPoint, unit }) => <StockQuantity value={reorderPoint} unit={unit} />,
            },
          ]}
        />
      )}
      {Number(count) > items.length && <a href="/inventory?low=1">All low-stock items</a>}
    </Panel>
  );
}
