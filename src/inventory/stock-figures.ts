// A company's stock figures for the summary. They are stored in the company's row and maintained by
// difference: a batch knows its items before and after.
import { ADD_EVENTS, type EventCount, type NewEvents } from '../feed/append.js';
import type { Transaction } from '../platform/db/connection.js';
import { add, type Columns, type RowChange, updateRows } from '../platform/db/rows.js';
import { toUnits } from '../platform/values/money.js';
import type { Stock, StockItem } from './stock.js';

/** The difference that a batch makes to a company's figures. Archived items count in none. */
export interface FigureChange {
  readonly companyId: string;
  items: number;
  low: number;
  outOfStock: number;
  /** Σ onHand × unitCost, in units of 10^-8. */
  value: bigint;
}

/** The columns of companies to which an UPDATE adds the differences. */
export const ADD_FIGURES: Columns<FigureChange> = {
  item_count: ['bigint', ({ items }) => items, add],
  low_items: ['bigint', ({ low }) => low, add],
  items_out_of_stock: ['bigint', ({ outOfStock }) => outOfStock, add],
  stock_value: [
    'numeric',
    ({ value }) => value,
    (stored, change) => `${stored} + ${change} * 1e-8`,
  ],
};

/** Returns the differences that the planned changes of `stock` make to these companies' figures. */
export function figureChanges(companyIds: readonly string[], stock: Stock): FigureChange[] {
  const changeOf = new Map<string, FigureChange>(
    companyIds.map(companyId => [
      companyId,
      { companyId, items: 0, low: 0, outOfStock: 0, value: 0n },
    ]),
  );
  for (const item of stock.items()) {
    const change = changeOf.get(item.companyId);
    if (change) addDifference(change, item);
  }
  return [...changeOf.values()];
}

interface StockChange extends FigureChange, EventCount {
  readonly isRenamed: boolean;
}

const STOCK_CHANGE: RowChange<StockChange> = {
  key: { id: ['uuid', ({ companyId }) => companyId] },
  set: {
    stock_version: 'stored.stock_version + 1',
    // Workers of the release before resolve names before they lock the company, and compare this.
    names_version: ['int', ({ isRenamed }) => (isRenamed ? 1 : 0), add],
    ...ADD_FIGURES,
    ...ADD_EVENTS,
  },
};

/**
 * Marks the companies' stock as changed, adds the batch's differences to their stock figures and
 * advances the sequences of their events. `renamed` lists the companies in which a name or SKU
 * starts or stops matching an item. Requires the planned stock and the locks of the companies.
 */
export async function countStockChange(
  companyIds: readonly string[],
  stock: Stock,
  renamed: ReadonlySet<string>,
  events: NewEvents,
  tx: Transaction,
): Promise<void> {
  const changes = figureChanges(companyIds, stock).map(change => ({
    ...change,
    isRenamed: renamed.has(change.companyId),
    events: events.count(change.companyId),
  }));
  await updateRows('companies', STOCK_CHANGE, changes, tx);
}

function addDifference(change: FigureChange, item: StockItem): void {
  const { onHand, details = {}, before, archived = false } = item;
  const reorderBefore = toUnits(before?.reorderPoint ?? 0);
  const costBefore = toUnits(before?.unitCost ?? 0);
  // A detail that a plan does not set stays as it is; null removes it.
  const { reorderPoint, unitCost } = details;
  const reorderAfter = reorderPoint === undefined ? reorderBefore : toUnits(reorderPoint ?? 0);
  const costAfter = unitCost === undefined ? costBefore : toUnits(unitCost ?? 0);
  if (!archived) addItem(change, 1, onHand, reorderAfter, costAfter);
  if (before && !before.archived)
    addItem(change, -1, toUnits(before.onHand), reorderBefore, costBefore);
}

/** Adds one item's figures, or with sign -1 subtracts them. */
function addItem(
  change: FigureChange,
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
