// Invoice search for the dashboard: by number, total, customer, reference, order number and lines,
// and by the record of the customer. A search reads the stored texts, which the sweep of summaries
// writes, so it needs no extension and makes no create more expensive.

import { searchQuery } from '../../customers/names/search-words.js';
import { readRows } from '../../platform/db/list-reads.js';
import { splitPage } from '../../platform/http/pagination.js';
import type { TextQuery } from '../../search/text-query.js';
import { bindFrom, hasNumber } from './conditions.js';
import { type Counts, countInvoices } from './counts.js';
import { foundRows } from './found.js';
import { nearRows } from './near.js';
import { COLUMNS, listRows } from './rows.js';
import type { InvoicePage, InvoiceSearch, ListedInvoice } from './types.js';

/** Invoices that a short list reads first, in some 5 ms. */
const NEWEST = 300;

/** A page of matching invoices, by date and then by number, newest first unless asked otherwise. */
export async function searchInvoices(
  companyId: string,
  search: InvoiceSearch,
  searched?: TextQuery,
): Promise<InvoicePage> {
  const { start, text, oldestFirst } = search;
  const isAscending = oldestFirst !== (start?.direction === 'before');
  if (text === null) {
    const rows = await listRows(companyId, search, isAscending);
    const [first] = rows;
    return pageOf(search, rows, first ? await countInvoices(companyId, search, first) : NOTHING);
  }
  const query = searched ?? (await searchQuery(companyId, text));
  const { rows, counts } = await foundRows(companyId, search, query, isAscending);
  return pageOf(search, rows, counts);
}

/**
 * The newest invoices that a text finds, for a short list. The matches of a text that many of the
 * newest invoices contain are not counted, which would take much longer.
 */
export async function searchNewestInvoices(
  companyId: string,
  query: TextQuery,
  limit: number,
): Promise<Pick<InvoicePage, 'rows' | 'total' | 'next'>> {
  const { text } = query;
  const any = { text, from: null, to: null, state: null, oldestFirst: false, start: null };
  const search = { ...any, limit, withSums: false };
  const near = await nearRows(companyId, search, query, false, NEWEST);
  if (near === null) return searchInvoices(companyId, search, query);
  const { rows, total } = near;
  return pageOf(search, rows, total === null ? null : { ...NOTHING, total });
}

const NOTHING: Counts = { total: 0, newer: 0, sums: null };

function pageOf(
  { start, limit, oldestFirst, byDueDate }: InvoiceSearch,
  read: readonly ListedInvoice[],
  counts: Counts | null,
): InvoicePage {
  const { page, next } = splitPage(read, limit, () => true);
  const hasMore = next !== null;
  const isBackwards = start?.direction === 'before';
  const rows = isBackwards ? page.toReversed() : page;
  const positionOf = (row: ListedInvoice | undefined) =>
    row && [(byDueDate ? row.dueDate : row.date) ?? '', row.running];
  const edges = {
    previous: ((isBackwards ? hasMore : start !== null) && positionOf(rows[0])) || null,
    next: ((isBackwards || hasMore) && positionOf(rows.at(-1))) || null,
  };
  if (counts === null)
    return { rows, ...edges, total: null, sums: null, before: start === null ? 0 : null };
  const { total, newer, sums } = counts;
  // Rows that precede the first one that was read: backwards, that is the page's last row.
  const preceding = oldestFirst ? total - newer - 1 : newer;
  const before = isBackwards ? preceding - rows.length + 1 : preceding;
  return { rows, ...edges, total, sums, before };
}

/** The invoices whose number a text is, such as 12, INV-12 or INV-000012, newest first. */
export async function invoicesNumbered(companyId: string, text: string): Promise<ListedInvoice[]> {
  const numbered = hasNumber(text.trim());
  if (numbered === null) return [];
  const [bind, value] = bindFrom(companyId);
  return readRows<ListedInvoice>(
    companyId,
    `SELECT ${COLUMNS}
     FROM invoices i
     WHERE i.company_id = $1 AND ${numbered(value)}
     ORDER BY i.date DESC, i.number DESC`,
    bind,
  );
}
