// Arithmetic on calendar days, which are texts YYYY-MM-DD. Imports nothing, so that browsers can
// use it.

export const DAY_MS = 86_400_000;

/** The day that an instant falls on in the zone. */
export function dayIn(timeZone: string, instant: Date): string {
  const parts = formatOf(timeZone).formatToParts(instant);
  const of = (type: string) => parts.find(part => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}`;
}

/** The business day: today in the company's zone. */
export function today({ timeZone }: { readonly timeZone: string }): string {
  return dayIn(timeZone, new Date());
}

// A format costs more to create than to use a hundred times. There are at most a few hundred zones.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}

/** The day that many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return dayAt(Date.parse(day) + days * DAY_MS);
}

/** The number of days from one day to a later one. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** The first day of a day's month, or of the month that many months later. */
export function firstDayOfMonth(day: string, later = 0): string {
  const { year, month } = partsOf(day);
  return dayAt(Date.UTC(year, month - 1 + later, 1));
}

/** The last day of a day's month, or of the month that many months later. */
export function lastDayOfMonth(day: string, later = 0): string {
  const { year, month } = partsOf(day);
  return dayAt(Date.UTC(year, month + later, 0));
}

/** The number of months from a day's month to a later day's. */
export function monthsBetween(from: string, to: string): number {
  const [first, last] = [partsOf(from), partsOf(to)];
  return (last.year - first.year) * 12 + last.month - first.month;
}

function partsOf(day: string): { year: number; month: number } {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return { year, month };
}

function dayAt(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
