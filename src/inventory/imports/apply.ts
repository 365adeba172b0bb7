// Applies rows of an import of stock in the transaction that claimed it. An import of all or
// nothing has up to 20,000 rows, so every statement and every computation is a step of bounded
// size: the worker settles the writes of other companies in between.
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { lockCompanies } from '../../companies/lock.js';
import { NewEvents } from '../../feed/append.js';
import type { RowOutcomes, ValidRow } from '../../imports/kind.js';
import { CHUNK_ROWS } from '../../imports/progress.js';
import { queryOne, type Transaction } from '../../platform/db/connection.js';
import type { FieldError } from '../../platform/errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import { stepsOf } from '../../platform/values/steps.js';
import { matchKey } from '../../platform/values/text.js';
import {
  FEED_PLACE,
  type FeedPlace,
  type PlannedAdjustment,
  stockRefs,
  writeInSteps,
} from '../adjustments.js';
import { addAdjustmentEvents } from '../events/adjustment-events.js';
import { hasNewDetails, type ItemChange, itemEvent, lastChanges } from '../events/item-events.js';
import { addStockEvents } from '../events/stock-events.js';
import { readDetailedStock } from '../read-stock.js';
import { type PlannedMovement, planAdjustment } from '../rules.js';
import type { AdjustmentEntry } from '../schema.js';
import type { Stock, StockItem } from '../stock.js';
import type { StockClaim } from './claim.js';
import { stockErrorText, unknownSku } from './columns.js';
import { recordChanges } from './undo/changes.js';

/** Rows planned before the event loop serves other work. They take about 10 ms. */
const ROWS_PER_TURN = 250;

type StockRow = ValidRow<AdjustmentEntry>;

/** Applies valid rows, up to CHUNK_ROWS in one adjustment. */
export async function applyStockRows(
  claimed: StockClaim,
  rows: readonly StockRow[],
  tx: Transaction,
): Promise<RowOutcomes> {
  const { companyId, allOrNothing } = claimed;
  const [place] = await lockCompanies<FeedPlace>([companyId], FEED_PLACE, tx);
  if (!place) throw new Error(`there is no company ${companyId}`);
  const refs = rows.flatMap(({ entry }) => stockRefs(companyId, [entry]));
  const stock = await readDetailedStock(refs, tx);
  failPoint('locked');
  const planned = await planInSteps(claimed, rows, stock, tx);
  const refused = planned.filter(({ errors }) => errors.length > 0);
  const applied =
    allOrNothing && refused.length > 0 ? [] : planned.filter(({ errors }) => errors.length === 0);
  const moving = applied.filter(({ movements }) => movements.length > 0);
  const adjustments = [...stepsOf(moving, CHUNK_ROWS)].map(step => toAdjustment(claimed, step));
  // If all rows are refused, the plan of the stock is not carried out.
  const written = applied.length > 0 ? writtenItems(applied, stock) : [];
  if (written.length > 0) {
    const events = eventsOf(claimed, adjustments, applied, stock, place.startedAt);
    await recordChanges(claimed, written, tx);
    await writeInSteps(companyId, adjustments, stock, events, tx);
    await events.append(() => place.nextEvent, tx);
  }
  return {
    applied: applied.map(({ row }) => row.position),
    refused: refused.map(({ row, errors }) => ({ position: row.position, errors })),
    counts: { rows_done: applied.length, rows_recorded: applied.length },
  };
}

/** The items that the rows change or create. */
function writtenItems(applied: readonly PlannedRow[], stock: Stock): StockItem[] {
  const moved = new Set(applied.flatMap(({ movements }) => movements.map(({ itemId }) => itemId)));
  return stock.items().filter(item => !item.before || moved.has(item.id) || hasNewDetails(item));
}

/** Rows that only set details belong to no adjustment. Their items follow the adjustments. */
function eventsOf(
  { companyId, createdBy }: StockClaim,
  adjustments: readonly PlannedAdjustment[],
  applied: readonly PlannedRow[],
  stock: Stock,
  startedAt: string,
): NewEvents {
  const events = new NewEvents();
  addAdjustmentEvents(adjustments, () => startedAt, events);
  const still = applied.filter(({ movements }) => movements.length === 0);
  for (const change of lastChanges(still.flatMap(({ items }) => items)))
    events.add(companyId, itemEvent(change, startedAt, createdBy));
  const movements = adjustments.flatMap(({ plan }) => plan.movements);
  const moved = movements.map(movement => ({ ...movement, companyId }));
  addStockEvents([{ companyId, createdBy }], moved, stock, events);
  return events;
}

interface PlannedRow {
  readonly row: StockRow;
  readonly movements: readonly PlannedMovement[];
  readonly items: readonly ItemChange[];
  readonly errors: readonly string[];
}

async function planInSteps(
  claimed: StockClaim,
  rows: readonly StockRow[],
  stock: Stock,
  tx: Transaction,
): Promise<PlannedRow[]> {
  const { companyId } = claimed;
  const planned: PlannedRow[] = [];
  for (const step of stepsOf(rows, ROWS_PER_TURN)) {
    // A statement per step: Postgres ends a transaction that has been idle for 1.5 s.
    const allowsNegative = await isNegativeAllowed(companyId, tx);
    for (const row of step) planned.push({ row, ...planRow(claimed, row, allowsNegative, stock) });
  }
  return planned;
}

export async function isNegativeAllowed(companyId: string, tx?: Transaction): Promise<boolean> {
  const company = await queryOne<{ isAllowed: boolean }>(
    'SELECT allow_negative_stock AS "isAllowed" FROM companies WHERE id = $1',
    [companyId],
    tx,
  );
  return company?.isAllowed ?? false;
}

/** How the rows of an import are planned. */
export type StockRule = Pick<StockClaim, 'companyId' | 'reason' | 'ignoresExpected'>;

/** Plans one row with the stock that earlier rows left. A refused row affects no other. */
export function planRow(
  rule: StockRule,
  row: Pick<StockRow, 'entry'>,
  allowsNegative: boolean,
  stock: Stock,
) {
  const { companyId, reason } = rule;
  const entry = entryToPlan(rule, row, stock);
  const request = { reason, items: [entry] };
  const decision = planAdjustment(companyId, request, allowsNegative, stock, uuidv7);
  if ('plan' in decision) {
    const [{ itemId } = { itemId: null }] = decision.plan.movements;
    // A row without a quantity sets details only.
    const { movements, items } = decision.plan;
    return { itemId, movements: entry.delta === 0 ? [] : movements, items, errors: [] };
  }
  const errors = decision.refusal.details.errors ?? [];
  return {
    itemId: null,
    movements: [],
    items: [],
    errors: errors.map(error => refusalOf(error, entry)),
    /** True if the stock is not what the row expects, which a user may ignore. */
    isMoved: errors.every(({ pointer }) => pointer.endsWith('/expectedOnHand')),
  };
}

/**
 * The entry as its user expects it to apply. A count that still is what was exported was not
 * edited, so it changes no stock. A new item had no stock that could have changed.
 */
function entryToPlan(
  { companyId, ignoresExpected }: StockRule,
  { entry }: Pick<StockRow, 'entry'>,
  stock: Stock,
): AdjustmentEntry {
  const { expectedOnHand, ...plain } = entry;
  if (expectedOnHand === undefined) return entry;
  if (!itemOfRow(companyId, entry, stock)) return plain;
  const { count, ...details } = plain;
  if (count === expectedOnHand) return { ...details, delta: 0 };
  return ignoresExpected ? plain : entry;
}

/** The item that an entry names, and the column by which it does. A SKU decides. */
export function itemOfRow(
  companyId: string,
  { name, sku }: AdjustmentEntry,
  stock: Stock,
): { readonly item: StockItem; readonly by: 'sku' | 'name' } | null {
  const bySku = sku === undefined ? undefined : stock.bySku(companyId, matchKey(sku));
  if (bySku) return { item: bySku, by: 'sku' };
  const byName = name === undefined ? undefined : stock.byName(companyId, matchKey(name));
  return byName ? { item: byName, by: 'name' } : null;
}

function refusalOf(error: FieldError, entry: AdjustmentEntry): string {
  if (error.pointer.endsWith('/expectedOnHand'))
    return `expectedOnHand “${entry.expectedOnHand}”: Stock changed. ${error.detail}`;
  if (error.code !== 'unknown_item') return stockErrorText(error, { ...entry });
  return `sku “${entry.sku}”: ${unknownSku(entry.name !== undefined)}`;
}

/**
 * One adjustment of up to CHUNK_ROWS rows. Its submission id is unique and the same on retries.
 * Rows that take stock out make it a correction: nothing that leaves was received.
 */
function toAdjustment(
  { companyId, id, reason, reference, createdBy }: StockClaim,
  rows: readonly PlannedRow[],
): PlannedAdjustment {
  const [first, last] = [rows[0]?.row, rows.at(-1)?.row];
  const lines =
    first?.line === last?.line ? `line ${first?.line}` : `lines ${first?.line} to ${last?.line}`;
  const note = `CSV import, ${lines}`;
  return {
    write: {
      companyId,
      submissionId: uuidv5(String(first?.position), id),
      createdBy,
      resultId: uuidv7(),
      payload: {
        reason: rows.some(({ row }) => (row.entry.delta ?? 0) < 0) ? 'correction' : reason,
        reference,
        note,
        items: rows.map(({ row }) => row.entry),
        importId: id,
      },
    },
    plan: {
      movements: rows.flatMap(({ movements }) => movements),
      items: rows.flatMap(({ items }) => items),
    },
  };
}
