// The format of files of stock, and the stock entry of each row. Pure.

import { quotedValue } from '../../imports/file/cells.js';
import type { ColumnProblem, FileColumns } from '../../imports/file/columns.js';
import type {
  CheckedRow,
  FileFormat,
  ReadOptions,
  RowValues,
} from '../../imports/file/read-file.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import type { DecimalMark } from '../../platform/values/csv.js';
import { matchKey } from '../../platform/values/text.js';
import { type AdjustmentEntry, adjustmentEntry } from '../schema.js';
import { STOCK_COLUMNS, type StockField } from './headings.js';

/** Columns that only say which item a row is about. */
const NAMING_FIELDS: ReadonlySet<StockField> = new Set(['name', 'sku', 'expectedOnHand']);

/** How to read a file of stock. */
export interface StockReadOptions extends ReadOptions {
  readonly allowNegativeStock: boolean;
}

export const FORMAT: FileFormat<StockField, StockReadOptions> = {
  columns: STOCK_COLUMNS,
  findProblem,
  checkRow,
};

function findProblem(columns: FileColumns<StockField>): ColumnProblem | null {
  const has = (field: StockField) => columns.includes(field);
  if (!has('name') && !has('sku'))
    return {
      file: 'The first row must contain column names. A name or sku column is required.',
      choice: 'Choose the column with the name or the SKU of the items.',
    };
  if (has('count') && has('delta'))
    return {
      file: 'Use a count column or a delta column, not both.',
      choice: 'Choose either the counted stock or the change in stock, not both.',
    };
  if (columns.every(field => field === undefined || NAMING_FIELDS.has(field)))
    return {
      file: 'The file has no column with stock or details to import.',
      choice: 'Choose at least one column with stock, prices or other details.',
    };
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
  const shown = value === undefined ? '' : ` ${quotedValue(value)}`;
  return `${field}${shown}: ${sentences[code] ?? detail}`;
}

/** The reason for refusing a row with an unknown SKU. */
export function unknownSku(hasName: boolean): string {
  return hasName
    ? 'No item has this SKU, but an item with this name has another SKU or none.'
    : 'No item has this SKU. Add a name to create one.';
}
