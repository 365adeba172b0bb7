// The page of a text that very many payments or credit notes contain: its matches are among the
// next few hundred of the list.
import { bindFrom } from '../../invoices/search/conditions.js';
import { readRows } from '../../platform/db/list-reads.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import type { TextQuery } from '../../search/text-query.js';
import { isFound, type SearchableRow } from '../../search/texts.js';
import {
  type EntryPageSearch,
  entriesFrom,
  entriesOf,
  type FoundEntries,
  type FoundEntry,
  ORDER,
} from './entries.js';
import { TEXTS } from './entry-texts.js';

const NEAR = 600;

type NearRow = SearchableRow & FoundEntry & { readonly unallocated: string };

/** Null if the page may have matches beyond the `near` entries that are read. */
export async function nearEntries(
  companyId: string,
  search: EntryPageSearch,
  query: TextQuery,
  others: readonly string[],
  near = NEAR,
): Promise<FoundEntries | null> {
  const [bind, value] = bindFrom(companyId);
  const end = `ORDER BY ${ORDER} LIMIT ${near}`;
  const rows = await readRows<NearRow>(
    companyId,
    `SELECT e.id, e.body, e.unallocated, ${TEXTS}
     FROM (${entriesOf(search, null, value, entriesFrom(search, value), end)}) e
     ${end}`,
    bind,
  );
  const known = new Set(others);
  const found = rows.filter(row => known.has(row.position) || isFound(query, row));
  const isEnd = rows.length < near;
  const page = found.slice(0, search.limit + 1);
  if (isEnd && search.after === null) {
    const unallocated = found.reduce((sum, row) => sum + toUnits(row.unallocated), 0n);
    return {
      rows: page,
      total: found.length,
      before: 0,
      unallocated: search.unallocated ? fromUnits(unallocated) : null,
    };
  }
  if (search.unallocated || (found.length <= search.limit && !isEnd)) return null;
  return { rows: page, total: null, before: search.after === null ? 0 : null, unallocated: null };
}
