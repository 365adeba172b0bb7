// The values of a row's cells. Pure.
import type { DecimalMark } from '../../platform/values/csv.js';
import { unmarked } from '../../platform/values/csv.js';
import { cleanCode, shortened } from '../../platform/values/text.js';
import type { CellKind, ColumnSpec } from './columns.js';
import { damageOf } from './damage.js';
import { readNumber } from './numbers.js';

export interface CellStyle {
  readonly decimalMark: DecimalMark;
  /** The company's currency. */
  readonly currency: string;
}

/** Divides the elements of a list in one cell: no name and no address can have a line feed. */
export const LIST_SEPARATOR = '\n';
const NUMBERS: ReadonlySet<CellKind> = new Set(['number', 'money', 'percentage']);
const TRUE = new Set(['true', 'yes', 'y', '1', 'wahr', 'ja', 'j', 'x']);
const FALSE = new Set(['false', 'no', 'n', '0', 'falsch', 'nein']);
/** Characters of a refused value that its error shows. */
const MAX_VALUE = 40;

export function isNumberKind(kind: CellKind): boolean {
  return NUMBERS.has(kind);
}

/** The value of a cell that is not empty. A number that is none stays a text. */
export function readCell(cell: string, { kind, read }: ColumnSpec, style: CellStyle): unknown {
  const text = unmarked(cell);
  switch (kind) {
    case 'money':
      return readNumber(text, style);
    case 'number':
    case 'percentage':
      return readNumber(kind === 'number' ? text : figureText(cell), { ...style, currency: null });
    case 'flag':
      return flagOf(text);
    case 'list':
      return linesOf(text);
    default:
      return read ? read(text) : text;
  }
}

/** The text of a number without a percent sign. */
export function figureText(cell: string): string {
  const text = unmarked(cell);
  const trimmed = text.trimEnd();
  return trimmed.endsWith('%') ? trimmed.slice(0, -1).trimEnd() : text;
}

/** The error of a cell that a spreadsheet has changed, if its column has texts. */
export function cellDamage(cell: string, column: string, { kind }: ColumnSpec): string | null {
  if (isNumberKind(kind) || kind === 'flag') return null;
  const text = unmarked(cell);
  for (const part of kind === 'list' ? linesOf(text) : [text]) {
    const sentence = damageOf(part);
    if (sentence !== null) return `${column} ${quotedValue(part.trim())}: ${sentence}`;
  }
  return null;
}

/** A value as an error shows it. */
export function quotedValue(value: unknown): string {
  return `“${shortened(String(value), MAX_VALUE)}”`;
}

function flagOf(cell: string): boolean | string {
  const text = cleanCode(cell).toLowerCase();
  return TRUE.has(text) ? true : FALSE.has(text) ? false : cell;
}

function linesOf(cell: string): string[] {
  return cell.split(/\r\n?|\n/u).filter(line => line.trim() !== '');
}
