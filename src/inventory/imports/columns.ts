// The columns of an imported file, and the stock entry of each row. Pure.
import { type FieldError, Problem } from '../../platform/errors.js';
import { fieldError, invalidField } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { exactNumber } from '../../platform/values/money.js';
import { type AdjustmentEntry, adjustmentEntry } from '../schema.js';
import { unshielded } from './csv.js';

/** The accepted headings of each field, in lower case without spaces and punctuation. */
const HEADINGS = {
  name: ['name', 'item', 'itemname', 'product', 'productname'],
  sku: ['sku', 'itemcode', 'code', 'articlenumber'],
  count: ['count', 'onhand', 'stock', 'quantity', 'qty'],
  delta: ['delta', 'change', 'received'],
  reorderPoint: ['reorderpoint', 'reorderat', 'reorderlevel'],
  unitCost: ['unitcost', 'cost'],
  unitPrice: ['unitprice', 'price'],
  unit: ['unit', 'uom'],
} as const;

type Field = keyof typeof HEADINGS;
const NUMBER_FIELDS: ReadonlySet<Field> = new Set([
  'count',
  'delta',
  'reorderPoint',
  'unitCost',
  'unitPrice',
]);

export interface Columns {
  /** The field of each column; undefined for a column that the import ignores. */
  readonly fields: readonly (Field | undefined)[];
  /** `count` if the file has stock levels, `received` if it has changes. */
  readonly reason: 'count' | 'received';
}

/**
 * The decimal separator: 12.5 or 12,5. The user chooses it, since it cannot be guessed: 1.234 may
 * mean one or a thousand.
 */
export type DecimalMark = '.' | ',';

/** Maps a file's header to fields. Throws Problem `validation_failed`. */
export function readColumns(header: readonly string[]): Columns {
  const fields = header.map(fieldOf);
  const repeated = fields.find(
    (field, index) => field !== undefined && fields.indexOf(field) !== index,
  );
  if (repeated) throw invalidField('file', `The file has more than one column for ${repeated}.`);
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

/** The headings of the columns that an import ignores. */
export function unknownColumns(header: readonly string[]): string[] {
  return header.filter(heading => heading.trim() !== '' && fieldOf(heading) === undefined);
}

function fieldOf(heading: string): Field | undefined {
  const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return (Object.keys(HEADINGS) as Field[]).find(field =>
    (HEADINGS[field] as readonly string[]).includes(plain),
  );
}

export type CheckedRow =
  | { readonly entry: AdjustmentEntry }
  | { readonly errors: readonly string[] };

/** The stock entry of a row, or a sentence per error. An empty cell counts as absent. */
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
  for (const [index, field] of fields.entries()) {
    const cell = cells[index] ?? '';
    if (field === undefined || cell.trim() === '') continue;
    body[field] = NUMBER_FIELDS.has(field) ? numberOf(cell, decimalMark) : unshielded(cell);
  }
  try {
    const entry = validateBody<AdjustmentEntry>(adjustmentEntry, body, () => missing(body, reason));
    if (!allowNegativeStock && (entry.count ?? 0) < 0)
      return { errors: ['count: Must be at least 0.'] };
    return { entry };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const fieldErrors = (error.details.errors ?? []).filter(({ pointer }) => pointer !== '');
    return { errors: fieldErrors.map(each => sentenceOf(each, decimalMark)) };
  }
}

/** The errors of absent cells. The schema reports those without naming a field. */
function missing(body: Partial<Record<Field, unknown>>, reason: Columns['reason']): FieldError[] {
  const amount = reason === 'count' ? 'count' : 'delta';
  return [
    ...(body.name === undefined && body.sku === undefined
      ? [fieldError(['name'], 'required')]
      : []),
    ...(body[amount] === undefined ? [fieldError([amount], 'required')] : []),
  ];
}

/** A field error as a sentence that starts with its column. */
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

/** The cell's number, or its text if it is none, which the schema then refuses. */
function numberOf(cell: string, decimalMark: DecimalMark): number | string {
  const text = cell.trim();
  if (decimalMark === '.') return exactNumber(text) ?? text;
  return text.includes('.') ? text : (exactNumber(text.replace(',', '.')) ?? text);
}
