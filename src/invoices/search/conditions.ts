// The conditions of an invoice search: company, dates, state, and a text. They read the invoice
// as i.
import { isExactly } from '../../platform/db/sql.js';
import type { TextQuery } from '../../search/text-query.js';
import { positionsInTexts } from '../../search/texts.js';
import { AGES, IS_PARTLY_PAID, isOverdueFor, OVER_60_DAYS, OVERDUE } from '../overdue.js';
import { parseInvoiceNumber } from '../queries.js';
import type { InvoiceFilter } from './types.js';

/** Binds a value and returns its parameter. */
export type Bind = (value: unknown) => string;

/** The conditions that select the company ($1), the dates and the customer. */
export function filterRange({ from, to, names }: InvoiceFilter, value: Bind): string[] {
  const range = ['i.company_id = $1'];
  if (from !== null) range.push(`i.date >= ${value(from)}::date`);
  if (to !== null) range.push(`i.date <= ${value(to)}::date`);
  if (names?.length === 1) range.push(isExactly('i.customer_key', value(names[0])));
  else if (names) range.push(`i.customer_key = ANY(${value(names)}::text[])`);
  return range;
}

/** The condition that selects the state. A literal lets an index of one status apply. */
export function stateOf({ state }: Pick<InvoiceFilter, 'state'>): string[] {
  if (state === null) return [];
  if (state === 'overdue') return [OVERDUE];
  if (state === 'over60') return [OVER_60_DAYS];
  const age = AGES.find(each => each === state);
  if (age !== undefined) return [isOverdueFor(age)];
  return [state === 'partly-paid' ? IS_PARTLY_PAID : `i.status = '${state}'`];
}

/** SQL for the positions of invoices in any order, which binds its own values. */
export type Source = (value: Bind) => string;

/**
 * The sources of all invoices that a text finds in the range of dates: the stored texts, the number
 * that the text is, and `newNumbers`, the matches among the invoices without a stored text.
 */
export function sourcesOf(
  filter: InvoiceFilter,
  query: TextQuery,
  newNumbers: readonly string[],
): Source[] {
  const by =
    (condition: Source): Source =>
    value =>
      positionsBy([...filterRange(filter, value), condition(value)]);
  const sources: Source[] = [
    value =>
      positionsBy(
        filterRange(filter, value),
        `(SELECT company_id, date, position AS number, customer_key
          FROM (${positionsInTexts(['invoices'], query, value)}) t) i`,
      ),
  ];
  if (newNumbers.length > 0)
    sources.push(by(value => `i.number = ANY(${value(newNumbers)}::bigint[])`));
  const numbered = hasNumber(query.text);
  return numbered === null ? sources : [...sources, by(numbered)];
}

/** The condition that 12, INV-12 or INV-000012 is the invoice's number; null for other texts. */
export function hasNumber(text: string): Source | null {
  const readings = parseInvoiceNumber(text);
  if (readings.length === 0) return null;
  return value => {
    const numbers = value(readings.map(({ number }) => number));
    const prefixes = value(readings.map(({ prefix }) => prefix));
    return `i.number = ANY(${numbers}::bigint[]) AND EXISTS (
      SELECT
      FROM unnest(${numbers}::bigint[], ${prefixes}::text[]) AS reading (number, prefix)
      WHERE reading.number = i.number
        AND lower(reading.prefix) IN ('', lower(i.number_prefix)))`;
  };
}

export function bindFrom(...values: unknown[]): [unknown[], Bind] {
  return [values, bound => `$${values.push(bound)}`];
}

/**
 * The positions of invoices that meet the conditions. OFFSET 0 makes the planner use the index that
 * contains the searched column instead of the one in list order.
 */
function positionsBy(conditions: readonly string[], from = 'invoices i'): string {
  return `SELECT i.date, i.number FROM ${from} WHERE ${conditions.join(' AND ')} OFFSET 0`;
}

/**
 * The condition that the invoice at a position of this alias has the state; `true` for any. A
 * scalar query is always a look-up by the index, also while the table's statistics are old.
 */
export function positionHasState(alias: string, filter: Pick<InvoiceFilter, 'state'>): string {
  if (filter.state === null) return 'true';
  return `(
    SELECT ${stateOf(filter).join(' AND ')}
    FROM invoices i
    WHERE i.company_id = $1 AND i.number = ${alias}.number)`;
}
