// Short lists of items for the dashboard: items to reorder, and suggestions for a form.
import { readRows } from '../platform/db/list-reads.js';
import { matchKey } from '../platform/values/text.js';
import { itemContains, itemJson } from './queries.js';

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
  readonly id: string;
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
    `SELECT i.id, i.name, i.sku, i.unit,
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

/**
 * Items whose name contains all words of the text, or whose SKU contains it. The item with this SKU
 * or name comes first, then names that start with the text. Each part is read in the order of an
 * index, so a text that very many items contain costs no more than a rare one.
 */
export async function searchItems(
  companyId: string,
  text: string,
  limit: number,
): Promise<ItemSuggestion[]> {
  const bind: unknown[] = [companyId, matchKey(text), limit];
  const part = (rank: number, condition: string) => `(
    SELECT ${rank} AS rank, i.*
    FROM items i
    WHERE i.company_id = $1 AND NOT i.archived AND ${condition}
    ORDER BY i.name, i.id
    LIMIT $3)`;
  const parts = [
    part(1, 'i.sku_key = $2'),
    part(1, 'i.name_key = $2'),
    part(2, `i.name_key > $2 AND i.name_key < $2 || U&'\\+10FFFF'`),
    part(
      3,
      itemContains(text, value => `$${bind.push(value)}`),
    ),
  ];
  const rows = await readRows<ItemSuggestion>(
    companyId,
    `SELECT i.id, i.name, i.sku, i.unit,
       trim_scale(i.on_hand)::text AS "onHand",
       trim_scale(i.unit_price)::text AS "unitPrice"
     FROM (${parts.join(' UNION ALL ')}) i
     ORDER BY i.rank, i.name, i.id`,
    bind,
  );
  return [...new Map(rows.map(row => [row.id, row])).values()].slice(0, limit);
}
