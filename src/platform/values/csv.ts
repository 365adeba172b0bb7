// CSV as spreadsheets read and write it: RFC 4180 in UTF-8, with the byte order mark that Excel
// needs to detect the encoding. Text that a spreadsheet would run as a formula is written with a
// leading apostrophe, which reading removes.
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { sqlText } from '../db/sql.js';
import type { Problem } from '../errors.js';
import { invalidField } from '../field-errors.js';

/**
 * How a company's files divide columns and figures. `comma`: commas between the columns and decimal
 * points. `semicolon`: semicolons and decimal commas, as Excel expects in countries that write 1,5.
 */
export const CSV_FORMATS = ['comma', 'semicolon'] as const;
export type CsvFormat = (typeof CSV_FORMATS)[number];

/** The media type of a file whose first row is its header (RFC 4180). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
/** The byte order mark at the start of a file. */
export const BOM = '\ufeff';
/** The usual limit of a row: the parser stops at a quotation mark that is never closed. */
const MAX_RECORD_BYTES = 64 * 1024;
const CHUNK_BYTES = 64 * 1024;

/**
 * Text that spreadsheets run as a formula or command (OWASP, CSV injection), with the full-width
 * and small forms that some of them read as ASCII, and also after spaces that some of them remove.
 */
const FORMULA = /^'*\s*[=+\-@|\t\r\n＝＋－＠｜﹦﹢﹣﹫]/u;
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

/** SQL for the text that `csvLine` makes of the same cells. */
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

/** The text of a cell without the apostrophe that `csvLine` added. */
export function unshielded(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}

export interface CsvRow {
  readonly cells: readonly string[];
  /** The number of its last line in the file. */
  readonly line: number;
}

/**
 * The non-empty rows of a UTF-8 file, its header first. The delimiter is the comma, semicolon or
 * tab, whichever occurs most often in the first line. Throws Problem `validation_failed` if the
 * file cannot be read or has more than `maxRows` rows besides the header.
 */
export async function readCsv(
  bytes: Buffer,
  maxRows: number,
  maxRecordBytes = MAX_RECORD_BYTES,
): Promise<CsvRow[]> {
  return readCsvRows(bytes, { delimiter: delimiterOf(decode(bytes)), maxRows, maxRecordBytes });
}

export interface RowOptions {
  readonly delimiter: string;
  /** Rows at most, without the header. */
  readonly maxRows: number;
  /** Quotation marks inside a value need no quotes, as in text that a spreadsheet copies. */
  readonly isRelaxed?: boolean;
  readonly maxRecordBytes?: number;
}

/** The non-empty rows of a text in UTF-8. Throws as `readCsv`. */
export async function readCsvRows(
  bytes: Buffer,
  { delimiter, maxRows, isRelaxed = false, maxRecordBytes = MAX_RECORD_BYTES }: RowOptions,
): Promise<CsvRow[]> {
  const parser = Readable.from(chunksOf(bytes), { objectMode: true }).pipe(
    parse({
      bom: true,
      delimiter,
      info: true,
      max_record_size: maxRecordBytes,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: isRelaxed,
      skip_empty_lines: true,
    }),
  );
  const rows: CsvRow[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      if (record.every(cell => cell.trim() === '')) continue;
      if (rows.length > maxRows) throw tooManyRows(maxRows);
      rows.push({ cells: record, line: info.lines });
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  }
  return rows;
}

function decode(bytes: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused('The file is not encoded as UTF-8. Save it as “CSV UTF-8” and upload it again.');
  }
  if (text.includes('\0'))
    throw refused('This isn’t a CSV file. Save the spreadsheet as CSV and upload that.');
  return text;
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES);
}

/** The most frequent delimiter outside of quotes in the first non-empty line. */
export function delimiterOf(text: string): string {
  const line = /[^\r\n]+/u.exec(text)?.[0].replaceAll(/"[^"]*"/gu, '') ?? '';
  const counts = [',', ';', '\t'].map(mark => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

function unreadable({ code, lines }: CsvError): Problem {
  const line = Number(lines);
  if (code === 'CSV_MAX_RECORD_SIZE')
    return refused(`Line ${line}: the row is too long. Check for an unclosed quotation mark.`);
  return refused(`Line ${line}: unclosed or unexpected quotation mark.`);
}

function tooManyRows(maxRows: number): Problem {
  const sentence = `The file has more than ${maxRows} rows. Split it into smaller files.`;
  return invalidField('file', sentence, 'too_many_items');
}

function refused(sentence: string): Problem {
  return invalidField('file', sentence);
}
