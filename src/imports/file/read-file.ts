// The content of an imported file: its rows, checked one by one and written as JSON for the
// database. It computes for up to seconds, so it runs in a thread (read-thread.ts).

import { invalidField } from '../../platform/field-errors.js';
import type { DecimalMark } from '../../platform/values/csv.js';
import { unmarked } from '../../platform/values/csv.js';
import { stepsOf } from '../../platform/values/steps.js';
import { cellDamage, figureText, isNumberKind, readCell } from './cells.js';
import type { ChosenColumns, ColumnNames, ColumnProblem, FileColumns } from './columns.js';
import { detectDecimalMark } from './numbers.js';
import type { FileReading, FileRow, FileTable } from './table.js';
import { readTextTable, type TextOptions } from './text-table.js';
import { isWorkbook } from './workbook-marks.js';

export const MAX_ROWS = 20_000;
const ROWS_PER_CHUNK = 1_000;
/** The cell that clears a value, in kinds that can. A text that is only a hyphen is written '-. */
const CLEAR = '-';

/** How to read a file. Null: detected from the file. */
export interface ReadOptions extends TextOptions {
  readonly decimalMark: DecimalMark | null;
  /** The columns that a user chose. Null: by the headings. */
  readonly chosen: ChosenColumns | null;
  /** The company's currency, which amounts may name. */
  readonly currency: string;
}

/** The values of a row by column. An empty cell counts as absent, null clears a value. */
export type RowValues<Column extends string> = Readonly<Partial<Record<Column, unknown>>>;

export type CheckedRow =
  /** The entry to apply, and the keys that find what it is about. */
  | { readonly entry: unknown; readonly keys: Readonly<Record<string, string | undefined>> }
  /** A sentence per error. */
  | { readonly errors: readonly string[] };

/** The columns of a kind of files, and what their cells mean. Pure. */
export interface FileFormat<Column extends string, Options extends ReadOptions> {
  /** Characters of a row. Default: the limit of `readCsvRows`. */
  readonly maxRowLength?: number;
  readonly columns: ColumnNames<Column>;
  /** True if a cell with only a hyphen clears its value. */
  readonly canClear?: boolean;
  /** Why a file with these columns cannot be imported; null if it can. */
  findProblem(columns: FileColumns<Column>): ColumnProblem | null;
  checkRow(values: RowValues<Column>, decimalMark: DecimalMark, options: Options): CheckedRow;
}

/** A readable file. Its rows below the header are either valid or refused. */
export interface ImportedFile {
  readonly header: readonly string[];
  /** Empty if the user has to choose them. */
  readonly columns: FileColumns;
  readonly reading: FileReading;
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
  const table = await readTable(format, bytes, options);
  const { reading } = table;
  const [first, ...lines] = table.rows;
  if (!first || lines.length === 0) throw invalidField('file', 'The file has no rows.');
  if (first.problem) throw invalidField('file', `Line ${first.line}: ${first.problem}`);
  const header = first.cells;
  const columns = readColumns(format, header, options);
  if (columns === null) {
    const unread = { header, reading, columns: [], decimalMark: '.', doubt: null } as const;
    return { ...unread, ...toChunks(lines, () => ({ errors: ['Choose the columns first.'] })) };
  }
  const { decimalMark, doubt } =
    options.decimalMark === null
      ? detectMark(format, columns, table, options)
      : { decimalMark: options.decimalMark, doubt: null };
  const check = (row: FileRow): CheckedRow => {
    const { values, errors } = readValues(format, row, columns, decimalMark, options);
    return errors.length > 0 ? { errors } : format.checkRow(values, decimalMark, options);
  };
  return { header, reading, columns, decimalMark, doubt, ...toChunks(lines, check) };
}

async function readTable<Column extends string, Options extends ReadOptions>(
  { columns, maxRowLength }: FileFormat<Column, Options>,
  bytes: Buffer,
  options: Options,
): Promise<FileTable> {
  if (isWorkbook(bytes)) {
    // Most files are text, and every thread would load this module again.
    const { readWorkbook } = await import('./workbook.js');
    return readWorkbook(bytes, MAX_ROWS);
  }
  const limits = { maxRows: MAX_ROWS, ...(maxRowLength === undefined ? {} : { maxRowLength }) };
  return readTextTable(bytes, options, limits, heading => columns.isKnown(heading));
}

/**
 * The columns of a file; null if the user has to choose them. Throws Problem `validation_failed` at
 * /file if there is nothing to choose.
 */
function readColumns<Column extends string, Options extends ReadOptions>(
  format: FileFormat<Column, Options>,
  header: readonly string[],
  { chosen }: Options,
): FileColumns<Column> | null {
  const columns = format.columns.columnsOf(header, chosen);
  const problem = findColumnProblem(format, columns);
  if (problem === null) return columns;
  const canChoose = header.filter(heading => heading.trim() !== '').length > 1;
  if (!chosen && canChoose) return null;
  throw invalidField('file', `${problem.file} ${format.columns.describe(header)}`);
}

export function findColumnProblem<Column extends string>(
  format: FileFormat<Column, never>,
  columns: FileColumns<Column>,
): ColumnProblem | null {
  return format.columns.findRepeated(columns) ?? format.findProblem(columns);
}

function detectMark<Column extends string>(
  format: FileFormat<Column, never>,
  columns: FileColumns<Column>,
  { rows, separator }: FileTable,
  { currency }: ReadOptions,
) {
  const isNumber = columns.map(
    column => column !== undefined && isNumberKind(format.columns.spec(column).kind),
  );
  return detectDecimalMark(numberCells(rows.slice(1), isNumber), separator, currency);
}

function* numberCells(rows: readonly FileRow[], isNumber: readonly boolean[]): Generator<string> {
  for (const { cells, numbers } of rows)
    for (const [index, isOne] of isNumber.entries())
      if (isOne && !numbers?.has(index)) yield figureText(cells[index] ?? '');
}

function toChunks(
  lines: readonly FileRow[],
  check: (row: FileRow) => CheckedRow,
): Pick<ImportedFile, 'rowsTotal' | 'rowsRefused' | 'chunks'> {
  let [position, rowsRefused] = [0, 0];
  const chunks = [...stepsOf(lines, ROWS_PER_CHUNK)].map(step =>
    JSON.stringify(
      step.map(row => {
        const { cells, line, problem } = row;
        position += 1;
        const checked = problem === undefined ? check(row) : { errors: [problem] };
        if ('entry' in checked)
          return { position, line, cells, entry: checked.entry, ...checked.keys };
        rowsRefused += 1;
        return { position, line, cells, errors: checked.errors };
      }),
    ),
  );
  return { rowsTotal: lines.length, rowsRefused, chunks };
}

const MORE_CELLS =
  'This row has more values than columns. A value may contain the separator without quotes.';
const NO_VALUES: RowValues<never> = {};

function readValues<Column extends string>(
  { columns: specs, canClear }: FileFormat<Column, never>,
  { cells, numbers }: FileRow,
  columns: FileColumns<Column>,
  decimalMark: DecimalMark,
  { currency }: ReadOptions,
): { readonly values: RowValues<Column>; readonly errors: readonly string[] } {
  if (cells.slice(columns.length).some(cell => cell.trim() !== ''))
    return { values: NO_VALUES, errors: [MORE_CELLS] };
  const values: Partial<Record<Column, unknown>> = {};
  const errors: string[] = [];
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (column === undefined || unmarked(cell).trim() === '') continue;
    const spec = specs.spec(column);
    const damage = cellDamage(cell, column, spec);
    if (damage !== null) errors.push(damage);
    const style = { decimalMark: numbers?.has(index) ? ('.' as const) : decimalMark, currency };
    values[column] = canClear && cell.trim() === CLEAR ? null : readCell(cell, spec, style);
  }
  return { values, errors };
}
