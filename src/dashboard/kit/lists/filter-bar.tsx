// The filters of a list: its tabs, its search and its dates.
import { Empty } from '../ui/components.js';
import { type Tab, Tabs } from '../ui/list.js';
import { addressOf, type Filters, usualRanges } from './filters.js';
import { DatesMenu, SearchForm } from './search-form.js';

/** The part of a list's declaration that its filters need. */
export interface FilteredList<Name extends string> {
  readonly path: string;
  /** Says what the search finds. */
  readonly placeholder: string;
  /** The usual ranges are shown beside the fields of the dates. Omitted: no search by date. */
  readonly dates?: 'fields' | 'fields and ranges';
  /** Describes the tabs to screen readers. */
  readonly tabsLabel: string;
  readonly tabs: readonly ListTab<Name>[];
}

/** A tab selects the rows with these values. The first tab, which has none, selects all. */
interface ListTab<Name extends string> {
  readonly label: string;
  readonly values?: Readonly<Partial<Record<Name, string>>>;
}

interface FilterBarProps<Name extends string> {
  readonly list: FilteredList<Name>;
  readonly filters: Filters<Name>;
  /** The list without a search. */
  readonly clearHref: string;
  readonly today: string;
  /** The reason why the dates are refused. */
  readonly refusal?: string;
}

export function FilterBar<Name extends string>(props: FilterBarProps<Name>) {
  const { list, filters, clearHref, today, refusal } = props;
  const { path, tabs, dates } = list;
  const { q, from, to, ...others } = filters;
  const values: Readonly<Record<string, string | null>> = others;
  const unselected = Object.fromEntries(
    tabs.flatMap(tab => Object.keys(tab.values ?? {})).map(name => [name, null]),
  );
  const tabOf = (label: string, selected: Readonly<Record<string, string | null>>): Tab => ({
    label,
    href: addressOf(path, { ...filters, ...selected }),
    isCurrent: Object.entries(selected).every(
      ([name, value]) => (filters as typeof values)[name] === value,
    ),
  });
  const ranges = dates === 'fields and ranges' ? Object.entries(usualRanges(today)) : [];
  return (
    <div class="filters">
      <Tabs
        label={list.tabsLabel}
        tabs={tabs.map(tab => tabOf(tab.label, { ...unselected, ...tab.values }))}
      />
      <SearchForm
        path={path}
        text={q}
        placeholder={list.placeholder}
        hiddenFields={Object.entries(values).flatMap(([name, value]) =>
          value === null ? [] : [[name, value] as const],
        )}
      >
        {dates && (
          <DatesMenu
            from={from}
            to={to}
            ranges={ranges.map(([label, range]) => tabOf(label, { ...range }))}
            clearHref={clearHref}
            refusal={refusal}
          />
        )}
      </SearchForm>
    </div>
  );
}

interface RefusedProps<Name extends string> extends FilterBarProps<Name> {
  readonly refusal: string;
}

/** A list whose dates are refused: the filters as they were typed, and no rows. */
export function RefusedFilters<Name extends string>(props: RefusedProps<Name>) {
  const anyDate = addressOf(props.list.path, { ...props.filters, from: null, to: null });
  return (
    <>
      <FilterBar {...props} />
      <Empty title="Nothing to show for these dates" icon="search">
        <p>
          <a href={anyDate}>Show any date</a>
        </p>
      </Empty>
    </>
  );
}
