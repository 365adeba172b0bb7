// The invoices, newest first, by state, with a search by customer, number, reference and date.
import { exportInvoices } from '../../invoices/export.js';
import { DUE_AGES, type DueAge } from '../../invoices/overdue.js';
import { STATUSES } from '../../invoices/schema.js';
import { countsMatches } from '../../invoices/search/counts.js';
import { searchInvoices } from '../../invoices/search/search.js';
import {
  COUNT_LIMIT,
  type InvoiceFilter,
  type InvoiceRow,
  type InvoiceState,
} from '../../invoices/search/types.js';
import { addressOf, type Filters } from '../kit/lists/filters.js';
import { LIST_ROWS, type ListPage } from '../kit/lists/list-page.js';
import { ButtonLink, Empty, Money } from '../kit/ui/components.js';
import { type ListColumn, RowDay } from '../kit/ui/list.js';
import { InvoiceStatus } from './status.js';

/** The names of the API's filters: ?status=open, ?overdue=1. ?overdue=1-30 exists only here. */
type Name = 'status' | 'overdue' | 'order';
type InvoiceFilters = Filters<Name>;

export const INVOICE_LIST: ListPage<InvoiceRow, Name> = {
  title: 'Invoices',
  path: '/invoices',
  class: 'invoice-list',
  cursorName: 'invoices-page',
  goesBack: true,
  placeholder: 'Customer, number or reference',
  dates: 'fields and ranges',
  choices: { status: STATUSES, overdue: ['1', ...DUE_AGES], order: ['oldest'] },
  tabsLabel: 'Status',
  tabs: [
    { label: 'All' },
    { label: 'Open', values: { status: 'open' } },
    { label: 'Overdue', values: { overdue: '1' } },
    { label: 'Paid', values: { status: 'paid' } },
  ],
  columns: columnsOf,
  exportRows: (companyId, filters) => exportInvoices(companyId, filterOf(filters)),
  async read(companyId, filters, start) {
    const filter = filterOf(filters);
    const oldestFirst = filters.order !== null;
    const search = { ...filter, oldestFirst, start, limit: LIST_ROWS };
    const { total, before, ...page } = await searchInvoices(companyId, search);
    return {
      ...page,
      extent: { total, before, limit: countsMatches(filter) ? COUNT_LIMIT : null },
    };
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

function NewInvoiceButton() {
  return <ButtonLink href="/invoices/new">New invoice</ButtonLink>;
}

function filterOf({ q: text, from, to, ...filters }: InvoiceFilters): InvoiceFilter {
  return { text, from, to, state: stateOf(filters) };
}

function stateOf({
  status,
  overdue,
}: Pick<InvoiceFilters, 'status' | 'overdue'>): InvoiceState | null {
  if (overdue !== null) return overdue === '1' ? 'overdue' : (overdue as DueAge);
  return status as InvoiceState | null;
}

function columnsOf(filters: InvoiceFilters, today: string): ListColumn<InvoiceRow>[] {
  const isOldestFirst = filters.order !== null;
  return [
    { head: 'Number', cell: ({ number }) => number },
    { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
    {
      head: 'Date',
      cell: ({ date }) => <RowDay on={date} />,
      sort: {
        href: addressOf('/invoices', { ...filters, order: isOldestFirst ? null : 'oldest' }),
        now: isOldestFirst ? 'ascending' : 'descending',
      },
    },
    { head: 'Reference', wraps: true, from: 'wide', cell: ({ reference }) => reference },
    {
      head: 'Due date',
      phone: 'hidden',
      from: 'medium',
      cell: ({ dueDate }) => dueDate && <RowDay on={dueDate} />,
    },
    { head: 'Status', cell: invoice => <InvoiceStatus invoice={invoice} today={today} /> },
    { head: 'Total', align: 'end', phone: 'figure', cell: ({ total }) => <Money value={total} /> },
    {
      head: 'Due',
      align: 'end',
      phone: 'hidden',
      cell: ({ amountDue }) => (
        <span class={amountDue === '0' ? 'note' : undefined}>
          <Money value={amountDue} />
        </span>
      ),
    },
  ];
}

/** An empty Overdue tab is good news, and no failed search. */
function NoMatch({ filters }: { filters: InvoiceFilters }) {
  const state = stateOf(filters);
  const isSearch = [filters.q, filters.from, filters.to].some(each => each !== null);
  const isAge = DUE_AGES.some(age => age === state);
  if (!isSearch && state !== null)
    return (
      <Empty title={isAge ? 'No such invoices are due.' : `No ${state} invoices.`}>
        <p>
          <a href="/invoices">Show all invoices</a>
        </p>
      </Empty>
    );
  return (
    <Empty title={isSearch ? 'No matching invoices.' : 'No more invoices.'}>
      <p>
        {isSearch &&
          'Try part of the customer name, a number such as INV-000012 or 12, or other dates. '}
        <a href="/invoices">{isSearch ? 'Clear search' : 'Show the newest invoices'}</a>
      </p>
    </Empty>
  );
}
