// Pages of invoices by total or by the amount due.
import {
  readSorted,
  type SortedPage,
  type SortedRows,
  type SortedSource,
} from '../../platform/db/lists/sorted-reads.js';
import { isExactly } from '../../platform/db/sql.js';
import { type Bind, filterRange, type Source } from './conditions.js';
import { countedState, sumsOf } from './counts.js';
import { foundInvoices } from './found.js';
import { COLUMNS, orderOf } from './rows.js';
import type { InvoiceFilter, InvoiceSums, ListedInvoice } from './types.js';

const FIGURES = { total: 'i.total', due: 'i.total - i.paid - i.credited' };

/** Equal figures are newest first. Null if there are too many invoices to sort. */
export async function sortedInvoices(
  companyId: string,
  filter: InvoiceFilter,
  page: SortedPage,
): Promise<SortedRows<ListedInvoice, InvoiceSums> | null> {
  const { text } = filter;
  const found = text === null ? undefined : await foundInvoices(companyId, filter, text);
  return readSorted(companyId, invoiceSource(filter, found), page);
}

/** The invoices that the filter selects, among `found` if it has a text. */
export function invoiceSource(filter: InvoiceFilter, found?: Source) {
  const { read, matches } = countedState(filter);
  const { names, ...others } = filter;
  const { state } = filter;
  const isByDueDate = state !== null && !['open', 'paid', 'void', 'partly-paid'].includes(state);
  const order = isByDueDate ? 'i.due_date' : orderOf('i', false);
  const rowsOf = (range: readonly string[]) =>
    `invoices i WHERE ${[...range, read].join(' AND ')} ORDER BY ${order}`;
  const all: Source = value => {
    if (names === undefined || names.length === 1) return rowsOf(filterRange(filter, value));
    // One look at the index per name: it has no order for several.
    const range = [...filterRange(others, value), isExactly('i.customer_key', 'wanted.key')];
    const wanted = `unnest(${value(names)}::text[]) AS wanted (key)`;
    return `${wanted}, LATERAL (SELECT * FROM ${rowsOf(range)}) i`;
  };
  return (value: Bind): SortedSource => ({
    from: (found ?? all)(value),
    matches,
    table: ['invoices', 'i'],
    columns: COLUMNS,
    figures: FIGURES,
    ties: { '-i.number': 'bigint' },
    summed: 'i.status, i.total, i.paid, i.credited',
    sums: sumsOf('true'),
  });
}
