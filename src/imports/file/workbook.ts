// The first sheet of an .xlsx workbook as rows of texts. A workbook is a zip archive of XML, so its
// size when unpacked is limited before anything is unpacked. Runs in the thread that reads files.
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import type { Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import type { FileRow, FileTable } from './table.js';
import { isOldWorkbook } from './workbook-marks.js';

/** 20,000 rows of 20 columns take about 25 MB of XML. Reading takes several times as much. */
const MAX_UNPACKED_BYTES = 40 * 1024 * 1024;
/** A workbook has a few parts per sheet. */
const MAX_PARTS = 2_000;
const MAX_CELLS = 2_000_000;
/** The last row of a sheet in Excel. */
const LAST_ROW = 1_048_576;
/** Digits that spreadsheets keep. Longer numbers have lost their last ones. */
const EXACT_BELOW = 1e15;
const PRECISION = 15;

const AGAIN = 'Save it as XLSX without a password, or as CSV, and upload that.';

/**
 * Throws Problem `validation_failed` at /file if the workbook cannot be read, or is too large when
 * it is unpacked.
 */
export async function readWorkbook(bytes: Uint8Array, maxRows: number): Promise<FileTable> {
  if (isOldWorkbook(bytes)) throw refused(`This workbook can’t be read. ${AGAIN}`);
  const parts = unpack(bytes);
  const rows: FileRow[] = [];
  for (const [index, values] of (await readFirstSheet(parts)).entries()) {
    const row = toRow(values, index + 1);
    if (row.cells.every(cell => cell.trim() === '')) continue;
    if (rows.length > maxRows) throw tooLarge(`has more than ${maxRows} rows`);
    rows.push(row);
  }
  return { rows, separator: '\t', reading: { encoding: null, separator: null, sample: null } };
}

/**
 * The XML of the archive. The sizes that it states bound what is unpacked, and those of its parts
 * as they are packed bound what is copied: parts that are not packed may lie about their size and
 * share their bytes.
 */
function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  let [size, parts] = [0, 0];
  try {
    return unzipSync(bytes, {
      filter: ({ name, size: packedSize, originalSize }) => {
        if (!/\.(?:xml|rels)$/u.test(name)) return false;
        size += Math.max(originalSize, packedSize);
        parts += 1;
        if (size > MAX_UNPACKED_BYTES || parts > MAX_PARTS) throw new TooLarge();
        return true;
      },
    });
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge('is too large when it is unpacked') : unreadable();
  }
}

class TooLarge extends Error {}

/** A number as the sheet has it; other values are text, true or false, a date, or empty. */
interface SheetNumber {
  readonly digits: string;
}

async function readFirstSheet(parts: Record<string, Uint8Array>): Promise<unknown[][]> {
  for (const [name, part] of Object.entries(parts)) {
    // A sheet may have any name.
    if (!Buffer.from(part.buffer, part.byteOffset, part.length).includes('sheetData')) continue;
    const xml = strFromU8(part);
    if (!hasOnlyPlaces(xml)) throw unreadable();
    // The reader leaves cells with errors out, so they are made texts.
    parts[name] = strToU8(xml.replaceAll(/(<(?:\w+:)?c\s[^>]*?\bt=)(["'])e\2/gu, '$1$2str$2'));
  }
  const plain = zipSync(parts, { level: 0 });
  try {
    const sheet = await readSheet(plain.buffer as ArrayBuffer, {
      trim: false,
      parseNumber: (digits: string): SheetNumber => ({ digits }),
    });
    const count = sheet.reduce((sum, row) => sum + row.length, 0);
    if (count > MAX_CELLS) throw new TooLarge();
    return sheet;
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge('has too many cells') : unreadable();
  }
}

/**
 * True if each cell and row of a sheet is at a place that a spreadsheet has. The reader fills the
 * gap before any other, and the memory for billions of columns ends the whole process.
 */
function hasOnlyPlaces(xml: string): boolean {
  for (const [, , place = ''] of xml.matchAll(/\br\s*=\s*(["'])(.*?)\1/gsu)) {
    const row = /^[A-Z]{0,3}(\d{1,7})$/u.exec(place)?.[1];
    if (row === undefined || Number(row) > LAST_ROW) return false;
  }
  return true;
}

function toRow(values: readonly unknown[], line: number): FileRow {
  const numbers = new Set<number>();
  const cells = values.map((value, index) => {
    if (typeof value !== 'object' || value === null) return textOf(value);
    if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '');
    numbers.add(index);
    return numberText(value as SheetNumber);
  });
  return { cells, line, numbers };
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

/** A number that has lost digits is written as a spreadsheet shows it, so that it is refused. */
function numberText({ digits }: SheetNumber): string {
  const value = Number(Number(digits).toPrecision(PRECISION));
  if (Math.abs(value) < EXACT_BELOW) return String(value);
  const [mantissa, exponent] = value.toExponential(5).split('e+');
  return `${mantissa}E+${exponent}`;
}

function tooLarge(what: string): Problem {
  return refused(`The workbook ${what}. Split it into smaller files.`);
}

function unreadable(): Problem {
  return refused(`This workbook can’t be read. ${AGAIN}`);
}

function refused(sentence: string): Problem {
  return invalidField('file', sentence);
}
