// An item's history: its movements with their sources, and its stock over time.
import { shownActor } from '../companies/actor.js';
import { readRows } from '../platform/db/list-reads.js';
import { jsonObject, timeJson } from '../platform/db/sql.js';
import { type Page, pageOfRows } from '../platform/http/pagination.js';
import { IS_CORRECTED, isDelivery } from './deliveries/queries.js';
import { MAY_BE_UNDONE } from './posted-adjustment.js';

/** A chart on a screen cannot show more points than this. */
export const MAX_POINTS = 365;

/** A movement's JSON. Reads the movement as m and its adjustment, if any, as a. */
const entryJson = jsonObject(`
  m.id, m.kind,
  trim_scale(m.delta) AS delta,
  trim_scale(m.on_hand_after) AS "onHandAfter",
  ${timeJson('m.created_at')} AS at,
  m.invoice_id AS "invoiceId",
  m.credit_note_id AS "creditNoteId",
  CASE WHEN ${isDelivery('a')} THEN a.id ELSE (
    SELECT d.id
    FROM adjustments d
    WHERE d.company_id = a.company_id AND d.id = a.corrects AND ${isDelivery('d')}
  ) END AS "deliveryId",
  CASE WHEN ${MAY_BE_UNDONE} THEN a.id END AS "adjustmentId",
  ${IS_CORRECTED} AS "isCorrected",
  (
    SELECT i.id FROM imports i WHERE i.company_id = a.company_id AND i.id = a.import_id
  ) AS "importId",
  a.reference, a.note,
  ${shownActor('a')} AS "createdBy"`);

/** An item's movements after `position`, newest first. */
export async function listMovements(
  companyId: string,
  itemId: string,
  limit: number,
  position: string[] | undefined,
): Promise<Page> {
  const rows = await readRows<{ body: string; id: string }>(
    companyId,
    `SELECT m.id, ${entryJson}::text AS body
     FROM (
       SELECT *
       FROM movements
       WHERE company_id = $1 AND item_id = $2 AND id < COALESCE($4::bigint, 9223372036854775807)
       ORDER BY id DESC
       LIMIT $3 + 1
     ) m
     LEFT JOIN adjustments a ON a.company_id = m.company_id AND a.id = m.adjustment_id
     ORDER BY m.id DESC`,
    [companyId, itemId, limit, position?.[0] ?? null],
  );
  return pageOfRows(rows, limit, ({ id }) => [id]);
}

export interface StockPoint {
  readonly at: string;
  /** Decimal text. */
  readonly onHand: string;
  /** The quantity if the movement received goods; null for others, and in a sample. */
  readonly received: string | null;
}

/**
 * Stock over time, oldest first, in at most MAX_POINTS points. A longer history is sampled at equal
 * steps between its first and last movement. Each step is one index lookup, so the cost does not
 * grow with the history.
 */
export async function listStockPoints(companyId: string, itemId: string): Promise<StockPoint[]> {
  const point = `${timeJson('created_at')} AS at, trim_scale(on_hand_after)::text AS "onHand"`;
  const received = `CASE WHEN kind = 'received' THEN trim_scale(delta)::text END AS received`;
  const newest = await readRows<StockPoint>(
    companyId,
    `SELECT ${point}, ${received}
     FROM movements
     WHERE company_id = $1 AND item_id = $2
     ORDER BY id DESC
     LIMIT $3`,
    [companyId, itemId, MAX_POINTS + 1],
  );
  if (newest.length <= MAX_POINTS) return newest.reverse();
  return readRows<StockPoint>(
    companyId,
    `SELECT at, "onHand", NULL AS received
     FROM (
       SELECT DISTINCT ON (sample.id) sample.id, ${point}
       FROM (
         SELECT min(id) AS first, max(id) AS last
         FROM movements
         WHERE company_id = $1 AND item_id = $2
       ) ends,
       generate_series(0, $3::int - 1) AS step,
       LATERAL (
         SELECT *
         FROM movements m
         WHERE m.company_id = $1 AND m.item_id = $2
           AND m.id <= first + ((last - first)::numeric * step / ($3::int - 1))::bigint
         ORDER BY m.id DESC
         LIMIT 1
       ) sample
       ORDER BY sample.id
     ) points
     ORDER BY id`,
    [companyId, itemId, MAX_POINTS],
  );
}
