// The search above a list: a text and dates, as the query of the list's address.
import type { ComponentChildren } from 'preact';
import { ButtonLink } from './components.js';
import { Button } from './fields.js';
import { formatDay } from './format.js';

interface SearchProps {
  readonly path: string;
  /** Fields that the search keeps. */
  readonly kept: readonly (readonly [name: string, value: string])[];
  readonly text: string | null;
  readonly maxLength: number;
  readonly placeholder: string;
  readonly dates: Dates;
}

interface Dates {
  readonly from: string | null;
  readonly to: string | null;
  /** The name of a usual range, instead of its dates. */
  readonly label?: string | undefined;
  /** Links to the usual ranges. */
  readonly ranges?: ComponentChildren;
}

export function SearchForm({ path, kept, text, maxLength, placeholder, dates }: SearchProps) {
  return (
    <search>
      <form method="get" action={path}>
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <label for="search-q" class="unseen">
          {placeholder}
        </label>
        <input
          id="search-q"
          type="search"
          name="q"
          value={text ?? undefined}
          maxlength={maxLength}
          placeholder={placeholder}
          autocomplete="off"
        />
        <DatesMenu dates={dates} clearHref={path} />
        <Button quiet>Search</Button>
      </form>
    </search>
  );
}

/** The fields are sent while they are folded, too. */
function DatesMenu({ dates, clearHref }: { dates: Dates; clearHref: string }) {
  const { from, to, label, ranges } = dates;
  return (
    <details class="popover">
      <summary class="button quiet">{label ?? datesLabel(from, to)}</summary>
      <div>
        {ranges}
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
          <ButtonLink href={clearHref} quiet>
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
