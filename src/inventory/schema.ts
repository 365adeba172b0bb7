// What POST /inventory/adjustments and GET /inventory take.
import Joi from 'joi';
import { decimal, MAX_ITEMS, optional, pageSize, text } from '../platform/http/validate.js';

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

const MAX_QUANTITY = 1_000_000_000;
const MAX_MONEY = 999_999_999.9999;
const UUID_FORM = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

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

const entry = Joi.object({
  name: optional(text(255)),
  sku: optional(text(64)),
  itemId: optional(
    Joi.string()
      .custom((value: string, helpers) =>
        UUID_FORM.test(value) ? value.toLowerCase() : helpers.error('invalid_value'),
      )
      .meta({ schema: { type: 'string', format: 'uuid' } }),
  ),
  delta: optional(decimal(-MAX_QUANTITY, MAX_QUANTITY)),
  count: optional(decimal(-MAX_QUANTITY, MAX_QUANTITY)),
  expectedOnHand: optional(decimal(-99_999_999_999.9999, 99_999_999_999.9999)),
  reorderPoint: optional(decimal(0, MAX_QUANTITY)),
  unitCost: optional(decimal(0, MAX_MONEY)),
  unitPrice: optional(decimal(0, MAX_MONEY)),
  unit: optional(text(30)),
})
  .or('name', 'sku', 'itemId')
  .oxor('itemId', 'name')
  .oxor('itemId', 'sku')
  .xor('delta', 'count');

export const adjustmentRequest = Joi.object({
  reason: Joi.string()
    .valid(...REASONS)
    .required(),
  reference: optional(text(100)),
  note: optional(text(1000)),
  items: Joi.array().items(entry).min(1).max(MAX_ITEMS).required(),
}).required();

export interface InventoryQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly low: boolean;
  readonly sku?: string;
  readonly name?: string;
}

const LOW: Readonly<Record<string, boolean>> = { '': false, '0': false, false: false, '1': true, true: true };

export const inventoryQuery = Joi.object({
  limit: pageSize(1000, 1000),
  cursor: Joi.string()
    .max(1000)
    .meta({ schema: { type: 'string' } }),
  low: Joi.string()
    .allow('')
    .custom(
      (value: string, helpers) => LOW[value] ?? helpers.error('invalid_value', { expected: '1, true, 0 or false' }),
    )
    .empty('')
    .default(false)
    .meta({ schema: { type: 'string', enum: ['1', 'true', '0', 'false', ''] } }),
  sku: text(64),
  name: text(255),
});
