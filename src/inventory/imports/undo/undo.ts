// Undoes an import in the transaction that claimed it: reverses its movements, restores the details
// of its items, and archives the items that it created. All or nothing: if one of its items has
// changed since, nothing is undone. Like an import, it writes in steps of bounded size.
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { lockCompanies } from '../../../companies/lock.js';
import { NewEvents } from '../../../feed/append.js';
import type { UndoRefusal } from '../../../imports/kind.js';
import { query, type Transaction } from '../../../platform/db/connection.js';
import { failPoint } from '../../../platform/process/fail-point.js';
import { toUnits } from '../../../platform/values/money.js';
import { stepsOf } from '../../../platform/values/steps.js';
import {
  type PlannedAdjustment,
  STOCK_COMPANY,
  type StockCompany,
  writeMovements,
} from '../../adjustments.js';
import { addAdjustmentEvents } from '../../events/adjustment-events.js';
import { hasNewDetails, itemChange, itemEvent } from '../../events/item-events.js';
import { addStockEvents } from '../../events/stock-events.js';
import { archiveNames } from '../../names/item-names.js';
import type { PlannedMovement } from '../../rules.js';
import type { Reason } from '../../schema.js';
import { Stock } from '../../stock.js';
import { countStockChange } from '../../stock-figures.js';
import type { StockClaim } from '../claim.js';
import {
  type ChangedItem,
  listObstacles,
  type Obstacle,
  readChangedItems,
  restoreDetails,
} from './changes.js';

/** Adjustments that are read at once, of up to 250 movements each. */
const ADJUSTMENTS_PER_STEP = 8;
/** Items per statement. */
const ITEMS_PER_STEP = 1_000;
/** Short items that a refusal names. */
const MAX_NAMED = 10;

/** Undoes the import, or returns the items that have changed, or whose stock would be short. */
export async function undoImport(
  claimed: StockClaim,
  tx: Transaction,
): Promise<UndoRefusal<Obstacle> | null> {
  const { companyId } = claimed;
  const [company] = await lockCompanies<StockCompany>([companyId], STOCK_COMPANY, tx);
  if (!company) throw new Error(`there is no company ${companyId}`);
  const items = await readChangedItems(claimed, tx);
  failPoint('locked');
  const changed = items.filter(({ hasChanged }) => hasChanged).length;
  if (changed > 0) return { total: changed, first: await listObstacles(claimed, tx) };
  const stock = new Stock(items.map(item => toStockItem(companyId, item)));
  const planned = await planReversals(claimed, stock, tx);
  const short = company.allowsNegative ? [] : shortItems(stock);
  if (short.length > 0) return { total: short.length, first: short.slice(0, MAX_NAMED) };
  const events = eventsOf(claimed, planned, stock, company.startedAt);
  await writeUndo(claimed, items, planned, stock, events, tx);
  await events.append(() => company.nextEvent, tx);
  return null;
}

/** The reversals, the items that change otherwise, and the stock. */
function eventsOf(
  { companyId, createdBy }: StockClaim,
  planned: readonly PlannedAdjustment[],
  stock: Stock,
  startedAt: string,
): NewEvents {
  const events = new NewEvents();
  addAdjustmentEvents(planned, () => startedAt, events);
  for (const item of stock.items())
    if (item.archived || hasNewDetails(item)) {
      const change = itemChange('item.updated', item);
      events.add(companyId, itemEvent(change, startedAt, createdBy));
    }
  const movements = planned.flatMap(({ plan }) => plan.movements);
  const moved = movements.map(movement => ({ ...movement, companyId }));
  addStockEvents([{ companyId, createdBy }], moved, stock, events);
  return events;
}

/** The item with its restored details and its current stock. */
function toStockItem(companyId: string, item: ChangedItem) {
  const { id, sku, skuKey, name, nameKey, onHand, reorderPoint, unitCost, created } = item;
  const { unitPrice, unit, reorderPointBefore, unitCostBefore } = item;
  const details = {
    reorderPoint: reorderPointBefore,
    unitCost: unitCostBefore,
    unitPrice: item.unitPriceBefore,
    unit: item.unitBefore,
  };
  return {
    companyId,
    id,
    sku,
    skuKey,
    name,
    nameKey,
    onHand: toUnits(onHand),
    archived: created,
    details: created ? {} : details,
    before: { onHand, reorderPoint, unitCost, unitPrice, unit },
  };
}

/** Decimals fit a double. */
interface AppliedAdjustment {
  readonly id: string;
  readonly version: string;
  readonly reason: Reason;
  readonly movements: readonly { itemId: string; name: string; delta: number }[];
}

/** Plans the reversal of each adjustment of the import, last one first. Changes `stock`. */
async function planReversals(
  claimed: StockClaim,
  stock: Stock,
  tx: Transaction,
): Promise<PlannedAdjustment[]> {
  const planned: PlannedAdjustment[] = [];
  for (let last: AppliedAdjustment | undefined, isOver = false; !isOver; ) {
    const step = await readAdjustments(claimed, last, tx);
    for (const adjustment of step) {
      const movements = reverse(claimed, adjustment, stock);
      if (movements.length > 0) planned.push(toReversal(claimed, adjustment, movements));
    }
    last = step.at(-1);
    isOver = step.length < ADJUSTMENTS_PER_STEP;
  }
  return planned;
}

function readAdjustments(
  { companyId, id }: StockClaim,
  after: AppliedAdjustment | undefined,
  tx: Transaction,
): Promise<AppliedAdjustment[]> {
  return query<AppliedAdjustment>(
    `SELECT id, stock_version AS version, reason, movements
     FROM adjustments
     WHERE company_id = $1 AND import_id = $2
       AND ($3::bigint IS NULL OR (stock_version, id) < ($3, $4::uuid))
     ORDER BY stock_version DESC, id DESC
     LIMIT ${ADJUSTMENTS_PER_STEP}`,
    [companyId, id, after?.version ?? null, after?.id ?? null],
    tx,
  );
}

function reverse(
  { companyId }: StockClaim,
  { movements }: AppliedAdjustment,
  stock: Stock,
): PlannedMovement[] {
  return movements.toReversed().flatMap(({ itemId, name, delta: applied }) => {
    const item = stock.byId(companyId, itemId);
    if (!item) throw new Error(`an import moved the item ${itemId}, which it did not record`);
    if (applied === 0) return [];
    const [before, delta] = [item.onHand, -toUnits(applied)];
    item.onHand = before + delta;
    return [{ itemId, name, delta, before, after: item.onHand }];
  });
}

/** Its submission id is the same on retries. A delivery shows its reversal as a correction. */
function toReversal(
  { companyId, id, reference, createdBy }: StockClaim,
  adjustment: AppliedAdjustment,
  movements: readonly PlannedMovement[],
): PlannedAdjustment {
  return {
    write: {
      companyId,
      submissionId: uuidv5('undo', adjustment.id),
      createdBy,
      resultId: uuidv7(),
      payload: {
        reason: 'correction',
        reference,
        note: 'Import undone',
        items: [],
        importId: id,
        ...(adjustment.reason === 'received' ? { corrects: { id: adjustment.id, after: 0 } } : {}),
      },
    },
    plan: { movements, items: [] },
  };
}

/** The items whose stock the undo would lower below zero. */
function shortItems(stock: Stock): Obstacle[] {
  return stock
    .items()
    .filter(({ onHand, before }) => onHand < 0n && onHand < toUnits(before?.onHand ?? 0))
    .map(({ id, name }) => ({ itemId: id, name, reason: 'short' }));
}

async function writeUndo(
  claimed: StockClaim,
  items: readonly ChangedItem[],
  planned: readonly PlannedAdjustment[],
  stock: Stock,
  events: NewEvents,
  tx: Transaction,
): Promise<void> {
  const { companyId } = claimed;
  const created = items.filter(item => item.created);
  const renamed = new Set(created.length > 0 ? [companyId] : []);
  await countStockChange([companyId], stock, renamed, events, tx);
  for (const step of stepsOf(created, ITEMS_PER_STEP)) {
    const ids = step.map(({ id }) => id);
    await archiveNames(companyId, ids, tx);
  }
  await writeMovements(planned, stock, tx);
  const existing = items.filter(item => !item.created);
  await restoreDetails(claimed, existing, tx);
  for (const step of stepsOf(created, ITEMS_PER_STEP)) {
    await query(
      `UPDATE items
       SET archived = true, updated_at = now()
       WHERE company_id = $1 AND id = ANY($2::uuid[])`,
      [companyId, step.map(({ id }) => id)],
      tx,
    );
  }
}
