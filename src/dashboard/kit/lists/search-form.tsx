// The search above a list: a text and dates, as the query of the list's address.
import type { ComponentChildren } from 'preact';
import { MAX_SEARCH_TEXT } from '../../../platform/values/search-text.js';
import { ButtonLink } from '../ui/components.js';
import { Button } from '../ui/fields.js';
import { formatDay } from '../ui/format.js';
import { type Tab, Tabs } from '../ui/list.js';
import type { DateRange } from './filters.js';
import { DatesRefusal, DayInput } from './refused-dates.js';

interface SearchProps {
  readonly path: string;
  /** The name of the text's field. */
  readonly name?: string;
  readonly text: string | null;
  readonly placeholder: string;
  readonly autofocus?: boolean;
  /** Parameters of the address that a search does not change. */
  readonly hiddenFields?: readonly (readonly [name: string, value: string])[];
  readonly children?: ComponentChildren;
}

/** Dates to search by are its children. */
export function SearchForm(props: SearchProps) {
  const { path, name = 'q', text, placeholder, autofocus, hiddenFields = [], children } = props;
  return (
    <search>
      <form method="get" action={path}>
        {hiddenFields.map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
        <label for="search-text" class="unseen">
          {placeholder}
        </label>
        <input
          id="search-text"
          type="search"
          name={name}
          value={text ?? undefined}
          maxlength={MAX_SEARCH_TEXT}
          placeholder={placeholder}
          autocomplete="off"
          autofocus={autofocus}
        />
        {children}
        <Button quiet>Search</Button>
      </form>
    </search>
  );
}

interface DatesProps extends DateRange {
  /** Links to the usual ranges. */
  readonly ranges: readonly Tab[];
  /** The list without a search. */
  readonly clearHref: string;
  /** The reason why the dates are refused, which opens their fields. */
  readonly refusal: string | undefined;
}

/** The fields of the dates, which the form sends even while they are collapsed. */
export function DatesMenu({ from, to, ranges, clearHref, refusal }: DatesProps) {
  const current = from === null ? undefined : ranges.find(({ isCurrent }) => isCurrent);
  const label = refusal === undefined ? datesLabel(from, to) : 'Dates';
  return (
    <details class="popover" open={refusal !== undefined}>
      <summary class="button quiet">{current?.label ?? label}</summary>
      <div>
        {ranges.length > 0 && <Tabs label="Dates" tabs={ranges} />}
        <div class="field">
          <label for="search-from">From</label>
          <DayInput id="search-from" name="from" day={from} refusal={refusal} />
        </div>
        <div class="field">
          <label for="search-to">To</label>
          <DayInput id="search-to" name="to" day={to} refusal={refusal} />
        </div>
        <DatesRefusal refusal={refusal} />
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
