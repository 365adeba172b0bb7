// An item as pages show it: the API's JSON with its figures as text, its stock and its status.
import { findItem } from '../../inventory/queries.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { getOr404 } from '../kit/page.js';
import { Badge, Quantity } from '../kit/ui/components.js';
import type { Column, ListColumn } from '../kit/ui/list.js';

export interface Item {
  readonly id: string;
  readonly sku: string | null;
  readonly name: string;
  readonly unit: string | null;
  readonly onHand: string;
  readonly reorderPoint: string;
  readonly low: boolean;
  readonly unitCost: string | null;
  readonly unitPrice: string | null;
  readonly archived: boolean;
}

/** Throws Problem `not_found`, even if another company has the item. */
export async function getItem(companyId: string, id: string | undefined): Promise<Item> {
  return parseDecimalJson(await getOr404('item', id, itemId => findItem(companyId, itemId)));
}

export function StockStatus({ item: { onHand, low, archived } }: { item: Item }) {
  if (archived) return <Badge tone="plain">Archived</Badge>;
  if (Number(onHand) <= 0) return <Badge tone="bad">Out of stock</Badge>;
  return low ? <Badge tone="warn">Low stock</Badge> : <Badge tone="plain">In stock</Badge>;
}

/** A quantity with its unit. A short unit never wraps onto the next line. */
export function StockQuantity({ value, unit }: { value: string; unit: string | null }) {
  if (!unit) return <Quantity value={value} />;
  const isShort = unit.length <= SHORT_UNIT;
  return (
    <span class={isShort ? undefined : 'long-quantity'}>
      <Quantity value={value} />
      {isShort ? '\u00a0' : ' '}
      <span class="unit">{unit}</span>
    </span>
  );
}
const SHORT_UNIT = 8;

/** An item's name, with its SKU below it. */
export const ITEM_COLUMN: Column<Pick<Item, 'name' | 'sku'>> = {
  head: 'Item',
  cell: ({ name, sku }) => (
    <>
      {name}
      {sku !== null && <span class="note below">{sku}</span>}
    </>
  ),
};

export const ON_HAND_COLUMN: ListColumn<Pick<Item, 'onHand' | 'unit'>> = {
  head: 'On hand',
  align: 'end',
  phone: 'figure',
  cell: ({ onHand, unit }) => <StockQuantity value={onHand} unit={unit} />,
};

/** Labels of the kinds of movement; all but the first two are also reasons of an adjustment. */
export const MOVEMENT_LABELS: Readonly<Record<string, string>> = {
  sale: 'Sold',
  return: 'Credited',
  received: 'Received',
  returned: 'Returned',
  count: 'Counted',
  correction: 'Corrected',
  damaged: 'Damaged',
  lost: 'Lost',
  theft: 'Stolen',
  transfer: 'Transferred',
  other: 'Other',
};
