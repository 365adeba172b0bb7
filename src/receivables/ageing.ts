// The ageing of receivables: amounts due, grouped by days overdue.
import { AGES, isOfAge } from '../invoices/overdue.js';
import { FIGURES } from './json.js';

/** The date from which days are counted. */
export type Basis = 'dueDate' | 'date';

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
    COALESCE(sum(unallocated), 0) AS unallocated,
    COALESCE(sum(due) - sum(unallocated), 0) AS balance`;
}

/** SQL for the columns of a row of `ageingSums` as decimal texts. */
export const AGEING_TEXTS = FIGURES.map(
  figure => `trim_scale("${figure}")::text AS "${figure}"`,
).join(', ');
