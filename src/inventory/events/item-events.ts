// The events of items that a plan creates or changes other than in stock. An item has no versions,
// so the event has the whole item as the write left it.
import type { EventActor, NewEvent } from '../../feed/stubs.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import type { StockItem } from '../stock.js';

/** The details of an item as JSON has them. */
interface ItemDetails {
  readonly unit: string | null;
  readonly reorderPoint: number;
  readonly unitCost: number | null;
  readonly unitPrice: number | null;
}

/** An item as a write left it, without the time. */
export interface ItemChange extends ItemDetails {
  readonly type: 'item.created' | 'item.updated';
  readonly id: string;
  readonly sku: string | null;
  readonly name: string;
  readonly onHand: number;
  readonly archived: boolean;
}

interface Detailed {
  readonly details?: StockItem['details'] | undefined;
  readonly before?: StockItem['before'] | undefined;
}

const DETAILS = ['unit', 'reorderPoint', 'unitCost', 'unitPrice'] as const;

/** The item's details with the planned ones. Requires the stored unit and price. */
function detailsOf({ details = {}, before }: Detailed): ItemDetails {
  const {
    unit = null,
    reorderPoint = 0,
    unitCost = null,
    unitPrice = null,
  } = {
    ...before,
    ...details,
  };
  const number = (value: number | string | null) => (value === null ? null : Number(value));
  return {
    unit: unit as string | null,
    reorderPoint: Number(reorderPoint),
    unitCost: number(unitCost),
    unitPrice: number(unitPrice),
  };
}

/** Whether two states of an item differ in a detail. */
export function differsInDetails(one: Detailed, other: Detailed): boolean {
  const [first, second] = [detailsOf(one), detailsOf(other)];
  return DETAILS.some(name => first[name] !== second[name]);
}

/** Whether a stored item gets other details than it has. */
export function hasNewDetails({ details, before }: StockItem): boolean {
  return before !== undefined && differsInDetails({ details, before }, { before });
}

/** The item as it is now in the plan. */
export function itemChange(type: ItemChange['type'], item: StockItem): ItemChange {
  const { id, sku, name, onHand, archived = false } = item;
  return { type, id, sku, name, onHand: Number(fromUnits(onHand)), archived, ...detailsOf(item) };
}

/** The last change of each item. An item that was created is still a new one. */
export function lastChanges(changes: readonly ItemChange[]): ItemChange[] {
  const last = new Map<string, ItemChange>();
  for (const change of changes) {
    const { type = change.type } = last.get(change.id) ?? {};
    last.set(change.id, { ...change, type: type === 'item.created' ? type : change.type });
  }
  return [...last.values()];
}

/** `updatedAt`: RFC 3339, the start of the transaction. The members are in the item's order. */
export function itemEvent(
  change: ItemChange,
  updatedAt: string,
  actor: EventActor | null,
): NewEvent {
  const { type, id, sku, name, unit, onHand, reorderPoint, unitCost, unitPrice, archived } = change;
  const low = toUnits(onHand) <= toUnits(reorderPoint);
  const data = { id, sku, name, unit, onHand, reorderPoint, low, unitCost, unitPrice };
  return { type, subjectId: id, actor, data: { ...data, updatedAt, archived } };
}
