// CSV as spreadsheets accept it: RFC 4180 in UTF-8, with the byte order mark that Excel needs to
// detect the encoding. Text that a spreadsheet would run as a formula is written with a leading
// apostrophe, which reading removes.
import { sqlText } from '../db/sql.js';

/**
 * How a company's files divide columns and figures. `comma`: commas between the columns and decimal
 * points. `semicolon`: semicolons and decimal commas, as Excel expects in countries that write 1,5.
 */
export const CSV_FORMATS = ['comma', 'semicolon'] as const;
export type CsvFormat = (typeof CSV_FORMATS)[number];

/** The decimal separator: 12.5 or 12,5. */
export type DecimalMark = '.' | ',';

export function decimalMarkOf(format: CsvFormat): DecimalMark {
  return format === 'semicolon' ? ',' : '.';
}

/** The media type of a file whose first row is its header (RFC 4180). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
/** The byte order mark at the start of a file. */
export const BOM = '\ufeff';

/** The characters of JavaScript's `\s`. Those of Postgres's depend on its version and locale. */
const SPACE = String.raw`[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]`;

/**
 * Text that spreadsheets run as a formula or command (OWASP, CSV injection), with the full-width
 * and small forms that some of them read as ASCII, and also after spaces that some of them remove.
 * Also text with an apostrophe before a digit, which reading would remove. A match with one more
 * apostrophe before it is a match, too, so reading removes no more than was added. No alternative
 * repeats the same character twice in a row, which would take quadratic time.
 */
const FORMULA = new RegExp(
  `^(?:'*${SPACE}*[-=+@|\\t\\r\\n＝＋－＠｜﹦﹢﹣﹫]|'+[0-9]|'*${SPACE}+'+[0-9])`,
  'u',
);
const NUMBER = /^-?\d+(?:[.,]\d+)?$/u;

/**
 * A cell to write: text; a number as decimal text with a point, which no spreadsheet runs; or a
 * cell as it was read from a file, which may already have its apostrophe.
 */
export type Cell = string | null | { readonly number: string | null } | { readonly asRead: string };

/** One record with its line end. Text is quoted, so any delimiter leaves it whole. */
export function csvLine(cells: readonly Cell[], format: CsvFormat): string {
  const texts = cells.map(cell => cellText(cell, format));
  return `${texts.join(format === 'comma' ? ',' : ';')}\r\n`;
}

function cellText(cell: Cell, format: CsvFormat): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quoted(FORMULA.test(cell) ? `'${cell}` : cell);
  if ('number' in cell) {
    const number = cell.number ?? '';
    return format === 'comma' ? number : number.replace('.', ',');
  }
  const isFormula =
    !cell.asRead.startsWith("'") && FORMULA.test(cell.asRead) && !NUMBER.test(cell.asRead.trim());
  return quoted(isFormula ? `'${cell.asRead}` : cell.asRead);
}

function quoted(text: string): string {
  return text === '' ? '' : `"${text.replaceAll('"', '""')}"`;
}

/** A cell that Postgres writes: SQL for a value of any type as text, or for a number. */
export type CellSql = { readonly text: string } | { readonly number: string } | null;

/** SQL for the text that `csvLine` makes of the same cells, in a database in UTF-8. */
export function csvLineSql(cells: readonly CellSql[], format: CsvFormat): string {
  const delimiter = sqlText(format === 'comma' ? ',' : ';');
  const texts = cells.map(cell => cellSql(cell, format));
  return `${texts.join(` || ${delimiter} || `)} || E'\\r\\n'`;
}

function cellSql(cell: CellSql, format: CsvFormat): string {
  if (cell === null) return "''";
  if ('number' in cell) {
    const number = `(${cell.number})::text`;
    return `COALESCE(${format === 'comma' ? number : `replace(${number}, '.', ',')`}, '')`;
  }
  const text = `(${cell.text})::text`;
  const shield = `CASE WHEN ${text} ~ ${sqlText(FORMULA.source)} THEN ${sqlText("'")} ELSE '' END`;
  return `CASE WHEN ${text} <> '' THEN
      '"' || ${shield} || replace(${text}, '"', '""') || '"'
    ELSE '' END`;
}

/** A cell that programs write so that a spreadsheet keeps every digit: ="00123". */
const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/u;

/**
 * The text of a cell without the marks that keep a spreadsheet from changing it: ="…" around it, or
 * one apostrophe before a digit or a formula, as `csvLine` writes it.
 */
export function unmarked(cell: string): string {
  const [, text] = TEXT_FORMULA.exec(cell) ?? [];
  if (text !== undefined) return text.replaceAll('""', '"');
  const digits = cell.replace(/^\s*'(?=\d)/u, '');
  if (digits !== cell) return digits;
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
