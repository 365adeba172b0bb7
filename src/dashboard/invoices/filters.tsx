// The filters of the list of invoices: the state, the usual ranges of dates, other dates, and a
// text.
import { Tabs } from '../kit/ui/list.js';
import { SearchForm } from '../kit/ui/search-form.js';
import { hrefOf, type ListFilter, MAX_TEXT, quickRanges, stateFields } from './list-filter.js';

const TABS = [
  { label: 'All', state: null },
  { label: 'Open', state: 'open' },
  { label: 'Overdue', state: 'overdue' },
  { label: 'Paid', state: 'paid' },
] as const;

export function Filters({ filter, timeZone }: { filter: ListFilter; timeZone: string }) {
  const { from, to, text } = filter;
  const ranges = quickRanges(timeZone, new Date());
  const current = ranges.find(range => range.from === from && range.to === to);
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
      <SearchForm
        path="/invoices"
        kept={[
          ...stateFields(filter.state),
          ...(filter.oldestFirst ? [['order', 'oldest'] as const] : []),
        ]}
        text={text}
        maxLength={MAX_TEXT}
        placeholder="Customer, number or reference"
        dates={{
          from,
          to,
          label: current && from !== null ? current.label : undefined,
          ranges: (
            <Tabs
              label="Dates"
              tabs={ranges.map(range => ({
                label: range.label,
                href: hrefOf({ ...filter, from: range.from, to: range.to }),
                isCurrent: range === current,
              }))}
            />
          ),
        }}
      />
    </div>
  );
}
