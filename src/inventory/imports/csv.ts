// CSV as spreadsheets read and write it. Written: RFC 4180 in UTF-8 with a byte order mark, without which Excel takes it for
// another encoding. Text that a spreadsheet would run as a formula gets an apostrophe before it, which reading takes away.
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import type { Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';

/** The media type of a file that starts with its header (RFC 4180). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
/** The byte order mark that a file starts with. */
export const BOM = '\ufeff';
/** No cell of ours is as long by far; a quote that is never closed ends here. */
const MAX_RECORD_BYTES = 64 * 1024;
/** Records read before others have their turn in this process. */
const RECORDS_A_TURN = 200;
const BYTES_A_CHUNK = 64 * 1024;

/** Text that starts with what spreadsheets run as a formula (OWASP, CSV injection; the full-width forms too). */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;
const NUMBER = /^-?\d+(?:[.,]\d+)?$/u;

/**
 * A cell to write: text; a number as decimal text, which no spreadsheet runs; or a cell as it was read from a file, which
 * may have its apostrophe already.
 */
export type Cell = string | null | { readonly number: string | null } | { readonly asRead: string };

/** One record with its line end. Text is quoted, so that it stays whole where another delimiter is expected. */
export function csvRecord(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quoted(FORMULA.test(cell) ? `'${cell}` : cell);
  if ('number' in cell) return cell.number ?? '';
  const isFormula =
    !cell.asRead.startsWith("'") && FORMULA.test(cell.asRead) && !NUMBER.test(cell.asRead.trim());
  return quoted(isFormula ? `'${cell.asRead}` : cell.asRead);
}

function quoted(text: string): string {
  return text === '' ? '' : `"${text.replaceAll('"', '""')}"`;
}

/** The text of a cell without the apostrophe that `csvRecord` put before it. */
export function unshielded(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}

export interface CsvRow {
  readonly cells: readonly string[];
  /** Where it ends in the file. */
  readonly line: number;
}

/**
 * The rows of a file, its header first, without those that are empty: UTF-8, cells apart by comma, semicolon or tab,
 * whichever the first line has most of. Throws Problem `validation_failed` where it cannot be read or has more rows than
 * `maxRows` besides the header.
 */
export async function readCsv(bytes: Buffer, maxRows: number): Promise<CsvRow[]> {
  const text = decode(bytes);
  const parser = Readable.from(chunksOf(bytes), { objectMode: true }).pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(text),
      info: true,
      max_record_size: MAX_RECORD_BYTES,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
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
      if (rows.length > maxRows)
        throw refused(`The file has more than ${maxRows} rows. Split it into smaller files.`);
      rows.push({ cells: record, line: info.lines });
      if (rows.length % RECORDS_A_TURN === 0) await nextTurn();
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
  for (let at = 0; at < bytes.length; at += BYTES_A_CHUNK)
    yield bytes.subarray(at, at + BYTES_A_CHUNK);
}

/** Outside of quotes, in the first line that has anything. */
function delimiterOf(text: string): string {
  const first = /[^\r\n]+/u.exec(text)?.[0].replaceAll(/"[^"]*"/gu, '') ?? '';
  const counts = [',', ';', '\t'].map(mark => ({ mark, count: first.split(mark).length }));
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).mark;
}

function unreadable({ code, lines }: CsvError): Problem {
  const line = Number(lines);
  if (code === 'CSV_MAX_RECORD_SIZE')
    return refused(`Line ${line}: the row is too long. Check for an unclosed quotation mark.`);
  return refused(`Line ${line}: unclosed or unexpected quotation mark.`);
}

function refused(sentence: string): Problem {
  return invalidField('file', sentence);
}
