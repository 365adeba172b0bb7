// The columns of an imported file, and the stock entry of each row. Pure.

import type { DecimalMark } from '../../imports/decimals.js';
import {
  type CheckedRow,
  type FileFormat,
  findRepeatedColumn,
  type ReadOptions,
  type RowValues,
  readNumber,
} from '../../imports/file.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { fieldError, invalidField } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { unshielded } from '../../platform/values/csv.js';
import { matchKey, shortened } from '../../platform/values/text.js';
import { type AdjustmentEntry, adjustmentEntry } from '../schema.js';
import { type ChosenColumns, describeColumns, type StockField, stockFieldsOf } from './headings.js';

const NUMBER_FIELDS: ReadonlySet<StockField> = new Set([
  'count',
  'delta',
  'expectedOnHand',
  'reorderPoint',
  'unitCost',
  'unitPrice',
]);

/** Columns that only say which item a row is about. */
const NAMING_FIELDS: ReadonlySet<StockField> = new Set(['name', 'sku', 'expectedOnHand']);
/** Characters of a refused value that its error shows. */
const MAX_VALUE = 40;

/** How to read a file of stock. */
export interface StockReadOptions extends ReadOptions {
  /** Null: by the headings. */
  readonly chosen: ChosenColumns | null;
  readonly allowNegativeStock: boolean;
}

export const FORMAT: FileFormat<StockField, StockReadOptions> = {
  readColumns(header, { chosen }) {
    const problem = findColumnProblem(header, chosen);
    if (problem === null) return stockFieldsOf(header, chosen);
    if (!chosen && canChoose(header)) return null;
    throw invalidField('file', `${problem} ${describeColumns(header)}`);
  },
  isNumber: field => NUMBER_FIELDS.has(field),
  readCell: (cell, field, decimalMark) =>
    NUMBER_FIELDS.has(field) ? readNumber(cell, decimalMark) : unshielded(cell),
  checkRow,
};

/** True if a file has enough columns for an item and a figure. */
function canChoose(header: readonly string[]): boolean {
  return header.filter(heading => heading.trim() !== '').length > 1;
}

/** Why a file with these columns cannot be imported, as a sentence; null if it can. */
export function findColumnProblem(
  header: readonly string[],
  chosen: ChosenColumns | null = null,
): string | null {
  const fields = stockFieldsOf(header, chosen);
  const repeated = findRepeatedColumn(fields);
  if (repeated !== null) return repeated;
  const has = (field: StockField) => fields.includes(field);
  if (!has('name') && !has('sku'))
    return 'The first row must contain column names. A name or sku column is required.';
  if (has('count') && has('delta')) return 'Use a count column or a delta column, not both.';
  if (fields.every(field => field === undefined || NAMING_FIELDS.has(field)))
    return 'The file has no column with stock or details to import.';
  return null;
}

/** A row without a quantity changes no stock: its entry has the delta 0. */
function checkRow(
  values: RowValues<StockField>,
  decimalMark: DecimalMark,
  { allowNegativeStock }: StockReadOptions,
): CheckedRow {
  const body: Partial<Record<StockField, unknown>> = { ...values };
  if (body.count === undefined && body.delta === undefined) {
    body.delta = 0;
    delete body.expectedOnHand;
  }
  try {
    const entry = validateBody<AdjustmentEntry>(adjustmentEntry, body, () => missing(body));
    if (!allowNegativeStock && (entry.count ?? 0) < 0)
      return { errors: [`count “${body.count}”: Must be at least 0.`] };
    return { entry, keys: keysOf(entry) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const fieldErrors = (error.details.errors ?? []).filter(({ pointer }) => pointer !== '');
    return { errors: fieldErrors.map(each => stockErrorText(each, body, decimalMark)) };
  }
}

function keysOf({ name, sku }: AdjustmentEntry): Record<string, string | undefined> {
  return {
    name_key: name === undefined ? undefined : matchKey(name),
    sku_key: sku === undefined ? undefined : matchKey(sku),
  };
}

/** The error of a row without an item. The schema reports it without naming a field. */
function missing({ name, sku }: Partial<Record<StockField, unknown>>): FieldError[] {
  return name === undefined && sku === undefined ? [fieldError(['name'], 'required')] : [];
}

/** A field error as a sentence that starts with its column and the value that it has. */
export function stockErrorText(
  { pointer, code, detail }: FieldError,
  values: Readonly<Record<string, unknown>>,
  decimalMark: DecimalMark = '.',
): string {
  const sentences: Record<string, string> = {
    required: 'Required.',
    wrong_type: `Must be a number such as 1234${decimalMark}5.`,
  };
  const field = pointer.split('/').at(-1) ?? '';
  const value = values[field];
  const shown = value === undefined ? '' : ` “${shortened(String(value), MAX_VALUE)}”`;
  return `${field}${shown}: ${sentences[code] ?? detail}`;
}

/** The reason for refusing a row with an unknown SKU. */
export function unknownSku(hasName: boolean): string {
  return hasName
    ? 'No item has this SKU, but an item with this name has another SKU or none.'
    : 'No item has this SKU. Add a name to create one.';
}
