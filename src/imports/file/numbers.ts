// The numbers of a file as people write them: 1234.5, 1,234.50, 1 234,50, 1'234.50, $1,234.50. The
// decimal separator is what the number cells of the file prove, or what its user chooses. Pure.
import type { DecimalMark } from '../../platform/values/csv.js';
import { exactNumber } from '../../platform/values/money.js';
import { shortened } from '../../platform/values/text.js';
import { withoutCurrency } from '../../platform/values/typed-amount.js';

export interface DecimalReading {
  readonly decimalMark: DecimalMark;
  /** A cell that makes the separator doubtful: 1.250 alone, or 1,5 beside 1.5. */
  readonly doubt: string | null;
}

/** How the numbers of a column are written. */
export interface NumberStyle {
  readonly decimalMark: DecimalMark;
  /** The code of the currency whose sign or code a cell may have; null for none. */
  readonly currency: string | null;
}

/** The marks between groups of three digits that are never decimal separators. */
const GROUP_MARKS = " '’\u00a0\u2009\u202f";
/** 1.250 and 1,250 are one and a quarter, or one thousand two hundred and fifty. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}[.,]\d{3}$/u;
const GROUPED = new RegExp(
  `^-?[1-9]\\d{0,2}([${GROUP_MARKS}])\\d{3}(?:\\1\\d{3})*(?:([.,])\\d*)?$`,
  'u',
);
/** Numbers without or with groups: the whole part, the mark between groups, the fraction. */
const NUMBERS: Readonly<Record<DecimalMark, RegExp>> = {
  '.': numberPattern('\\.', ','),
  ',': numberPattern(',', '.'),
};
/** Direction marks, as they come with copied numbers, and other invisible characters. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const MAX_EXAMPLE = 40;

function numberPattern(point: string, group: string): RegExp {
  const grouped = `[1-9]\\d{0,2}([${group}${GROUP_MARKS}])\\d{3}(?:\\2\\d{3})*`;
  return new RegExp(`^(-?(?:${grouped}|\\d+))(?:${point}(\\d*))?$`, 'u');
}

/**
 * The separator that most cells prove, as 12,5 does. Without proof it is the comma in files divided
 * by semicolons, which spreadsheets write where the comma is the decimal separator.
 */
export function detectDecimalMark(
  cells: Iterable<string>,
  separator: string,
  currency: string | null,
): DecimalReading {
  const counts: Record<DecimalMark, number> = { '.': 0, ',': 0 };
  let ambiguous: string | null = null;
  let withComma: string | null = null;
  for (const cell of cells) {
    const text = plainDigits(cell, currency);
    if (AMBIGUOUS.test(text)) {
      ambiguous ??= shortened(cell.trim(), MAX_EXAMPLE);
      continue;
    }
    const mark = provenMark(text);
    if (mark !== null) counts[mark] += 1;
    if (mark === ',') withComma ??= shortened(cell.trim(), MAX_EXAMPLE);
  }
  const { '.': points, ',': commas } = counts;
  if (points + commas === 0)
    return { decimalMark: separator === ';' ? ',' : '.', doubt: ambiguous };
  // The rows of the minority are refused, so the user sees them. A cell that could be of either
  // would not be.
  const isContradicted = points > 0 && commas > 0;
  const doubt = points === commas ? withComma : isContradicted ? ambiguous : null;
  return { decimalMark: commas > points ? ',' : '.', doubt };
}

/** The separator of 12.5 and 1,234.5 is the point; 1.234.567 has the comma. */
function provenMark(text: string): DecimalMark | null {
  const grouped = GROUPED.exec(text);
  if (grouped) return (grouped[2] as DecimalMark | undefined) ?? null;
  if (!/^-?\d[\d.,]*$/u.test(text)) return null;
  const marks = text.replaceAll(/[^.,]/gu, '');
  const last = marks.at(-1) as DecimalMark | undefined;
  if (last === undefined) return null;
  if (marks.indexOf(last) === marks.length - 1) return last;
  return last === '.' ? ',' : '.';
}

/**
 * The cell's number, or its text if it is none, which a schema then refuses. The mark that is not
 * the decimal separator, a space or an apostrophe may stand between groups of three digits.
 */
export function readNumber(cell: string, { decimalMark, currency }: NumberStyle): number | string {
  const text = plainDigits(cell, currency);
  const [, whole, , fraction = ''] = NUMBERS[decimalMark].exec(text) ?? [];
  if (whole === undefined) return cell.trim();
  return exactNumber(`${whole.replaceAll(/[^\d-]/gu, '')}.${fraction}`) ?? cell.trim();
}

/** The text without the currency, and with a hyphen as its minus. */
function plainDigits(cell: string, currency: string | null): string {
  const text = withHyphen(cell.replaceAll(INVISIBLE, '').trim());
  return currency === null ? text : withHyphen(withoutCurrency(text, currency));
}

function withHyphen(text: string): string {
  return text.replace(/^[-−]\s*/u, '-');
}
