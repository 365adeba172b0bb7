// The filters of the list of invoices: the state, the usual ranges of dates, other dates, and a
// text.
import { ButtonLink } from '../kit/ui/components.js';
import { Button } from '../kit/ui/fields.js';
import { formatDay } from '../kit/ui/format.js';
import { Tabs } from '../kit/ui/list.js';
import {
  type DateRange,
  hrefOf,
  type ListFilter,
  MAX_TEXT,
  quickRanges,
  stateFields,
} from './list-filter.js';

const TABS = [
  { label: 'All', state: null },
  { label: 'Open', state: 'open' },
  { label: 'Overdue', state: 'overdue' },
  { label: 'Paid', state: 'paid' },
] as const;

export function Filters({ filter, timeZone }: { filter: ListFilter; timeZone: string }) {
  return (
    <div class="filters">
      <Tabs
        label="Status"
        tabs={TABS.map(({ label, state }) => ({
          label,
          href: hrefOf({ ...filter, state }),
          isCurrent: state === filter.state,
        }))}
      />
      <search>
        <form method="get" action="/invoices">
          {stateFields(filter.state).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {filter.oldestFirst && <input type="hidden" name="order" value="oldest" />}
          <label for="search-q" class="unseen">
            Customer, number or reference
          </label>
          <input
            id="search-q"
            type="search"
            name="q"
            value={filter.text ?? undefined}
            maxlength={MAX_TEXT}
            placeholder="Customer, number or reference"
            autocomplete="off"
          />
          <Dates filter={filter} ranges={quickRanges(timeZone, new Date())} />
          <Button quiet>Search</Button>
        </form>
      </search>
    </div>
  );
}

interface DatesProps {
  readonly filter: ListFilter;
  readonly ranges: readonly DateRange[];
}

/** The usual ranges, and any other dates. The fields are sent while they are folded, too. */
function Dates({ filter, ranges }: DatesProps) {
  const { from, to } = filter;
  const current = ranges.find(range => range.from === from && range.to === to);
  return (
    <details class="popover">
      <summary class="button quiet">
        {current && from !== null ? current.label : datesLabel(from, to)}
      </summary>
      <div>
        <Tabs
          label="Dates"
          tabs={ranges.map(range => ({
            label: range.label,
            href: hrefOf({ ...filter, from: range.from, to: range.to }),
            isCurrent: range === current,
          }))}
        />
        <div class="field">
          <label for="search-from">From</label>
          <input id="search-from" type="date" name="from" value={from ?? undefined} />
        </div>
        <div class="field">
          <label for="search-to">To</label>
          <input id="search-to" type="date" name="to" value={to ?? undefined} />
        </div>
        <div class="actions">
          <Button>Apply</Button>
          <ButtonLink href="/invoices" quiet>
            Clear
          </ButtonLink>
        </div>
      </div>
    </details>
  );
}

function datesLabel(from: string | null, to: string | null): string {
  if (from === null) return to === null ? 'Dates' : `Until ${formatDay(to)}`;
  return to === null ? `From ${formatDay(from)}` : `${formatDay(from)} – ${formatDay(to)}`;
}
