// The conditions of an invoice search: company and dates, and a part of the customer's name or the
// reference, or the number. They read the invoice as i.
import { containsPattern } from '../platform/db/sql.js';
import { matchKey } from '../platform/values/text.js';
import { parseInvoiceNumber } from './queries.js';

export interface InvoiceFilter {
  /** Part of the customer's name or the reference (ASCII letters in any case), or the number. */
  readonly text: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** Binds a value and returns its parameter. */
export type Bind = (value: unknown) => string;

/** The conditions of company ($1) and dates. */
export function filterRange({ from, to }: InvoiceFilter, value: Bind): string[] {
  const range = ['i.company_id = $1'];
  if (from !== null) range.push(`i.date >= ${value(from)}::date`);
  if (to !== null) range.push(`i.date <= ${value(to)}::date`);
  return range;
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
