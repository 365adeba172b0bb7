// The columns of an imported file, and the stock entry of each row. Pure.

import type { DecimalMark } from '../../imports/decimals.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { fieldError, invalidField } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { unshielded } from '../../platform/values/csv.js';
import { exactNumber } from '../../platform/values/money.js';
import { shortened } from '../../platform/values/text.js';
import { type AdjustmentEntry, adjustmentEntry } from '../schema.js';
import { type ChosenColumns, describeColumns, type Field, fieldsOf } from './headings.js';

const NUMBER_FIELDS: ReadonlySet<Field> = new Set([
  'count',
  'delta',
  'expectedOnHand',
  'reorderPoint',
  'unitCost',
  'unitPrice',
]);

/** Columns that only say which item a row is about. */
const NAMING_FIELDS: ReadonlySet<Field> = new Set(['name', 'sku', 'expectedOnHand']);
/** Characters of a refused value that its error shows. */
const MAX_VALUE = 40;

export interface Columns {
  /** The field of each column; undefined for a column that the import ignores. */
  readonly fields: readonly (Field | undefined)[];
  /** `received` if the file has changes of stock, else `count`. */
  readonly reason: 'count' | 'received';
}

/** Maps a file's header to fields. Throws Problem `validation_failed`. */
export function readColumns(
  header: readonly string[],
  chosen: ChosenColumns | null = null,
): Columns {
  const problem = findColumnProblem(header, chosen);
  if (problem !== null) throw invalidField('file', `${problem} ${describeColumns(header)}`);
  const fields = fieldsOf(header, chosen);
  return { fields, reason: fields.includes('delta') ? 'received' : 'count' };
}

/** Why a file with these columns cannot be imported, as a sentence; null if it can. */
export function findColumnProblem(
  header: readonly string[],
  chosen: ChosenColumns | null = null,
): string | null {
  const fields = fieldsOf(header, chosen);
  const repeated = fields.find(
    (field, index) => field !== undefined && fields.indexOf(field) !== index,
  );
  if (repeated) return `The file has more than one column for ${repeated}.`;
  const has = (field: Field) => fields.includes(field);
  if (!has('name') && !has('sku'))
    return 'The first row must contain column names. A name or sku column is required.';
  if (has('count') && has('delta')) return 'Use a count column or a delta column, not both.';
  if (fields.every(field => field === undefined || NAMING_FIELDS.has(field)))
    return 'The file has no column with stock or details to import.';
  return null;
}

/** The cells that hold numbers, row by row. */
export function* numberCells(
  rows: Iterable<{ readonly cells: readonly string[] }>,
  { fields }: Columns,
): Generator<string> {
  for (const { cells } of rows) {
    for (const [index, field] of fields.entries())
      if (field !== undefined && NUMBER_FIELDS.has(field)) yield cells[index] ?? '';
  }
}

export type CheckedRow =
  | { readonly entry: AdjustmentEntry }
  | { readonly errors: readonly string[] };

/**
 * The stock entry of a row, or a sentence per error. An empty cell counts as absent. A row without
 * a quantity changes no stock: its entry has the delta 0.
 */
export function checkRow(
  cells: readonly string[],
  { fields }: Columns,
  decimalMark: DecimalMark,
  allowNegativeStock: boolean,
): CheckedRow {
  if (cells.slice(fields.length).some(cell => cell.trim() !== '')) {
    return {
      errors: [
        'This row has more values than columns. A value may contain the separator without quotes.',
      ],
    };
  }
  const body: Partial<Record<Field, unknown>> = {};
  for (const [index, field] of fields.entries()) {
    const cell = cells[index] ?? '';
    if (field === undefined || cell.trim() === '') continue;
    body[field] = NUMBER_FIELDS.has(field) ? numberOf(cell, decimalMark) : unshielded(cell);
  }
  if (body.count === undefined && body.delta === undefined) {
    body.delta = 0;
    delete body.expectedOnHand;
  }
  try {
    const entry = validateBody<AdjustmentEntry>(adjustmentEntry, body, () => missing(body));
    if (!allowNegativeStock && (entry.count ?? 0) < 0)
      return { errors: [`count “${body.count}”: Must be at least 0.`] };
    return { entry };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const fieldErrors = (error.details.errors ?? []).filter(({ pointer }) => pointer !== '');
    return { errors: fieldErrors.map(each => sentenceOf(each, body, decimalMark)) };
  }
}

/** The error of a row without an item. The schema reports it without naming a field. */
function missing({ name, sku }: Partial<Record<Field, unknown>>): FieldError[] {
  return name === undefined && sku === undefined ? [fieldError(['name'], 'required')] : [];
}

/** A field error as a sentence that starts with its column and the value that it has. */
export function sentenceOf(
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

/** The cell's number, or its text if it is none, which the schema then refuses. */
function numberOf(cell: string, decimalMark: DecimalMark): number | string {
  const text = cell.trim();
  if (decimalMark === '.') return exactNumber(text) ?? text;
  return text.includes('.') ? text : (exactNumber(text.replace(',', '.')) ?? text);
}
