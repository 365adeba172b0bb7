// Numbers as people type them into a form: with a point or a comma, and in groups of three digits.
// Pure: the browser's live amounts read a field as the server does. The API accepts only JSON
// numbers. `mark` is the decimal separator of the company's files. Where that is the comma, people
// also write 1.250 for one thousand two hundred and fifty.
import type { DecimalMark } from '../../platform/values/csv.js';

/** 1,250 is one thousand two hundred and fifty, or one and a quarter. */
const AMBIGUOUS = /^-?[1-9]\d{0,2},\d{3}$/u;
/** So is 1.250, for people who write 12,5. */
const AMBIGUOUS_POINT = /^-?[1-9]\d{0,2}\.\d{3}$/u;
/** 12,5 and 1.250,50, and ,5. */
const COMMA_DECIMAL = /^-?(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)?,\d+$/u;
/** 1,250,000 and 1,250.50. */
const COMMA_GROUPS = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/u;
/** 1.250.000. A single point is the decimal separator, as in 1.250, unless that is ambiguous. */
const POINT_GROUPS = /^-?[1-9]\d{0,2}(?:\.\d{3}){2,}$/u;
/** A space or an apostrophe, which is never a decimal separator. */
const MARK_IN_GROUPS = /(?<=\d)[ '’\u00a0\u2009\u202f](?=\d{3}(?!\d))/gu;
/** .5 */
const WITHOUT_WHOLE = /^(?<sign>-?)(?<fraction>\.\d+)$/u;
/** Direction marks, as they come with copied numbers, and other invisible characters. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The text as a number with a decimal point. Other text stays unchanged, and an ambiguous number
 * has a comma, so neither is read as a number.
 */
export function plainNumber(text: string, mark: DecimalMark): string {
  return withDecimalPoint(withoutGroups(text), mark).replace(WITHOUT_WHOLE, '$<sign>0$<fraction>');
}

function withDecimalPoint(typed: string, mark: DecimalMark): string {
  if (isAmbiguous(typed, mark)) return typed.replace('.', ',');
  if (COMMA_DECIMAL.test(typed)) return typed.replaceAll('.', '').replace(',', '.');
  if (COMMA_GROUPS.test(typed)) return typed.replaceAll(',', '');
  return POINT_GROUPS.test(typed) ? typed.replaceAll('.', '') : typed;
}

/**
 * The two readings of an ambiguous number, such as 1250 and 1.250. Null for any other text. Where
 * 1.250 is ambiguous as well, the second one is 1,25: typed so, it is not asked about again.
 */
export function readingsOf(text: string, mark: DecimalMark): readonly [string, string] | null {
  const typed = withoutGroups(text);
  if (!isAmbiguous(typed, mark)) return null;
  const [whole = '', fraction = ''] = typed.split(/[.,]/u);
  if (mark === '.') return [whole + fraction, `${whole}.${fraction}`];
  const short = fraction.replace(/0+$/u, '');
  const decimals = short.length === 3 ? `${short}0` : short;
  return [whole + fraction, decimals === '' ? whole : `${whole},${decimals}`];
}

/** The text without a percent sign after its number. */
export function withoutPercent(text: string): string {
  const trimmed = text.trim();
  return trimmed.endsWith('%') ? trimmed.slice(0, -1).trimEnd() : trimmed;
}

/** A number with a decimal point as a page fills it into a field: it is not ambiguous. */
export function filledNumber(number: string, mark: DecimalMark): string {
  return mark === ',' && AMBIGUOUS_POINT.test(number) ? `${number}0` : number;
}

function isAmbiguous(typed: string, mark: DecimalMark): boolean {
  return AMBIGUOUS.test(typed) || (mark === ',' && AMBIGUOUS_POINT.test(typed));
}

function withoutGroups(text: string): string {
  return text.replaceAll(INVISIBLE, '').trim().replaceAll(MARK_IN_GROUPS, '');
}
