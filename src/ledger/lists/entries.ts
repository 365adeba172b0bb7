// The lists of payments, refunds and credit notes.
import { readCurrentPage } from '../../companies/consistent-reads.js';
import { selectedNames } from '../../customers/names/list-filter.js';
import { NO_PAGE, type Page } from '../../platform/http/pagination.js';
import type { TextQuery } from '../../search/text-query.js';
import type { EntryQuery } from '../list-schema.js';
import { type EntryConditions, entryListStatement, type ListedType } from '../queries.js';
import { findNewEntries, TEXT_KINDS } from '../search/entry-texts.js';
import { readNumbered } from '../search/found.js';
import { changedEntries } from './changes.js';
import { candidates, matchingPage, requestedTexts } from './found.js';
import { selectionOf } from './selection.js';

/** Entries after `position`, the last page's last id, newest date first, then newest sequence. */
export async function listEntries(
  companyId: string,
  type: ListedType,
  filter: EntryQuery,
  position: string[] | undefined,
): Promise<Page> {
  const { q, reference, updatedSince, limit, ...others } = filter;
  const names = await selectedNames(companyId, filter);
  if (names?.length === 0) return NO_PAGE;
  const texts = await requestedTexts(companyId, filter);
  const { only, condition } = await selectionOf(
    updatedSince === undefined ? null : changedEntries(companyId, type, updatedSince),
    texts && (await entriesWith(companyId, type, texts.query)),
  );
  if (only?.length === 0) return NO_PAGE;
  const selected: Omit<EntryConditions, 'limit'> = {
    ...others,
    ...(only ? { sequences: only } : {}),
    ...(condition ? { condition } : {}),
  };
  const statementAt = (size: number, at: string[] | undefined) =>
    entryListStatement(companyId, type, { ...selected, limit: size }, names, at);
  return texts
    ? matchingPage(companyId, statementAt, texts.matches, limit, position)
    : readCurrentPage<{ id: string }>(companyId, statementAt(limit, position), ({ id }) => [id]);
}

/** The entries that may have texts, also by the number of an invoice. */
async function entriesWith(
  companyId: string,
  type: ListedType,
  query: TextQuery,
): Promise<readonly string[] | null> {
  // Before the stored texts are read, because an entry gets its text at any time.
  const [newest, ...numbered] = await Promise.all([
    findNewEntries(companyId, query),
    ...query.words.map(({ folded }) => readNumbered(companyId, folded)),
  ]);
  const others = [...newest, ...numbered.flat()].filter(each => each.type === type);
  return candidates(
    companyId,
    TEXT_KINDS[type],
    query,
    others.map(({ sequence }) => sequence),
  );
}
