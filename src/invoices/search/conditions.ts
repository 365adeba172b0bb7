// The conditions of an invoice search: company and dates, the state, and a part of the customer's
// name or the reference, or the number. They read the invoice as i.
import { containsPattern } from '../../platform/db/sql.js';
import { matchKey } from '../../platform/values/text.js';
import { OVERDUE, parseInvoiceNumber } from '../queries.js';
import type { InvoiceStatus } from '../schema.js';

export interface InvoiceFilter {
  /** Part of the customer's name or the reference (ASCII letters in any case), or the number. */
  readonly text: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: InvoiceState | null;
}

/** A status, or an open invoice that is overdue. */
export type InvoiceState = InvoiceStatus | 'overdue';

/** Binds a value and returns its parameter. */
export type Bind = (value: unknown) => string;

/** The conditions of company ($1) and dates. */
export function filterRange({ from, to }: InvoiceFilter, value: Bind): string[] {
  const range = ['i.company_id = $1'];
  if (from !== null) range.push(`i.date >= ${value(from)}::date`);
  if (to !== null) range.push(`i.date <= ${value(to)}::date`);
  return range;
}

/** The condition of the state. It is not a bind value: the index of open invoices depends on it. */
export function stateOf({ state }: InvoiceFilter): string[] {
  if (state === null) return [];
  return [state === 'overdue' ? OVERDUE : `i.status = '${state}'`];
}

/** The conditions of which an invoice must meet at least one; none without a text. */
export function matchesOf(text: string | null, value: Bind): string[] {
  return matchersOf(text).map(matcher => matcher(value));
}

/** Each of these conditions, to be bound on its own. */
export function matchersOf(text: string | null): ((value: Bind) => string)[] {
  if (text === null) return [];
  const reference = containsPattern(lowerAscii(text.trim()));
  const matchers = [
    (value: Bind) => `i.customer_key LIKE ${value(containsPattern(matchKey(text)))}`,
    (value: Bind) => `i.reference IS NOT NULL AND lower(i.reference) LIKE ${value(reference)}`,
  ];
  // 12, INV-12 or INV-000012.
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

/** As lower() does in the collation of the column, "C". In SQL it would run for each row. */
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
 * The places of invoices that meet the conditions and have the state. OFFSET 0 makes the planner
 * use the index that contains the searched column instead of the one in list order. No such index
 * contains the state, so it is looked up for the places that are found.
 */
export function placesBy(conditions: readonly string[], filter: InvoiceFilter): string {
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
