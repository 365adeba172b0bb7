// Amounts as people type them, with the sign or the code of a currency: 97.40, $97.40, 97,40 EUR.
// Pure: browsers read the fields of forms with it.
import { fromUnits, toUnits } from './money.js';

/** Any currency's sign or code, before or after the digits. */
const CURRENCY = /^(?:\p{Sc}|[A-Z]{3})|(?:\p{Sc}|[A-Z]{3})$/giu;
const GROUPED = /^\d{1,3}(?:([.,' \u00a0\u202f])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d{1,4})?$/u;
const PLAIN = /^\d{1,11}(?:[.,]\d{1,4})?$/u;

/**
 * The amounts that a text may stand for in a search, as decimal text without trailing zeros: two
 * for 1,234, none if it is not an amount.
 */
export function amountReadings(text: string): string[] {
  const typed = text.trim().replaceAll(CURRENCY, '').trim();
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

/** Where currencies have different signs: US$ is $ in the United States. */
const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'da', 'sv', 'nb', 'pl', 'cs', 'ja', 'de-CH'];
const FURTHER_SIGNS: Readonly<Record<string, readonly string[]>> = { CHF: ['Fr.', 'SFr.'] };
/** Most numbers stand alone, and need no signs. */
const ALONE = /^[-\d.,\s]*$/u;
const signs = new Map<string, { readonly before: RegExp; readonly after: RegExp }>();

/** The text without the currency before or after its number. A minus may stand before both. */
export function withoutCurrency(text: string, currency: string): string {
  const trimmed = text.trim();
  if (ALONE.test(trimmed)) return trimmed;
  const { before, after } = signsOf(currency);
  const sign = trimmed.startsWith('-') ? '-' : '';
  const rest = trimmed.slice(sign.length).trim();
  return sign + rest.replace(before, '').replace(after, '').trim();
}

/** The currency's code and signs, before and after digits. */
function signsOf(currency: string) {
  const known = signs.get(currency);
  if (known) return known;
  const texts = LOCALES.flatMap(locale =>
    (['symbol', 'narrowSymbol'] as const).map(currencyDisplay =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
        .formatToParts(1)
        .find(({ type }) => type === 'currency'),
    ),
  ).map(part => part?.value ?? currency);
  const all = new Set([currency, ...texts, ...(FURTHER_SIGNS[currency] ?? [])]);
  const either = [...all]
    .sort((a, b) => b.length - a.length)
    .map(text => text.replaceAll(/[.$*+?^()[\]{}|\\]/gu, '\\$&'))
    .join('|');
  const found = {
    before: new RegExp(`^(?:${either})`, 'iu'),
    after: new RegExp(`(?:${either})$`, 'iu'),
  };
  signs.set(currency, found);
  return found;
}
