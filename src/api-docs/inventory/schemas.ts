// The JSON Schemas of stock items, their movements and adjustments.
import { REASONS } from '../../inventory/schema.js';
import { MOVEMENT_KINDS } from '../../ledger/item-movements.js';
import {
  choice,
  described,
  flag,
  list,
  number,
  object,
  orNull,
  quantity,
  ref,
  text,
  time,
  uuid,
} from '../../platform/values/json-shape.js';
import { schemasOf } from '../schema-parts.js';

const Item = object({
  id: uuid,
  sku: orNull(text),
  name: text,
  unit: orNull(text),
  onHand: described(number, 'The sum of all movements, at most 4 decimals.'),
  reorderPoint: quantity,
  low: described(flag, '`onHand <= reorderPoint`.'),
  unitCost: orNull(number),
  unitPrice: orNull(number),
  updatedAt: time,
  archived: described(
    flag,
    'Out of use: only in the list of archived items. Lines and entries do not match it.',
  ),
});

const ItemMovement = object({
  id: uuid,
  kind: choice(MOVEMENT_KINDS),
  delta: described(number, 'The quantity added; negative if removed.'),
  onHandAfter: quantity,
  source: object({
    type: choice(['invoice', 'adjustment', 'creditNote']),
    id: uuid,
    number: described(
      orNull(text),
      'The number of the invoice or credit note; null for an adjustment.',
    ),
  }),
  createdAt: time,
});

const Movement = object({
  itemId: uuid,
  name: text,
  delta: described(number, 'The quantity added; negative if removed.'),
  onHandBefore: quantity,
  onHandAfter: quantity,
});

const Adjustment = object({
  id: uuid,
  reason: choice(REASONS),
  reference: orNull(text),
  note: orNull(text),
  createdAt: time,
  movements: described(list(ref('Movement')), 'One per entry, in the order of the request.'),
});

export const inventorySchemas = schemasOf({ Item, Adjustment, Movement, ItemMovement });
