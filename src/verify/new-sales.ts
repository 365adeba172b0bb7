// The audit of the stock that new invoices took: the sales of each item, in one pass over its new
// movements.
import { plainArray, textArray } from '../platform/db/arrays.js';
import { lookUpOne, sqlText } from '../platform/db/sql.js';
import { fromUnits, toUnits } from '../platform/values/money.js';
import {
  BALANCE_OF_MOVEMENT,
  KIND_OF_MOVEMENT,
  MOVEMENTS_OF_INVOICE,
  OWN_COMPANY,
  STOCK_OF_ITEM,
} from './checks.js';

/** An invoice's lines of one item. */
export interface SoldLine {
  readonly companyId: string;
  readonly invoiceId: string;
  readonly itemId: string;
  /** Decimal text. */
  readonly qty: string;
}

interface SoldItem {
  readonly companyId: string;
  readonly itemId: string;
  /** Ten-thousandths by invoice id, in the order of the invoices. */
  readonly quantities: Map<string, bigint>;
}

/**
 * The bind values of CHECK_SALES, for the lines that move stock of new invoices. A company's
 * invoices must be in the order of their numbers. `saleIdOf` gives its last checked sale.
 */
export function salesBind(
  lines: readonly SoldLine[],
  saleIdOf: (companyId: string) => string,
): string[] {
  const byItem = new Map<string, SoldItem>();
  for (const { companyId, invoiceId, itemId, qty } of lines) {
    const key = `${companyId} ${itemId}`;
    const item = byItem.get(key) ?? { companyId, itemId, quantities: new Map<string, bigint>() };
    byItem.set(key, item);
    item.quantities.set(invoiceId, (item.quantities.get(invoiceId) ?? 0n) + toUnits(qty));
  }
  const items = [...byItem.values()];
  return [
    plainArray(items.map(({ companyId }) => companyId)),
    plainArray(items.map(({ itemId }) => itemId)),
    plainArray(items.map(({ companyId }) => saleIdOf(companyId))),
    textArray(items.map(({ quantities }) => plainArray([...quantities.keys()]))),
    textArray(
      items.map(({ quantities }) => plainArray(Array.from(quantities.values(), fromUnits))),
    ),
  ];
}

const SALES = `
  SELECT id, delta, on_hand_after, kind, invoice_id, ordinal,
    COALESCE(before, (
      SELECT t.on_hand_after
      FROM movements t
      WHERE t.company_id = sold.company_id AND t.item_id = sold.item_id AND t.id <= sold.above
      ORDER BY t.id DESC
      LIMIT 1
    ), 0) AS before
  FROM (
    SELECT id, delta, on_hand_after, kind, invoice_id,
      count(invoice_id) OVER item AS ordinal,
      lag(on_hand_after) OVER item AS before
    FROM movements t
    WHERE t.company_id = sold.company_id AND t.item_id = sold.item_id AND t.id > sold.above
    WINDOW item AS (ORDER BY id ROWS UNBOUNDED PRECEDING)
  ) movement
  WHERE ordinal <= cardinality(sold.invoices) AND invoice_id IS NOT NULL
  OFFSET 0`;

/** The invoice of a sale that the next step checks: one of this step has lost its sale. */
const LATER_INVOICE = `
  SELECT
  FROM invoices later
  WHERE later.company_id = sold.company_id AND later.id = compared.invoice_id
    AND later.number > (
      SELECT max(number)
      FROM invoices i
      WHERE i.company_id = sold.company_id AND i.id = ANY(sold.invoices)
    )`;

/**
 * Checks the sales of new invoices. $1…$3: companies and items with new sales, and the company's
 * last checked sale. $4, $5: array literals of the invoices, in order, and the quantities.
 *
 * An item's movements commit in the order of their ids, as do its invoices. So its first sales
 * above the last checked one belong to its new invoices, in their order.
 */
export const CHECK_SALES = `
  WITH sold AS (
    SELECT company_id, item_id, above,
      invoices::uuid[] AS invoices, quantities::numeric[] AS quantities
    FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[])
      AS sold (company_id, item_id, above, invoices, quantities)
    OFFSET 0
  ), checked AS MATERIALIZED (
    SELECT sold.*, item.on_hand, last.on_hand_after AS last_balance, sale.*
    FROM sold
      LEFT JOIN ${lookUpOne('items', 'item', 'company_id = sold.company_id AND id = sold.item_id')}
        ON true
      LEFT JOIN LATERAL (
        SELECT t.on_hand_after
        FROM movements t
        WHERE t.company_id = sold.company_id AND t.item_id = sold.item_id
        ORDER BY t.id DESC
        LIMIT 1
      ) last ON true,
      LATERAL (
        SELECT max(id) FILTER (WHERE invoice_id = invoices[ordinal]) AS last_id,
          (
            count(*) FILTER (
              WHERE invoice_id = invoices[ordinal] AND -delta = quantities[ordinal]
            ) = cardinality(invoices)
          ) AS is_complete,
          count(*) FILTER (WHERE on_hand_after <> before + delta) > 0 AS is_unbalanced,
          count(*) FILTER (WHERE kind <> 'sale' OR delta >= 0) > 0 AS has_wrong_kind
        FROM (${SALES}) sale
      ) sale
  ), wrong AS MATERIALIZED (
    SELECT sold.company_id, sold.item_id, sale.*
    FROM checked sold, LATERAL (${SALES}) sale
    WHERE NOT is_complete OR is_unbalanced OR has_wrong_kind
  ), offenders AS (
    SELECT ${sqlText(BALANCE_OF_MOVEMENT)} AS violation,
      json_build_object(
        'companyId', company_id, 'itemId', item_id, 'movementId', id,
        'onHandAfter', on_hand_after, 'balance', before + delta
      ) AS offender
    FROM wrong
    WHERE on_hand_after <> before + delta
    UNION ALL
    SELECT ${sqlText(KIND_OF_MOVEMENT)},
      json_build_object('companyId', company_id, 'movementId', id, 'kind', kind, 'delta', delta)
    FROM wrong
    WHERE kind <> 'sale' OR delta >= 0
    UNION ALL
    SELECT ${sqlText(MOVEMENTS_OF_INVOICE)},
      json_build_object(
        'companyId', company_id, 'invoiceId', invoice_id,
        'itemId', item_id, 'ofLines', COALESCE(qty, 0), 'ofMovements', COALESCE(compared.sold, 0)
      )
    FROM checked sold,
      LATERAL (
        SELECT invoice_id, qty, sale.sold
        FROM unnest(sold.invoices, sold.quantities) AS line (invoice_id, qty)
        FULL JOIN (
          SELECT invoice_id, sum(-delta) AS sold
          FROM wrong
          WHERE company_id = sold.company_id AND item_id = sold.item_id
          GROUP BY invoice_id
        ) sale USING (invoice_id)
      ) compared
    WHERE NOT sold.is_complete AND qty IS DISTINCT FROM compared.sold
      AND (qty IS NOT NULL OR NOT EXISTS (${LATER_INVOICE}))
    UNION ALL
    SELECT ${sqlText(OWN_COMPANY)},
      json_build_object('what', 'movement', 'companyId', company_id, 'id', item_id)
    FROM checked
    WHERE on_hand IS NULL
    UNION ALL
    SELECT ${sqlText(STOCK_OF_ITEM)},
      json_build_object(
        'companyId', company_id, 'itemId', item_id,
        'onHand', on_hand, 'sumOfMovements', last_balance
      )
    FROM checked
    WHERE on_hand <> last_balance
  )
  SELECT violation, offender, NULL AS "companyId", NULL AS "saleId"
  FROM offenders
  UNION ALL
  SELECT NULL, NULL, company_id, max(last_id)
  FROM checked
  GROUP BY company_id`;
