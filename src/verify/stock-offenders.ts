// SQL whose rows are the items, movements, adjustments and imports that violate an invariant.
import { unequalSums } from './sums.js';

/**
 * Partitioned by item first: item ids differ in their first bytes, so sorting by them is faster
 * than reading row by row through the index.
 */
export const BALANCES = `
  SELECT company_id AS "companyId", item_id AS "itemId", id AS "movementId",
    on_hand_after AS "onHandAfter", balance
  FROM (
    SELECT company_id, item_id, id, on_hand_after,
      sum(delta) OVER (PARTITION BY item_id, company_id ORDER BY id) AS balance
    FROM movements
  ) m
  WHERE on_hand_after <> balance`;

/** Like BALANCES, for the audit, whose movements have the balance before them. */
export const NEW_BALANCES = `
  SELECT company_id AS "companyId", item_id AS "itemId", id AS "movementId",
    on_hand_after AS "onHandAfter", before + delta AS balance
  FROM movements
  WHERE on_hand_after <> before + delta`;

export const STOCK_LEVELS = unequalSums({
  key: { company_id: 'uuid', item_id: 'uuid' },
  figures: ['on_hand'],
  stored: 'SELECT company_id, id AS item_id, on_hand FROM items',
  recounted: 'SELECT company_id, item_id, delta AS on_hand FROM movements',
  offender: `
    company_id AS "companyId", item_id AS "itemId",
    stored_on_hand AS "onHand", recounted_on_hand AS "sumOfMovements"`,
});

/** Like STOCK_LEVELS, for the audit, whose items have the balance after their last movement. */
export const NEW_STOCK_LEVELS = `
  SELECT company_id AS "companyId", id AS "itemId", on_hand AS "onHand",
    last_balance AS "sumOfMovements"
  FROM items
  WHERE on_hand <> last_balance`;

/** The stock figures in the company's row, which are maintained by difference. */
export const STOCK_FIGURES = `
  SELECT c.id AS "companyId",
    c.item_count AS items, COALESCE(counted.items, 0) AS "countedItems",
    c.low_items AS low, COALESCE(counted.low, 0) AS "countedLow",
    c.items_out_of_stock AS "outOfStock", COALESCE(counted.out_of_stock, 0) AS "countedOutOfStock",
    c.stock_value AS value, COALESCE(counted.value, 0) AS "countedValue"
  FROM companies c
  LEFT JOIN (
    SELECT company_id, count(*) AS items,
      count(*) FILTER (WHERE low) AS low,
      count(*) FILTER (WHERE on_hand <= 0) AS out_of_stock,
      COALESCE(sum(on_hand * unit_cost), 0) AS value
    FROM items
    WHERE NOT archived
    GROUP BY company_id
  ) counted ON counted.company_id = c.id
  WHERE (c.item_count, c.low_items, c.items_out_of_stock, c.stock_value) <> (
    COALESCE(counted.items, 0), COALESCE(counted.low, 0),
    COALESCE(counted.out_of_stock, 0), COALESCE(counted.value, 0)
  )`;

export const ADJUSTED_MOVEMENTS = `
  SELECT m.company_id AS "companyId", m.id AS "movementId", m.kind, m.delta, a.reason
  FROM movements m
  LEFT JOIN adjustments a ON a.company_id = m.company_id AND a.id = m.adjustment_id
  WHERE CASE
    WHEN m.adjustment_id IS NOT NULL THEN m.kind <> a.reason
    WHEN m.credit_note_id IS NOT NULL THEN m.kind <> 'return' OR m.delta <= 0
    ELSE m.kind <> 'sale' OR m.delta >= 0
  END`;

export const ADJUSTMENT_MOVEMENTS = `
  SELECT a.company_id AS "companyId", a.id AS "adjustmentId"
  FROM adjustments a
  LEFT JOIN (
    SELECT company_id, adjustment_id,
      jsonb_agg(
        jsonb_build_array(item_id, delta, on_hand_after - delta, on_hand_after) ORDER BY id
      ) AS written
    FROM movements
    WHERE adjustment_id IS NOT NULL
    GROUP BY company_id, adjustment_id
  ) m ON m.company_id = a.company_id AND m.adjustment_id = a.id
  WHERE m.written IS DISTINCT FROM (
    SELECT jsonb_agg(
      jsonb_build_array(
        stored->'itemId', stored->'delta', stored->'onHandBefore', stored->'onHandAfter'
      ) ORDER BY position
    )
    FROM json_array_elements(a.movements) WITH ORDINALITY AS entry (stored, position)
  )`;

/** Also finds corrections of items that the corrected adjustment does not have. */
export const CORRECTIONS = `
  SELECT c.company_id AS "companyId", c.id AS "adjustmentId", c.corrects AS "deliveryId"
  FROM adjustments c
  LEFT JOIN adjustments d
    ON d.company_id = c.company_id AND d.id = c.corrects AND d.corrects IS NULL
  WHERE c.corrects IS NOT NULL
    AND (
      d.id IS NULL
      OR EXISTS (
        SELECT change ->> 'itemId' FROM json_array_elements(c.movements) change
        EXCEPT
        SELECT line ->> 'itemId' FROM json_array_elements(d.movements) line
      )
    )`;

export const ITEM_KEYS = `
  SELECT company_id AS "companyId", what, key, count(*) AS items
  FROM (
    SELECT company_id, 'name' AS what, name_key AS key FROM items WHERE NOT archived
    UNION ALL
    SELECT company_id, 'sku', sku_key FROM items WHERE sku_key IS NOT NULL AND NOT archived
    UNION ALL
    SELECT company_id, 'current or former name', name_key FROM item_keys WHERE NOT archived
  ) keys
  GROUP BY key, what, company_id
  HAVING count(*) > 1`;

/** Lines and entries find an item through item_keys. */
export const ITEM_NAMES = `
  SELECT i.company_id AS "companyId", i.id AS "itemId", i.name_key AS "nameKey"
  FROM items i
  LEFT JOIN item_keys k
    ON k.company_id = i.company_id AND k.item_id = i.id AND k.name_key = i.name_key
  WHERE i.archived IS DISTINCT FROM k.archived`;

/**
 * Names change under the lock of the company's row, under which invoices take their numbers. So a
 * number tells exactly whether a name belonged to an item in use. A name that an item had before it
 * was archived and restored is not known any more.
 */
export const LINES_WITHOUT_ITEM = `
  SELECT i.company_id AS "companyId", i.id AS "invoiceId", line.position, k.item_id AS "itemId"
  FROM invoices i,
    json_array_elements_text(i.name_keys) WITH ORDINALITY AS line (name_key, position),
    item_keys k
  WHERE k.company_id = i.company_id AND k.name_key = line.name_key
    AND i.number >= k.matches_from
    AND i.number < COALESCE(k.matches_until, i.number + 1)`;

/** Ignores names that were archived since; verify checks those. */
export const NEW_LINES_WITHOUT_ITEM = `
  SELECT l.company_id AS "companyId", l.invoice_id AS "invoiceId", l.position, k.item_id AS "itemId"
  FROM plain_lines l,
    LATERAL (
      SELECT item_id, matches_from
      FROM item_keys t
      WHERE t.company_id = l.company_id AND t.name_key = l.name_key AND NOT t.archived
      LIMIT 1
    ) k
  WHERE l.number >= k.matches_from`;

/** Rows that wait follow the last one that was applied or refused. */
const importCounters = (imports: string, rows: string, done: string) => `
  SELECT i.company_id AS "companyId", i.id AS "importId",
    i.rows_total AS total, ${done} AS done, i.rows_failed AS failed,
    COALESCE(r.waiting, 0) AS waiting, COALESCE(r.refused, 0) AS refused, i.position
  FROM ${imports} i
  LEFT JOIN (
    SELECT company_id, import_id, count(entry) AS waiting, count(errors) AS refused,
      min(position) FILTER (WHERE entry IS NOT NULL) AS next
    FROM ${rows}
    GROUP BY 1, 2
  ) r ON r.company_id = i.company_id AND r.import_id = i.id
  WHERE COALESCE(r.refused, 0) <> i.rows_failed
    OR COALESCE(r.waiting, 0) <> i.rows_total - ${done} - i.rows_failed
    OR r.next <= i.position`;

export const IMPORT_COUNTERS = [
  importCounters('imports', 'import_rows', 'i.rows_done'),
  importCounters(
    'customer_imports',
    'customer_import_rows',
    '(i.rows_added + i.rows_changed + i.rows_same)',
  ),
].join('\n  UNION ALL');
