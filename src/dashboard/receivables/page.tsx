// The money that customers owe by age, now or at the end of a past day.

import type { Age } from '../../invoices/overdue.js';
import type { Cursors } from '../../platform/http/pagination.js';
import type { Basis } from '../../receivables/ageing.js';
import type { CustomerReceivables } from '../../receivables/json.js';
import { readReceivables } from '../../receivables/list.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { addressOf, readFilters } from '../kit/lists/filters.js';
import { DatesRefusal, DayInput, readTyped } from '../kit/lists/refused-dates.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, Money, PageHead, Pager } from '../kit/ui/components.js';
import { Button } from '../kit/ui/fields.js';
import { List, Tabs } from '../kit/ui/list.js';
import { Stat, Stats } from '../kit/ui/stats.js';
import { Aging } from './aging.js';
import {
  accountOf,
  overdueOf,
  RECEIVABLES,
  type ReceivablesFilters,
  type ReceivablesName,
  receivablesColumns,
} from './columns.js';

const CHOICES = { basis: ['date'], overdue: ['1'], overLimit: ['1'], sort: ['name'] };

const ROWS = 100;

/** Throws Problem `invalid_parameter` for an invalid day. */
export function readReceivablesFilters(query: URLSearchParams): ReceivablesFilters {
  const given = new URLSearchParams(query);
  given.delete('from');
  return { ...readFilters<ReceivablesName>(given, CHOICES, true), q: null };
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
  const typed = readTyped(() => readReceivablesFilters(query));
  if ('refusal' in typed) return refusedPage(query, typed.refusal);
  const filters = typed.read;
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
            hrefOf={row => accountOf(row, filters)}
            columns={receivablesColumns(filters, totals)}
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

/** The day as it was typed, with the sentence that says what is wrong with it. */
function refusedPage(query: URLSearchParams, refusal: string): PageAnswer {
  const filters = { ...readFilters<ReceivablesName>(query, CHOICES, false), to: query.get('to') };
  const body = (
    <>
      <PageHead title="Receivables" />
      <div class="filters">
        <StateTabs filters={filters} />
        <DayForm filters={filters} refusal={refusal} />
      </div>
      <DatesRefusal refusal={refusal} />
    </>
  );
  return { title: 'Receivables', body, status: 400 };
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
function DayForm({ filters, refusal }: { filters: ReceivablesFilters; refusal?: string }) {
  const { to, basis, overdue, overLimit, sort } = filters;
  const others = Object.entries({ overdue, overLimit, sort });
  return (
    <form method="get" action={RECEIVABLES} class="row days-form" aria-label="Day">
      {others.map(
        ([name, value]) =>
          value !== null && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <label for="receivables-to">As of</label>
      <DayInput id="receivables-to" name="to" day={to} refusal={refusal} />
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
