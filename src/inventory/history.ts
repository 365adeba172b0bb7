// What happened to an item: its movements with where each came from, and its stock over time.
import { query } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/sql.js';
import { type Page, pageOf } from '../platform/http/pagination.js';

/** Points of a chart: more than that, no screen tells apart. */
export const MAX_POINTS = 365;

/** One movement as people read it, with the movement as m and the adjustment that it came from, if any, as a. */
const entryJson = `(SELECT row_to_json(r)::text FROM (SELECT m.id, m.kind, trim_scale(m.delta) AS delta,
  trim_scale(m.on_hand_after) AS "onHandAfter", ${timeJson('m.created_at')} AS at,
  m.invoice_id AS "invoiceId", a.reference, a.note) r)`;

/** An item's movements, newest first, from after `position`. */
export async function listMovements(
  companyId: string,
  itemId: string,
  limit: number,
  position: string[] | undefined,
): Promise<Page> {
  const rows = await query<{ body: string; id: string }>(
    `SELECT m.id, ${entryJson} AS body
     FROM (SELECT * FROM movements WHERE company_id = $1 AND item_id = $2 AND id < COALESCE($4::bigint, 9223372036854775807)
           ORDER BY id DESC LIMIT $3 + 1) m
     LEFT JOIN adjustments a ON a.company_id = m.company_id AND a.id = m.adjustment_id
     ORDER BY m.id DESC`,
    [companyId, itemId, limit, position?.[0] ?? null],
  );
  return pageOf(rows, limit, ({ id }) => [id]);
}

export interface StockPoint {
  readonly at: string;
  /** Decimal text. */
  readonly onHand: string;
}

/**
 * What was on hand over time, oldest first, in at most MAX_POINTS points. A longer history is sampled at equal steps
 * between its first and its last movement, each step one look-up in an index: the cost does not follow the history's length.
 */
export async function listStockPoints(companyId: string, itemId: string): Promise<StockPoint[]> {
  const point = `${timeJson('created_at')} AS at, trim_scale(on_hand_after)::text AS "onHand"`;
  const newest = await query<StockPoint>(
    `SELECT ${point} FROM movements WHERE company_id = $1 AND item_id = $2 ORDER BY id DESC LIMIT $3`,
    [companyId, itemId, MAX_POINTS + 1],
  );
  if (newest.length <= MAX_POINTS) return newest.reverse();
  return query<StockPoint>(
    `SELECT at, "onHand" FROM (
       SELECT DISTINCT ON (s.id) s.id, ${point}
       FROM (SELECT min(id) AS first, max(id) AS last FROM movements WHERE company_id = $1 AND item_id = $2) ends,
         generate_series(0, $3::int - 1) AS step,
         LATERAL (SELECT * FROM movements m WHERE m.company_id = $1 AND m.item_id = $2
                  AND m.id <= first + ((last - first)::numeric * step / ($3::int - 1))::bigint ORDER BY m.id DESC LIMIT 1) s
       ORDER BY s.id) points
     ORDER BY id`,
    [companyId, itemId, MAX_POINTS],
  );
}
