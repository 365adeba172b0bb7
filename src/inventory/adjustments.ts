// Writing adjustments that are planned: items, adjustments, movements, in the transaction that locked the stock.
import type { Posting } from '../jobs/write-kind.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { failPoint } from '../platform/process/fail-point.js';
import { fromUnits } from '../platform/values/money.js';
import { matchKey } from '../platform/values/text.js';
import { adjustmentJson, movementJson } from './queries.js';
import type { AdjustmentPlan } from './rules.js';
import type { AdjustmentEntry, AdjustmentRequest } from './schema.js';
import {
  countStockChange,
  recordMovements,
  type Stock,
  type StockItem,
  type StockRef,
} from './stock.js';

export type PlannedAdjustment = {
  readonly posting: Posting<AdjustmentRequest>;
  readonly plan: AdjustmentPlan;
};

/** Which items the entries may touch, for `lockStock`. */
export function stockRefs(companyId: string, entries: readonly AdjustmentEntry[]): StockRef[] {
  return entries.flatMap(({ name, sku, itemId }) => [
    ...(name === undefined ? [] : [{ companyId, nameKey: matchKey(name) }]),
    ...(sku === undefined ? [] : [{ companyId, sku }]),
    ...(itemId === undefined ? [] : [{ companyId, id: itemId }]),
  ]);
}

/** Those of the companies that let stock go below zero. */
export async function negativeStockAllowed(
  companyIds: readonly string[],
  tx: Transaction,
): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    'SELECT id FROM companies WHERE id = ANY($1::uuid[]) AND allow_negative_stock',
    [companyIds],
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}

/** What is violated where another transaction made the same item or adjustment meanwhile: doing it again helps. */
export const ADJUSTMENT_RACES: readonly string[] = [
  'items_name_unique',
  'items_sku_unique',
  'adjustments_submission_unique',
];

/**
 * Writes adjustments as they were planned on this stock, and returns their JSON texts by id; see ADJUSTMENT_RACES. The
 * company row is the last lock.
 */
export async function writeAdjustments(
  posted: readonly PlannedAdjustment[],
  stock: Stock,
  tx: Transaction,
): Promise<Map<string, string>> {
  const touched = new Map<string, StockItem>();
  for (const { posting, plan } of posted) {
    for (const { itemId } of plan.movements) {
      const item = stock.byId(posting.companyId, itemId);
      if (item) touched.set(item.id, item);
    }
  }
  const movements = posted.flatMap(({ posting, plan }) =>
    plan.movements.map(({ itemId, delta, after }) => ({
      ...{ companyId: posting.companyId, itemId, delta, after },
      ...{ kind: posting.payload.reason, adjustmentId: posting.resultId },
    })),
  );
  const items = [...touched.values()];
  const [bodies] = await Promise.all([
    insertAdjustments(posted, tx),
    insertItems(items, tx),
    updateDetails(items, tx),
    recordMovements(movements, tx),
    countStockChange(
      posted.map(({ posting }) => posting.companyId),
      tx,
    ),
  ]);
  return bodies;
}

/** The items that came to be. */
async function insertItems(items: readonly StockItem[], tx: Transaction): Promise<void> {
  const created = items.filter(({ isNew }) => isNew);
  if (created.length === 0) return;
  await query(
    `INSERT INTO items (company_id, id, sku, name, name_key)
     SELECT "companyId", id, sku, name, "nameKey"
     FROM json_to_recordset($1) AS n ("companyId" uuid, id uuid, sku text, name text, "nameKey" text)
     ORDER BY "companyId", "nameKey"`,
    [JSON.stringify(created, (key, value) => (key === 'onHand' ? undefined : value))],
    tx,
  );
}

async function updateDetails(items: readonly StockItem[], tx: Transaction): Promise<void> {
  const changed = items.filter(({ details = {} }) => Object.keys(details).length > 0);
  if (changed.length === 0) return;
  await query(
    `UPDATE items i SET reorder_point = COALESCE(d."reorderPoint", reorder_point), unit_cost = COALESCE(d."unitCost", unit_cost),
       unit_price = COALESCE(d."unitPrice", unit_price), unit = COALESCE(d.unit, i.unit), updated_at = now()
     FROM json_to_recordset($1) AS d ("companyId" uuid, id uuid, "reorderPoint" numeric, "unitCost" numeric, "unitPrice" numeric, unit text)
     WHERE i.company_id = d."companyId" AND i.id = d.id`,
    [JSON.stringify(changed.map(({ companyId, id, details }) => ({ companyId, id, ...details })))],
    tx,
  );
}

async function insertAdjustments(
  posted: readonly PlannedAdjustment[],
  tx: Transaction,
): Promise<Map<string, string>> {
  if (posted.length === 0) return new Map();
  const rows = posted.map(({ posting, plan }) => ({
    companyId: posting.companyId,
    id: posting.resultId,
    submissionId: posting.submissionId,
    reason: posting.payload.reason,
    reference: posting.payload.reference,
    note: posting.payload.note,
    movements: plan.movements.map(({ itemId, name, delta, before, after }) => ({
      itemId,
      name,
      delta: fromUnits(delta),
      before: fromUnits(before),
      after: fromUnits(after),
    })),
  }));
  const inserted = await query<{ id: string; body: string }>(
    `INSERT INTO adjustments AS a (company_id, id, submission_id, reason, reference, note, movements, created_at)
     SELECT "companyId", id, "submissionId", reason, reference, note,
       (SELECT ('[' || string_agg(${movementJson}, ',' ORDER BY m.position) || ']')::json
        FROM ROWS FROM (json_to_recordset(n.movements) AS ("itemId" uuid, name text, delta numeric, before numeric, after numeric))
          WITH ORDINALITY AS m ("itemId", name, delta, before, after, position)),
       now()
     FROM json_to_recordset($1) AS n ("companyId" uuid, id uuid, "submissionId" uuid, reason text, reference text, note text, movements json)
     RETURNING a.id, ${adjustmentJson} AS body`,
    [JSON.stringify(rows)],
    tx,
  );
  failPoint('result-inserted');
  return new Map(inserted.map(({ id, body }) => [id, body]));
}
