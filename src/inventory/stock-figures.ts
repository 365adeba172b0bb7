// A company's stock figures for the summary. They are stored in the company's row and maintained by
// difference: a batch has locked its items and knows them before and after.
import { plainArray } from '../platform/db/arrays.js';
import { toUnits } from '../platform/values/money.js';
import type { Stock, StockItem } from './stock.js';

/** The figures of some items, or a difference between two. Archived items count in none. */
interface StockFigures {
  items: number;
  low: number;
  outOfStock: number;
  /** Σ onHand × unitCost, in units of 10^-8. */
  value: bigint;
}

/** How an UPDATE of companies adds the values of `figureValues`, from a row `change`. */
export const ADD_FIGURES = `
  item_count = item_count + change.items,
  low_items = low_items + change.low,
  items_out_of_stock = items_out_of_stock + change.out_of_stock,
  stock_value = stock_value + change.value * 1e-8`;

/**
 * Returns the differences that the planned changes of `stock` make to these companies' figures, as
 * arrays of items, low, out_of_stock and value.
 */
export function figureValues(companyIds: readonly string[], stock: Stock): string[] {
  const changes = companyIds.map(() => ({ items: 0, low: 0, outOfStock: 0, value: 0n }));
  const changeOf = new Map(companyIds.map((id, index) => [id, changes[index] as StockFigures]));
  for (const item of stock.items()) {
    const change = changeOf.get(item.companyId);
    if (change) addDifference(change, item);
  }
  return [
    plainArray(changes.map(({ items }) => items)),
    plainArray(changes.map(({ low }) => low)),
    plainArray(changes.map(({ outOfStock }) => outOfStock)),
    plainArray(changes.map(({ value }) => value)),
  ];
}

function addDifference(change: StockFigures, item: StockItem): void {
  const { onHand, details = {}, before, archived = false } = item;
  const reorderBefore = toUnits(before?.reorderPoint ?? 0);
  const costBefore = toUnits(before?.unitCost ?? 0);
  // A detail that a plan does not set stays as it is; null removes it.
  const { reorderPoint, unitCost } = details;
  const reorderAfter = reorderPoint === undefined ? reorderBefore : toUnits(reorderPoint ?? 0);
  const costAfter = unitCost === undefined ? costBefore : toUnits(unitCost ?? 0);
  if (!archived) add(change, 1, onHand, reorderAfter, costAfter);
  if (before && !before.archived)
    add(change, -1, toUnits(before.onHand), reorderBefore, costBefore);
}

/** Adds one item's figures, or with sign -1 subtracts them. */
function add(
  change: StockFigures,
  sign: 1 | -1,
  onHand: bigint,
  reorderPoint: bigint,
  unitCost: bigint,
): void {
  change.items += sign;
  change.low += sign * Number(onHand <= reorderPoint);
  change.outOfStock += sign * Number(onHand <= 0n);
  change.value += BigInt(sign) * onHand * unitCost;
}
