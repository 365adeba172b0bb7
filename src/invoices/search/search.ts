// Invoice search for the dashboard: by number, or by a part of the customer's name or the
// reference. A search first reads the newest invoices, which answers a broad one at once. A narrow
// one reads the list's indexes, which contain every searched column (100,000 entries take about
// 20 ms), so it needs no extension and makes no create more expensive.
import { splitPage } from '../../platform/http/pagination.js';
import { type Counts, countInvoices } from './counts.js';
import { foundRows, listRows, nearRows } from './rows.js';
import type { InvoicePage, InvoiceRow, InvoiceSearch } from './types.js';

/** A page of matching invoices, by date and then by number, newest first unless asked otherwise. */
export async function searchInvoices(
  companyId: string,
  search: InvoiceSearch,
): Promise<InvoicePage> {
  const { start, limit, text, oldestFirst } = search;
  const isAscending = oldestFirst !== (start?.direction === 'before');
  if (text === null)
    return countedPage(companyId, search, await listRows(companyId, search, isAscending));
  const near = await nearRows(companyId, search, isAscending);
  if (near.length > limit) return countedPage(companyId, search, near);
  const rows = await foundRows(companyId, search, isAscending);
  const [first] = rows;
  return pageOf(search, rows, first ? { total: first.found, newer: first.newer } : NOTHING);
}

const NOTHING: Counts = { total: 0, newer: 0 };

async function countedPage(
  companyId: string,
  search: InvoiceSearch,
  rows: readonly InvoiceRow[],
): Promise<InvoicePage> {
  const [first] = rows;
  if (!first) return pageOf(search, rows, NOTHING);
  const isWhole = search.start === null && rows.length <= search.limit;
  if (isWhole) {
    const newer = search.oldestFirst ? rows.length - 1 : 0;
    return pageOf(search, rows, { total: rows.length, newer });
  }
  return pageOf(search, rows, await countInvoices(companyId, search, first));
}

function pageOf(
  { start, limit, oldestFirst }: InvoiceSearch,
  read: readonly InvoiceRow[],
  counts: Counts | null,
): InvoicePage {
  const { page, next } = splitPage(read, limit, () => true);
  const hasMore = next !== null;
  const isBackwards = start?.direction === 'before';
  const rows = isBackwards ? page.toReversed() : page;
  const positionOf = (row: InvoiceRow | undefined) => row && [row.date, row.running];
  const edges = {
    previous: ((isBackwards ? hasMore : start !== null) && positionOf(rows[0])) || null,
    next: ((isBackwards || hasMore) && positionOf(rows.at(-1))) || null,
  };
  if (counts === null) return { rows, ...edges, total: null, before: start === null ? 0 : null };
  const { total, newer } = counts;
  // Rows that precede the first one that was read: backwards, that is the page's last row.
  const preceding = oldestFirst ? total - newer - 1 : newer;
  const before = isBackwards ? preceding - rows.length + 1 : preceding;
  return { rows, ...edges, total, before };
}
