// Item changes that do not move stock.
import { inTransaction, query } from '../platform/db/connection.js';
import { Problem } from '../platform/errors.js';
import type { ItemDetails } from './schema.js';
import { countStockChange, lockStock } from './stock.js';

/**
 * Replaces an item's details and marks the company's summary as stale, because it shows low stock
 * and stock value. Locks the item before the company row, like every write. Throws Problem
 * `not_found`.
 */
export async function updateItemDetails(
  companyId: string,
  id: string,
  details: ItemDetails,
): Promise<void> {
  const { reorderPoint, unitCost = null, unitPrice = null, unit = null } = details;
  await inTransaction(async tx => {
    const stock = await lockStock([{ companyId, id }], tx);
    const item = stock.byId(companyId, id);
    if (!item) throw new Problem('not_found', 'There is no such item.');
    item.details = { reorderPoint, unitCost, unitPrice, unit };
    await query(
      `UPDATE items
       SET reorder_point = $3, unit_cost = $4, unit_price = $5, unit = $6, updated_at = now()
       WHERE company_id = $1 AND id = $2`,
      [companyId, id, reorderPoint, unitCost, unitPrice, unit],
      tx,
    );
    await countStockChange([companyId], stock, tx);
  });
}
