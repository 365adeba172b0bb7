// Reading an imported file: its rows, checked one by one and written as JSON for the database. It
// computes for up to seconds, so it runs in a thread (read-thread.ts).

import { type DecimalMark, detectDecimalMark } from '../../imports/decimals.js';
import { invalidField } from '../../platform/field-errors.js';
import { type CsvRow, delimiterOf, readCsv } from '../../platform/values/csv.js';
import { stepsOf } from '../../platform/values/steps.js';
import { matchKey } from '../../platform/values/text.js';
import {
  type CheckedRow,
  type Columns,
  checkRow,
  findColumnProblem,
  numberCells,
  readColumns,
} from './columns.js';
import type { ChosenColumns } from './headings.js';

export const MAX_ROWS = 20_000;
const ROWS_PER_CHUNK = 1_000;
/** The start of a file, which has its header. */
const HEADER_BYTES = 64 * 1024;

/** How to read a file. */
export interface ReadOptions {
  /** Null: detected from the file. */
  readonly decimalMark: DecimalMark | null;
  /** Null: by the headings. */
  readonly chosen: ChosenColumns | null;
  readonly allowNegativeStock: boolean;
}

/** A readable file. Its rows below the header are either valid or refused. */
export interface StockFile extends Pick<Columns, 'reason'> {
  readonly header: readonly string[];
  readonly decimalMark: DecimalMark;
  /** A cell that means different numbers with either separator; null without a doubt. */
  readonly doubt: string | null;
  readonly rowsTotal: number;
  readonly rowsRefused: number;
  /**
   * All rows as JSON arrays of up to ROWS_PER_CHUNK: position, line, cells, entry or errors, and
   * the keys that find the entry's item.
   */
  readonly chunks: readonly string[];
}

/** Throws Problem `validation_failed` at /file if it is not a readable table of stock. */
export async function readStockFile(bytes: Buffer, options: ReadOptions): Promise<StockFile> {
  const [header, ...lines] = await readCsv(bytes, MAX_ROWS);
  if (!header || lines.length === 0) throw invalidField('file', 'The file has no rows.');
  if (!options.chosen && isUnclear(header.cells)) return unreadFile(header.cells, lines);
  const columns = readColumns(header.cells, options.chosen);
  const { decimalMark, doubt } =
    options.decimalMark === null
      ? detectDecimalMark(numberCells(lines, columns), delimiterOf(startOf(bytes)))
      : { decimalMark: options.decimalMark, doubt: null };
  const chunks: string[] = [];
  let rowsRefused = 0;
  for (let start = 0; start < lines.length; start += ROWS_PER_CHUNK) {
    const rows = lines.slice(start, start + ROWS_PER_CHUNK).map(({ cells, line }, index) => {
      const checked = checkRow(cells, columns, decimalMark, options.allowNegativeStock);
      if ('errors' in checked) rowsRefused += 1;
      return { position: start + index + 1, line, cells, ...checked, ...keysOf(checked) };
    });
    chunks.push(JSON.stringify(rows));
  }
  const { reason } = columns;
  const rowsTotal = lines.length;
  return { header: header.cells, decimalMark, doubt, reason, rowsTotal, rowsRefused, chunks };
}

/** True if a user can choose the columns that the headings do not tell: an item and a figure. */
function isUnclear(header: readonly string[]): boolean {
  const named = header.filter(heading => heading.trim() !== '');
  return named.length > 1 && findColumnProblem(header) !== null;
}

/** A file whose columns the user has to choose. All its rows are refused until then. */
function unreadFile(header: readonly string[], lines: readonly CsvRow[]): StockFile {
  const chunks = [...stepsOf(lines, ROWS_PER_CHUNK)].map((rows, chunk) =>
    JSON.stringify(
      rows.map(({ cells, line }, index) => {
        const position = chunk * ROWS_PER_CHUNK + index + 1;
        return { position, line, cells, errors: ['Choose the columns first.'] };
      }),
    ),
  );
  const [rowsTotal, rowsRefused] = [lines.length, lines.length];
  return {
    ...{ header, chunks, rowsTotal, rowsRefused },
    ...{ decimalMark: '.', doubt: null, reason: 'count' },
  };
}

function startOf(bytes: Buffer): string {
  return bytes.subarray(0, HEADER_BYTES).toString();
}

function keysOf(checked: CheckedRow): { nameKey?: string; skuKey?: string } {
  if ('errors' in checked) return {};
  const { name, sku } = checked.entry;
  return {
    ...(name === undefined ? {} : { nameKey: matchKey(name) }),
    ...(sku === undefined ? {} : { skuKey: matchKey(sku) }),
  };
}
