// The filter, order and page of the list of invoices, as the query of its address.

import { STATUSES } from '../../invoices/schema.js';
import type { InvoiceFilter, InvoiceState } from '../../invoices/search/conditions.js';
import type { InvoicePlace } from '../../invoices/search/search.js';
import { Problem } from '../../platform/errors.js';
import { isCalendarDate } from '../../platform/http/input/validate.js';
import { cleanText } from '../../platform/values/text.js';
import { dayIn } from '../kit/ui/format.js';

/** The longest searchable text, a customer name. */
export const MAX_TEXT = 255;
/** A page boundary: 2026-11-20.12 is the invoice of that day with that running number. */
const PLACE = /^(\d{4}-\d{2}-\d{2})\.(\d{1,18})$/u;

export interface ListFilter extends InvoiceFilter {
  readonly oldestFirst: boolean;
}

export interface PageStart {
  readonly place: InvoicePlace;
  readonly direction: 'after' | 'before';
}

/** Throws Problem `invalid_parameter` for an invalid date, or a first day after the last one. */
export function readFilter(query: URLSearchParams): ListFilter {
  const [from, to] = [dayOf(query, 'from'), dayOf(query, 'to')];
  if (from !== null && to !== null && from > to)
    throw new Problem('invalid_parameter', 'The first day of the search is after its last day.');
  return {
    text: cleanText(query.get('q') ?? '').slice(0, MAX_TEXT) || null,
    from,
    to,
    state: stateOf(query),
    oldestFirst: query.get('order') === 'oldest',
  };
}

/** The names of the API's filters: ?status=open, ?overdue=1. An unknown status filters nothing. */
function stateOf(query: URLSearchParams): InvoiceState | null {
  if (query.get('overdue') === '1') return 'overdue';
  return STATUSES.find(status => status === query.get('status')) ?? null;
}

function dayOf(query: URLSearchParams, name: string): string | null {
  const day = query.get(name) || null;
  if (day !== null && !isCalendarDate(day)) {
    const quoted = `“${cleanText(day).slice(0, 40)}”`;
    throw new Problem('invalid_parameter', `${quoted} isn’t a valid date.`);
  }
  return day;
}

/** Where the page starts or ends; null for the first page. Throws Problem `invalid_cursor`. */
export function readStart(query: URLSearchParams): PageStart | null {
  for (const direction of ['before', 'after'] as const) {
    const text = query.get(direction);
    if (text === null) continue;
    const [, date = '', number = ''] = PLACE.exec(text) ?? [];
    if (!isCalendarDate(date))
      throw new Problem('invalid_cursor', 'This page of results no longer exists.');
    return { place: { date, number }, direction };
  }
  return null;
}

/** The address of the list, or of its export. */
export function hrefOf(filter: ListFilter, start?: PageStart, path = '/invoices'): string {
  const { text, from, to, state, oldestFirst } = filter;
  const query = new URLSearchParams();
  if (text !== null) query.set('q', text);
  if (from !== null) query.set('from', from);
  if (to !== null) query.set('to', to);
  for (const [name, value] of stateFields(state)) query.set(name, value);
  if (oldestFirst) query.set('order', 'oldest');
  if (start) query.set(start.direction, `${start.place.date}.${start.place.number}`);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The fields of a query that select a state. */
export function stateFields(state: InvoiceState | null): readonly (readonly [string, string])[] {
  if (state === null) return [];
  return [state === 'overdue' ? ['overdue', '1'] : ['status', state]];
}

export interface DateRange {
  readonly label: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The usual ranges of dates, by the company's calendar. */
export function quickRanges(timeZone: string, now: Date): DateRange[] {
  const today = dayIn(timeZone, now);
  const month = today.slice(0, 7);
  const [year = 0, number = 0] = month.split('-').map(Number);
  // Day 0 is the last day of the month before.
  const dayOfMonth = (index: number, day: number) =>
    new Date(Date.UTC(year, index, day)).toISOString().slice(0, 10);
  return [
    { label: 'Any date', from: null, to: null },
    { label: 'Today', from: today, to: today },
    { label: 'This month', from: `${month}-01`, to: dayOfMonth(number, 0) },
    { label: 'Last month', from: dayOfMonth(number - 2, 1), to: dayOfMonth(number - 1, 0) },
  ];
}
