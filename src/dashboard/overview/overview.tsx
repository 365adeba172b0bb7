// The month at a glance, from the precomputed summary that GET /summary answers with: its figures are the API's.
import { listItems } from '../../inventory/queries.js';
import { listDayTotals, readSummary } from '../../summary/queries.js';
import type { Session } from '../../users/sessions.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { Answer, PageRequest } from '../kit/page.js';
import {
  Badge,
  Bar,
  ButtonLink,
  Empty,
  Money,
  PageHead,
  Panel,
  Quantity,
  Table,
} from '../kit/ui/components.js';
import { formatAge, formatMonth, formatPercent, formatQuantity } from '../kit/ui/format.js';
import { DayChart } from './day-chart.js';

const LOW_SHOWN = 8;

/** The API's summary with its figures as text. */
interface Summary {
  readonly period: { readonly month: string; readonly from: string; readonly to: string };
  readonly invoices: Totals & { readonly average: string | null };
  readonly previous: Totals & { readonly month: string; readonly toSameDay: Totals };
  readonly change: { readonly countPercent: string | null; readonly totalPercent: string | null };
  readonly topCustomers: readonly ({ readonly name: string } & Totals)[];
  readonly topItems: readonly {
    readonly name: string;
    readonly qty: string;
    readonly total: string;
  }[];
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

interface LowItem {
  readonly id: string;
  readonly name: string;
  readonly unit: string | null;
  readonly onHand: string;
  readonly reorderPoint: string;
}

export async function showOverview(request: PageRequest): Promise<Answer> {
  const { companyId, currency, timeZone } = request.session;
  const summary = parseDecimalJson<Summary>(
    (await readSummary(companyId, currency, timeZone)) ?? '{}',
  );
  const [days, low] = await Promise.all([
    listDayTotals(companyId, `${summary.previous.month}-01`, summary.period.to),
    listItems(companyId, { limit: LOW_SHOWN, low: true }, undefined),
  ]);
  const hasNothing = [
    summary.invoices.count,
    summary.previous.count,
    summary.inventory.items,
  ].every(n => n === '0');
  const body = (
    <>
      <PageHead
        title="Overview"
        note={`${formatMonth(summary.period.month)} · as of ${formatAge(summary.computedAt, new Date())} ago`}
      >
        {request.canSee('/invoices/new') && (
          <ButtonLink href="/invoices/new">New invoice</ButtonLink>
        )}
      </PageHead>
      {hasNothing && days.length === 0 ? (
        <FirstSteps request={request} />
      ) : (
        <>
          <Figures summary={summary} />
          <DayChart month={summary.period.month} before={summary.previous.month} days={days} />
          <div class="columns">
            <TopCustomers summary={summary} />
            <TopItems summary={summary} />
          </div>
          <LowStock
            summary={summary}
            items={parseDecimalJson<LowItem[]>(low.body)}
            request={request}
          />
        </>
      )}
    </>
  );
  return { title: 'Overview', body, scripts: ['chart.js'] };
}

/** For a company that has nothing yet: the way to its first figures. */
function FirstSteps({ request: { canSee, session } }: { request: PageRequest<Session> }) {
  return (
    <Empty title="Nothing here yet. Three steps to your first figures:">
      <ol class="steps">
        <li>
          <strong>Bring in your stock.</strong>{' '}
          {canSee('/inventory') ? <a href="/inventory">Add items</a> : 'Add items'} with what is on
          hand and when to reorder.
        </li>
        <li>
          <strong>Make an API key,</strong> so that your shop or till can write invoices:{' '}
          {canSee('/integrations/api-access') ? (
            <a href="/integrations/api-access">API access</a>
          ) : (
            <a href="/docs/authentication">how keys work</a>
          )}
          .
        </li>
        <li>
          <strong>Create an invoice.</strong>{' '}
          {canSee('/invoices/new') && <a href="/invoices/new">Write one here</a>}{' '}
          {canSee('/invoices/new') ? 'or' : 'See'} <a href="/docs">the API reference</a>. Amounts
          are in {session.currency}.
        </li>
      </ol>
    </Empty>
  );
}

function Figures({ summary: { invoices, previous, change, inventory } }: { summary: Summary }) {
  return (
    <dl class="stats">
      <div>
        <dt>Invoiced this month</dt>
        <dd>
          <Money value={invoices.total} />
        </dd>
        <dd class="note">
          <Change percent={change.totalPercent} /> <Money value={previous.toSameDay.total} /> last
          month to this day
        </dd>
      </div>
      <div>
        <dt>Invoices</dt>
        <dd>
          <Quantity value={invoices.count} />
        </dd>
        <dd class="note">
          <Change percent={change.countPercent} /> <Quantity value={previous.toSameDay.count} />{' '}
          last month to this day
        </dd>
      </div>
      <div>
        <dt>Average invoice</dt>
        <dd>{invoices.average === null ? '–' : <Money value={invoices.average} />}</dd>
        <dd class="note">
          Last month in all: <Money value={previous.total} /> in <Quantity value={previous.count} />
        </dd>
      </div>
      <div>
        <dt>Stock value</dt>
        <dd>
          <Money value={inventory.value} />
        </dd>
        <dd class="note">
          <Quantity value={inventory.items} /> items, <Quantity value={inventory.outOfStock} /> out
          of stock
        </dd>
      </div>
    </dl>
  );
}

function Change({ percent }: { percent: string | null }) {
  if (percent === null) return null;
  const tone = percent.startsWith('-') ? 'bad' : Number(percent) > 0 ? 'good' : 'plain';
  return <Badge tone={tone}>{formatPercent(percent)}</Badge>;
}

function TopCustomers({ summary: { topCustomers } }: { summary: Summary }) {
  const rows = topCustomers.map(({ name, total, count }) => ({
    name,
    total,
    note: `${formatQuantity(count)} ${count === '1' ? 'invoice' : 'invoices'}`,
  }));
  return <Top title="Top customers" rows={rows} />;
}

function TopItems({ summary: { topItems } }: { summary: Summary }) {
  const rows = topItems.map(({ name, total, qty }) => ({
    name,
    total,
    note: `${formatQuantity(qty)} sold`,
  }));
  return <Top title="Top items" rows={rows} />;
}

function Top({
  title,
  rows,
}: {
  title: string;
  rows: readonly { name: string; total: string; note: string }[];
}) {
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

function LowStock({
  summary,
  items,
  request,
}: {
  summary: Summary;
  items: readonly LowItem[];
  request: PageRequest;
}) {
  const count = Number(summary.inventory.low);
  return (
    <Panel title="Low stock" note={count === 1 ? '1 item' : `${formatQuantity(count)} items`}>
      {items.length === 0 ? (
        <p class="note">Every item is above its reorder point.</p>
      ) : (
        <Table
          caption="Items at or below their reorder point"
          rows={items}
          columns={[
            {
              head: 'Item',
              cell: ({ id, name }) =>
                request.canSee('/inventory/:id') ? <a href={`/inventory/${id}`}>{name}</a> : name,
            },
            {
              head: 'State',
              cell: ({ onHand }) =>
                Number(onHand) <= 0 ? (
                  <Badge tone="bad">out of stock</Badge>
                ) : (
                  <Badge tone="warn">low</Badge>
                ),
            },
            {
              head: 'On hand',
              align: 'end',
              cell: ({ onHand, unit }) => <Stock value={onHand} unit={unit} />,
            },
            {
              head: 'Reorder at',
              align: 'end',
              cell: ({ reorderPoint, unit }) => <Stock value={reorderPoint} unit={unit} />,
            },
          ]}
        />
      )}
      {count > items.length && request.canSee('/inventory') && (
        <a href="/inventory?low=1">All low items</a>
      )}
    </Panel>
  );
}

function Stock({ value, unit }: { value: string; unit: string | null }) {
  return (
    <>
      <Quantity value={value} />
      {unit && <span class="unit"> {unit}</span>}
    </>
  );
}
