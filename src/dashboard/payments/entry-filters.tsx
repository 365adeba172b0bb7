// The filters above a list of payments or credit notes: a text and dates.
import { ButtonLink } from '../kit/ui/components.js';
import { Button } from '../kit/ui/fields.js';
import { formatDay } from '../kit/ui/format.js';
import { Tabs } from '../kit/ui/list.js';
import { type EntrySearch, hrefOf, MAX_TEXT } from './entry-filter.js';

interface FiltersProps {
  readonly path: string;
  readonly search: EntrySearch;
  readonly placeholder: string;
  /** With tabs for all entries and those with unallocated money. */
  readonly hasStates?: boolean;
}

export function EntryFilters({ path, search, placeholder, hasStates = false }: FiltersProps) {
  const { text, unallocated } = search;
  return (
    <div class="filters">
      {hasStates && (
        <Tabs
          label="Status"
          tabs={[false, true].map(state => ({
            label: state ? 'Unallocated' : 'All',
            href: hrefOf(path, { ...search, unallocated: state }),
            isCurrent: unallocated === state,
          }))}
        />
      )}
      <search>
        <form method="get" action={path}>
          {unallocated && <input type="hidden" name="unallocated" value="1" />}
          <label for="search-q" class="unseen">
            {placeholder}
          </label>
          <input
            id="search-q"
            type="search"
            name="q"
            value={text ?? undefined}
            maxlength={MAX_TEXT}
            placeholder={placeholder}
            autocomplete="off"
          />
          <Dates path={path} search={search} />
          <Button quiet>Search</Button>
        </form>
      </search>
    </div>
  );
}

/** The fields are sent while they are folded, too. */
function Dates({ path, search: { from, to } }: { path: string; search: EntrySearch }) {
  return (
    <details class="popover">
      <summary class="button quiet">{datesLabel(from, to)}</summary>
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
          <ButtonLink href={path} quiet>
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
