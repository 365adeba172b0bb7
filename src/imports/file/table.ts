// A file as rows of texts, whatever its form.
import type { CsvRow } from '../../platform/values/csv-reader.js';
import type { Encoding } from './encoding.js';

export interface FileRow extends CsvRow {
  /** The indexes of cells that are numbers, with a decimal point. A text file has none. */
  readonly numbers?: ReadonlySet<number>;
}

/** How a file was read, for its preview. */
export interface FileReading {
  /** Null for a workbook. */
  readonly encoding: Encoding | null;
  readonly separator: string | null;
  /** A line that shows whether the encoding is right; null if any encoding reads it alike. */
  readonly sample: string | null;
}

export interface FileTable {
  readonly rows: readonly FileRow[];
  readonly separator: string;
  readonly reading: FileReading;
}
