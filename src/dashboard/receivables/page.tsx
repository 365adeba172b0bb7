// The money that customers owe by age, now or at the end of a past day.

import { type Age, OVERDUE_AGES } from '../../invoices/overdue.js';
import type { Cursors } from '../../platform/http/pagination.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import type { Basis } from '../../receivables/ageing.js';
import type { CustomerReceivables } from '../../receivables/json.js';
import { readReceivables } from '../../receivables/list.js';
import { accountPath } from '../customers/account/subject.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { addressOf, type Filters, readFilters } from '../kit/lists/filters.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { Badge, ButtonLink, Empty, Money, PageHead, Pager } from '../kit/ui/components.js';
import { Button } from '../kit/ui/fields.js';
import { List, type ListColumn, Tabs } from '../kit/ui/list.js';
import { Stat, Stats } from '../kit/ui/stats.js';
import { Aging } from './aging.js';

export const RECEIVABLES = '/receivables';

/** The parameters of the API, apart from the day, whose field is `to`. */
type Name = 'basis' | 'overdue' | 'overLimit' | 'sort';
type ReceivablesFilters = Filters<Name>;
const CHOICES = { basis: ['date'], overdue: ['1'], overLimit: ['1'], sort: ['name'] };

const ROWS = 100;

/** Throws Problem `invalid_parameter` for an invalid day. */
export function readReceivablesFilters(query: URLSearchParams): ReceivablesFilters {
  const given = new URLSearchParams(query);
  given.delete('from');
  return { ...readFilters<Name>(given, CHOICES, true), q: null };
}

/** The filter of the API. */
export function filterOf({ to, basis, overdue, overLimit, sort }: ReceivablesFilters) {
  return {
    ...(to === null ? {} : { asOf: to }),
    basis: (basis ?? 'dueDate') as Basis,
    overdue: overdue !== null,
    overLimit: overLimit !== null,
    sort: (sort ?? 'outstanding') as 'outstanding' | 'name',
  };
}

export async function showReceivables(
  { session: { companyId }, query }: PageRequest,
  cursors: Cursors,
): Promise<PageAnswer> {
  const filters = readReceivablesFilters(query);
  const list = addressOf('receivables-page', filters);
  const position = cursors.position(companyId, list, query.get('cursor') ?? undefined);
  const filter = filterOf(filters);
  const page = await readReceivables(companyId, filter, ROWS, position);
  const { totals, next } = page;
  const customers = parseDecimalJson<CustomerReceivables[]>(`[${page.customers}]`);
  const after = next && cursors.cursor(companyId, list, next);
  const body = (
    <>
      <PageHead title="Receivables">
        <ButtonLink href={addressOf(`${RECEIVABLES}/export.csv`, filters)} quiet>
          CSV
        </ButtonLink>
      </PageHead>
      <div class="filters">
        <StateTabs filters={filters} />
        <DayForm filters={filters} />
      </div>
      <Stats class="narrow-stats">
        <Stat label="Outstanding">
          <Money value={totals.outstanding} />
        </Stat>
        <Stat label="Overdue">
          <Money value={overdueOf(totals)} />
        </Stat>
        <Stat label="Unallocated">
          <Money value={totals.unallocated} />
        </Stat>
      </Stats>
      <section class="panel" aria-label="Outstanding by age">
        <Aging amounts={totals} hrefOf={age => invoicesOf(age, filters)} />
      </section>
      {customers.length === 0 ? (
        <NoReceivables filters={filters} />
      ) : (
        <div class="panel list-panel">
          <List
            caption="Customers by what they owe"
            rows={customers}
            hrefOf={row => hrefOf(row, filters)}
            columns={columnsOf(filters)}
          />
        </div>
      )}
      <Pager
        first={position ? addressOf(RECEIVABLES, filters) : null}
        next={after && addressOf(RECEIVABLES, { ...filters, cursor: after })}
      />
    </>
  );
  return { title: 'Receivables', body };
}

const STATES = [
  ['All', { overdue: null, overLimit: null }],
  ['Overdue', { overdue: '1', overLimit: null }],
  ['Over limit', { overdue: null, overLimit: '1' }],
] as const;

function StateTabs({ filters }: { filters: ReceivablesFilters }) {
  return (
    <Tabs
      label="State"
      tabs={STATES.map(([label, state]) => ({
        label,
        href: addressOf(RECEIVABLES, { ...filters, ...state }),
        isCurrent: filters.overdue === state.overdue && filters.overLimit === state.overLimit,
      }))}
    />
  );
}

/** The day and the date from which ages count. Without a day, the page shows the present. */
function DayForm({ filters }: { filters: ReceivablesFilters }) {
  const { to, basis, overdue, overLimit, sort } = filters;
  const others = Object.entries({ overdue, overLimit, sort });
  return (
    <form method="get" action={RECEIVABLES} class="row days-form" aria-label="Day">
      {others.map(
        ([name, value]) =>
          value !== null && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <label for="receivables-to">As of</label>
      <input id="receivables-to" type="date" name="to" value={to ?? undefined} />
      <label for="receivables-basis">by</label>
      <select id="receivables-basis" name="basis">
        <option value="">due date</option>
        <option value="date" selected={basis === 'date'}>
          invoice date
        </option>
      </select>
      <Button quiet>Show</Button>
    </form>
  );
}

/** The list of invoices knows ages as of today by due dates only. */
function invoicesOf(age: Age, { to, basis }: ReceivablesFilters): string | null {
  return to === null && basis === null ? `/invoices?overdue=${age}` : null;
}

/** The customer's open items on that day, which begin with those that are overdue. */
function hrefOf({ customerId, name }: CustomerReceivables, { to }: ReceivablesFilters): string {
  const page = { show: 'open', to };
  return customerId === null
    ? accountPath({ customer: null, name }, '', page)
    : addressOf(`/customers/${customerId}`, page);
}

/** Short, so that all ages fit beside each other. */
const AGE_HEADS = {
  current: 'Not due',
  days1To30: '1–30',
  days31To60: '31–60',
  days61To90: '61–90',
  over90: 'Over 90',
} as const;

function columnsOf(filters: ReceivablesFilters): ListColumn<CustomerReceivables>[] {
  const sortBy = (sort: string | null) =>
    ({
      href: addressOf(RECEIVABLES, { ...filters, sort }),
      now: filters.sort !== sort ? null : sort === null ? 'descending' : 'ascending',
    }) as const;
  const ages = Object.entries(AGE_HEADS).map(
    ([age, head]): ListColumn<CustomerReceivables> => ({
      head,
      align: 'end',
      phone: 'hidden',
      from: 'medium',
      cell: row => amount(row[age as keyof typeof AGE_HEADS]),
    }),
  );
  return [
    { head: 'Customer', wraps: true, cell: ({ name }) => name, sort: sortBy('name') },
    {
      head: 'Status',
      optional: true,
      cell: ({ hold }) => (hold ? <Badge tone="bad">On hold</Badge> : null),
    },
    ...ages,
    {
      head: 'Overdue',
      align: 'end',
      optional: true,
      until: 'medium',
      cell: row => {
        const overdue = overdueOf(row);
        return overdue === '0' ? null : (
          <span class="overdue-figure">
            <Money value={overdue} />
            <span class="phone-only"> overdue</span>
          </span>
        );
      },
    },
    {
      head: 'Unallocated',
      align: 'end',
      cell: ({ unallocated }) =>
        unallocated === '0' ? null : (
          <>
            <Money value={unallocated} />
            <span class="phone-only"> unallocated</span>
          </>
        ),
    },
    {
      head: 'Outstanding',
      align: 'end',
      phone: 'figure',
      cell: ({ outstanding }) => <Money value={outstanding} />,
      sort: sortBy(null),
    },
  ];
}

/** The last four ages together. */
function overdueOf(row: Pick<CustomerReceivables, Age>): string {
  return fromUnits(OVERDUE_AGES.reduce((sum, age) => sum + toUnits(row[age]), 0n));
}

function amount(value: string) {
  return value === '0' ? null : <Money value={value} />;
}

function NoReceivables({ filters }: { filters: ReceivablesFilters }) {
  const isFiltered = filters.overdue !== null || filters.overLimit !== null;
  return (
    <Empty title={isFiltered ? 'No such customer' : 'Nothing is outstanding'} icon="check">
      {isFiltered && (
        <p>
          <a href={RECEIVABLES}>Show all receivables</a>
        </p>
      )}
    </Empty>
  );
}
