// What POST /inventory/adjustments and GET /inventory take.
import Joi from 'joi';
import {
  cursor,
  decimal,
  MAX_ITEMS,
  multilineText,
  optional,
  pageSize,
  text,
} from '../platform/http/validate.js';
import { isUuid } from '../platform/values/ids.js';

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

export const MAX_QUANTITY = 1_000_000_000;
const MAX_MONEY = 999_999_999.9999;
const MAX_STOCK = 99_999_999_999.9999;

export interface AdjustmentEntry {
  readonly name?: string;
  readonly sku?: string;
  readonly itemId?: string;
  readonly delta?: number;
  readonly count?: number;
  readonly expectedOnHand?: number;
  readonly reorderPoint?: number;
  readonly unitCost?: number;
  readonly unitPrice?: number;
  readonly unit?: string;
}

export interface AdjustmentRequest {
  readonly reason: Reason;
  readonly reference?: string;
  readonly note?: string;
  readonly items: readonly AdjustmentEntry[];
}

/** One line of an adjustment. */
export const adjustmentEntry = Joi.object({
  name: optional(text(255)).description(
    'The item by name, whatever its case and spacing; the name of an item to be made.',
  ),
  sku: optional(text(64)).description(
    'The item by stock-keeping unit; given to an item to be made.',
  ),
  itemId: optional(
    Joi.string()
      .custom((value: string, helpers) =>
        isUuid(value)
          ? value.toLowerCase()
          : helpers.error('invalid_value', { sentence: 'Must be a UUID.' }),
      )
      .meta({ schema: { type: 'string', format: 'uuid' } }),
  ).description('The item by id, in place of name and sku.'),
  delta: optional(decimal(-MAX_QUANTITY, MAX_QUANTITY)).description(
    'Added to stock; negative takes away.',
  ),
  count: optional(decimal(-MAX_QUANTITY, MAX_QUANTITY)).description(
    'What stock becomes. Below zero only where the company allows negative stock.',
  ),
  expectedOnHand: optional(decimal(-MAX_STOCK, MAX_STOCK)).description(
    'What you believe is on hand. Where it does not hold, all is refused as `stock_conflict`.',
  ),
  reorderPoint: optional(decimal(0, MAX_QUANTITY)).description(
    'Stock at or below this is low. A new item has 0.',
  ),
  unitCost: optional(decimal(0, MAX_MONEY)).description('What one unit costs you.'),
  unitPrice: optional(decimal(0, MAX_MONEY)).description('What you ask for one unit, net.'),
  unit: optional(text(30)).description('What is counted: pc, m, kg, box.'),
})
  .or('name', 'sku', 'itemId')
  .oxor('itemId', 'name')
  .oxor('itemId', 'sku')
  .xor('delta', 'count');

export const adjustmentRequest = Joi.object({
  reason: Joi.string()
    .valid(...REASONS)
    .required()
    .description('Why stock changes. `received` and `count` make items that are not known yet.'),
  reference: optional(text(100)).description('Your own number: a delivery note, a stock-take.'),
  note: optional(multilineText(1000)).description('Anything worth remembering.'),
  items: Joi.array()
    .items(adjustmentEntry)
    .min(1)
    .max(MAX_ITEMS)
    .required()
    .description(
      'Applied in order, all or none. Each names one item, and either `delta` or `count`.',
    ),
}).required();

export interface ItemDetails {
  readonly reorderPoint: number;
  readonly unitCost?: number;
  readonly unitPrice?: number;
  readonly unit?: string;
}

/** What can be changed of an item without moving stock: all of it at once, absent is none. */
export const itemDetails = Joi.object({
  reorderPoint: decimal(0, MAX_QUANTITY).required(),
  unitCost: optional(decimal(0, MAX_MONEY)),
  unitPrice: optional(decimal(0, MAX_MONEY)),
  unit: optional(text(30)),
}).required();

export interface InventoryQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly low: boolean;
  readonly sku?: string;
  readonly name?: string;
}

const LOW: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
]);

export const inventoryQuery = Joi.object({
  limit: pageSize(1000, 1000).description('Items on a page.'),
  cursor: cursor().description('Where the page starts: from the `Link` header of the page before.'),
  low: Joi.string()
    .allow('')
    .custom(
      (value: string, helpers) =>
        LOW.get(value) ??
        helpers.error('invalid_value', { sentence: 'Must be 1, true, 0 or false.' }),
    )
    .empty('')
    .default(false)
    .meta({ schema: { type: 'string', enum: ['1', 'true', '0', 'false', ''] } })
    .description('`1` or `true` gives only items whose stock is at or below their reorder point.'),
  sku: text(64).description('The stock-keeping unit, exactly.'),
  name: text(255).description('The whole name, whatever its case and spacing.'),
});
