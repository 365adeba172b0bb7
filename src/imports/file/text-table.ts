// The rows of a text file: its encoding and separator, as detected or chosen. Pure.
import { readCsvRows } from '../../platform/values/csv-reader.js';
import { shortened } from '../../platform/values/text.js';
import { decodeText, type Encoding } from './encoding.js';
import { divisionOf } from './separator.js';
import type { FileTable } from './table.js';

export interface TextOptions {
  /** Null: detected from the file. */
  readonly encoding: Encoding | null;
  readonly separator: string | null;
}

/** Characters of the line that shows whether the encoding is right, around its first one. */
const SAMPLE = { before: 30, length: 80 };

/** Throws Problem `validation_failed` at /file if it is not readable. */
export function readTextTable(
  bytes: Uint8Array,
  options: TextOptions,
  limits: { readonly maxRows: number; readonly maxRowLength?: number },
  isKnown: (heading: string) => boolean,
): FileTable {
  const { text, encoding } = decodeText(bytes, options.encoding);
  const division = divisionOf(text, options.separator, isKnown);
  const { separator } = division;
  const rows = readCsvRows(text, { ...division, ...limits });
  return { rows, separator, reading: { encoding, separator, sample: sampleOf(text) } };
}

/** A part of the first line with a character that encodings write differently. */
function sampleOf(text: string): string | null {
  const at = text.search(/[^\0-\x7f]/u);
  if (at < 0) return null;
  const start = Math.max(text.lastIndexOf('\n', at), text.lastIndexOf('\r', at)) + 1;
  const [line = ''] = text.slice(Math.max(start, at - SAMPLE.before)).split(/[\r\n]/u, 1);
  return shortened(line, SAMPLE.length);
}
