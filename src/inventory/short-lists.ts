// Short lists of items for the dashboard: items to reorder, and suggestions for a form.
import { readRows } from '../platform/db/list-reads.js';
import { matchKey } from '../platform/values/text.js';
import { itemJson } from './queries.js';

/** Low items as a JSON array, those with the smallest share of their reorder point first. */
export async function listLowItems(companyId: string, limit: number): Promise<string> {
  const share = `
    CASE
      WHEN i.reorder_point = 0 THEN sign(i.on_hand)
      ELSE i.on_hand / i.reorder_point
    END`;
  const rows = await readRows<{ body: string }>(
    companyId,
    `SELECT ${itemJson}::text AS body
     FROM items i
     WHERE i.company_id = $1 AND i.low AND NOT i.archived
     ORDER BY ${share}, i.reorder_point = 0, i.name, i.id
     LIMIT $2`,
    [companyId, limit],
  );
  return `[${rows.map(({ body }) => body).join(',')}]`;
}

export interface ItemSuggestion {
  readonly name: string;
  readonly sku: string | null;
  readonly unit: string | null;
  /** Decimal text, like unitPrice. */
  readonly onHand: string;
  readonly unitPrice: string | null;
}

/** Items whose name or SKU contains the text; names that start with it come first. */
export async function suggestItems(
  companyId: string,
  text: string,
  limit: number,
): Promise<ItemSuggestion[]> {
  return readRows<ItemSuggestion>(
    companyId,
    `SELECT i.name, i.sku, i.unit,
       trim_scale(i.on_hand)::text AS "onHand",
       trim_scale(i.unit_price)::text AS "unitPrice"
     FROM items i
     WHERE i.company_id = $1 AND NOT i.archived
       AND (strpos(i.name_key, $2) > 0 OR strpos(i.sku_key, $2) > 0)
     ORDER BY starts_with(i.name_key, $2) DESC, i.name, i.id
     LIMIT $3`,
    [companyId, matchKey(text), limit],
  );
}
