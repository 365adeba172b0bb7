// Locks the items that requests name, in one statement per batch.
import { plainArray, textArray } from '../platform/db/arrays.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { toUnits } from '../platform/values/money.js';
import { Stock, type StockLevel } from './stock.js';

/** An item that a request may touch, by id, sku or folded name. */
export interface StockRef {
  readonly companyId: string;
  readonly nameKey?: string;
  readonly sku?: string;
  readonly id?: string;
}

/**
 * The ways in which refs name items. Each selects the items' ids, and for a name the key that
 * matched, from a list `wanted` of companies and values.
 */
const SOURCES = [
  {
    field: 'nameKey',
    type: 'text',
    sql: (wanted: string) => `
      SELECT company_id, k.item_id AS id, name_key
      FROM item_keys k JOIN ${wanted} (company_id, name_key) USING (company_id, name_key)
      WHERE NOT k.archived`,
  },
  {
    field: 'sku',
    type: 'text',
    sql: (wanted: string) => `
      SELECT company_id, named.id, NULL
      FROM items named JOIN ${wanted} (company_id, sku) USING (company_id, sku)
      WHERE NOT named.archived`,
  },
  {
    field: 'id',
    type: 'uuid',
    sql: (wanted: string) => `SELECT company_id, id, NULL FROM ${wanted} (company_id, id)`,
  },
] as const;

interface LockedRow extends StockLevel {
  readonly companyId: string;
  readonly id: string;
  readonly sku: string | null;
  readonly name: string;
  readonly nameKey: string;
  /** The key by which a ref named the item; null if it did so by SKU or id. */
  readonly matchedKey: string | null;
}

/**
 * Locks the items among the refs that exist, and are not archived, until the transaction ends. All
 * callers lock in (company, item) order, so transactions queue up and never deadlock.
 */
export async function lockStock(refs: readonly StockRef[], tx: Transaction): Promise<Stock> {
  const bind: unknown[] = [];
  const sources = SOURCES.flatMap(({ field, type, sql }) => {
    const named = new Map(
      refs.flatMap(ref =>
        ref[field] === undefined ? [] : [[`${ref.companyId} ${ref[field]}`, ref]],
      ),
    );
    if (named.size === 0) return [];
    const wanted = [...named.values()];
    const companies = `$${bind.push(plainArray(wanted.map(({ companyId }) => companyId)))}::uuid[]`;
    const values = `$${bind.push(textArray(wanted.map(ref => ref[field])))}::${type}[]`;
    return [{ field, wanted: `unnest(${companies}, ${values}) AS wanted`, sql }];
  });
  if (sources.length === 0) return new Stock();
  const [only] = sources;
  // If all are SKUs, each row is looked up once, by that index.
  const locked =
    sources.length === 1 && only?.field === 'sku'
      ? `(SELECT NULL AS name_key) named, items i JOIN ${only.wanted} (company_id, sku)
           USING (company_id, sku)`
      : `(${sources.map(({ wanted, sql }) => sql(wanted)).join(' UNION ALL ')})
           AS named (company_id, id, name_key)
         JOIN items i USING (company_id, id)`;
  const rows = await query<LockedRow>(
    `SELECT company_id AS "companyId", i.id,
       i.sku, i.name, i.name_key AS "nameKey", named.name_key AS "matchedKey",
       i.on_hand AS "onHand", i.reorder_point AS "reorderPoint", i.unit_cost AS "unitCost"
     FROM ${locked}
     WHERE NOT i.archived
     ORDER BY company_id, i.id
     FOR NO KEY UPDATE OF i`,
    bind,
    tx,
  );
  return toStock(rows);
}

/** An item may have several rows: one for each way in which a ref names it. */
function toStock(rows: readonly LockedRow[]): Stock {
  const stock = new Stock();
  for (const { onHand, reorderPoint, unitCost, matchedKey, ...item } of rows) {
    const { companyId, id, nameKey } = item;
    if (matchedKey !== null && matchedKey !== nameKey)
      stock.addFormerName(companyId, matchedKey, id);
    if (stock.byId(companyId, id)) continue;
    const before = { onHand, reorderPoint, unitCost };
    stock.add({ ...item, onHand: toUnits(onHand), before });
  }
  return stock;
}
