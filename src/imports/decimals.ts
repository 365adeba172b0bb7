// The decimal separator of a file, detected from its number cells. Pure.
import { shortened } from '../platform/values/text.js';

/** The decimal separator: 12.5 or 12,5. */
export type DecimalMark = '.' | ',';

export interface DecimalReading {
  readonly decimalMark: DecimalMark;
  /** A cell that makes the separator doubtful: 1.250 alone, or 1,5 beside 1.5. */
  readonly doubt: string | null;
}

/** 1.250 and 1,250 are one and a quarter, or one thousand two hundred and fifty. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}[.,]\d{3}$/u;
const MAX_EXAMPLE = 40;

/**
 * The separator that most cells prove, as 12,5 does. Without proof it is the comma in files divided
 * by semicolons, which spreadsheets write where the comma is the decimal separator.
 */
export function detectDecimalMark(cells: Iterable<string>, delimiter: string): DecimalReading {
  const counts: Record<DecimalMark, number> = { '.': 0, ',': 0 };
  let ambiguous: string | null = null;
  let withComma: string | null = null;
  for (const cell of cells) {
    const text = cell.trim();
    if (AMBIGUOUS.test(text)) {
      ambiguous ??= text;
      continue;
    }
    const mark = provenMark(text);
    if (mark !== null) counts[mark] += 1;
    if (mark === ',') withComma ??= shortened(text, MAX_EXAMPLE);
  }
  const { '.': points, ',': commas } = counts;
  if (points + commas === 0)
    return { decimalMark: delimiter === ';' ? ',' : '.', doubt: ambiguous };
  // The rows of the minority are refused, so the user sees them.
  return { decimalMark: commas > points ? ',' : '.', doubt: points === commas ? withComma : null };
}

/** The separator of 12.5 and 1,234.5 is the point; 1.234.567 has the comma. */
function provenMark(text: string): DecimalMark | null {
  if (!/^-?\d[\d.,]*$/u.test(text)) return null;
  const marks = text.replaceAll(/[^.,]/gu, '');
  const last = marks.at(-1) as DecimalMark | undefined;
  if (last === undefined) return null;
  if (marks.indexOf(last) === marks.length - 1) return last;
  return last === '.' ? ',' : '.';
}
