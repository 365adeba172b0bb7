// The months of the tax report, as its address names them: this quarter unless it names others.
// Months are YYYY-MM in the company's calendar, so they compare as text.
import { Problem } from '../../platform/errors.js';
import { isCalendarDate } from '../../platform/http/input/validate.js';
import { firstDayOfMonth, lastDayOfMonth, monthsBetween } from '../../platform/values/days.js';
import { cleanText } from '../../platform/values/text.js';
import { formatMonth } from '../kit/ui/format.js';

export const TAX_REPORT = '/tax-report';

/** The first and the last month. */
export interface Months {
  readonly from: string;
  readonly to: string;
}

const MAX_YEARS = 10;

/** Throws Problem `invalid_parameter`. A single month is both the first and the last one. */
export function readMonths(query: URLSearchParams, today: string): Months {
  const [from, to] = [query.get('from') || null, query.get('to') || null];
  if (from === null && to === null) return quarterOf(today);
  const months = { from: monthOf(from ?? to ?? ''), to: monthOf(to ?? from ?? '') };
  if (months.from > months.to)
    throw new Problem('invalid_parameter', 'The first month is after the last month.');
  if (monthsBetween(`${months.from}-01`, `${months.to}-01`) >= MAX_YEARS * 12)
    throw new Problem('invalid_parameter', `Choose at most ${MAX_YEARS} years.`);
  return months;
}

function monthOf(text: string): string {
  if (/^\d{4}-\d{2}$/u.test(text) && isCalendarDate(`${text}-01`)) return text;
  const quoted = `“${cleanText(text).slice(0, 40)}”`;
  throw new Problem('invalid_parameter', `${quoted} isn’t a month such as 2026-11.`);
}

/** The quarter of a day, or the quarter that many quarters later. */
function quarterOf(day: string, later = 0): Months {
  const month = Number(day.slice(5, 7)) - 1;
  const first = firstDayOfMonth(day, 3 * later - (month % 3));
  return { from: first.slice(0, 7), to: firstDayOfMonth(first, 2).slice(0, 7) };
}

function yearOf(day: string, later = 0): Months {
  const year = firstDayOfMonth(day, 12 * later).slice(0, 4);
  return { from: `${year}-01`, to: `${year}-12` };
}

/** The usual periods by their names. */
export function usualMonths(today: string): Readonly<Record<string, Months>> {
  const lastMonth = firstDayOfMonth(today, -1).slice(0, 7);
  return {
    'Last month': { from: lastMonth, to: lastMonth },
    'This quarter': quarterOf(today),
    'Last quarter': quarterOf(today, -1),
    'This year': yearOf(today),
    'Last year': yearOf(today, -1),
  };
}

/** November 2026, or October 2026 – December 2026. */
export function monthsName({ from, to }: Months): string {
  return from === to ? formatMonth(from) : `${formatMonth(from)} – ${formatMonth(to)}`;
}

/** The query of a list's address that selects these months by day. */
export function daysQuery({ from, to }: Months): string {
  return `?from=${from}-01&to=${lastDayOfMonth(`${to}-01`)}`;
}
