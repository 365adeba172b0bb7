// Changes to items that move no stock.
import { inTransaction, queryOne } from '../platform/db/connection.js';
import { Problem } from '../platform/errors.js';
import type { ItemDetails } from './schema.js';
import { countStockChange } from './stock.js';

/**
 * Sets an item's details and tells the summary, which counts what is low and what stock is worth. The item is locked before
 * the company's row, as everywhere. Throws Problem `not_found`.
 */
export async function updateItemDetails(
  companyId: string,
  id: string,
  details: ItemDetails,
): Promise<void> {
  const { reorderPoint, unitCost = null, unitPrice = null, unit = null } = details;
  await inTransaction(async tx => {
    const updated = await queryOne(
      `UPDATE items SET reorder_point = $3, unit_cost = $4, unit_price = $5, unit = $6, updated_at = now()
       WHERE company_id = $1 AND id = $2 RETURNING id`,
      [companyId, id, reorderPoint, unitCost, unitPrice, unit],
      tx,
    );
    if (!updated) throw new Problem('not_found', 'There is no such item.');
    await countStockChange([companyId], tx);
  });
}
