// An amount that a user types into a search: 97.40, 97,40, $97.40 or 1,234.50.
import { fromUnits, toUnits } from './money.js';

/** A currency's sign or code, before or after the digits. */
const CURRENCY = /^(?:\p{Sc}|[A-Z]{3})\s*|\s*(?:\p{Sc}|[A-Z]{3})$/giu;
const GROUPED = /^\d{1,3}(?:([.,' \u00a0\u202f])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d{1,4})?$/u;
const PLAIN = /^\d{1,11}(?:[.,]\d{1,4})?$/u;

/**
 * The amounts that a text may stand for, as decimal text without trailing zeros: two for 1,234,
 * none if it is not an amount.
 */
export function amountReadings(text: string): string[] {
  const typed = text.trim().replaceAll(CURRENCY, '');
  const readings: string[] = [];
  if (PLAIN.test(typed)) readings.push(typed.replace(',', '.'));
  if (GROUPED.test(typed)) readings.push(groupedNumber(typed));
  return [...new Set(readings.filter(isPossible).map(each => fromUnits(toUnits(each))))];
}

/** The last separator is the decimal mark if it differs from the one between the groups. */
function groupedNumber(typed: string): string {
  const [group = ''] = /[^\d]/u.exec(typed) ?? [];
  return typed.replaceAll(group, '').replace(',', '.');
}

function isPossible(number: string): boolean {
  return number.replace(/\..*/u, '').length <= 11;
}
