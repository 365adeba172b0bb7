// What the columns of an imported file mean, and what a row of it asks for. Pure.

import { type FieldError, Problem } from '../../platform/errors.js';
import { fieldError, invalidField } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/validate.js';
import { exactNumber } from '../../platform/values/money.js';
import { type AdjustmentEntry, adjustmentEntry } from '../schema.js';
import { unshielded } from './csv.js';

/** The heads that each field goes by, without case, spaces and punctuation. */
const HEADS = {
  name: ['name', 'item', 'itemname', 'product', 'productname'],
  sku: ['sku', 'itemcode', 'code', 'articlenumber'],
  count: ['count', 'onhand', 'stock', 'quantity', 'qty'],
  delta: ['delta', 'change', 'received'],
  reorderPoint: ['reorderpoint', 'reorderat', 'reorderlevel'],
  unitCost: ['unitcost', 'cost'],
  unitPrice: ['unitprice', 'price'],
  unit: ['unit', 'uom'],
} as const;

type Field = keyof typeof HEADS;
const NUMBERS: ReadonlySet<Field> = new Set([
  'count',
  'delta',
  'reorderPoint',
  'unitCost',
  'unitPrice',
]);

export interface Columns {
  /** The field of each column; undefined where it is not ours. */
  readonly fields: readonly (Field | undefined)[];
  /** `count` where the file says what is on hand, `received` where it says what came. */
  readonly reason: 'count' | 'received';
}

/** Whether numbers are written 12.5 or 12,5. Told and not guessed: 1.234 is one thing or a thousand times that. */
export type DecimalMark = '.' | ',';

/** Recognises a file's header. Throws Problem `validation_failed`. */
export function readColumns(header: readonly string[]): Columns {
  const fields = header.map(fieldOf);
  const twice = fields.find((field, at) => field !== undefined && fields.indexOf(field) !== at);
  if (twice) throw invalidField('file', `The file has more than one column for ${twice}.`);
  const has = (field: Field) => fields.includes(field);
  if (!has('name') && !has('sku')) {
    throw invalidField(
      'file',
      'The first row must contain column names. A name or sku column is required.',
    );
  }
  if (has('count') === has('delta')) {
    throw invalidField(
      'file',
      has('count')
        ? 'Use a count column or a delta column, not both.'
        : 'A count column (counted stock) or a delta column (quantity to add) is required.',
    );
  }
  return { fields, reason: has('count') ? 'count' : 'received' };
}

/** The columns of a header that an import passes over. */
export function unknownColumns(header: readonly string[]): string[] {
  return header.filter(head => head.trim() !== '' && fieldOf(head) === undefined);
}

function fieldOf(head: string): Field | undefined {
  const plain = head.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return (Object.keys(HEADS) as Field[]).find(field =>
    (HEADS[field] as readonly string[]).includes(plain),
  );
}

export type CheckedRow =
  | { readonly entry: AdjustmentEntry }
  | { readonly errors: readonly string[] };

/** What a row asks for, or all that is wrong with it in sentences. An empty cell is absent. */
export function checkRow(
  cells: readonly string[],
  columns: Columns,
  decimalMark: DecimalMark,
  allowNegativeStock: boolean,
): CheckedRow {
  const { fields, reason } = columns;
  if (cells.slice(fields.length).some(cell => cell.trim() !== '')) {
    return {
      errors: [
        'This row has more values than columns. A value may contain the separator without quotes.',
      ],
    };
  }
  const body: Partial<Record<Field, unknown>> = {};
  for (const [at, field] of fields.entries()) {
    const cell = cells[at] ?? '';
    if (field === undefined || cell.trim() === '') continue;
    body[field] = NUMBERS.has(field) ? numberOf(cell, decimalMark) : unshielded(cell);
  }
  try {
    const entry = validateBody<AdjustmentEntry>(adjustmentEntry, body, () => missing(body, reason));
    if (!allowNegativeStock && (entry.count ?? 0) < 0)
      return { errors: ['count: Must be at least 0.'] };
    return { entry };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const found = (error.details.errors ?? []).filter(({ pointer }) => pointer !== '');
    return { errors: found.map(one => sentenceOf(one, decimalMark)) };
  }
}

/** What the schema says of the whole entry and of no field. */
function missing(body: Partial<Record<Field, unknown>>, reason: Columns['reason']): FieldError[] {
  const amount = reason === 'count' ? 'count' : 'delta';
  return [
    ...(body.name === undefined && body.sku === undefined
      ? [fieldError(['name'], 'required')]
      : []),
    ...(body[amount] === undefined ? [fieldError([amount], 'required')] : []),
  ];
}

/** The sentence of a refusal, with its column first. */
export function sentenceOf(
  { pointer, code, detail }: FieldError,
  decimalMark: DecimalMark = '.',
): string {
  const sentences: Record<string, string> = {
    required: 'Required.',
    wrong_type: `Must be a number such as 1234${decimalMark}5.`,
  };
  return `${pointer.split('/').at(-1)}: ${sentences[code] ?? detail}`;
}

/** The number, else the text, which no schema takes for one. */
function numberOf(cell: string, decimalMark: DecimalMark): number | string {
  const text = cell.trim();
  if (decimalMark === '.') return exactNumber(text) ?? text;
  return text.includes('.') ? text : (exactNumber(text.replace(',', '.')) ?? text);
}
