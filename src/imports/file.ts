// The content of an imported file: its rows, checked one by one and written as JSON for the
// database. It computes for up to seconds, so it runs in a thread (read-thread.ts).
import { invalidField } from '../platform/field-errors.js';
import { type CsvRow, delimiterOf, readCsv } from '../platform/values/csv.js';
import { exactNumber } from '../platform/values/money.js';
import { stepsOf } from '../platform/values/steps.js';
import { type DecimalMark, detectDecimalMark } from './decimals.js';

export const MAX_ROWS = 20_000;
const ROWS_PER_CHUNK = 1_000;
/** The start of a file, which has its header. */
const HEADER_BYTES = 64 * 1024;

/** How to read a file. */
export interface ReadOptions {
  /** Null: detected from the file. */
  readonly decimalMark: DecimalMark | null;
}

/** The column of each cell; undefined for cells that the import ignores. */
export type FileColumns<Column extends string> = readonly (Column | undefined)[];

/** The values of a row by column. An empty cell counts as absent. */
export type RowValues<Column extends string> = Readonly<Partial<Record<Column, unknown>>>;

export type CheckedRow =
  /** The entry to apply, and the keys that find what it is about. */
  | { readonly entry: unknown; readonly keys: Readonly<Record<string, string | undefined>> }
  /** A sentence per error. */
  | { readonly errors: readonly string[] };

/** The columns of a kind of files, and what their cells mean. Pure. */
export interface FileFormat<Column extends string, Options extends ReadOptions> {
  /** Bytes of a row. Default: the limit of `readCsv`. */
  readonly maxRowBytes?: number;
  /**
   * Null if the user has to choose the columns. Throws Problem `validation_failed` at /file if
   * the file is not such a table.
   */
  readColumns(header: readonly string[], options: Options): FileColumns<Column> | null;
  isNumber(column: Column): boolean;
  /** The value of a cell that is not empty. */
  readCell(cell: string, column: Column, decimalMark: DecimalMark): unknown;
  checkRow(values: RowValues<Column>, decimalMark: DecimalMark, options: Options): CheckedRow;
}

/** A readable file. Its rows below the header are either valid or refused. */
export interface ImportedFile {
  readonly header: readonly string[];
  /** Empty if the user has to choose them. */
  readonly columns: FileColumns<string>;
  readonly decimalMark: DecimalMark;
  /** A cell that means different numbers with either separator; null without a doubt. */
  readonly doubt: string | null;
  readonly rowsTotal: number;
  readonly rowsRefused: number;
  /**
   * All rows as JSON arrays of up to ROWS_PER_CHUNK: position, line, cells, entry or errors, and
   * keys.
   */
  readonly chunks: readonly string[];
}

/** Throws Problem `validation_failed` at /file if it is not a readable table of this format. */
export async function readImportedFile<Column extends string, Options extends ReadOptions>(
  format: FileFormat<Column, Options>,
  bytes: Buffer,
  options: Options,
): Promise<ImportedFile> {
  const [first, ...lines] = await readCsv(bytes, MAX_ROWS, format.maxRowBytes);
  if (!first || lines.length === 0) throw invalidField('file', 'The file has no rows.');
  const header = first.cells;
  const columns = format.readColumns(header, options);
  if (columns === null) {
    const unread = { header, columns: [], decimalMark: '.', doubt: null } as const;
    return { ...unread, ...toChunks(lines, () => ({ errors: ['Choose the columns first.'] })) };
  }
  const isNumber = columns.map(column => column !== undefined && format.isNumber(column));
  const { decimalMark, doubt } =
    options.decimalMark === null
      ? detectDecimalMark(numberCells(lines, isNumber), delimiterOf(startOf(bytes)))
      : { decimalMark: options.decimalMark, doubt: null };
  const checked = toChunks(lines, cells =>
    hasMoreCells(cells, columns)
      ? { errors: [MORE_CELLS] }
      : format.checkRow(readValues(format, cells, columns, decimalMark), decimalMark, options),
  );
  return { header, columns, decimalMark, doubt, ...checked };
}

function toChunks(
  lines: readonly CsvRow[],
  check: (cells: readonly string[]) => CheckedRow,
): Pick<ImportedFile, 'rowsTotal' | 'rowsRefused' | 'chunks'> {
  let [position, rowsRefused] = [0, 0];
  const chunks = [...stepsOf(lines, ROWS_PER_CHUNK)].map(step =>
    JSON.stringify(
      step.map(({ cells, line }) => {
        position += 1;
        const checked = check(cells);
        if ('entry' in checked)
          return { position, line, cells, entry: checked.entry, ...checked.keys };
        rowsRefused += 1;
        return { position, line, cells, errors: checked.errors };
      }),
    ),
  );
  return { rowsTotal: lines.length, rowsRefused, chunks };
}

function startOf(bytes: Buffer): string {
  return bytes.subarray(0, HEADER_BYTES).toString();
}

function* numberCells(lines: readonly CsvRow[], isNumber: readonly boolean[]): Generator<string> {
  for (const { cells } of lines)
    for (const [index, isOne] of isNumber.entries()) if (isOne) yield cells[index] ?? '';
}

const MORE_CELLS =
  'This row has more values than columns. A value may contain the separator without quotes.';

function hasMoreCells(cells: readonly string[], columns: FileColumns<string>): boolean {
  return cells.slice(columns.length).some(cell => cell.trim() !== '');
}

function readValues<Column extends string>(
  format: Pick<FileFormat<Column, never>, 'readCell'>,
  cells: readonly string[],
  columns: FileColumns<Column>,
  decimalMark: DecimalMark,
): RowValues<Column> {
  const values: Partial<Record<Column, unknown>> = {};
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (column !== undefined && cell.trim() !== '')
      values[column] = format.readCell(cell, column, decimalMark);
  }
  return values;
}

/** The cell's number, or its text if it is none, which a schema then refuses. */
export function readNumber(cell: string, decimalMark: DecimalMark): number | string {
  const text = cell.trim();
  if (decimalMark === '.') return exactNumber(text) ?? text;
  return text.includes('.') ? text : (exactNumber(text.replace(',', '.')) ?? text);
}

/** A heading without case, spaces and punctuation, to find its column. */
export function headingKey(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The sentence about a column that a header has twice; null if there is none. */
export function findRepeatedColumn(columns: FileColumns<string>): string | null {
  const repeated = columns.find(
    (column, index) => column !== undefined && columns.indexOf(column) !== index,
  );
  return repeated === undefined ? null : `The file has more than one column for ${repeated}.`;
}

/** The headings of the columns that an import ignores. */
export function ignoredHeadings(header: readonly string[], columns: FileColumns<string>): string[] {
  return header.filter((heading, index) => heading.trim() !== '' && columns[index] === undefined);
}
