// The separator of the values in a file or a copied list: what a first line such as sep=; names, or
// what divides most rows alike. Pure.
import { type CsvRow, readCsvRows } from '../../platform/values/csv-reader.js';

/** The ones that are detected. If two fit, the first one is it. */
export const SEPARATORS = ['\t', ';', '|', ','] as const;
const DEFAULT: (typeof SEPARATORS)[number] = ',';

/** The part of a text that is compared, in characters and rows. */
const SAMPLE_LENGTH = 64 * 1024;
const SAMPLE_ROWS = 100;

/**
 * The line that Excel reads, in quotes or with separators after it. Some programs write \t. Each
 * character can match in one way only: with two, the time would double with each of them.
 */
const SEPARATOR_LINE =
  /^\s*"?sep=(\\t|[^\p{L}\p{N}"\r\n])"?(?:[,;|\t ]|(?![,;|\t ])\1)*(?:\r\n?|\n|$)/iu;

export interface Division {
  readonly separator: string;
  /** Where the rows start. */
  readonly start: number;
}

/** `isKnown` tells whether a heading names a column. `chosen` is what the user wants. */
export function divisionOf(
  text: string,
  chosen: string | null,
  isKnown: (heading: string) => boolean,
): Division {
  const [line = '', named = null] = SEPARATOR_LINE.exec(text) ?? [];
  const separator = chosen ?? (named === '\\t' ? '\t' : named);
  const start = line.length;
  return { separator: separator ?? detect(text.slice(start), isKnown), start };
}

function detect(text: string, isKnown: (heading: string) => boolean): string {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const isCut = sample.length < text.length;
  const fits = SEPARATORS.map(separator => {
    const rows = sampleRows(sample, separator);
    return { separator, ...fitOf(isCut ? rows.slice(0, -1) : rows, isKnown) };
  });
  const best = fits.reduce((first, next) => (isBetter(next, first) ? next : first));
  if (best.share > 0 || (best.known > 0 && best.headings > 1)) return best.separator;
  // One column: the text in it must not be divided.
  const undivided = fits.filter(({ single }) => single === 1).map(({ separator }) => separator);
  return undivided.includes(DEFAULT) ? DEFAULT : (undivided[0] ?? DEFAULT);
}

function sampleRows(text: string, separator: string): CsvRow[] {
  const options = { separator, maxRows: SAMPLE_LENGTH, isRelaxed: true };
  return readCsvRows(text, options).slice(0, SAMPLE_ROWS);
}

interface Fit {
  /** Headings, and how many of them name a column. */
  readonly headings: number;
  readonly known: number;
  /** The share of the rows that have the most frequent number of cells, if that is above one. */
  readonly share: number;
  /** The share of the rows that have one cell. */
  readonly single: number;
}

function fitOf(rows: readonly CsvRow[], isKnown: (heading: string) => boolean): Fit {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [[cells, frequency] = [1, 0]] = [...counts].sort(
    ([a, often], [b, oftener]) => oftener - often || a - b,
  );
  return {
    headings: rows[0]?.cells.length ?? 0,
    known: rows[0]?.cells.filter(isKnown).length ?? 0,
    share: cells === 1 ? 0 : frequency / rows.length,
    single: rows.length === 0 ? 0 : (counts.get(1) ?? 0) / rows.length,
  };
}

function isBetter(a: Fit, b: Fit): boolean {
  return (a.known - b.known || a.share - b.share) > 0;
}
