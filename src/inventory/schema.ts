// Request schemas of POST /inventory/adjustments and GET /inventory.
import Joi from 'joi';
import {
  cursor,
  decimal,
  MAX_ITEMS,
  multilineText,
  optional,
  pageSize,
  text,
} from '../platform/http/input/validate.js';
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

/** One entry of an adjustment. */
export const adjustmentEntry = Joi.object({
  name: optional(text(255)).description(
    'Name of an existing item, ignoring case and spacing, or of a new item.',
  ),
  sku: optional(text(64)).description(
    'Stock-keeping unit of an existing item, or of a new item. Takes precedence over `name`.',
  ),
  itemId: optional(
    Joi.string()
      .custom((value: string, helpers) =>
        isUuid(value)
          ? value.toLowerCase()
          : helpers.error('invalid_value', { sentence: 'Must be a UUID.' }),
      )
      .meta({ schema: { type: 'string', format: 'uuid' } }),
  ).description('Id of an existing item. Replaces `name` and `sku`.'),
  delta: optional(decimal(-MAX_QUANTITY, MAX_QUANTITY)).description(
    'Quantity to add. A negative quantity is removed.',
  ),
  count: optional(decimal(-MAX_QUANTITY, MAX_QUANTITY)).description(
    'New stock level. Below zero only if the company allows negative stock.',
  ),
  expectedOnHand: optional(decimal(-MAX_STOCK, MAX_STOCK)).description(
    'Expected stock before this entry. If it differs, the adjustment fails with `stock_conflict`.',
  ),
  reorderPoint: optional(decimal(0, MAX_QUANTITY)).description(
    'The item is low at or below this quantity. Defaults to 0 for a new item.',
  ),
  unitCost: optional(decimal(0, MAX_MONEY)).description('Cost of one unit.'),
  unitPrice: optional(decimal(0, MAX_MONEY)).description('Sales price of one unit, excluding tax.'),
  unit: optional(text(30)).description('Unit of measure, such as pc, m or kg.'),
})
  .or('name', 'sku', 'itemId')
  .oxor('itemId', 'name')
  .oxor('itemId', 'sku')
  .xor('delta', 'count');

export const adjustmentRequest = Joi.object({
  reason: Joi.string()
    .valid(...REASONS)
    .required()
    .description(
      'Why stock changes. `received` and `count` create unknown items; other reasons refuse them.',
    ),
  reference: optional(text(100)).description('Your own reference, such as a delivery note number.'),
  note: optional(multilineText(1000)).description('Free text.'),
  items: Joi.array()
    .items(adjustmentEntry)
    .min(1)
    .max(MAX_ITEMS)
    .required()
    .description(
      'Applied in order, all or none. Each entry names one item and has either `delta` or `count`.',
    ),
}).required();

export interface ItemDetails {
  readonly reorderPoint: number;
  readonly unitCost?: number;
  readonly unitPrice?: number;
  readonly unit?: string;
}

/** The details that can change without moving stock. All are replaced; an absent one is cleared. */
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
  limit: pageSize(1000, 1000).description('Items per page.'),
  cursor: cursor().description(
    'Start of the page, taken from the `Link` header of the previous page.',
  ),
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
    .description('`1` or `true` lists only items at or below their reorder point.'),
  sku: text(64).description('Exact stock-keeping unit.'),
  name: text(255).description('Full name, ignoring case and spacing.'),
});
