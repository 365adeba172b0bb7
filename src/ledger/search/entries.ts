// The filters, the rows and the pages of a search of payments and credit notes, and the SQL of its
// filters.
import type { Bind } from '../../invoices/search/conditions.js';
import type { ListedType } from '../queries.js';

/** The entries that have a list in the dashboard. */
export type FoundType = Exclude<ListedType, 'refund'>;

export interface EntrySearch {
  readonly types: readonly ListedType[];
  readonly text: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly unallocated: boolean;
}

export interface EntryPageSearch extends EntrySearch {
  readonly limit: number;
  /** The id of the entry that the page follows; null for the first page. */
  readonly after: string | null;
  /** The opposite order, which a search for a text does not have. */
  readonly oldestFirst?: boolean;
}

export interface FoundEntry {
  readonly id: string;
  readonly type: FoundType;
  /** The entry's JSON text. */
  readonly body: string;
}

export interface FoundEntries {
  /** One more than the limit if more rows follow. */
  readonly rows: readonly FoundEntry[];
  /** Null: more than COUNT_LIMIT. */
  readonly total: number | null;
  /** How many matches precede the page; null if they were not counted. */
  readonly before: number | null;
  /** The exact sum of their unallocated money, of a search for such entries. */
  readonly unallocated: string | null;
}

export const ORDER = 'e.date DESC, e.sequence DESC';
const OLDEST_FIRST = 'e.date, e.sequence';

/** The order of a page, and how the entries before another one compare to it. */
export function entryOrderOf({ text, oldestFirst = false }: EntryPageSearch) {
  return oldestFirst && text === null
    ? ({ order: OLDEST_FIRST, follows: '>', precedes: '<=' } as const)
    : ({ order: ORDER, follows: '<', precedes: '>=' } as const);
}

/** SQL for the sequences of entries, which binds its own values. */
export type Selected = (value: Bind) => string;

/** SQL for the entries that a search selects, with `end` in each part. It reads them as e. */
export function entriesOf(
  { types, from, to, unallocated }: EntrySearch,
  selected: Selected | null,
  value: Bind,
  conditions: readonly string[] = [],
  end = '',
): string {
  const range = [...conditions];
  if (from !== null) range.push(`e.date >= ${value(from)}::date`);
  if (to !== null) range.push(`e.date <= ${value(to)}::date`);
  if (unallocated) range.push('e.unallocated > 0');
  // A type is a literal, not a bind value: the partial indexes are chosen by it.
  const ofType = (type: ListedType) => ['e.company_id = $1', `e.type = '${type}'`, ...range];
  if (selected === null)
    return types
      .map(type => `(SELECT e.* FROM entries e WHERE ${ofType(type).join(' AND ')} ${end})`)
      .join(' UNION ALL ');
  const isListed = `e.type IN (${types.map(type => `'${type}'`).join(', ')})`;
  return `
    SELECT e.*
    FROM (SELECT DISTINCT sequence FROM (${selected(value)}) f (sequence)) f
    JOIN entries e ON e.company_id = $1 AND e.sequence = f.sequence
    WHERE ${[isListed, ...range].join(' AND ')}
    ${end}`;
}

/** The condition that an entry follows the start of the page. */
export function entriesFrom(search: EntryPageSearch, value: Bind): string[] {
  const { after } = search;
  if (after === null) return [];
  return [
    `(e.date, e.sequence) ${entryOrderOf(search).follows} (
      SELECT date, sequence
      FROM entries
      WHERE company_id = $1 AND id = ${value(after)}::uuid
    )`,
  ];
}
