// The invoices, newest first, by state, with a search by customer, number, reference and date.

import { countDrafts } from '../../invoices/drafts/drafts.js';
import { exportInvoices } from '../../invoices/export.js';
import { AGES } from '../../invoices/overdue.js';
import { STATUSES } from '../../invoices/schema.js';
import { countsMatches } from '../../invoices/search/counts.js';
import { searchInvoices } from '../../invoices/search/search.js';
import { sortedInvoices } from '../../invoices/search/sorted.js';
import type { InvoiceFilter, InvoiceSums, ListedInvoice } from '../../invoices/search/types.js';
import { exportLines } from '../../ledger/document-lines/export.js';
import { COUNT_LIMIT, inSearchTurn } from '../../platform/db/list-reads.js';
import { searchedName } from '../customers/typed-customer.js';
import { withFailed } from '../emails/failed.js';
import type { ListPage } from '../kit/lists/list-page.js';
import { LIST_ROWS, type ListRows, type PageStart } from '../kit/lists/ordered-list.js';
import { ButtonLink, Empty } from '../kit/ui/components.js';
import type { ListSum } from '../kit/ui/list.js';
import { type InvoiceListRow, invoiceColumns } from './list-columns.js';
import {
  FORMER_AGES,
  type InvoiceFilterName,
  type InvoiceListFilters,
  invoiceFilterOf,
  invoiceStateOf,
  isByDueDate,
} from './list-filters.js';

export const INVOICE_LIST: ListPage<InvoiceListRow, InvoiceFilterName> = {
  title: 'Invoices',
  path: '/invoices',
  class: 'invoice-list',
  cursorName: 'invoices-page',
  goesBack: true,
  placeholder: 'Customer, number, order, item or amount',
  dates: 'fields and ranges',
  choices: {
    status: STATUSES,
    overdue: ['1', ...AGES, ...Object.keys(FORMER_AGES)],
    partlyPaid: ['1'],
    order: ['oldest', 'newest'],
  },
  tabsLabel: 'Status',
  tabs: [
    { label: 'All' },
    { label: 'Open', values: { status: 'open' } },
    { label: 'Overdue', values: { overdue: '1' } },
    { label: 'Partly paid', values: { partlyPaid: '1' } },
    { label: 'Paid', values: { status: 'paid' } },
    { label: 'Void', values: { status: 'void' } },
  ],
  columns: invoiceColumns,
  exportRows: (companyId, filters, format) =>
    exportInvoices(companyId, invoiceFilterOf(filters), format),
  exportLines: {
    label: 'Lines with credit notes as CSV',
    rows: (companyId, filters, format) => exportLines(companyId, invoiceFilterOf(filters), format),
  },
  ...readsOf(),
  meantText: searchedName,
  related: async companyId => {
    const count = await countDrafts(companyId);
    return count === 0 ? null : { label: `Drafts (${count})`, href: '/invoices/drafts' };
  },
  Actions: NewInvoiceButton,
  Nothing: () => (
    <Empty title="No invoices yet" icon="invoices" actions={<NewInvoiceButton />}>
      <p class="note">
        Invoices appear here, whether you create them by hand or{' '}
        <a href="/docs">your shop sends them</a> through the API.
      </p>
    </Empty>
  ),
  NoMatch,
};

/** The list of one customer's invoices, on the page of the customer. */
export function customerInvoices(
  names: readonly string[],
  list: Pick<ListPage<InvoiceListRow, InvoiceFilterName>, 'path' | 'Nothing' | 'NoMatch'>,
): ListPage<InvoiceListRow, InvoiceFilterName> {
  const { exportRows: _rows, exportLines: _lines, related: _, ...shared } = INVOICE_LIST;
  const { path } = list;
  return {
    ...shared,
    ...list,
    placeholder: 'Number, order, item or amount',
    hrefOf: ({ id }) => `/invoices/${id}`,
    columns: (filters, today) => invoiceColumns(filters, today, path),
    ...readsOf(names),
  };
}

/** The reading of all invoices, or of those with the match keys of one customer. */
function readsOf(
  names?: readonly string[],
): Pick<ListPage<InvoiceListRow, InvoiceFilterName>, 'read' | 'figures'> {
  const filterOf = (filters: InvoiceListFilters): InvoiceFilter => ({
    ...invoiceFilterOf(filters),
    ...(names && { names }),
  });
  return {
    read: (companyId, filters, start) => readInvoices(companyId, filterOf(filters), filters, start),
    figures: {
      columns: { total: 'Total', due: 'Due' },
      rows: 'invoices',
      advice: 'Choose dates or a status.',
      async read(companyId, filters, page) {
        const filter = filterOf(filters);
        const read = () => sortedInvoices(companyId, filter, page);
        const sorted = await (filter.text === null
          ? read()
          : inSearchTurn(companyId, ['sorted invoices', filter, page], read));
        if (sorted === null) return null;
        const rows = await withFailedInvoices(companyId, sorted.rows);
        return { ...sorted, rows, sums: sumsOf(sorted.sums, filter) };
      },
    },
  };
}

async function readInvoices(
  companyId: string,
  filter: InvoiceFilter,
  filters: InvoiceListFilters,
  start: PageStart | null,
): Promise<ListRows<InvoiceListRow>> {
  const byDueDate = isByDueDate(filters);
  const oldestFirst = byDueDate || filters.order === 'oldest';
  const order = { oldestFirst, byDueDate };
  const search = { ...filter, ...order, start, limit: LIST_ROWS, withSums: true };
  const read = () => searchInvoices(companyId, search);
  const { total, before, sums, ...page } = await (search.text === null
    ? read()
    : inSearchTurn(companyId, ['invoices', search], read));
  return {
    ...page,
    rows: await withFailedInvoices(companyId, page.rows),
    sums: sums ? sumsOf(sums, filter) : [],
    extent: { total, before, limit: countsMatches(filter) ? COUNT_LIMIT : null },
  };
}

function withFailedInvoices(companyId: string, rows: readonly ListedInvoice[]) {
  return withFailed(companyId, rows, ({ status }) => status !== 'void');
}

function NewInvoiceButton() {
  return <ButtonLink href="/invoices/new">New invoice</ButtonLink>;
}

/** The sums of the selected invoices. The total leaves out void ones. */
function sumsOf({ total, due }: InvoiceSums, { state }: InvoiceFilter): ListSum[] {
  if (state === 'void') return [];
  return [
    { label: state === null ? 'Total without void invoices' : 'Total', amount: total },
    { label: 'Due', amount: due },
  ];
}

/** An empty Overdue tab is good news, and no failed search. */
function NoMatch({ filters }: { filters: InvoiceListFilters }) {
  const state = invoiceStateOf(filters);
  const isSearch = [filters.q, filters.from, filters.to].some(each => each !== null);
  const isAge = [...AGES, 'over60'].some(age => age === state);
  if (!isSearch && state !== null)
    return (
      <Empty
        title={isAge ? 'No such invoices are due' : `No ${state.replace('-', ' ')} invoices`}
        icon="invoices"
      >
        <p>
          <a href="/invoices">Show all invoices</a>
        </p>
      </Empty>
    );
  return (
    <Empty title={isSearch ? 'No matching invoices' : 'No more invoices'} icon="search">
      <p>
        {isSearch &&
          'Try part of the customer name, a number such as INV-000012 or 12, an order number, an ' +
            'item, an exact total such as 97.40, or other dates. '}
        <a href="/invoices">{isSearch ? 'Clear search' : 'Show the newest invoices'}</a>
      </p>
    </Empty>
  );
}
