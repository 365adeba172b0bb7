// A posted adjustment of stock that may be undone: not a delivery, which has corrections, nor a
// part of an import, which is undone as a whole, nor itself a correction.
import { type ShownActor, shownActor } from '../companies/actor.js';
import { query, queryOne } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/sql.js';
import { fromUnits, toUnits } from '../platform/values/money.js';
import { IS_CORRECTED, isDelivery } from './deliveries/queries.js';
import type { Reason } from './schema.js';

/** SQL: the adjustment a may be undone, or was. */
export const MAY_BE_UNDONE = `
  a.corrects IS NULL AND a.import_id IS NULL AND NOT (${isDelivery('a')})`;

/** An item that an adjustment changed, with the sum of its changes. Quantities are decimal text. */
export interface AdjustedItem {
  readonly itemId: string;
  readonly name: string;
  readonly sku: string | null;
  readonly unit: string | null;
  readonly archived: boolean;
  readonly delta: string;
  /** The current stock. */
  readonly onHand: string;
}

export interface PostedAdjustment {
  readonly id: string;
  readonly reason: Reason;
  readonly reference: string | null;
  readonly note: string | null;
  readonly createdAt: string;
  readonly createdBy: ShownActor | null;
  readonly isUndone: boolean;
  /** In the order of the adjustment, without items whose stock it left unchanged. */
  readonly items: readonly AdjustedItem[];
}

interface PostedRow extends Omit<PostedAdjustment, 'items'> {
  readonly movements: readonly { readonly itemId: string; readonly delta: number }[];
}

/** Null if the company has no such adjustment, or if it may not be undone. */
export async function findPostedAdjustment(
  companyId: string,
  id: string,
): Promise<PostedAdjustment | null> {
  const found = await queryOne<PostedRow>(
    `SELECT a.id, a.reason, a.reference, a.note, ${timeJson('a.created_at')} AS "createdAt",
       ${shownActor('a')} AS "createdBy", a.movements, ${IS_CORRECTED} AS "isUndone"
     FROM adjustments a
     WHERE a.company_id = $1 AND a.id = $2 AND ${MAY_BE_UNDONE}`,
    [companyId, id],
  );
  if (!found) return null;
  const { movements, ...adjustment } = found;
  const deltas = new Map<string, bigint>();
  for (const { itemId, delta } of movements)
    deltas.set(itemId, (deltas.get(itemId) ?? 0n) + toUnits(delta));
  const changed = [...deltas].filter(([, delta]) => delta !== 0n);
  const current = await currentItems(
    companyId,
    changed.map(([itemId]) => itemId),
  );
  const items = changed.flatMap(([itemId, delta]) => {
    const item = current.get(itemId);
    return item ? [{ ...item, delta: fromUnits(delta) }] : [];
  });
  return { ...adjustment, items };
}

async function currentItems(companyId: string, ids: readonly string[]) {
  const rows = await query<Omit<AdjustedItem, 'delta'>>(
    `SELECT id AS "itemId", name, sku, unit, archived, trim_scale(on_hand)::text AS "onHand"
     FROM items
     WHERE company_id = $1 AND id = ANY($2::uuid[])`,
    [companyId, ids],
  );
  return new Map(rows.map(row => [row.itemId, row]));
}
