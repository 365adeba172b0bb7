// Invoice search for the dashboard: by number, or by a part of the customer's name or the
// reference. A search first reads the newest invoices, which answers a broad one at once. A narrow
// one reads the list's indexes, which contain every searched column (100,000 entries take about
// 20 ms), so it needs no extension and makes no create more expensive.
import { query } from '../../platform/db/connection.js';
import { cutPage } from '../../platform/db/sql.js';
import type { InvoiceFilter } from './conditions.js';
import { type Counts, countInvoices } from './counts.js';
import { type FoundRow, foundRows, listRows, nearRows } from './rows.js';

/** A position in the list's order. */
export interface InvoicePlace {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The running number. */
  readonly number: string;
}

export interface InvoiceSearch extends InvoiceFilter {
  readonly oldestFirst: boolean;
  readonly limit: number;
  /** Where the page starts or ends; null for the first page. */
  readonly at: { readonly place: InvoicePlace; readonly direction: 'after' | 'before' } | null;
}

export interface InvoiceRow {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly date: string;
  readonly customerName: string;
  readonly reference: string | null;
  readonly dueDate: string | null;
  /** Decimal text, like `amountDue`. */
  readonly total: string;
  readonly amountDue: string;
  readonly place: InvoicePlace;
}

export interface InvoicePage {
  readonly rows: readonly InvoiceRow[];
  /** Whether more invoices follow in the requested direction. */
  readonly hasMore: boolean;
  /** How many invoices match; null: more than COUNT_LIMIT. */
  readonly total: number | null;
  /** How many of them come before the page in the list's order; null if they were not counted. */
  readonly before: number | null;
}

/** A page of matching invoices, by date and then by number, newest first unless asked otherwise. */
export async function searchInvoices(
  companyId: string,
  search: InvoiceSearch,
): Promise<InvoicePage> {
  const { at, limit, text, oldestFirst } = search;
  const isAscending = oldestFirst !== (at?.direction === 'before');
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
  rows: readonly FoundRow[],
): Promise<InvoicePage> {
  const [first] = rows;
  if (!first) return pageOf(search, rows, NOTHING);
  const isWhole = search.at === null && rows.length <= search.limit;
  if (isWhole) {
    const newer = search.oldestFirst ? rows.length - 1 : 0;
    return pageOf(search, rows, { total: rows.length, newer });
  }
  return pageOf(search, rows, await countInvoices(companyId, search, first));
}

function pageOf(
  { at, limit, oldestFirst }: InvoiceSearch,
  read: readonly FoundRow[],
  counts: Counts | null,
): InvoicePage {
  const { rows, last } = cutPage(read, limit);
  const listed = rows.map(({ running, ...row }) => ({
    ...row,
    place: { date: row.date, number: running },
  }));
  const page = { hasMore: last !== null, total: counts?.total ?? null };
  const isBefore = at?.direction === 'before';
  if (counts === null)
    return { ...page, rows: isBefore ? listed.reverse() : listed, before: at === null ? 0 : null };
  const before = oldestFirst ? counts.total - counts.newer - 1 : counts.newer;
  // Read backwards, the first row is the last one of the page.
  return isBefore
    ? { ...page, rows: listed.reverse(), before: before - rows.length + 1 }
    : { ...page, rows: listed, before };
}

/** Whether the company has any invoice. */
export async function hasInvoices(companyId: string): Promise<boolean> {
  return (
    (await query('SELECT 1 FROM invoices WHERE company_id = $1 LIMIT 1', [companyId])).length > 0
  );
}
