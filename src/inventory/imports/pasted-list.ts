// A list that was copied from a spreadsheet: item, quantity and, if known, cost per line. A first
// row with column names may put them in another order. Pure.

import { cellDamage, figureText, quotedValue } from '../../imports/file/cells.js';
import { detectDecimalMark, readNumber } from '../../imports/file/numbers.js';
import { divisionOf } from '../../imports/file/separator.js';
import { Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import type { DecimalMark } from '../../platform/values/csv.js';
import { unmarked } from '../../platform/values/csv.js';
import { type CsvRow, readCsvRows } from '../../platform/values/csv-reader.js';
import { STOCK_COLUMNS, type StockField } from './headings.js';

/** A line as a form would send it: numbers with a decimal point, unless they are none. */
export interface PastedLine {
  /** The item's name or SKU. */
  readonly item: string;
  /** The item's SKU, if the list has a column for each. */
  readonly sku: string | null;
  readonly quantity: string;
  readonly unitCost: string;
}

export interface PasteOptions {
  /** Null: detected from the numbers of the list. */
  readonly decimalMark: DecimalMark | null;
  readonly maxLines: number;
  /** The company's currency, which costs may name. */
  readonly currency: string;
}

interface Columns {
  readonly item: number;
  readonly sku: number | null;
  readonly quantity: number;
  readonly unitCost: number;
}

/** Characters of a value, more than any that is accepted. Reading a longer one would take time. */
const MAX_VALUE = 1_000;

const WITHOUT_HEADER: Columns = { item: 0, sku: null, quantity: 1, unitCost: 2 };

/**
 * Throws Problem `validation_failed` at /pasted if the list cannot be read, a spreadsheet has
 * changed its items, or it has more than `maxLines` lines, and at /decimals if its numbers can be
 * read in two ways.
 */
export function readPastedList(text: string, options: PasteOptions): PastedLine[] {
  const { maxLines, currency } = options;
  const division = divisionOf(text, null, heading => STOCK_COLUMNS.isKnown(heading));
  const rows = parse(text, division, maxLines);
  const long = rows.find(({ cells }) => cells.some(cell => cell.length > MAX_VALUE));
  if (long) throw refused(`Line ${long.line}: a value has more than 1,000 characters.`);
  const header = columnsOf(rows[0]);
  const lines = header === null ? rows : rows.slice(1);
  if (lines.length > maxLines) throw tooLong(maxLines);
  const columns = header ?? WITHOUT_HEADER;
  const decimalMark = options.decimalMark ?? detect(lines, columns, division.separator, currency);
  return lines.map(({ cells, line }) => {
    const text = (index: number | null, column: 'item' | 'sku') => {
      const cell = index === null ? '' : (cells[index] ?? '');
      const damage = cellDamage(cell, column, STOCK_COLUMNS.spec('sku'));
      if (damage !== null) throw refused(`Line ${line}: ${damage}`);
      return unmarked(cell).trim();
    };
    const number = (index: number, own: string | null) => {
      const cell = unmarked(cells[index] ?? '').trim();
      const value = readNumber(cell, { decimalMark, currency: own });
      if (typeof value === 'string' && /^-?[\d.,]+$/u.test(value))
        throw refused(`Line ${line}: ${quotedValue(value)} ${WRONG_MARK[decimalMark]}`);
      return String(value);
    };
    const [name, sku] = [text(columns.item, 'item'), text(columns.sku, 'sku')];
    return {
      item: name === '' ? sku : name,
      sku: sku === '' ? null : sku,
      quantity: number(columns.quantity, null),
      unitCost: number(columns.unitCost, currency),
    };
  });
}

const WRONG_MARK: Readonly<Record<DecimalMark, string>> = {
  '.': 'has no decimal point.',
  ',': 'has no decimal comma.',
};

function parse(text: string, division: { separator: string; start: number }, maxLines: number) {
  try {
    return readCsvRows(text, { ...division, maxRows: maxLines, isRelaxed: true });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw tooLong(maxLines);
  }
}

function tooLong(maxLines: number): Problem {
  const limit = `A delivery has at most ${maxLines} lines, and this list has more.`;
  return refused(`${limit} Split it, or import it as a CSV file with the columns name and delta.`);
}

/** The columns that a first row names; null if it is a line of the list. */
function columnsOf(row: CsvRow | undefined): Columns | null {
  const fields = STOCK_COLUMNS.columnsOf(row?.cells ?? []);
  const at = (...names: StockField[]) => {
    const index = fields.findIndex(field => field !== undefined && names.includes(field));
    return index < 0 ? null : index;
  };
  const [name, sku, quantity] = [at('name'), at('sku'), at('count', 'delta')];
  const item = name ?? sku;
  if (item === null || quantity === null) return null;
  return { item, sku: name === null ? null : sku, quantity, unitCost: at('unitCost') ?? -1 };
}

function detect(
  lines: readonly CsvRow[],
  columns: Columns,
  separator: string,
  currency: string,
): DecimalMark {
  const numbers = lines.flatMap(({ cells }) =>
    [columns.quantity, columns.unitCost].map(index => figureText(cells[index] ?? '')),
  );
  const { decimalMark, doubt } = detectDecimalMark(numbers, separator, currency);
  if (doubt === null) return decimalMark;
  throw invalidField(
    'decimals',
    `“${doubt}” can mean two numbers. Choose how decimals are written.`,
  );
}

function refused(sentence: string): Problem {
  return invalidField('pasted', sentence);
}
