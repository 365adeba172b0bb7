// The effect that a previewed import would have on the current stock. Postgres compares its rows
// with the items by look-ups, so a preview of 20,000 rows costs the web process little.
import { query, queryOne } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import type { AdjustmentEntry } from '../schema.js';

/** Rows of each list that a preview shows. */
export const PREVIEW_ROWS = 10;
export const PROBLEM_ROWS = 100;
const MAX_REPEATED = 20;
const MAX_LINES = 5;

/**
 * The outcome of a row: it is `invalid` by itself, its SKU is `unknown`, it takes more than is on
 * hand (`short`), its stock `moved` since the export, or it applies to a `new` or existing item.
 */
export type PreviewOutcome = 'invalid' | 'unknown' | 'short' | 'moved' | 'new' | 'changed';

export interface PreviewRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly entry: AdjustmentEntry | null;
  readonly errors: readonly string[] | null;
  readonly outcome: PreviewOutcome;
  /** The existing item; its figures are decimal text. */
  readonly itemName: string | null;
  readonly onHand: string | null;
  readonly reorderPoint: string | null;
  readonly unitCost: string | null;
  readonly unitPrice: string | null;
  readonly unit: string | null;
}

export interface RepeatedItem {
  readonly label: string;
  readonly rows: number;
  /** The first lines that name it. */
  readonly lines: readonly number[];
}

export interface ImportPreview {
  /** Items that are new or change, and rows of the other outcomes. */
  readonly counts: Readonly<Partial<Record<PreviewOutcome, number>>>;
  readonly first: readonly PreviewRow[];
  readonly problems: readonly PreviewRow[];
  readonly moved: readonly PreviewRow[];
  readonly repeated: readonly RepeatedItem[];
}

const BY_SKU = lookUpOne(
  'items',
  'by_sku',
  'company_id = r.company_id AND sku_key = r.sku_key AND NOT archived',
);
const NAMED = lookUpOne(
  'item_keys',
  'named',
  'company_id = r.company_id AND name_key = r.name_key AND NOT archived',
);
/** SQL for the item that the row names. A SKU decides, even if there is none with it. */
const ITEM = lookUpOne(
  'items',
  'i',
  `company_id = r.company_id
      AND id = CASE WHEN r.sku_key IS NULL THEN named.item_id ELSE by_sku.id END`,
);

/** Rows of the import $2 of the company $1 with the items that they name, as `found`. */
const FOUND = `
  SELECT r.position, r.line, r.cells, r.entry, r.errors, r.name_key, r.sku_key,
    (r.entry ->> 'count')::numeric AS count,
    (r.entry ->> 'delta')::numeric AS delta,
    (r.entry ->> 'expectedOnHand')::numeric AS expected,
    i.id AS item_id, i.name AS item_name, i.on_hand,
    i.reorder_point, i.unit_cost, i.unit_price, i.unit,
    named.item_id IS NOT NULL AS is_name_known
  FROM import_rows r
  LEFT JOIN ${BY_SKU} ON true
  LEFT JOIN ${NAMED} ON true
  LEFT JOIN ${ITEM} ON true
  WHERE r.company_id = $1 AND r.import_id = $2`;

/** `found` with an outcome; $3 tells whether the company allows negative stock. */
const JUDGED = `
  SELECT *,
    CASE
      WHEN errors IS NOT NULL THEN 'invalid'
      WHEN item_id IS NULL AND sku_key IS NOT NULL AND (name_key IS NULL OR is_name_known)
        THEN 'unknown'
      WHEN item_id IS NOT NULL AND expected <> on_hand AND count IS DISTINCT FROM expected
        THEN 'moved'
      WHEN NOT $3 AND delta < 0 AND COALESCE(on_hand, 0) + delta < 0 THEN 'short'
      WHEN item_id IS NULL THEN 'new'
      ELSE 'changed'
    END AS outcome
  FROM (${FOUND}) found`;

/** Compares a preview's rows with the stock. */
export async function findPreview(
  companyId: string,
  importId: string,
  allowNegativeStock: boolean,
): Promise<ImportPreview> {
  const bind = [companyId, importId, allowNegativeStock];
  const listRows = (condition: string, limit: number) =>
    query<PreviewRow>(
      `SELECT line, cells, entry, errors, outcome, item_name AS "itemName",
         trim_scale(on_hand)::text AS "onHand",
         trim_scale(reorder_point)::text AS "reorderPoint",
         trim_scale(unit_cost)::text AS "unitCost",
         trim_scale(unit_price)::text AS "unitPrice",
         unit
       FROM (${JUDGED}) judged
       WHERE ${condition}
       ORDER BY position
       LIMIT $4`,
      [...bind, limit],
    );
  const [row, first, problems, moved, repeated] = await Promise.all([
    queryOne<{ counts: ImportPreview['counts'] | null }>(
      `SELECT json_object_agg(outcome, count) AS counts
       FROM (
         SELECT outcome,
           CASE
             WHEN outcome IN ('new', 'changed')
               THEN count(DISTINCT COALESCE(item_id::text, sku_key, name_key))
             ELSE count(*)
           END AS count
         FROM (${JUDGED}) judged
         GROUP BY outcome
       ) counted`,
      bind,
    ),
    listRows('true', PREVIEW_ROWS),
    listRows("outcome IN ('invalid', 'unknown', 'short')", PROBLEM_ROWS),
    listRows("outcome = 'moved'", PROBLEM_ROWS),
    listRepeated(companyId, importId),
  ]);
  return { counts: row?.counts ?? {}, first, problems, moved, repeated };
}

/** The items that several valid rows name. */
function listRepeated(companyId: string, importId: string): Promise<RepeatedItem[]> {
  return query<RepeatedItem>(
    `SELECT (array_agg(COALESCE(entry ->> 'sku', entry ->> 'name') ORDER BY position))[1] AS label,
       count(*)::int AS rows,
       (array_agg(line ORDER BY position))[1:$3] AS lines
     FROM (${FOUND}) found
     WHERE errors IS NULL
     GROUP BY COALESCE(item_id::text, sku_key, name_key)
     HAVING count(*) > 1
     ORDER BY min(position)
     LIMIT $4`,
    [companyId, importId, MAX_LINES, MAX_REPEATED],
  );
}
