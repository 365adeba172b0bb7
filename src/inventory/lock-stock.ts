// Locks the items that requests name, in one statement per batch. The statement resolves names and
// SKUs to ids without a lock, and then locks by id alone. A join that both finds and locks loses
// rows: after waiting for a lock, Postgres evaluates the join again, with one row of each other
// table, and leaves the item out without an error if another way had led to it.
import { query, type Transaction } from '../platform/db/connection.js';
import { ConflictError } from '../platform/postgres-errors.js';
import { toUnits } from '../platform/values/money.js';
import {
  NAMED_COLUMNS,
  type NamedRow,
  namedSql,
  ResolvedNames,
  type StockRef,
} from './names/resolve-names.js';
import { Stock, type StockLevel } from './stock.js';

interface LockedRow extends NamedRow, Omit<StockLevel, 'archived'> {
  readonly sku: string | null;
  readonly skuKey: string | null;
  readonly name: string;
  readonly nameKey: string;
  /** Null if there is no item with this id. */
  readonly archived: boolean | null;
}

/**
 * Locks the items among the refs that exist, and are not archived, until the transaction ends. All
 * callers lock in (company, item) order, so transactions queue up and never deadlock. The names
 * have to be confirmed once the companies are locked, see `confirmNames`. Throws ConflictError if a
 * named item was archived while its lock was waited for.
 */
export async function lockStock(
  refs: readonly StockRef[],
  tx: Transaction,
): Promise<{ stock: Stock; names: ResolvedNames }> {
  const names = new ResolvedNames();
  if (refs.length === 0) return { stock: new Stock(), names };
  const { sql, bind } = namedSql(refs);
  const rows = await query<LockedRow>(
    `WITH named (company_id, id, name_key, sku_key, version) AS MATERIALIZED (${sql}
      ORDER BY 1, 2
     )
     SELECT ${NAMED_COLUMNS},
       i.sku, i.sku_key AS "skuKey", i.name, i.name_key AS "nameKey",
       i.on_hand AS "onHand", i.reorder_point AS "reorderPoint", i.unit_cost AS "unitCost",
       i.archived
     FROM named
     LEFT JOIN LATERAL (
       SELECT *
       FROM items t
       WHERE t.company_id = named.company_id AND t.id = named.id
       FOR NO KEY UPDATE
     ) i ON true`,
    bind,
    tx,
  );
  names.add(rows);
  return { stock: toStock(rows), names };
}

/** An item may have several rows: one for each way in which a ref names it. */
function toStock(rows: readonly LockedRow[]): Stock {
  const stock = new Stock();
  for (const row of rows) {
    const { companyId, id, sku, skuKey, name, nameKey, matchedName, matchedSku, archived } = row;
    if (id === null) continue;
    if (archived !== false) {
      // An id may be unknown. A name was resolved to an item that was in use then.
      if (matchedName === null && matchedSku === null) continue;
      throw new ConflictError('a named item was archived in the meantime');
    }
    if (matchedName !== null && matchedName !== nameKey)
      stock.addFormerName(companyId, matchedName, id);
    if (stock.byId(companyId, id)) continue;
    const { onHand, reorderPoint, unitCost } = row;
    const before = { onHand, reorderPoint, unitCost };
    const item = { companyId, id, sku, skuKey, name, nameKey };
    stock.add({ ...item, onHand: toUnits(onHand), before });
  }
  return stock;
}
