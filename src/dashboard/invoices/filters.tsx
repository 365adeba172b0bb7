// The filters of the list of invoices: the usual ranges of dates, other dates, and a text.
import { ButtonLink } from '../kit/ui/components.js';
import { Button } from '../kit/ui/fields.js';
import { formatDay } from '../kit/ui/format.js';
import { Tabs } from '../kit/ui/list.js';
import { type DateRange, hrefOf, type ListFilter, MAX_TEXT, quickRanges } from './list-filter.js';

export function Filters({ filter, timeZone }: { filter: ListFilter; timeZone: string }) {
  const ranges = quickRanges(timeZone, new Date());
  const current = ranges.find(({ from, to }) => from === filter.from && to === filter.to);
  return (
    <div class="filters">
      <Tabs
        label="Dates"
        tabs={ranges.map(range => ({
          label: range.label,
          href: hrefOf({ ...filter, from: range.from, to: range.to }),
          isCurrent: range === current,
        }))}
      />
      <search>
        <form method="get" action="/invoices">
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
          <Dates filter={filter} current={current} />
          <Button quiet>Search</Button>
        </form>
      </search>
    </div>
  );
}

/** Any other dates. The fields are sent while they are folded, too. */
function Dates({
  filter: { from, to },
  current,
}: {
  filter: ListFilter;
  current: DateRange | undefined;
}) {
  return (
    <details class="popover">
      <summary class="button quiet">{current ? 'Dates' : datesLabel(from, to)}</summary>
      <div>
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
