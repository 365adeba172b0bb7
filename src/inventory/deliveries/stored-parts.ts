// The columns that only deliveries have. A delivery is an adjustment with the reason "received".
import { matchKey } from '../../platform/values/text.js';
import type { AdjustmentPlan } from '../rules.js';
import type { AdjustmentRequest } from '../schema.js';
import type { Stock, StockItem } from '../stock.js';

interface PlannedDelivery {
  readonly write: { readonly companyId: string; readonly payload: AdjustmentRequest };
  readonly plan: AdjustmentPlan;
}

/** The text that the search reads, and the unit costs of the lines if there is one. */
export function deliveryParts(
  { write: { companyId, payload }, plan }: PlannedDelivery,
  stock: Stock,
) {
  const { reference = '', note = '', supplier = '', items } = payload;
  const found = plan.movements.flatMap(({ itemId }) => stock.byId(companyId, itemId) ?? []);
  const keys = found.flatMap(({ nameKey, skuKey }) => [nameKey, skuKey ?? '']);
  const parts = new Set([...[reference, note, supplier].map(matchKey), ...keys].filter(Boolean));
  const unitCosts = items.map(({ unitCost = null }) => unitCost);
  return {
    deliveryKey: isDelivery(payload, plan, found) ? [...parts].join('\n') : '',
    unitCosts: unitCosts.some(cost => cost !== null) ? unitCosts : undefined,
  };
}

/** Neither new details alone nor the opening stock of a new item is a delivery. */
function isDelivery(
  { items }: AdjustmentRequest,
  { movements }: AdjustmentPlan,
  found: readonly StockItem[],
): boolean {
  const isOpening =
    items.every(({ expectedOnHand }) => expectedOnHand === 0) &&
    found.every(({ before }) => !before);
  return !isOpening && movements.some(({ delta }) => delta !== 0n);
}
