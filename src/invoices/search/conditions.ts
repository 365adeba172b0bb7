// The conditions of an invoice search: company, dates, state, and a text, which is the number or a
// part of the customer's name or of the reference. They read the invoice as i.
import { containsPattern } from '../../platform/db/sql.js';
import { matchKey } from '../../platform/values/text.js';
import { DUE_AGES, isOverdueFor, OVERDUE } from '../overdue.js';
import { parseInvoiceNumber } from '../queries.js';
import type { InvoiceFilter } from './types.js';

/** Binds a value and returns its parameter. */
export type Bind = (value: unknown) => string;

/** The conditions that select the company ($1) and the dates. */
export function filterRange({ from, to }: InvoiceFilter, value: Bind): string[] {
  const range = ['i.company_id = $1'];
  if (from !== null) range.push(`i.date >= ${value(from)}::date`);
  if (to !== null) range.push(`i.date <= ${value(to)}::date`);
  return range;
}

/** The condition that selects the state. A literal lets the index of open invoices apply. */
export function stateOf({ state }: InvoiceFilter): string[] {
  if (state === null) return [];
  const age = DUE_AGES.find(each => each === state);
  if (age !== undefined) return [isOverdueFor(age)];
  return [state === 'overdue' ? OVERDUE : `i.status = '${state}'`];
}

/** The conditions for a text, of which an invoice must meet at least one; none without a text. */
export function matchesOf(text: string | null, value: Bind): string[] {
  return matchersOf(text).map(matcher => matcher(value));
}

/** The same conditions as functions, each of which binds its own values. */
export function matchersOf(text: string | null): ((value: Bind) => string)[] {
  if (text === null) return [];
  const reference = containsPattern(lowerAscii(text.trim()));
  const matchers = [
    (value: Bind) => `i.customer_key LIKE ${value(containsPattern(matchKey(text)))}`,
    (value: Bind) => `i.reference IS NOT NULL AND lower(i.reference) LIKE ${value(reference)}`,
  ];
  // The text may be 12, INV-12 or INV-000012.
  const readings = parseInvoiceNumber(text.trim());
  return readings.length === 0
    ? matchers
    : [...matchers, (value: Bind) => hasNumber(readings, value)];
}

function hasNumber(readings: readonly { prefix: string; number: string }[], value: Bind): string {
  const numbers = value(readings.map(({ number }) => number));
  const prefixes = value(readings.map(({ prefix }) => prefix));
  return `i.number = ANY(${numbers}::bigint[]) AND EXISTS (
      SELECT
      FROM unnest(${numbers}::bigint[], ${prefixes}::text[]) AS reading (number, prefix)
      WHERE reading.number = i.number
        AND lower(reading.prefix) IN ('', lower(i.number_prefix)))`;
}

/** Lower-cases like lower() in the column's collation, "C", which in SQL would run for each row. */
function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/gu, letter => letter.toLowerCase());
}

export function anyOf(conditions: readonly string[]): string {
  return `(${conditions.join(' OR ')})`;
}

export function bindFrom(...values: unknown[]): [unknown[], Bind] {
  return [values, bound => `$${values.push(bound)}`];
}

/**
 * The positions of invoices that meet the conditions and have the state. OFFSET 0 makes the planner
 * use the index that contains the searched column instead of the one in list order. No such index
 * contains the state, so it is looked up for the positions that are found.
 */
export function positionsBy(conditions: readonly string[], filter: InvoiceFilter): string {
  const found = `SELECT date, number
    FROM (SELECT i.date, i.number FROM invoices i WHERE ${conditions.join(' AND ')} OFFSET 0) f`;
  const state = stateOf(filter);
  if (state.length === 0) return found;
  if (filter.text === null)
    return `SELECT i.date, i.number FROM invoices i
      WHERE ${[...conditions, ...state].join(' AND ')}`;
  return `${found}
    WHERE EXISTS (
      SELECT
      FROM invoices i
      WHERE i.company_id = $1 AND i.number = f.number AND ${state.join(' AND ')}
    )`;
}
