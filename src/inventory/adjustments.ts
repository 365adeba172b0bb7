// Writes planned adjustments, new items and movements. Requires the locks of the companies.
import { NEXT_EVENT, NewEvents } from '../feed/append.js';
import type { PlannedWrite } from '../jobs/write-kind.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { changeOrStored, ROW_KEY, type RowChange, updateRows } from '../platform/db/rows.js';
import { timeJson } from '../platform/db/sql.js';
import { failPoint } from '../platform/process/fail-point.js';
import { fromUnits } from '../platform/values/money.js';
import { stepsOf } from '../platform/values/steps.js';
import { matchKey } from '../platform/values/text.js';
import { deliveryParts } from './deliveries/stored-parts.js';
import { addAdjustmentEvents } from './events/adjustment-events.js';
import { hasNewDetails } from './events/item-events.js';
import { addStockEvents } from './events/stock-events.js';
import { nextInvoice } from './names/item-names.js';
import { adjustmentJson, movementJson } from './queries.js';
import type { StockRef } from './read-stock.js';
import type { AdjustmentPlan } from './rules.js';
import type { AdjustmentRequest, NamedItem } from './schema.js';
import { appendMovements, type Stock, type StockItem, type StockMovement } from './stock.js';
import { countStockChange } from './stock-figures.js';

export type PlannedAdjustment = PlannedWrite<AdjustmentRequest, AdjustmentPlan>;

/** The items that the entries may touch. */
export function stockRefs(companyId: string, entries: readonly NamedItem[]): StockRef[] {
  return entries.flatMap(({ name, sku, itemId }) => [
    ...(name === undefined ? [] : [{ companyId, nameKey: matchKey(name) }]),
    ...(sku === undefined ? [] : [{ companyId, skuKey: matchKey(sku) }]),
    ...(itemId === undefined ? [] : [{ companyId, id: itemId }]),
  ]);
}

/** The columns of a locked company that its events need. */
export interface FeedPlace {
  readonly nextEvent: string;
  /** The start of the transaction, RFC 3339. */
  readonly startedAt: string;
}

/** SQL of a FeedPlace, for `lockCompanies`. */
export const FEED_PLACE = { columns: NEXT_EVENT, computed: `${timeJson('now()')} AS "startedAt"` };

/** A company that is locked for changes of its stock. */
export interface StockCompany extends FeedPlace {
  readonly allowsNegative: boolean;
}

export const STOCK_COMPANY = {
  ...FEED_PLACE,
  columns: `allow_negative_stock AS "allowsNegative", ${FEED_PLACE.columns}`,
};

/**
 * Writes planned adjustments and returns their JSON texts by id. Requires the locks of the
 * companies.
 */
export async function writeAdjustments(
  planned: readonly PlannedAdjustment[],
  stock: Stock,
  places: ReadonlyMap<string, FeedPlace>,
  tx: Transaction,
): Promise<Map<string, string>> {
  if (planned.length === 0) return new Map();
  const items = touchedItems(planned, stock);
  const placeOf = (companyId: string) => places.get(companyId) as FeedPlace;
  const events = new NewEvents();
  addAdjustmentEvents(planned, companyId => placeOf(companyId).startedAt, events);
  addStockEvents(
    planned.map(({ write }) => write),
    movementsOf(planned),
    stock,
    events,
  );
  const [, , bodies] = await Promise.all([
    countStockChange(companiesOf(planned), stock, companiesWithNew(items), events, tx),
    events.append(companyId => placeOf(companyId).nextEvent, tx),
    insertAdjustments(planned, stock, tx),
    insertItems(items, tx),
    updateDetails(items, tx),
    appendMovements(movementsOf(planned), tx),
  ]);
  return bodies;
}

/** Items per statement, and adjustments of up to 250 items each. */
const ITEMS_PER_STEP = 1_000;
const ADJUSTMENTS_PER_STEP = 4;

/**
 * Like `writeAdjustments`, for thousands of entries of one company. The statements have a bounded
 * size, and this process serves others between them. Items of `stock` that have new details without
 * a movement are written, too.
 */
export async function writeInSteps(
  companyId: string,
  planned: readonly PlannedAdjustment[],
  stock: Stock,
  events: NewEvents,
  tx: Transaction,
): Promise<void> {
  await countStockChange([companyId], stock, companiesWithNew([...stock.items()]), events, tx);
  for (const items of stepsOf([...stock.items()], ITEMS_PER_STEP))
    await Promise.all([insertItems(items, tx), updateDetails(items, tx)]);
  await writeMovements(planned, stock, tx);
}

/** Writes thousands of planned movements in steps, after `countStockChange` and the items. */
export async function writeMovements(
  planned: readonly PlannedAdjustment[],
  stock: Stock,
  tx: Transaction,
): Promise<void> {
  for (const step of stepsOf(planned, ADJUSTMENTS_PER_STEP))
    await Promise.all([insertAdjustments(step, stock, tx), appendMovements(movementsOf(step), tx)]);
}

/** A new item's name and SKU start to match it, which changes the company's names. */
function companiesWithNew(items: readonly StockItem[]): Set<string> {
  return new Set(items.filter(({ before }) => !before).map(({ companyId }) => companyId));
}

function companiesOf(planned: readonly PlannedAdjustment[]): string[] {
  return planned.map(({ write }) => write.companyId);
}

function movementsOf(planned: readonly PlannedAdjustment[]): StockMovement[] {
  return planned.flatMap(({ write: { companyId, payload, resultId }, plan }) =>
    plan.movements.map(({ itemId, delta, after }) => ({
      companyId,
      itemId,
      delta,
      after,
      kind: payload.reason,
      adjustmentId: resultId,
    })),
  );
}

function touchedItems(planned: readonly PlannedAdjustment[], stock: Stock): StockItem[] {
  const items = new Map<string, StockItem>();
  for (const { write, plan } of planned) {
    for (const { itemId } of plan.movements) {
      const item = stock.byId(write.companyId, itemId);
      if (item) items.set(item.id, item);
    }
  }
  return [...items.values()];
}

/** Inserts the items that the batch creates, with their details. */
async function insertItems(items: readonly StockItem[], tx: Transaction): Promise<void> {
  const created = items.filter(({ before }) => !before);
  if (created.length === 0) return;
  const rows = created.map(({ companyId, id, sku, skuKey, name, nameKey, details }) => ({
    companyId,
    id,
    sku,
    skuKey,
    name,
    nameKey,
    ...details,
  }));
  await query(
    `WITH created AS (
       INSERT INTO items (
         company_id, id, sku, sku_key, name, name_key, reorder_point, unit_cost, unit_price, unit
       )
       SELECT "companyId", id, sku, "skuKey", name, "nameKey",
         COALESCE("reorderPoint", 0), "unitCost", "unitPrice", unit
       FROM json_to_recordset($1) AS item (
         "companyId" uuid, id uuid, sku text, "skuKey" text, name text, "nameKey" text,
         "reorderPoint" numeric, "unitCost" numeric, "unitPrice" numeric, unit text
       )
       ORDER BY "companyId", "nameKey"
       RETURNING company_id, id, name_key
     )
     INSERT INTO item_keys (company_id, item_id, name_key, matches_from)
     SELECT company_id, id, name_key, ${nextInvoice('company_id')} FROM created`,
    [JSON.stringify(rows)],
    tx,
  );
}

const DETAILS: RowChange<StockItem> = {
  key: ROW_KEY,
  set: {
    reorder_point: ['numeric', ({ details }) => details?.reorderPoint, changeOrStored],
    unit_cost: ['numeric', ({ details }) => details?.unitCost, changeOrStored],
    unit_price: ['numeric', ({ details }) => details?.unitPrice, changeOrStored],
    unit: ['text', ({ details }) => details?.unit, changeOrStored],
    updated_at: 'now()',
  },
};

/**
 * Sets the details of items that existed before. The planner expects few rows from arrays, so it
 * looks up each item, even where its statistics call the table small.
 */
async function updateDetails(items: readonly StockItem[], tx: Transaction): Promise<void> {
  await updateRows('items', DETAILS, items.filter(hasNewDetails), tx);
}

async function insertAdjustments(
  planned: readonly PlannedAdjustment[],
  stock: Stock,
  tx: Transaction,
): Promise<Map<string, string>> {
  const inserted = await query<{ id: string; body: string }>(
    `INSERT INTO adjustments AS a (
       company_id, id, submission_id, reason, reference, note, movements, stock_version, created_at,
       created_by, import_id, corrects, delivery_key, unit_costs, supplier, arrived_on
     )
     SELECT "companyId", id, "submissionId", reason, reference, note,
       (
         SELECT concat('[', string_agg(${movementJson}, ',' ORDER BY m.position), ']')::json
         FROM ROWS FROM (
           json_to_recordset(adjustment.movements) AS (
             "itemId" uuid, name text, delta numeric, before numeric, after numeric
           )
         ) WITH ORDINALITY AS m ("itemId", name, delta, before, after, position)
       ),
       (SELECT stock_version FROM companies WHERE companies.id = "companyId"),
       now(), "createdBy", "importId", corrects, "deliveryKey", "unitCosts",
       supplier, "arrivedOn"
     FROM json_to_recordset($1) AS adjustment (
       "companyId" uuid, id uuid, "submissionId" uuid,
       reason text, reference text, note text, movements json, "createdBy" json,
       "importId" uuid, corrects uuid, "deliveryKey" text, "unitCosts" json,
       supplier text, "arrivedOn" date
     )
     RETURNING a.id, ${adjustmentJson} AS body`,
    [JSON.stringify(planned.map(each => toAdjustmentRow(each, stock)))],
    tx,
  );
  failPoint('result-inserted');
  return new Map(inserted.map(({ id, body }) => [id, body]));
}

function toAdjustmentRow(planned: PlannedAdjustment, stock: Stock) {
  const { companyId, resultId, submissionId, createdBy, payload } = planned.write;
  const { reason, reference, note, importId, corrects, supplier, arrivedOn } = payload;
  const movements = planned.plan.movements.map(({ itemId, name, delta, before, after }) => ({
    itemId,
    name,
    delta: fromUnits(delta),
    before: fromUnits(before),
    after: fromUnits(after),
  }));
  return {
    companyId,
    id: resultId,
    submissionId,
    createdBy,
    reason,
    reference,
    note,
    movements,
    importId,
    supplier,
    arrivedOn,
    corrects: corrects?.id,
    ...(reason === 'received' ? deliveryParts(planned, stock) : {}),
  };
}
