// The column names that an import accepts, and the fields that they stand for. Pure.
import { headingKey } from '../../imports/file.js';
import { shortened } from '../../platform/values/text.js';

/** A heading matches in any case, spacing and punctuation. The guide lists these spellings. */
export const HEADINGS = {
  name: ['name', 'item', 'item name', 'product', 'product name'],
  sku: ['sku', 'item code', 'product code', 'code', 'article number', 'part number'],
  count: ['count', 'on hand', 'quantity on hand', 'in stock', 'stock', 'quantity', 'qty'],
  delta: ['delta', 'change', 'received'],
  expectedOnHand: ['expectedOnHand', 'expected on hand'],
  reorderPoint: [
    'reorderPoint',
    'reorder point',
    'reorder at',
    'reorder level',
    'min stock',
    'minimum stock',
  ],
  unitCost: ['unitCost', 'unit cost', 'cost', 'cost price', 'purchase price'],
  unitPrice: ['unitPrice', 'unit price', 'price', 'sales price', 'selling price'],
  unit: ['unit', 'uom'],
} as const;

/** The name in a supplier's list. Next to a column that is called like a name, it is ignored. */
const DESCRIPTIONS = [
  'description',
  'item description',
  'product description',
  'bezeichnung',
  'artikelbezeichnung',
];

export type StockField = keyof typeof HEADINGS;
export const STOCK_FIELD_NAMES = Object.keys(HEADINGS) as StockField[];

/** The number of the column of each field, from 0, as a user chose them. */
export type ChosenColumns = Readonly<Partial<Record<StockField, number>>>;

const FIELDS: ReadonlyMap<string, StockField> = new Map(
  STOCK_FIELD_NAMES.flatMap(field =>
    HEADINGS[field].map(heading => [headingKey(heading), field] as const),
  ),
);
/** Columns named in an error. */
const MAX_DESCRIBED = 20;
const MAX_HEADING = 40;

/** The field of each column, as chosen or by its heading; undefined if the import ignores it. */
export function stockFieldsOf(
  header: readonly string[],
  chosen: ChosenColumns | null = null,
): (StockField | undefined)[] {
  if (chosen) {
    const byColumn = new Map(STOCK_FIELD_NAMES.map(field => [chosen[field], field]));
    return header.map((_, index) => byColumn.get(index));
  }
  const fields = header.map(heading => FIELDS.get(headingKey(heading)));
  if (fields.includes('name')) return fields;
  return fields.map(
    (field, index) => field ?? (isDescription(header[index] ?? '') ? 'name' : undefined),
  );
}

/** True for a heading that stands for the name if no other one does. */
export function isDescription(heading: string): boolean {
  return DESCRIPTION_KEYS.has(headingKey(heading));
}

/** The other spellings of a field, for the guide. */
export function aliasesOf(field: StockField): string[] {
  return [...HEADINGS[field].slice(1), ...(field === 'name' ? DESCRIPTIONS : [])];
}

const DESCRIPTION_KEYS: ReadonlySet<string> = new Set(DESCRIPTIONS.map(headingKey));

/** The columns of a header and what each is understood as, for an error. */
export function describeColumns(header: readonly string[]): string {
  const fields = stockFieldsOf(header);
  const named = header.flatMap((heading, index) =>
    heading.trim() === '' ? [] : [{ heading, field: fields[index] }],
  );
  const described = named.slice(0, MAX_DESCRIBED).map(({ heading, field }) => {
    const name = shortened(heading.trim(), MAX_HEADING);
    return `“${name}” (${field ?? 'not recognized'})`;
  });
  const rest = named.length > MAX_DESCRIBED ? ' and others' : '';
  return `Columns found: ${described.join(', ')}${rest}.`;
}
