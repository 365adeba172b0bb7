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
  if (text === null) return [];
  const like = (part: string) => value(containsPattern(part));
  const conditions = [
    `i.customer_key LIKE ${like(matchKey(text))}`,
    `i.reference IS NOT NULL AND lower(i.reference) LIKE ${like(lowerAscii(text.trim()))}`,
  ];
  // 12, INV-12 or INV-000012.
  const readings = parseInvoiceNumber(text.trim());
  if (readings.length > 0) {
    const numbers = value(readings.map(({ number }) => number));
    const prefixes = value(readings.map(({ prefix }) => prefix));
    conditions.push(`i.number = ANY(${numbers}::bigint[]) AND EXISTS (
      SELECT
      FROM unnest(${numbers}::bigint[], ${prefixes}::text[]) AS reading (number, prefix)
      WHERE reading.number = i.number
        AND lower(reading.prefix) IN ('', lower(i.number_prefix)))`);
  }
  return conditions;
}

/** As lower() does in the collation of the column, "C". In SQL it would run for each row. */
function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/gu, letter => letter.toLowerCase());
}

export function anyOf(conditions: readonly string[]): string {
  return `(${conditions.join(' OR ')})`;
}
