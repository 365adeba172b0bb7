// The columns of the list of invoices.

import type { ListedInvoice } from '../../invoices/search/types.js';
import { daysBetween } from '../../platform/values/days.js';
import { MarkableState, type MayHaveFailed } from '../emails/failed.js';
import { Marked } from '../kit/lists/marked.js';
import { sortLink } from '../kit/lists/sorts.js';
import { Money } from '../kit/ui/components.js';
import { formatCount } from '../kit/ui/format.js';
import { type ListColumn, RowDay } from '../kit/ui/list.js';
import { CustomerCell, OrderNumber } from './customer-cell.js';
import { hasDueOrder, type InvoiceListFilters } from './list-filters.js';
import { InvoiceStatus } from './status.js';

/** The list of all invoices. Any other one is of a customer. */
const ALL_INVOICES = '/invoices';

export type InvoiceListRow = ListedInvoice & MayHaveFailed;

/** On the page of a customer, the number has the order number below it in place of the customer. */
export function invoiceColumns(
  filters: InvoiceListFilters,
  today: string,
  path = ALL_INVOICES,
): ListColumn<InvoiceListRow>[] {
  const { q } = filters;
  const isOfCustomer = path !== ALL_INVOICES;
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
      sort: sortLink(path, filters, {
        descending: hasDueOrder(filters) || filters.order === 'newest' ? 'newest' : null,
        ascending: 'oldest',
      }),
    },
    {
      head: 'Reference',
      wraps: true,
      from: 'wide',
      cell: ({ reference }) => reference && <Marked text={reference} q={q} />,
    },
    ...dueColumns(filters, today, path),
    {
      head: 'Status',
      cell: invoice => (
        <MarkableState type="invoice" row={invoice}>
          <InvoiceStatus invoice={invoice} today={today} />
        </MarkableState>
      ),
    },
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

function customerColumn(q: string | null): ListColumn<InvoiceListRow> {
  const cell = (invoice: ListedInvoice) => <CustomerCell invoice={invoice} q={q} />;
  return { head: 'Customer', wraps: true, cell };
}

/** The due date, and for overdue invoices how long ago it was. */
function dueColumns(
  filters: InvoiceListFilters,
  today: string,
  path: string,
): ListColumn<InvoiceListRow>[] {
  const dueDate: ListColumn<InvoiceListRow> = {
    head: 'Due date',
    phone: 'hidden',
    from: 'medium',
    cell: invoice => invoice.dueDate && <RowDay on={invoice.dueDate} />,
  };
  if (!hasDueOrder(filters)) return [dueDate];
  const overdue: ListColumn<InvoiceListRow> = {
    head: 'Overdue',
    align: 'end',
    cell: invoice => invoice.dueDate && formatCount(daysBetween(invoice.dueDate, today), 'day'),
  };
  return [{ ...dueDate, sort: sortLink(path, filters, { ascending: null }) }, overdue];
}

function dueClass(due: string, total: string): string | undefined {
  if (due === '0') return 'note hidden-on-phone';
  return due === total ? 'hidden-on-phone' : undefined;
}
