// Reading an imported file: its rows, checked one by one and written as JSON for the database. It
// computes for up to seconds, so it runs in a thread (read-thread.ts).
import { invalidField } from '../../platform/field-errors.js';
import { type Columns, checkRow, type DecimalMark, readColumns } from './columns.js';
import { readCsv } from './csv.js';

export const MAX_ROWS = 20_000;
const ROWS_PER_CHUNK = 1_000;

/** How to read a file. */
export interface ReadOptions {
  readonly decimalMark: DecimalMark;
  readonly allowNegativeStock: boolean;
}

/** A readable file. Its rows below the header are either valid or refused. */
export interface StockFile extends Pick<Columns, 'reason'> {
  readonly header: readonly string[];
  readonly rowsTotal: number;
  readonly rowsRefused: number;
  /** All rows as JSON arrays of up to ROWS_PER_CHUNK: position, line, cells, entry or errors. */
  readonly chunks: readonly string[];
}

/** Throws Problem `validation_failed` at /file if it is not a readable table of stock. */
export async function readStockFile(bytes: Buffer, options: ReadOptions): Promise<StockFile> {
  const { decimalMark, allowNegativeStock } = options;
  const [header, ...lines] = await readCsv(bytes, MAX_ROWS);
  if (!header || lines.length === 0) throw invalidField('file', 'The file has no rows.');
  const columns = readColumns(header.cells);
  const chunks: string[] = [];
  let rowsRefused = 0;
  for (let start = 0; start < lines.length; start += ROWS_PER_CHUNK) {
    const rows = lines.slice(start, start + ROWS_PER_CHUNK).map(({ cells, line }, index) => {
      const checked = checkRow(cells, columns, decimalMark, allowNegativeStock);
      if ('errors' in checked) rowsRefused += 1;
      return { position: start + index + 1, line, cells, ...checked };
    });
    chunks.push(JSON.stringify(rows));
  }
  const { reason } = columns;
  return { header: header.cells, reason, rowsTotal: lines.length, rowsRefused, chunks };
}
