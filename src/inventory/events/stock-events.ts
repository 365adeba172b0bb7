// The events of the stock that a transaction has moved, after those of its writes: the new levels,
// and the items that have run low, run out or recovered.
import type { NewEvents } from '../../feed/append.js';
import type { EventActor, NewEvent } from '../../feed/stubs.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import { stepsOf } from '../../platform/values/steps.js';
import type { Stock, StockItem, StockMovement } from '../stock.js';

/** So that the event is never above the size from which others are partial. */
const LEVELS_PER_EVENT = 150;

/** A write of the transaction. */
interface Write {
  readonly companyId: string;
  readonly createdBy: EventActor | null;
}

/** Adds the events of all companies. `stock` has the planned state of the moved items. */
export function addStockEvents(
  writes: readonly Write[],
  movements: readonly Pick<StockMovement, 'companyId' | 'itemId' | 'after'>[],
  stock: Stock,
  events: NewEvents,
): void {
  const actors = actorsOf(writes);
  for (const [companyId, levels] of levelsOf(movements)) {
    const actor = actors.get(companyId) ?? null;
    for (const step of stepsOf([...levels], LEVELS_PER_EVENT)) {
      const data = step.flatMap(([itemId, after]) => [itemId, Number(fromUnits(after))]);
      events.add(companyId, { type: 'stock.changed', subjectId: '', actor, data });
    }
  }
  for (const item of stock.items()) {
    const alert = stockAlert(item, actors.get(item.companyId) ?? null);
    if (alert) events.add(item.companyId, alert);
  }
}

/** The event of the state that an item is left in; null if it was in the same state before. */
export function stockAlert(item: StockItem, actor: EventActor | null): NewEvent | null {
  const { id, sku, name, onHand, details, before } = item;
  if (!before) return null;
  const set = details?.reorderPoint;
  if (set === undefined && before.onHand === fromUnits(onHand)) return null;
  const reorderPoint = set === undefined ? before.reorderPoint : (set ?? 0);
  const state = stateOf(onHand, toUnits(reorderPoint));
  if (state === stateOf(toUnits(before.onHand), toUnits(before.reorderPoint))) return null;
  return {
    type: `stock.${state}`,
    subjectId: id,
    actor,
    data: {
      itemId: id,
      sku,
      name,
      onHand: Number(fromUnits(onHand)),
      reorderPoint: Number(reorderPoint),
    },
  };
}

function stateOf(onHand: bigint, reorderPoint: bigint): 'out' | 'low' | 'recovered' {
  if (onHand <= 0n) return 'out';
  return onHand <= reorderPoint ? 'low' : 'recovered';
}

/** Each company's new levels by item, in the order of the first movements. */
function levelsOf(movements: readonly Pick<StockMovement, 'companyId' | 'itemId' | 'after'>[]) {
  const levels = new Map<string, Map<string, bigint>>();
  for (const { companyId, itemId, after } of movements) {
    const own = levels.get(companyId);
    if (own) own.set(itemId, after);
    else levels.set(companyId, new Map([[itemId, after]]));
  }
  return levels;
}

/** The actor of each company's writes; null if they have several. */
function actorsOf(writes: readonly Write[]): Map<string, EventActor | null> {
  const actors = new Map<string, EventActor | null>();
  for (const { companyId, createdBy } of writes) {
    const before = actors.get(companyId);
    const isSame = before === undefined || before?.id === createdBy?.id;
    actors.set(companyId, isSame ? createdBy : null);
  }
  return actors;
}
