// Reading a file of customers: its rows, checked one by one and written as JSON for the database.
// It computes for up to seconds, so it runs in a thread (read-thread.ts).

import { type DecimalMark, detectDecimalMark } from '../../imports/decimals.js';
import { invalidField } from '../../platform/field-errors.js';
import { delimiterOf, readCsv } from '../../platform/values/csv.js';
import { matchKey } from '../../platform/values/text.js';
import { textOf } from '../identify.js';
import { type CheckedRow, type Column, checkRow, kindOf, readColumns } from './columns.js';

export const MAX_ROWS = 20_000;
const ROWS_PER_CHUNK = 1_000;
/** The start of a file, which has its header. */
const HEADER_BYTES = 64 * 1024;
/** A row with 100 long aliases and all other values. */
const MAX_RECORD_BYTES = 256 * 1024;

export interface ReadOptions {
  /** Null: detected from the file. */
  readonly decimalMark: DecimalMark | null;
}

/** A readable file. Its rows below the header are either valid or refused. */
export interface CustomerFile {
  readonly header: readonly string[];
  /** A cell that means different numbers with either decimal mark; null without a doubt. */
  readonly doubt: string | null;
  readonly rowsTotal: number;
  readonly rowsRefused: number;
  /** All rows as JSON arrays of up to ROWS_PER_CHUNK. */
  readonly chunks: readonly string[];
}

/** Throws Problem `validation_failed` at /file if it is not a readable table of customers. */
export async function readCustomerFile(bytes: Buffer, options: ReadOptions): Promise<CustomerFile> {
  const [header, ...lines] = await readCsv(bytes, MAX_ROWS, MAX_RECORD_BYTES);
  if (!header || lines.length === 0) throw invalidField('file', 'The file has no rows.');
  const columns = readColumns(header.cells);
  const delimiter = delimiterOf(bytes.subarray(0, HEADER_BYTES).toString());
  const { decimalMark, doubt } =
    options.decimalMark === null
      ? detectDecimalMark(numberCells(lines, columns), delimiter)
      : { decimalMark: options.decimalMark, doubt: null };
  const chunks: string[] = [];
  let rowsRefused = 0;
  for (let start = 0; start < lines.length; start += ROWS_PER_CHUNK) {
    const rows = lines.slice(start, start + ROWS_PER_CHUNK).map(({ cells, line }, index) => {
      const checked = checkRow(cells, columns, decimalMark);
      if ('errors' in checked) rowsRefused += 1;
      return { position: start + index + 1, line, cells, ...checked, ...keysOf(checked) };
    });
    chunks.push(JSON.stringify(rows));
  }
  return { header: header.cells, doubt, rowsTotal: lines.length, rowsRefused, chunks };
}

function* numberCells(
  rows: Iterable<{ readonly cells: readonly string[] }>,
  columns: readonly (Column | undefined)[],
): Generator<string> {
  for (const { cells } of rows)
    for (const [index, column] of columns.entries())
      if (column !== undefined && kindOf(column) === 'number') yield cells[index] ?? '';
}

function keysOf(checked: CheckedRow): Record<string, string> {
  if ('errors' in checked) return {};
  const { externalId, number, name } = checked.entry;
  const keys = {
    externalId: textOf(externalId),
    numberKey: textOf(number).map(matchKey),
    nameKey: textOf(name).map(matchKey),
  };
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, [text]]) => (text === undefined ? [] : [[key, text]])),
  );
}
