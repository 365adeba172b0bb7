// Countries, payment terms and languages as people write them in words. Pure.
import { COUNTRIES } from '../../companies/parties/code-lists.js';
import { LANGUAGES } from '../../companies/parties/party.js';
import { matchKey } from '../../platform/values/text.js';

/** Names of countries that no list of names has. */
const FURTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE'],
  BA: ['Bosnia'],
  CI: ['Ivory Coast'],
  CZ: ['Czech Republic', 'Tschechische Republik'],
  GB: ['UK', 'U.K.', 'Great Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
  IR: ['Iran, Islamic Republic of'],
  KR: ['Korea', 'Republic of Korea'],
  MK: ['Macedonia', 'Mazedonien'],
  NL: ['Holland', 'The Netherlands'],
  RU: ['Russian Federation'],
  TR: ['Turkey'],
  US: ['USA', 'U.S.A.', 'U.S.', 'United States of America'],
};

/** The code of a country's name in the languages of customers, or the code in any case. */
export function countryOf(text: string): string {
  const key = nameKey(text);
  countries ??= namesOfCountries();
  return countries.get(key) ?? text;
}
let countries: Map<string, string> | undefined;

function namesOfCountries(): Map<string, string> {
  const names = new Map<string, string>();
  for (const language of LANGUAGES) {
    const regions = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of COUNTRIES) names.set(nameKey(regions.of(code) ?? code), code);
  }
  for (const [code, further] of Object.entries(FURTHER_NAMES))
    for (const name of further) names.set(nameKey(name), code);
  for (const code of COUNTRIES) names.set(nameKey(code), code);
  return names;
}

/** Without dots, "the" and the sign between words. */
function nameKey(text: string): string {
  return matchKey(text.replaceAll('.', '').replaceAll('&', ' and ')).replace(/^the /u, '');
}

const DUE_AT_ONCE = new Set([
  ...[
    'due on receipt',
    'on receipt',
    'upon receipt',
    'due upon receipt',
    'immediate',
    'immediately',
  ],
  ...['due immediately', 'cash', 'cash on delivery', 'cod', 'sofort', 'sofort fällig', 'bar'],
  ...['sofort ohne abzug', 'à réception', 'contado', 'al contado'],
]);
/** Words around the number of days that change nothing. */
const TERM_WORDS = new Set([
  ...['net', 'netto', 'nett', 'n', 'due', 'in', 'within', 'after', 'days', 'day', 'd', 'terms'],
  ...['payable', 'invoice', 'date', 'of', 'from', 'rein', 'tage', 'tagen', 'tag', 't', 'zahlbar'],
  ...['innerhalb', 'von', 'binnen', 'nach', 'rechnung', 'rechnungsdatum', 'ohne', 'abzug'],
  ...['zahlungsziel', 'ziel', 'fällig', 'jours', 'j', 'días', 'giorni', 'dagen'],
]);

/** Looks at each run of marks from its start only, since other starts would take quadratic time. */
const LAST_MARKS = /(?<![.,:;()])[.,:;()]+$/u;

/**
 * The days of payment terms: 30, Net 30, 30 days, 14 Tage netto, Due on receipt. Any other text,
 * such as one with a cash discount or the end of a month, stays as it is.
 */
export function termsOf(text: string): number | string {
  const key = matchKey(text).replace(LAST_MARKS, '');
  if (DUE_AT_ONCE.has(key)) return 0;
  const plain = key.replace(/^(\d+)[.,]0+$/u, '$1');
  const parts = plain.match(/\d+|\p{L}+|[^\d\p{L}\s]/gu) ?? [];
  const numbers = parts.filter(part => /^\d+$/u.test(part));
  const words = parts.filter(part => !/^\d+$/u.test(part));
  const isPlain = words.every(word => TERM_WORDS.has(word) || /^[/()-]$/u.test(word));
  const [days = ''] = numbers;
  return numbers.length === 1 && isPlain && !plain.includes('-') ? Number(days) : text;
}

/** The code of a language's name in its own words or in English. */
export function languageOf(text: string): string {
  const key = matchKey(text);
  languages ??= new Map(
    LANGUAGES.flatMap(code => [
      [code, code] as const,
      ...LANGUAGES.map(
        language =>
          [
            matchKey(new Intl.DisplayNames(language, { type: 'language' }).of(code) ?? code),
            code,
          ] as const,
      ),
    ]),
  );
  return languages.get(key) ?? text;
}
let languages: Map<string, string> | undefined;
