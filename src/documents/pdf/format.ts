// Dates and numbers of documents. The tables are here, because those of Intl differ between
// versions of Node, and a document is the same in each.
import type { Language } from '../../companies/parties/party.js';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

interface Format {
  readonly decimal: string;
  readonly group: string;
  readonly percent: string;
  readonly date: (year: string, month: string, day: string) => string;
}

const slashed: Format['date'] = (year, month, day) => `${day}/${month}/${year}`;
const COMMA = { decimal: ',', group: '.' };

const FORMATS: Readonly<Record<Language, Format>> = {
  en: {
    ...{ decimal: '.', group: ',', percent: '%' },
    date: (year, month, day) => `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`,
  },
  de: { ...COMMA, percent: '\u00a0%', date: (year, month, day) => `${day}.${month}.${year}` },
  fr: { decimal: ',', group: '\u202f', percent: '\u202f%', date: slashed },
  es: { ...COMMA, percent: '\u00a0%', date: slashed },
  it: { ...COMMA, percent: '%', date: slashed },
  nl: { ...COMMA, percent: '%', date: (year, month, day) => `${day}-${month}-${year}` },
};

export function printedDate(date: string, language: Language): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return FORMATS[language].date(year, month, day);
}

/** Decimal text with at least this many decimals. */
export function printedNumber(text: string, language: Language, decimals = 0): string {
  const { decimal, group } = FORMATS[language];
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(text) ?? [];
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, group);
  const digits = fraction.padEnd(decimals, '0');
  return `${sign === '' ? '' : '\u2212'}${grouped}${digits === '' ? '' : decimal + digits}`;
}

export function printedPercent(text: string, language: Language): string {
  return printedNumber(text, language) + FORMATS[language].percent;
}

/** An amount with its currency. */
export function printedMoney(
  text: string,
  { currency, decimals, language }: { currency: string; decimals: number; language: Language },
): string {
  const amount = printedNumber(text, language, decimals);
  return language === 'en' ? `${currency}\u00a0${amount}` : `${amount}\u00a0${currency}`;
}
