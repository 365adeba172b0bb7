// What an adjustment does to stock: pure. Entries apply in order; one that cannot is a refusal of the whole adjustment.

import type { Decision } from '../jobs/write-kind.js';
import { type FieldError, Problem } from '../platform/errors.js';
import { fieldError, validationFailed } from '../platform/field-errors.js';
import { fromUnits, toUnits } from '../platform/values/money.js';
import { matchKey } from '../platform/values/text.js';
import type { AdjustmentEntry, AdjustmentRequest } from './schema.js';
import { MAX_ON_HAND, type Stock, type StockItem } from './stock.js';

export interface PlannedMovement {
  readonly itemId: string;
  readonly name: string;
  readonly delta: bigint;
  readonly before: bigint;
  readonly after: bigint;
}

export interface AdjustmentPlan {
  readonly movements: readonly PlannedMovement[];
}

const CREATES = new Set(['received', 'count']);

/**
 * Plans one adjustment against the stock, which is changed where it is posted and left as it was where it is refused.
 * `newId` gives the id of an item that comes to be. Refusals: validation_failed (unknown_item, too_large),
 * stock_conflict, insufficient_stock; in this order, each with all its entries.
 */
export function planAdjustment(
  companyId: string,
  request: AdjustmentRequest,
  allowNegativeStock: boolean,
  stock: Stock,
  newId: () => string,
): Decision<AdjustmentPlan> {
  const draft = stock.draft();
  const invalid: FieldError[] = [];
  const conflicts: FieldError[] = [];
  const short: FieldError[] = [];
  const movements: PlannedMovement[] = [];
  const made = new Set<string>();
  const makeId = () => {
    const id = newId();
    made.add(id);
    return id;
  };
  for (const [index, entry] of request.items.entries()) {
    const item = findOrMake(companyId, entry, CREATES.has(request.reason), draft, makeId);
    if (!item) {
      invalid.push(unknownItem(index, entry));
      continue;
    }
    const before = item.onHand;
    const after =
      entry.count === undefined ? before + toUnits(entry.delta ?? 0) : toUnits(entry.count);
    const at = ['items', index, entry.count === undefined ? 'delta' : 'count'];
    if (entry.expectedOnHand !== undefined && toUnits(entry.expectedOnHand) !== before)
      conflicts.push(conflict(index, item, before));
    const isShort = after < 0n && after < before && !allowNegativeStock;
    if (after > MAX_ON_HAND || after < -MAX_ON_HAND)
      invalid.push(fieldError(at, 'too_large', 'Stock would exceed what can be held.'));
    else if (isShort) short.push(shortage(at, item, before - after, before, made.has(item.id)));
    // A short entry leaves nothing, or what lacked already: the next one of the item is told of no balance that never was.
    item.onHand = isShort ? (before > 0n ? 0n : before) : after;
    applyDetails(item, entry);
    movements.push({ itemId: item.id, name: item.name, delta: after - before, before, after });
  }
  const problem = firstProblem(invalid, conflicts, short);
  if (problem) return { refusal: problem };
  draft.commit();
  return { plan: { movements } };
}

/** A field error for stock that does not suffice, with the numbers that a client needs; an item yet to be made has no id. */
export function shortage(
  path: (string | number)[],
  item: StockItem,
  requested: bigint,
  available: bigint,
  isNew = false,
): FieldError {
  return {
    ...fieldError(
      path,
      'insufficient_stock',
      `${item.name}: ${fromUnits(requested)} requested, ${fromUnits(available)} available.`,
    ),
    itemId: isNew ? null : item.id,
    requested: Number(fromUnits(requested)),
    available: Number(fromUnits(available)),
  };
}

export function insufficientStock(errors: readonly FieldError[]): Problem {
  return new Problem('insufficient_stock', 'There is not enough stock; nothing was written.', {
    errors,
  });
}

function findOrMake(
  companyId: string,
  entry: AdjustmentEntry,
  creates: boolean,
  stock: Stock,
  newId: () => string,
): StockItem | undefined {
  if (entry.itemId !== undefined) return stock.byId(companyId, entry.itemId);
  const bySku = entry.sku === undefined ? undefined : stock.bySku(companyId, entry.sku);
  if (bySku || entry.name === undefined) return bySku;
  const byName = stock.byName(companyId, matchKey(entry.name));
  // A known name under a sku that nothing has: two statements about one item that cannot both be true.
  if (byName) return entry.sku === undefined ? byName : undefined;
  if (!creates) return undefined;
  return stock.add({
    companyId,
    id: newId(),
    sku: entry.sku ?? null,
    name: entry.name,
    nameKey: matchKey(entry.name),
    onHand: 0n,
    isNew: true,
  });
}

function applyDetails(item: StockItem, entry: AdjustmentEntry): void {
  const { reorderPoint, unitCost, unitPrice, unit } = entry;
  item.details = { ...item.details, ...defined({ reorderPoint, unitCost, unitPrice, unit }) };
}

function defined(
  details: Record<string, number | string | undefined>,
): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(details).filter(
      (pair): pair is [string, number | string] => pair[1] !== undefined,
    ),
  );
}

function unknownItem(index: number, entry: AdjustmentEntry): FieldError {
  const field = entry.itemId !== undefined ? 'itemId' : entry.sku !== undefined ? 'sku' : 'name';
  return fieldError(['items', index, field], 'unknown_item', 'There is no such stock item.');
}

function conflict(index: number, item: StockItem, onHand: bigint): FieldError {
  return {
    ...fieldError(
      ['items', index, 'expectedOnHand'],
      'invalid_value',
      `${item.name} has ${fromUnits(onHand)} on hand.`,
    ),
    itemId: item.id,
    onHand: Number(fromUnits(onHand)),
  };
}

function firstProblem(
  invalid: FieldError[],
  conflicts: FieldError[],
  short: FieldError[],
): Problem | undefined {
  if (invalid.length > 0) return validationFailed(invalid);
  if (conflicts.length > 0)
    return new Problem('stock_conflict', 'Stock is not what was expected; nothing was written.', {
      errors: conflicts,
    });
  return short.length > 0 ? insufficientStock(short) : undefined;
}
