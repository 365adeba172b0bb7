// The items that an import changed: how they were before, and whether they have changed since.
import { query, type Transaction } from '../../../platform/db/connection.js';
import { ROW_KEY, type RowChange, updateRows } from '../../../platform/db/rows.js';
import { lookUpOne } from '../../../platform/db/sql.js';
import { stepsOf } from '../../../platform/values/steps.js';
import type { StockItem } from '../../stock.js';
import type { StockClaim } from '../claim.js';

/** Items per statement. */
const ITEMS_PER_STEP = 1_000;
/** Changed items that a refusal names. */
const MAX_NAMED = 10;

/**
 * Records the items that a chunk is about to change or create. Requires the company's lock, and
 * runs before the items are written. An item of an earlier chunk has its values from before that
 * chunk, unless something else has changed the item in between.
 */
export async function recordChanges(
  { companyId, id }: StockClaim,
  items: readonly StockItem[],
  tx: Transaction,
): Promise<void> {
  for (const step of stepsOf(items, ITEMS_PER_STEP)) {
    await query(
      `INSERT INTO import_changes AS c (
         company_id, import_id, item_id, created,
         reorder_point, unit_cost, unit_price, unit, changed_at
       )
       SELECT $1, $2, wanted.id, i.id IS NULL,
         i.reorder_point, i.unit_cost, i.unit_price, i.unit, now()
       FROM unnest($3::uuid[]) AS wanted (id)
       LEFT JOIN ${lookUpOne('items', 'i', 'company_id = $1 AND id = wanted.id')} ON true
       ON CONFLICT (company_id, import_id, item_id) DO UPDATE
         SET changed_at = CASE
           WHEN c.changed_at =
             (SELECT updated_at FROM items WHERE company_id = $1 AND id = c.item_id)
             THEN now()
           ELSE '-infinity'
         END`,
      [companyId, id, step.map(item => item.id)],
      tx,
    );
  }
}

/** An item as it is, and its details before the import. Decimals are text. */
export interface ChangedItem {
  readonly id: string;
  readonly sku: string | null;
  readonly skuKey: string | null;
  readonly name: string;
  readonly nameKey: string;
  readonly onHand: string;
  readonly reorderPoint: string;
  readonly unitCost: string | null;
  readonly unitPrice: string | null;
  readonly unit: string | null;
  /** True if the import created the item; the details before it are then null. */
  readonly created: boolean;
  readonly reorderPointBefore: string | null;
  readonly unitCostBefore: string | null;
  readonly unitPriceBefore: string | null;
  readonly unitBefore: string | null;
  readonly hasChanged: boolean;
}

const HAS_CHANGED = 'c.changed_at <> i.updated_at';
/** SQL that joins the item i of a change c. */
const ITEM = lookUpOne('items', 'i', 'company_id = c.company_id AND id = c.item_id');
/** Comes before all other ids. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** All items that the import changed. Requires the company's lock. */
export async function readChangedItems(
  { companyId, id }: StockClaim,
  tx: Transaction,
): Promise<ChangedItem[]> {
  const items: ChangedItem[] = [];
  for (let isLast = false; !isLast; ) {
    const step = await query<ChangedItem>(
      `SELECT i.id, i.sku, i.sku_key AS "skuKey", i.name, i.name_key AS "nameKey",
         i.on_hand AS "onHand", i.reorder_point AS "reorderPoint", i.unit_cost AS "unitCost",
         i.unit_price AS "unitPrice", i.unit,
         c.created, c.reorder_point AS "reorderPointBefore", c.unit_cost AS "unitCostBefore",
         c.unit_price AS "unitPriceBefore", c.unit AS "unitBefore",
         ${HAS_CHANGED} AS "hasChanged"
       FROM (
         SELECT *
         FROM import_changes
         WHERE company_id = $1 AND import_id = $2 AND item_id > $3
         ORDER BY item_id
         LIMIT ${ITEMS_PER_STEP}
       ) c, ${ITEM}
       ORDER BY c.item_id`,
      [companyId, id, items.at(-1)?.id ?? NIL_ID],
      tx,
    );
    items.push(...step);
    isLast = step.length < ITEMS_PER_STEP;
  }
  return items;
}

/** An item that keeps an import from being undone. */
export interface Obstacle {
  readonly itemId: string;
  readonly name: string;
  /** The kind of its last movement, `edited`, `archived`, or `short` for stock below zero. */
  readonly reason: string;
}

/** The first items that have changed since the import, by name. Requires the company's lock. */
export function listObstacles({ companyId, id }: StockClaim, tx: Transaction): Promise<Obstacle[]> {
  return query<Obstacle>(
    `SELECT i.id AS "itemId", i.name,
       CASE WHEN i.archived THEN 'archived' ELSE COALESCE(moved.kind, 'edited') END AS reason
     FROM import_changes c
     JOIN ${ITEM} ON true
     LEFT JOIN LATERAL (
       SELECT last.kind
       FROM (
         SELECT kind, created_at
         FROM movements
         WHERE company_id = i.company_id AND item_id = i.id
         ORDER BY id DESC
         LIMIT 1
       ) last
       WHERE last.created_at = i.updated_at
     ) moved ON true
     WHERE c.company_id = $1 AND c.import_id = $2 AND ${HAS_CHANGED}
     ORDER BY i.name, i.id
     LIMIT ${MAX_NAMED}`,
    [companyId, id],
    tx,
  );
}

const DETAILS: RowChange<ChangedItem & Pick<StockClaim, 'companyId'>> = {
  key: ROW_KEY,
  set: {
    reorder_point: ['numeric', ({ reorderPointBefore }) => reorderPointBefore],
    unit_cost: ['numeric', ({ unitCostBefore }) => unitCostBefore],
    unit_price: ['numeric', ({ unitPriceBefore }) => unitPriceBefore],
    unit: ['text', ({ unitBefore }) => unitBefore],
    updated_at: 'now()',
  },
};

/** Gives existing items the details from before the import. */
export async function restoreDetails(
  { companyId }: StockClaim,
  items: readonly ChangedItem[],
  tx: Transaction,
): Promise<void> {
  for (const step of stepsOf(items, ITEMS_PER_STEP)) {
    const rows = step.map(item => ({ ...item, companyId }));
    await updateRows('items', DETAILS, rows, tx);
  }
}
