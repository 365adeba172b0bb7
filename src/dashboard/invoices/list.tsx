// The invoices, newest first, by state, with a search by customer, number, reference and date.

import { countDrafts } from '../../invoices/drafts/drafts.js';
import { exportInvoices } from '../../invoices/export.js';
import { AGES, type Age } from '../../invoices/overdue.js';
import { STATUSES } from '../../invoices/schema.js';
import { countsMatches } from '../../invoices/search/counts.js';
import { searchInvoices } from '../../invoices/search/search.js';
import type {
  InvoiceFilter,
  InvoiceState,
  InvoiceSums,
  ListedInvoice,
} from '../../invoices/search/types.js';
import { exportLines } from '../../ledger/document-lines/export.js';
import { COUNT_LIMIT, inSearchTurn } from '../../platform/db/list-reads.js';
import { daysBetween } from '../../platform/values/days.js';
import { searchedName } from '../customers/typed-customer.js';
import { addressOf, type Filters } from '../kit/lists/filters.js';
import { LIST_ROWS, type ListPage, type ListRows, type PageStart } from '../kit/lists/list-page.js';
import { Marked } from '../kit/lists/marked.js';
import { ButtonLink, Empty, Money } from '../kit/ui/components.js';
import { formatCount } from '../kit/ui/format.js';
import { type ListColumn, type ListSum, RowDay } from '../kit/ui/list.js';
import { CustomerCell, OrderNumber } from './customer-cell.js';
import { InvoiceStatus } from './status.js';

/**
 * The API's filters ?status=open and ?overdue=1. The ages, such as ?overdue=days1To30, and
 * ?partlyPaid=1 exist only here.
 */
type Name = 'status' | 'overdue' | 'partlyPaid' | 'order';
type InvoiceFilters = Filters<Name>;

/** The states of addresses of earlier versions, which people have as bookmarks. */
const FORMER_AGES: Readonly<Record<string, Age | 'over60'>> = {
  none: 'current',
  '1-30': 'days1To30',
  '31-60': 'days31To60',
  'over-60': 'over60',
};

export const INVOICE_LIST: ListPage<ListedInvoice, Name> = {
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
  columns: columnsOf,
  exportRows: (companyId, filters, format) => exportInvoices(companyId, filterOf(filters), format),
  exportLines: {
    label: 'Lines with credit notes as CSV',
    rows: (companyId, filters, format) => exportLines(companyId, filterOf(filters), format),
  },
  read: (companyId, filters, start) => readInvoices(companyId, filterOf(filters), filters, start),
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
  list: Pick<ListPage<ListedInvoice, Name>, 'path' | 'Nothing' | 'NoMatch'>,
): ListPage<ListedInvoice, Name> {
  const { exportRows: _rows, exportLines: _lines, related: _, ...shared } = INVOICE_LIST;
  const { path } = list;
  return {
    ...shared,
    ...list,
    placeholder: 'Number, order, item or amount',
    hrefOf: ({ id }) => `/invoices/${id}`,
    columns: (filters, today) => columnsOf(filters, today, path),
    read: (companyId, filters, start) =>
      readInvoices(companyId, { ...filterOf(filters), names }, filters, start),
  };
}

async function readInvoices(
  companyId: string,
  filter: InvoiceFilter,
  filters: InvoiceFilters,
  start: PageStart | null,
): Promise<ListRows<ListedInvoice>> {
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
    sums: sums ? sumsOf(sums, filter) : [],
    extent: { total, before, limit: countsMatches(filter) ? COUNT_LIMIT : null },
  };
}

/** Overdue invoices begin with the oldest debt. A search finds them by date. */
function isByDueDate(filters: InvoiceFilters): boolean {
  return hasDueOrder(filters) && filters.order === null;
}

function hasDueOrder({ q, overdue }: InvoiceFilters): boolean {
  return q === null && overdue !== null && (FORMER_AGES[overdue] ?? overdue) !== 'current';
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

function filterOf({ q: text, from, to, ...filters }: InvoiceFilters): InvoiceFilter {
  return { text, from, to, state: stateOf(filters) };
}

type StateFilters = Pick<InvoiceFilters, 'status' | 'overdue' | 'partlyPaid'>;

function stateOf({ status, overdue, partlyPaid }: StateFilters): InvoiceState | null {
  if (overdue === '1') return 'overdue';
  if (overdue !== null) return FORMER_AGES[overdue] ?? (overdue as Age);
  return partlyPaid === null ? (status as InvoiceState | null) : 'partly-paid';
}

/** On the page of a customer, the number has the order number below it in place of the customer. */
function columnsOf(
  filters: InvoiceFilters,
  today: string,
  path = INVOICE_LIST.path,
): ListColumn<ListedInvoice>[] {
  const { q } = filters;
  const isOfCustomer = path !== INVOICE_LIST.path;
  return [
    {
      head: 'Number',
      cell: invoice => (
        <>
          <Marked text={invoice.number} q={q} />
          {isOfCustomer && <OrderNumber invoice={invoice} q={q} />}
        </>
      ),
    },
    ...(isOfCustomer ? [] : [customerColumn(q)]),
    {
      head: 'Date',
      cell: ({ date }) => <RowDay on={date} />,
      sort: dateSort(filters, path),
    },
    {
      head: 'Reference',
      wraps: true,
      from: 'wide',
      cell: ({ reference }) => reference && <Marked text={reference} q={q} />,
    },
    ...dueColumns(filters, today, path),
    { head: 'Status', cell: invoice => <InvoiceStatus invoice={invoice} today={today} /> },
    { head: 'Total', align: 'end', phone: 'figure', cell: ({ total }) => <Money value={total} /> },
    {
      head: 'Due',
      align: 'end',
      // On a phone only if the total says something else.
      cell: ({ amountDue, total }) => (
        <span class={dueClass(amountDue, total)}>
          <Money value={amountDue} />
          <span class="phone-only"> due</span>
        </span>
      ),
    },
  ];
}

function customerColumn(q: string | null): ListColumn<ListedInvoice> {
  const cell = (invoice: ListedInvoice) => <CustomerCell invoice={invoice} q={q} />;
  return { head: 'Customer', wraps: true, cell };
}

function dateSort(filters: InvoiceFilters, path: string) {
  const isOldestFirst = filters.order === 'oldest';
  const newest = hasDueOrder(filters) ? 'newest' : null;
  const order = isOldestFirst || isByDueDate(filters) ? newest : 'oldest';
  const now = isOldestFirst ? 'ascending' : 'descending';
  return {
    href: addressOf(path, { ...filters, order }),
    now: isByDueDate(filters) ? null : now,
  } as const;
}

/** The due date, and for overdue invoices how long ago it was. */
function dueColumns(
  filters: InvoiceFilters,
  today: string,
  path: string,
): ListColumn<ListedInvoice>[] {
  const dueDate: ListColumn<ListedInvoice> = {
    head: 'Due date',
    phone: 'hidden',
    from: 'medium',
    cell: invoice => invoice.dueDate && <RowDay on={invoice.dueDate} />,
  };
  if (!hasDueOrder(filters)) return [dueDate];
  const href = addressOf(path, { ...filters, order: null });
  const overdue: ListColumn<ListedInvoice> = {
    head: 'Overdue',
    align: 'end',
    cell: invoice => invoice.dueDate && formatCount(daysBetween(invoice.dueDate, today), 'day'),
  };
  const now = isByDueDate(filters) ? 'ascending' : null;
  return [{ ...dueDate, sort: { href, now } }, overdue];
}

function dueClass(due: string, total: string): string | undefined {
  if (due === '0') return 'note hidden-on-phone';
  return due === total ? 'hidden-on-phone' : undefined;
}

/** An empty Overdue tab is good news, and no failed search. */
function NoMatch({ filters }: { filters: InvoiceFilters }) {
  const state = stateOf(filters);
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
