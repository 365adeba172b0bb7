// The search and the filters of a list, as the query of its address.
import { Problem } from '../../../platform/errors.js';
import { isCalendarDate } from '../../../platform/http/input/validate.js';
import { firstDayOfMonth, lastDayOfMonth } from '../../../platform/values/days.js';
import { searchText } from '../../../platform/values/search-text.js';
import { cleanText } from '../../../platform/values/text.js';

/** The fields of the search form, by their names. Null for an empty field. */
export interface Search {
  readonly q: string | null;
  /** First and last day, YYYY-MM-DD. */
  readonly from: string | null;
  readonly to: string | null;
}

/** A search with the list's other parameters. Null for one that is not set. */
export type Filters<Name extends string = never> = Search & Readonly<Record<Name, string | null>>;

/** The values that each further parameter of a list may have. */
export type Choices<Name extends string> = Readonly<Record<Name, readonly string[]>>;

/**
 * An unknown value filters nothing. Throws Problem `invalid_parameter` for an invalid date, or a
 * first day after the last one, unless the list has no dates.
 */
export function readFilters<Name extends string>(
  query: URLSearchParams,
  choices: Choices<Name>,
  hasDates: boolean,
): Filters<Name> {
  const [from, to] = hasDates ? [dayOf(query, 'from'), dayOf(query, 'to')] : [null, null];
  if (from !== null && to !== null && from > to)
    throw new Problem('invalid_parameter', 'The first day of the search is after its last day.');
  const chosen = Object.entries<readonly string[]>(choices).map(
    ([name, values]) => [name, values.find(value => value === query.get(name)) ?? null] as const,
  );
  const search: Search = { q: searchText(query.get('q')) || null, from, to };
  return { ...search, ...Object.fromEntries(chosen) } as Filters<Name>;
}

function dayOf(query: URLSearchParams, name: string): string | null {
  const day = query.get(name) || null;
  if (day !== null && !isCalendarDate(day)) {
    const quoted = `“${cleanText(day).slice(0, 40)}”`;
    throw new Problem('invalid_parameter', `${quoted} isn’t a valid date.`);
  }
  return day;
}

/** The list's address with the parameters that are set. */
export function addressOf(path: string, parameters: object): string {
  const present = Object.entries(parameters as Record<string, string | null>).filter(
    (entry): entry is [string, string] => (entry[1] ?? '') !== '',
  );
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present)}`;
}

export interface DateRange {
  readonly from: string | null;
  readonly to: string | null;
}

/** The usual ranges of dates by their names. `today` is a day of the company's calendar. */
export function usualRanges(today: string): Readonly<Record<string, DateRange>> {
  return {
    'Any date': { from: null, to: null },
    Today: { from: today, to: today },
    'This month': { from: firstDayOfMonth(today), to: lastDayOfMonth(today) },
    'Last month': { from: firstDayOfMonth(today, -1), to: lastDayOfMonth(today, -1) },
  };
}
