// The column names that an import accepts, and the fields that they stand for. Pure.

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

export type Field = keyof typeof HEADINGS;

const FIELDS: ReadonlyMap<string, Field> = new Map(
  (Object.keys(HEADINGS) as Field[]).flatMap(field =>
    HEADINGS[field].map(heading => [plain(heading), field] as const),
  ),
);
/** Columns named in an error. */
const MAX_DESCRIBED = 20;
const MAX_HEADING = 40;

/** The field of a heading; undefined if the import ignores its column. */
export function fieldOf(heading: string): Field | undefined {
  return FIELDS.get(plain(heading));
}

function plain(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The headings of the columns that an import ignores. */
export function unknownColumns(header: readonly string[]): string[] {
  return header.filter(heading => heading.trim() !== '' && fieldOf(heading) === undefined);
}

/** The columns of a header and what each is understood as, for an error. */
export function describeColumns(header: readonly string[]): string {
  const named = header.filter(heading => heading.trim() !== '');
  const described = named.slice(0, MAX_DESCRIBED).map(heading => {
    const name = shortened(heading.trim(), MAX_HEADING);
    return `“${name}” (${fieldOf(heading) ?? 'not recognized'})`;
  });
  const rest = named.length > MAX_DESCRIBED ? ' and others' : '';
  return `Columns found: ${described.join(', ')}${rest}.`;
}

/** Text of a file to show in a sentence: on one line and of limited length. */
export function shortened(text: string, length: number): string {
  const characters = [...text.replaceAll(/\p{Cc}+/gu, ' ')];
  return characters.length <= length
    ? characters.join('')
    : `${characters.slice(0, length).join('')}…`;
}
