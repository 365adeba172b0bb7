// An adjustment's effect on stock: deterministic, without I/O. It changes the locked items. Entries
// apply in order; an invalid entry refuses them all.
import type { Decision } from '../jobs/write-kind.js';
import { type FieldError, Problem } from '../platform/errors.js';
import { fieldError, validationFailed } from '../platform/field-errors.js';
import { fromUnits, toUnits } from '../platform/values/money.js';
import { matchKey } from '../platform/values/text.js';
import { differsInDetails, type ItemChange, itemChange } from './events/item-events.js';
import type { AdjustmentEntry, AdjustmentRequest, NamedItem, Reason } from './schema.js';
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
  /** The items that it creates, or changes other than in stock, as it leaves them. */
  readonly items: readonly ItemChange[];
}

/** The reasons that create unknown items. */
const CREATING_REASONS: ReadonlySet<Reason> = new Set<Reason>(['received', 'count']);
const STOCK_RANGE = 'Stock must stay between -99,999,999,999.9999 and 99,999,999,999.9999.';
/** A movement's delta has the range of the stock. A count can change stock by twice as much. */
const CHANGE_RANGE = 'An entry must change stock by at most 99,999,999,999.9999.';

/**
 * Plans one adjustment and applies it to `stock`; a refused one leaves `stock` unchanged. `newId`
 * generates the id of a created item. Refusals, in this order and each with all its entries:
 * validation_failed (unknown_item, too_large), stock_conflict, insufficient_stock.
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
  const createdIds = new Set<string>();
  const create = () => {
    const id = newId();
    createdIds.add(id);
    return id;
  };
  for (const [index, entry] of request.items.entries()) {
    const item = findOrCreate(companyId, entry, request.reason, draft, create);
    if (!item) {
      invalid.push(unknownItem(index, entry));
      continue;
    }
    const isNew = createdIds.has(item.id);
    const before = item.onHand;
    const after =
      entry.count === undefined ? before + toUnits(entry.delta ?? 0) : toUnits(entry.count);
    const path = ['items', index, entry.count === undefined ? 'delta' : 'count'];
    if (entry.expectedOnHand !== undefined && toUnits(entry.expectedOnHand) !== before)
      conflicts.push(conflict(index, item, before, isNew));
    const isShort = after < 0n && after < before && !allowNegativeStock;
    const delta = after - before;
    if (isOutOfRange(after)) invalid.push(fieldError(path, 'too_large', STOCK_RANGE));
    else if (isOutOfRange(delta)) invalid.push(fieldError(path, 'too_large', CHANGE_RANGE));
    else if (isShort) short.push(shortage(path, item, before - after, before, isNew));
    // After a short entry, assume 0 on hand (or the existing deficit), so that later entries for
    // the item do not report an impossible balance.
    item.onHand = isShort ? (before > 0n ? 0n : before) : after;
    applyDetails(item, entry);
    movements.push({ itemId: item.id, name: item.name, delta, before, after });
  }
  const problem = firstProblem(invalid, conflicts, short);
  if (problem) return { refusal: problem };
  const items = draft.items().flatMap(item => {
    if (createdIds.has(item.id)) return [itemChange('item.created', item)];
    const earlier = stock.byId(companyId, item.id);
    return earlier && differsInDetails(item, earlier) ? [itemChange('item.updated', item)] : [];
  });
  draft.commit();
  return { plan: { movements, items } };
}

/**
 * The errors of the entries whose item neither exists nor is created. Null stands for an entry that
 * names none validly. Adds the items that the entries would create to `stock`.
 */
export function unknownItems(
  companyId: string,
  entries: readonly (NamedItem | null)[],
  reason: Reason,
  stock: Stock,
  newId: () => string,
): FieldError[] {
  return entries.flatMap((entry, index) =>
    entry && !findOrCreate(companyId, entry, reason, stock, newId)
      ? [unknownItem(index, entry)]
      : [],
  );
}

/**
 * The field error of a quantity that exceeds stock, with the numbers that a client needs. A new
 * item, which the refused request would have created, has no id.
 */
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

function isOutOfRange(quantity: bigint): boolean {
  return quantity > MAX_ON_HAND || quantity < -MAX_ON_HAND;
}

/** The entry's item by id, SKU or name, created if the reason allows it; undefined if unknown. */
function findOrCreate(
  companyId: string,
  entry: NamedItem,
  reason: Reason,
  stock: Stock,
  newId: () => string,
): StockItem | undefined {
  if (entry.itemId !== undefined) return stock.byId(companyId, entry.itemId);
  const skuKey = entry.sku === undefined ? null : matchKey(entry.sku);
  const bySku = skuKey === null ? undefined : stock.bySku(companyId, skuKey);
  if (bySku || entry.name === undefined) return bySku;
  const byName = stock.byName(companyId, matchKey(entry.name));
  // A known name with an unknown SKU: the two contradict each other.
  if (byName) return entry.sku === undefined ? byName : undefined;
  if (!CREATING_REASONS.has(reason)) return undefined;
  return stock.add({
    companyId,
    id: newId(),
    sku: entry.sku ?? null,
    skuKey,
    name: entry.name,
    nameKey: matchKey(entry.name),
    onHand: 0n,
  });
}

/** Sets the details that the entry has. */
function applyDetails(item: StockItem, entry: AdjustmentEntry): void {
  const { reorderPoint, unitCost, unitPrice, unit } = entry;
  const present = Object.entries({ reorderPoint, unitCost, unitPrice, unit }).filter(
    (detail): detail is [string, number | string] => detail[1] !== undefined,
  );
  item.details = { ...item.details, ...Object.fromEntries(present) };
}

function unknownItem(index: number, entry: NamedItem): FieldError {
  const field = entry.itemId !== undefined ? 'itemId' : entry.sku !== undefined ? 'sku' : 'name';
  return fieldError(['items', index, field], 'unknown_item', 'There is no such stock item.');
}

function conflict(index: number, item: StockItem, onHand: bigint, isNew: boolean): FieldError {
  return {
    ...fieldError(
      ['items', index, 'expectedOnHand'],
      'stock_conflict',
      `${item.name} has ${fromUnits(onHand)} on hand.`,
    ),
    itemId: isNew ? null : item.id,
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
