// Finds the items that texts name, as entries do: by SKU, or by name or former name.
import { query, queryOne } from '../../platform/db/connection.js';
import { matchKey } from '../../platform/values/text.js';

export interface MatchedItem {
  readonly id: string;
  readonly name: string;
  readonly sku: string | null;
  readonly unit: string | null;
  /** Decimal text, like unitCost and unitPrice. */
  readonly onHand: string;
  readonly unitCost: string | null;
  readonly unitPrice: string | null;
}

const COLUMNS = `
  i.id, i.name, i.sku, i.unit,
  trim_scale(i.on_hand)::text AS "onHand",
  trim_scale(i.unit_cost)::text AS "unitCost",
  trim_scale(i.unit_price)::text AS "unitPrice"`;

/**
 * The item that each text names, in the order of the texts; null where there is none. If a text is
 * the SKU of one item and the name of another, `first` decides: entries look for a SKU first, and
 * lines of invoices for a name.
 */
export async function matchItems(
  companyId: string,
  texts: readonly string[],
  first: 'sku' | 'name' = 'sku',
): Promise<(MatchedItem | null)[]> {
  const id =
    first === 'sku' ? 'COALESCE(by_sku.id, named.item_id)' : 'COALESCE(named.item_id, by_sku.id)';
  const rows = await query<MatchedItem & { position: number }>(
    `SELECT wanted.position::int, ${COLUMNS}
     FROM unnest($2::text[]) WITH ORDINALITY AS wanted (key, position)
     LEFT JOIN items by_sku
       ON by_sku.company_id = $1 AND by_sku.sku_key = wanted.key AND NOT by_sku.archived
     LEFT JOIN item_keys named
       ON named.company_id = $1 AND named.name_key = wanted.key AND NOT named.archived
     JOIN items i
       ON i.company_id = $1 AND i.id = ${id}`,
    [companyId, texts.map(matchKey)],
  );
  const byPosition = new Map(rows.map(({ position, ...item }) => [position, item]));
  return texts.map((_, index) => byPosition.get(index + 1) ?? null);
}

/** The names of items by their ids, including archived ones. */
export async function findItemNames(
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; name: string }>(
    'SELECT id, name FROM items WHERE company_id = $1 AND id = ANY($2::uuid[])',
    [companyId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The units of the lines' items, as they are today, by the id of the item. */
export async function findUnits(
  companyId: string,
  lines: readonly { readonly itemId?: string | null }[],
): Promise<Map<string, string>> {
  const ids = [...new Set(lines.flatMap(({ itemId }) => itemId ?? []))];
  const rows = await query<{ id: string; unit: string }>(
    `SELECT id, unit FROM items
     WHERE company_id = $1 AND id = ANY($2::uuid[]) AND unit IS NOT NULL`,
    [companyId, ids],
  );
  return new Map(rows.map(({ id, unit }) => [id, unit]));
}

/** The item with this SKU, or else with this name, and which of the two matched; null if none. */
export async function findItemNamed(
  companyId: string,
  name: string,
  sku: string | undefined,
): Promise<{ id: string; by: 'sku' | 'name' } | null> {
  return queryOne(
    `SELECT id, 'sku' AS by
     FROM items
     WHERE company_id = $1 AND sku_key = $3 AND NOT archived
     UNION ALL
     SELECT item_id, 'name'
     FROM item_keys
     WHERE company_id = $1 AND name_key = $2 AND NOT archived
     LIMIT 1`,
    [companyId, matchKey(name), sku === undefined ? null : matchKey(sku)],
  );
}
