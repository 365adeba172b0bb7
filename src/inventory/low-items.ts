// The items to reorder, the most urgent first.
import { query } from '../platform/db/connection.js';
import { itemJson } from './queries.js';

/** Low items as a JSON array, those with the smallest share of their reorder point first. */
export async function listLowItems(companyId: string, limit: number): Promise<string> {
  const share = `
    CASE
      WHEN i.reorder_point = 0 THEN sign(i.on_hand)
      ELSE i.on_hand / i.reorder_point
    END`;
  const rows = await query<{ body: string }>(
    `SELECT ${itemJson}::text AS body
     FROM items i
     WHERE i.company_id = $1 AND i.low AND NOT i.archived
     ORDER BY ${share}, i.reorder_point = 0, i.name, i.id
     LIMIT $2`,
    [companyId, limit],
  );
  return `[${rows.map(({ body }) => body).join(',')}]`;
}
