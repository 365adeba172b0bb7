// A list that was copied from a spreadsheet: item, quantity and, if known, cost per line. A first
// row with column names may put them in another order. Pure, except for the parser's stream.

import { type DecimalMark, detectDecimalMark } from '../../imports/decimals.js';
import { Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import { type CsvRow, readCsvRows } from '../../platform/values/csv.js';
import { shortened } from '../../platform/values/text.js';
import { stockFieldsOf } from './headings.js';

/** A line as a form would send it: numbers with a decimal point, unless they are none. */
export interface PastedLine {
  /** The item's name or SKU. */
  readonly item: string;
  /** The item's SKU, if the list has a column for each. */
  readonly sku: string | null;
  readonly quantity: string;
  readonly unitCost: string;
}

interface Columns {
  readonly item: number;
  readonly sku: number | null;
  readonly quantity: number;
  readonly unitCost: number;
}

const WITHOUT_HEADER: Columns = { item: 0, sku: null, quantity: 1, unitCost: 2 };
const MAX_SHOWN = 40;
/** Numbers whose decimal separator is the comma: 1.250 and 1.234.567,89. */
const GROUPED = /^-?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/u;

/**
 * Reads a list with the given decimal separator, or the detected one. Throws Problem
 * `validation_failed` at /pasted if it cannot be read or has more than `maxLines` lines, and at
 * /decimals if its numbers can be read in two ways.
 */
export async function readPastedList(
  text: string,
  decimalMark: DecimalMark | null,
  maxLines: number,
): Promise<PastedLine[]> {
  const delimiter = [...'\t;'].find(mark => text.includes(mark)) ?? ',';
  const rows = await parse(text, delimiter, maxLines);
  const header = columnsOf(rows[0]);
  const lines = header === null ? rows : rows.slice(1);
  if (lines.length > maxLines) throw tooLong(maxLines);
  const columns = header ?? WITHOUT_HEADER;
  const mark = decimalMark ?? detect(lines, columns, delimiter);
  return lines.map(({ cells, line }) => {
    const cell = (index: number | null) => (index === null ? '' : (cells[index] ?? '').trim());
    const number = (index: number) => plainNumber(cell(index), mark, line);
    const [name, sku] = [cell(columns.item), cell(columns.sku)];
    return {
      item: name === '' ? sku : name,
      sku: sku === '' ? null : sku,
      quantity: number(columns.quantity),
      unitCost: number(columns.unitCost),
    };
  });
}

async function parse(text: string, delimiter: string, maxLines: number): Promise<CsvRow[]> {
  try {
    return await readCsvRows(Buffer.from(text), { delimiter, maxRows: maxLines, isRelaxed: true });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [first] = error.details.errors ?? [];
    throw first?.code === 'too_many_items' ? tooLong(maxLines) : refused(first?.detail ?? '');
  }
}

function tooLong(maxLines: number): Problem {
  const limit = `A delivery has at most ${maxLines} lines, and this list has more.`;
  return refused(`${limit} Split it, or import it as a CSV file with the columns name and delta.`);
}

/** The columns that a first row names; null if it is a line of the list. */
function columnsOf(row: CsvRow | undefined): Columns | null {
  const fields = stockFieldsOf(row?.cells ?? []);
  const at = (...names: (typeof fields)[number][]) => {
    const index = fields.findIndex(field => names.includes(field));
    return index < 0 ? null : index;
  };
  const [name, sku, quantity] = [at('name'), at('sku'), at('count', 'delta')];
  const item = name ?? sku;
  if (item === null || quantity === null) return null;
  return { item, sku: name === null ? null : sku, quantity, unitCost: at('unitCost') ?? -1 };
}

function detect(lines: readonly CsvRow[], columns: Columns, delimiter: string): DecimalMark {
  const numbers = lines.flatMap(({ cells }) =>
    [columns.quantity, columns.unitCost].map(index => cells[index] ?? ''),
  );
  const { decimalMark, doubt } = detectDecimalMark(numbers, delimiter);
  if (doubt === null) return decimalMark;
  throw invalidField(
    'decimals',
    `“${doubt}” can mean two numbers. Choose how decimals are written.`,
  );
}

/** The number with a decimal point. Text that is not a number stays as it is, for its own error. */
function plainNumber(text: string, mark: DecimalMark, line: number): string {
  if (mark === '.') return text;
  const plain = GROUPED.test(text) ? text.replaceAll('.', '') : text;
  if (!plain.includes('.') || !/^-?[\d.,]+$/u.test(plain)) return plain.replace(',', '.');
  throw refused(`Line ${line}: “${shortened(text, MAX_SHOWN)}” has no decimal comma.`);
}

function refused(sentence: string): Problem {
  return invalidField('pasted', sentence);
}
