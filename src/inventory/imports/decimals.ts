// The decimal separator of a file, detected from its number cells. Pure.

/** The decimal separator: 12.5 or 12,5. */
export type DecimalMark = '.' | ',';

export interface DecimalReading {
  readonly decimalMark: DecimalMark;
  /** A cell that means different numbers with either separator, if no other cell decides. */
  readonly doubt: string | null;
}

/** 1.250 and 1,250 are one and a quarter, or one thousand two hundred and fifty. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}[.,]\d{3}$/u;

/**
 * The separator that the cells prove, as 12,5 does. Without proof it is the comma in files divided
 * by semicolons, which spreadsheets write where the comma is the decimal separator.
 */
export function detectDecimalMark(cells: Iterable<string>, delimiter: string): DecimalReading {
  const examples: Record<DecimalMark, string[]> = { '.': [], ',': [] };
  let ambiguous: string | null = null;
  for (const cell of cells) {
    const text = cell.trim();
    if (AMBIGUOUS.test(text)) ambiguous ??= text;
    else {
      const mark = provenMark(text);
      if (mark) examples[mark].push(text);
    }
  }
  const [points, commas] = [examples['.'], examples[',']];
  if (points.length === 0 && commas.length === 0)
    return { decimalMark: delimiter === ';' ? ',' : '.', doubt: ambiguous };
  const decimalMark = commas.length > points.length ? ',' : '.';
  return { decimalMark, doubt: (decimalMark === ',' ? points : commas)[0] ?? null };
}

/** The separator of 12.5 is the point, also of 1,234.5; that of 1.234.567 is the comma. */
function provenMark(text: string): DecimalMark | null {
  if (!/^-?\d[\d.,]*$/u.test(text)) return null;
  const marks = text.replaceAll(/[^.,]/gu, '');
  const last = marks.at(-1) as DecimalMark | undefined;
  if (last === undefined) return null;
  if (marks.indexOf(last) === marks.length - 1) return last;
  return last === '.' ? ',' : '.';
}
