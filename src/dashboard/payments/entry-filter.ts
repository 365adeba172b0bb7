// The filters and the page of a list of payments or credit notes, as the query of its address.
import type { EntryFilter } from '../../ledger/queries.js';
import { cleanText } from '../../platform/values/text.js';
import { readFilter as readInvoiceFilter } from '../invoices/list-filter.js';

/** The longest searchable text, a customer name. */
export const MAX_TEXT = 255;

export interface EntrySearch {
  readonly text: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly unallocated: boolean;
}

/** Throws Problem `invalid_parameter` for an invalid date, or a first day after the last one. */
export function readSearch(query: URLSearchParams): EntrySearch {
  const { from, to } = readInvoiceFilter(query);
  const text = [...cleanText(query.get('q') ?? '')].slice(0, MAX_TEXT).join('') || null;
  return { text, from, to, unallocated: query.get('unallocated') === '1' };
}

export function isFiltered({ text, from, to, unallocated }: EntrySearch): boolean {
  return text !== null || from !== null || to !== null || unallocated;
}

export function filterOf(search: EntrySearch): Omit<EntryFilter, 'limit'> {
  const { text, from, to, unallocated } = search;
  return {
    unallocated,
    ...(text === null ? {} : { search: text }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}

/** The address of the list at the path, or of its export. */
export function hrefOf(path: string, search: EntrySearch, cursor?: string): string {
  const { text, from, to, unallocated } = search;
  const query = new URLSearchParams();
  if (unallocated) query.set('unallocated', '1');
  if (text !== null) query.set('q', text);
  if (from !== null) query.set('from', from);
  if (to !== null) query.set('to', to);
  if (cursor !== undefined) query.set('cursor', cursor);
  return query.size === 0 ? path : `${path}?${query}`;
}
