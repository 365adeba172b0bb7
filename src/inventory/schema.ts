// Request schemas of the inventory: adjustments, the list, and changes of an item.
import type Joi from 'joi';
import { recordFilters } from '../api/list-filters.js';
import { onOff } from '../platform/http/input/query.js';
import {
  array,
  object,
  oneOf,
  optional,
  type SchemaOf,
  type Typed,
  typed,
  type ValueOf,
  yesOrNo,
} from '../platform/http/input/typed-schema.js';
import { uuid } from '../platform/http/input/uuid.js';
import {
  codeText,
  cursor,
  decimal,
  MAX_ITEMS,
  multilineText,
  pageSize,
  text,
} from '../platform/http/input/validate.js';

export const REASONS = [
  'received',
  'returned',
  'count',
  'correction',
  'damaged',
  'lost',
  'theft',
  'transfer',
  'other',
] as const;
export type Reason = (typeof REASONS)[number];

export const MAX_ITEM_NAME = 255;
export const MAX_ITEM_SKU = 64;
export const MAX_QUANTITY = 1_000_000_000;
const MAX_MONEY = 999_999_999.9999;
const MAX_STOCK = 99_999_999_999.9999;

/** The delivery that an adjustment corrects, or the other adjustment that it undoes. */
export interface CorrectedAdjustment {
  readonly id: string;
  /** The number of corrections that the entries take into account. */
  readonly after: number;
  /** Reverses all of an adjustment, which is no delivery. */
  readonly undoes?: true;
}

export interface SheetRef {
  readonly id: string;
  readonly version: number;
}

const ITEM_NAMES = {
  name: optional(text(MAX_ITEM_NAME)).description(
    'Name of an existing item, ignoring case and spacing, or of a new item.',
  ),
  sku: optional(codeText(MAX_ITEM_SKU)).description(
    'Stock-keeping unit of an existing item, ignoring case and spacing, or of a new item. If an ' +
      'item has it, the entry is for that item and `name` is ignored. If no item has it but one ' +
      'has the `name`, the two contradict each other: `unknown_item`.',
  ),
  itemId: optional(uuid('To name an item by its SKU, send sku.')).description(
    'Id of an existing item. Replaces `name` and `sku`.',
  ),
};

function namesOneItem<Schema extends Joi.ObjectSchema>(schema: Schema): Schema {
  return schema.or('name', 'sku', 'itemId').oxor('itemId', 'name').oxor('itemId', 'sku');
}

/** How an entry names its item. */
export const namedItem = namesOneItem(object(ITEM_NAMES));
export type NamedItem = ValueOf<typeof namedItem>;

/** One entry of an adjustment. */
export const adjustmentEntry = namesOneItem(
  object({
    ...ITEM_NAMES,
    delta: optional(decimal(-MAX_QUANTITY, MAX_QUANTITY)).description(
      'Quantity to add. A negative quantity is removed.',
    ),
    count: optional(decimal(-MAX_QUANTITY, MAX_QUANTITY)).description(
      'New stock level. Below zero only if the company allows negative stock.',
    ),
    expectedOnHand: optional(decimal(-MAX_STOCK, MAX_STOCK)).description(
      'Expected stock before this entry. If it differs, the adjustment fails with ' +
        '`stock_conflict`.',
    ),
    reorderPoint: optional(decimal(0, MAX_QUANTITY)).description(
      'The item is low at or below this quantity. Defaults to 0 for a new item.',
    ),
    unitCost: optional(decimal(0, MAX_MONEY)).description('Cost of one unit.'),
    unitPrice: optional(decimal(0, MAX_MONEY)).description(
      'Sales price of one unit, excluding tax.',
    ),
    unit: optional(text(30)).description('Unit of measure, such as pc, m or kg.'),
  }),
).xor('delta', 'count');
export type AdjustmentEntry = ValueOf<typeof adjustmentEntry>;

export const adjustmentRequest = object({
  reason: oneOf(...REASONS)
    .required()
    .description(
      'Why stock changes, for the history: `received` from a supplier, `returned` by a customer ' +
        'or to a supplier, `count` for a stock count, `correction` of an error, `damaged`, ' +
        '`lost`, `theft`, `transfer` to or from another location, or `other`. A reason does not ' +
        'decide the direction: the sign of `delta` does, so `received` with a negative `delta` ' +
        'removes stock. `received` and `count` create unknown items; other reasons refuse them.',
    ),
  reference: optional(codeText(100)).description(
    'Your own reference, such as a delivery note number.',
  ),
  note: optional(multilineText(1000)).description('Free text.'),
  items: array(adjustmentEntry)
    .min(1)
    .max(MAX_ITEMS)
    .required()
    .description(
      'Applied in order, all or none. Each entry names one item and has either `delta` or `count`.',
    ),
}).required();
export type AdjustmentRequest = ValueOf<typeof adjustmentRequest> & {
  /** The API's schema has none of these fields. */
  readonly corrects?: CorrectedAdjustment;
  /** The import that it applies rows of, or undoes. */
  readonly importId?: string;
  /** Of a delivery. A correction has those that it changes, an empty supplier for none. */
  readonly supplier?: string;
  readonly arrivedOn?: string;
  /** The count sheet that it books, in the version that was reviewed. */
  readonly countSheet?: SheetRef;
};

/** A JSON Merge Patch (RFC 7396): null removes a value. */
export const itemPatch = object({
  name: text(MAX_ITEM_NAME).description(
    'The former name still matches, until another item takes it.',
  ),
  sku: removable(codeText(MAX_ITEM_SKU)).description('Stock-keeping unit.'),
  unit: removable(text(30)).description('Unit of measure, such as pc, m or kg.'),
  reorderPoint: decimal(0, MAX_QUANTITY).description('The item is low at or below this quantity.'),
  unitCost: removable(decimal(0, MAX_MONEY)).description('Cost of one unit.'),
  unitPrice: removable(decimal(0, MAX_MONEY)).description(
    'Sales price of one unit, excluding tax.',
  ),
  archived: yesOrNo().description(
    '`true` takes an item without stock out of use, `false` restores it.',
  ),
}).required();
export type ItemPatch = ValueOf<typeof itemPatch>;

/** Lets a field of a patch be null, which removes the value. */
function removable<Value>(schema: SchemaOf<Value>): Typed<Value | null> {
  const { metas = [] } = schema.describe() as { metas?: { schema: { type: string } }[] };
  const own = metas.at(-1)?.schema;
  return typed(schema.allow(null).meta({ schema: { ...own, type: [own?.type, 'null'] } }));
}

/** The list that finds an item by its SKU. */
export const BY_SKU = '/inventory?sku=';

/** The largest page of items. */
export const MAX_ITEM_PAGE = 1_000;

export const inventoryQuery = object({
  limit: pageSize(1000, MAX_ITEM_PAGE).description('Items per page.'),
  cursor: cursor(),
  low: onOff().description('`1` or `true` lists only items at or below their reorder point.'),
  archived: onOff().description('`1` or `true` lists the archived items instead of the others.'),
  sku: codeText(MAX_ITEM_SKU).description('Stock-keeping unit, ignoring case and spacing.'),
  name: codeText(255).description('Full name or former name, ignoring case and spacing.'),
  ...recordFilters('Items', 'the name, the SKU'),
});
export type InventoryQuery = ValueOf<typeof inventoryQuery>;
