// Pages of payments and credit notes by amount, or by the money that no invoice has.
import { searchQuery } from '../../customers/names/search-words.js';
import type { Bind } from '../../invoices/search/conditions.js';
import { COUNT_LIMIT } from '../../platform/db/list-reads.js';
import {
  readSorted,
  type SortedPage,
  type SortedRows,
  type SortedSource,
} from '../../platform/db/lists/sorted-reads.js';
import { type EntrySearch, entriesOf, type FoundEntry, ORDER, type Selected } from './entries.js';
import { readFound, sequencesIn } from './found.js';

const FIGURES = { amount: 'e.amount', unallocated: 'e.unallocated' };

/** Equal figures are newest first. Null if there are too many entries to sort. */
export async function sortedEntries(
  companyId: string,
  search: EntrySearch,
  page: SortedPage,
): Promise<SortedRows<FoundEntry, { unallocated: string }> | null> {
  const { text } = search;
  if (text === null) return readSorted(companyId, entrySource(search, null), page);
  const query = await searchQuery(companyId, text);
  const { stored, isCut, others } = await readFound(companyId, search, query, COUNT_LIMIT);
  const selected = sequencesIn([...stored, ...others]);
  return isCut ? null : readSorted(companyId, entrySource(search, selected), page);
}

/** The entries that the search selects, among `selected` if it has a text. */
export function entrySource(search: EntrySearch, selected: Selected | null) {
  const end = selected === null ? `ORDER BY ${ORDER} LIMIT ${COUNT_LIMIT + 1}` : '';
  return (value: Bind): SortedSource => ({
    from: `(${entriesOf(search, selected, value, [], end)}) e`,
    table: ['entries', 'e'],
    columns: 'e.id, e.type, e.body',
    figures: FIGURES,
    ties: { '-e.sequence': 'bigint' },
    summed: 'e.unallocated',
    sums: 'trim_scale(COALESCE(sum(unallocated), 0))::text AS unallocated',
  });
}
