// The ageing of receivables: what is due by how many days ago it was due.
import { isPast } from '../invoices/overdue.js';
import { FIGURES } from './json.js';

/** The ages with their last day; current money is not yet due, or has no due date. */
const LAST_DAYS = { current: 0, days1To30: 30, days31To60: 60, days61To90: 90 } as const;
export const AGES = [...(Object.keys(LAST_DAYS) as (keyof typeof LAST_DAYS)[]), 'over90'] as const;
export type Age = (typeof AGES)[number];

/** Ages of money that is overdue. */
export const OVERDUE_AGES = AGES.filter(age => age !== 'current');

/** The date from which days are counted. */
export type Basis = 'dueDate' | 'date';

/** SQL for a date of this age on a day. Each date has exactly one age. */
export function isOfAge(age: Age, date: string, day: string): string {
  const index = AGES.indexOf(age);
  const lastDays = Object.values(LAST_DAYS);
  const isOlderThan = (days: number) => isPast(date, days === 0 ? day : `${day} - ${days}`);
  const [before, last] = [lastDays[index - 1], lastDays[index]];
  return [
    ...(before === undefined ? [] : [isOlderThan(before)]),
    ...(last === undefined ? [] : [`NOT ${isOlderThan(last)}`]),
  ].join(' AND ');
}

/** The column of `moneySql` from which days are counted. */
export function dateOf(basis: Basis): string {
  return basis === 'date' ? 'date' : 'due_date';
}

/** SQL for the columns of an ageing, as sums of rows of `moneySql`. */
export function ageingSums(basis: Basis, day: string): string {
  const date = dateOf(basis);
  const ages = AGES.map(
    age => `COALESCE(sum(due) FILTER (WHERE ${isOfAge(age, date, day)}), 0) AS "${age}"`,
  );
  return `
    COALESCE(sum(due), 0) AS outstanding,
    ${ages.join(',\n    ')},
    COALESCE(sum(rest), 0) AS unallocated,
    COALESCE(sum(due) - sum(rest), 0) AS balance`;
}

/** SQL for the columns of a row of `ageingSums` as decimal texts. */
export const AGEING_TEXTS = FIGURES.map(
  figure => `trim_scale("${figure}")::text AS "${figure}"`,
).join(', ');
