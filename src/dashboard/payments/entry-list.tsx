// A list of payments or of credit notes, newest first, with its search and its file.

import { type ExportedType, exportEntries } from '../../ledger/export.js';
import type { EntryPageSearch, EntrySearch, FoundEntry } from '../../ledger/search/entries.js';
import { searchEntries } from '../../ledger/search/search.js';
import { sortedEntries } from '../../ledger/search/sorted.js';
import { COUNT_LIMIT, inSearchTurn } from '../../platform/db/list-reads.js';
import { searchedName } from '../customers/typed-customer.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { Filters } from '../kit/lists/filters.js';
import type { ListPage } from '../kit/lists/list-page.js';
import { LIST_ROWS, type ListRows, type PageStart } from '../kit/lists/ordered-list.js';
import { sortLink } from '../kit/lists/sorts.js';
import { Empty } from '../kit/ui/components.js';
import type { ListColumn, ListSum } from '../kit/ui/list.js';

/** The API's filter ?unallocated=1, and the order of a list without a search. */
type Name = 'unallocated' | 'order';
export type EntryFilters = Filters<Name>;
export type EntryListPage<Row> = ListPage<Row, Name>;

type OwnParts = 'title' | 'path' | 'cursorName' | 'placeholder' | 'Actions' | 'Nothing';

interface EntryListProps<Row> extends Pick<EntryListPage<Row>, OwnParts> {
  readonly type: ExportedType;
  readonly columns: readonly ListColumn<Row>[];
  /** The head of the column of amounts. */
  readonly head: string;
  /** Advice for a search without a result. */
  readonly hint: string;
  /** Adds what the columns show of the page's rows and entries do not have. */
  readonly complete?: (companyId: string, rows: readonly Row[]) => Promise<readonly Row[]>;
}

export const ENTRY_TABS = [
  { label: 'All' },
  { label: 'Unallocated', values: { unallocated: '1' } },
] as const;

export const ENTRY_CHOICES = { unallocated: ['1'], order: ['oldest'] };

/** The columns with a link that turns the order by date around. A search has only one. */
export function withDateSort<Row>(
  columns: readonly ListColumn<Row>[],
  filters: EntryFilters,
  path: string,
): readonly ListColumn<Row>[] {
  const orders = { descending: null, ...(filters.q === null ? { ascending: 'oldest' } : {}) };
  const sort = sortLink(path, filters, orders);
  return columns.map(column => (column.head === 'Date' ? { ...column, sort } : column));
}

export function entryList<Row>(props: EntryListProps<Row>): EntryListPage<Row> {
  const { type, columns, head, hint, complete, ...list } = props;
  const rowsOf: RowsOf<Row> = (companyId, entries) => {
    const rows = entries.map(({ body }) => parseDecimalJson<Row>(body));
    return complete ? complete(companyId, rows) : rows;
  };
  return {
    ...list,
    dates: 'fields',
    meantText: searchedName,
    choices: ENTRY_CHOICES,
    tabsLabel: 'Status',
    tabs: ENTRY_TABS,
    columns: filters => withDateSort(columns, filters, list.path),
    figures: entryFigures([type], { amount: head }, list.title.toLowerCase(), rowsOf),
    exportRows: (companyId, filters, format) =>
      exportEntries(companyId, type, searchOf([type], filters), format),
    read: (companyId, filters, start) =>
      readEntries(companyId, orderedSearchOf([type], filters), start, rowsOf),
    NoMatch: () => (
      <Empty title={`No matching ${list.title.toLowerCase()}`} icon="search">
        <p>
          {hint} <a href={list.path}>Clear search</a>
        </p>
      </Empty>
    ),
  };
}

export function searchOf(types: readonly ExportedType[], filters: EntryFilters): EntrySearch {
  const { q: text, from, to, unallocated } = filters;
  return { types, text, from, to, unallocated: unallocated !== null };
}

/** The search of a page, which has an order. */
export function orderedSearchOf(
  types: readonly ExportedType[],
  filters: EntryFilters,
): OrderedSearch {
  return { ...searchOf(types, filters), oldestFirst: filters.order === 'oldest' };
}

type OrderedSearch = Omit<EntryPageSearch, 'limit' | 'after'>;

/** The rows that a list shows of entries. */
type RowsOf<Row> = (
  companyId: string,
  entries: readonly FoundEntry[],
) => readonly Row[] | Promise<readonly Row[]>;

/** A page of a list, with the sum of unallocated money if the search is for that. */
export async function readEntries<Row>(
  companyId: string,
  search: OrderedSearch,
  start: PageStart | null,
  rowsOf: RowsOf<Row>,
): Promise<ListRows<Row>> {
  const after = start?.position[0] ?? null;
  const page = { ...search, limit: LIST_ROWS, after };
  const read = () => searchEntries(companyId, page);
  const found = await (search.text === null
    ? read()
    : inSearchTurn(companyId, ['entries', page], read));
  const rows = found.rows.slice(0, LIST_ROWS);
  const last = rows.at(-1);
  const { total, before, unallocated } = found;
  return {
    rows: await rowsOf(companyId, rows),
    next: last && found.rows.length > LIST_ROWS ? [last.id] : null,
    extent: { total, before, limit: COUNT_LIMIT },
    sums: sumsOf(unallocated),
  };
}

/** The sorting of a list of entries by the figures in these columns. */
export function entryFigures<Row>(
  types: readonly ExportedType[],
  columns: Readonly<Record<string, string>>,
  rows: string,
  rowsOf: RowsOf<Row>,
): Required<EntryListPage<Row>>['figures'] {
  return {
    columns,
    rows,
    advice: 'Choose dates.',
    async read(companyId, filters, page) {
      const search = searchOf(types, filters);
      const read = () => sortedEntries(companyId, search, page);
      const sorted = await (search.text === null
        ? read()
        : inSearchTurn(companyId, ['sorted entries', search, page], read));
      if (sorted === null) return null;
      const sums = sumsOf(search.unallocated ? sorted.sums.unallocated : null);
      return { ...sorted, rows: await rowsOf(companyId, sorted.rows), sums };
    },
  };
}

function sumsOf(unallocated: string | null): ListSum[] {
  return unallocated === null ? [] : [{ label: 'Unallocated', amount: unallocated }];
}
