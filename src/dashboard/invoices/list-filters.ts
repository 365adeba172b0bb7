// The filters of the list of invoices, as its address has them.
import type { Age } from '../../invoices/overdue.js';
import type { InvoiceFilter, InvoiceState } from '../../invoices/search/types.js';
import type { Filters } from '../kit/lists/filters.js';

/**
 * The API's filters ?status=open and ?overdue=1. The ages, such as ?overdue=days1To30, and
 * ?partlyPaid=1 exist only here.
 */
export type InvoiceFilterName = 'status' | 'overdue' | 'partlyPaid' | 'order';
export type InvoiceListFilters = Filters<InvoiceFilterName>;

/** The states of addresses of earlier versions, which people have as bookmarks. */
export const FORMER_AGES: Readonly<Record<string, Age | 'over60'>> = {
  none: 'current',
  '1-30': 'days1To30',
  '31-60': 'days31To60',
  'over-60': 'over60',
};

/** Overdue invoices begin with the oldest debt. A search finds them by date. */
export function isByDueDate(filters: InvoiceListFilters): boolean {
  return hasDueOrder(filters) && filters.order === null;
}

export function hasDueOrder({ q, overdue }: InvoiceListFilters): boolean {
  return q === null && overdue !== null && (FORMER_AGES[overdue] ?? overdue) !== 'current';
}

export function invoiceFilterOf({
  q: text,
  from,
  to,
  ...filters
}: InvoiceListFilters): InvoiceFilter {
  return { text, from, to, state: invoiceStateOf(filters) };
}

type StateFilters = Pick<InvoiceListFilters, 'status' | 'overdue' | 'partlyPaid'>;

export function invoiceStateOf({ status, overdue, partlyPaid }: StateFilters): InvoiceState | null {
  if (overdue === '1') return 'overdue';
  if (overdue !== null) return FORMER_AGES[overdue] ?? (overdue as Age);
  return partlyPaid === null ? (status as InvoiceState | null) : 'partly-paid';
}
