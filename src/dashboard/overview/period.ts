// The period that the overview shows, as its address names it, and the earlier one that it is
// compared with. Days are YYYY-MM-DD in the company's time zone, so they compare as text.
import { Problem } from '../../platform/errors.js';
import { isCalendarDate } from '../../platform/http/input/validate.js';
import {
  addDays,
  daysBetween,
  firstDayOfMonth,
  lastDayOfMonth,
  monthsBetween,
} from '../../platform/values/days.js';
import type { ComparedRange, DayRange } from '../../summary/ranges.js';
import { formatDay, formatMonth } from '../kit/ui/format.js';

/** The values of `period` in the address, and their names. */
export const PRESETS = {
  'this-month': 'This month',
  'last-month': 'Last month',
  'last-30-days': 'Last 30 days',
  'this-year': 'This year',
} as const;
export type Preset = keyof typeof PRESETS;

export interface Period extends ComparedRange {
  /** Null for days that the reader chose. */
  readonly preset: Preset | null;
  readonly name: string;
  readonly previousName: string;
  /** The chart has one point per unit. */
  readonly unit: 'day' | 'month';
  /** True if the period is made of whole months, for which customers and items are counted. */
  readonly isWholeMonths: boolean;
}

/** A longer period has one point per month: a screen shows no more days. */
const MAX_DAILY = 100;
const MAX_YEARS = 10;

/** Throws Problem `invalid_parameter`. */
export function readPeriod(query: URLSearchParams, today: string): Period {
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? '';
  if (from !== '' || to !== '') return chosenDays(dayOf(from, today), dayOf(to, today), today);
  const preset = query.get('period') ?? 'this-month';
  if (!Object.hasOwn(PRESETS, preset))
    throw new Problem('invalid_parameter', 'There is no such period.');
  return presetPeriod(preset as Preset, today);
}

/** The address of the overview for a preset. */
export function presetHref(preset: Preset): string {
  return preset === 'this-month' ? '/' : `/?period=${preset}`;
}

function presetPeriod(preset: Preset, today: string): Period {
  if (preset === 'last-30-days')
    return { ...daysPeriod({ from: addDays(today, -29), to: today }, today), preset };
  if (preset === 'this-year') return yearPeriod(today);
  const month = preset === 'this-month' ? monthOf(today) : monthOf(today, -1);
  const previous = monthOf(month.from, -1);
  const isCurrent = preset === 'this-month';
  return {
    ...month,
    preset,
    previous,
    previousSameDay: isCurrent ? sameDay(previous.from.slice(0, 7), today) : previous.to,
    name: formatMonth(month.from.slice(0, 7)),
    previousName: formatMonth(previous.from.slice(0, 7)),
    unit: 'day',
    isWholeMonths: true,
  };
}

function yearPeriod(today: string): Period {
  const year = Number(today.slice(0, 4));
  const previousYear = String(year - 1).padStart(4, '0');
  return {
    preset: 'this-year',
    from: `${year}-01-01`,
    to: `${year}-12-31`,
    previous: { from: `${previousYear}-01-01`, to: `${previousYear}-12-31` },
    previousSameDay: sameDay(previousYear + today.slice(4, 7), today),
    name: String(year),
    previousName: previousYear,
    unit: 'month',
    isWholeMonths: true,
  };
}

function chosenDays(from: string, to: string, today: string): Period {
  if (from > to) throw new Problem('invalid_parameter', 'The first day is after the last day.');
  if (daysBetween(from, to) > MAX_YEARS * 366)
    throw new Problem('invalid_parameter', `Choose at most ${MAX_YEARS} years.`);
  const isWholeMonths = from.endsWith('-01') && to === lastDayOfMonth(to);
  return { ...daysPeriod({ from, to }, today), isWholeMonths };
}

/** A range of days, compared with as many days before it. */
function daysPeriod(range: DayRange, today: string): Period {
  const length = daysBetween(range.from, range.to) + 1;
  const previous = { from: addDays(range.from, -length), to: addDays(range.from, -1) };
  const last = today < range.to ? today : range.to;
  return {
    ...range,
    preset: null,
    previous,
    previousSameDay: addDays(last, -length),
    name: rangeName(range),
    previousName: rangeName(previous),
    unit: length > MAX_DAILY ? 'month' : 'day',
    isWholeMonths: false,
  };
}

function rangeName({ from, to }: DayRange): string {
  return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
}

/** An empty field of the form means today. */
function dayOf(text: string, today: string): string {
  if (text === '') return today;
  if (!isCalendarDate(text)) throw new Problem('invalid_parameter', 'Choose a valid date.');
  return text;
}

/** The month of a day, or the month that many months later. */
function monthOf(day: string, later = 0): DayRange {
  return { from: firstDayOfMonth(day, later), to: lastDayOfMonth(day, later) };
}

/** The day of a month (YYYY-MM) with the number of `day`, or the month's last day. */
function sameDay(month: string, day: string): string {
  const [last, same] = [lastDayOfMonth(`${month}-01`), `${month}-${day.slice(8)}`];
  return same < last ? same : last;
}

/** The first days of the range's months, or all of its days. */
export function pointsOf({ from, to }: DayRange, unit: Period['unit']): string[] {
  if (unit === 'day')
    return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));
  return Array.from({ length: monthsBetween(from, to) + 1 }, (_, index) =>
    firstDayOfMonth(from, index),
  );
}
