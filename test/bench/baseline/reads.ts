// The baseline's reads: one named statement each. Lines are assembled when reading.
import type pg from 'pg';

const toIsoTime = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const LINES = `SELECT json_agg(row_to_json(line))
  FROM (
    SELECT name, sku, qty, price, amount, item_id AS "itemId"
    FROM lines
    WHERE invoice_id = invoice.id
    ORDER BY position
  ) line`;

const INVOICE = `SELECT
    invoice.id, 'INV-' || lpad(number::text, greatest(6, length(number::text)), '0') AS number,
    'open' AS status, customer_name AS "customerName", invoice.date, currency,
    (${LINES}) AS items,
    total, reference, ${toIsoTime('created_at')} AS "createdAt"
  FROM invoices invoice JOIN companies company ON company.id = invoice.company_id
  WHERE invoice.company_id = $1`;

/** With the limit as a constant Postgres plans the statement once, not at each request. */
const list = (limit: number) => `SELECT COALESCE(json_agg(row_to_json(listed)), '[]')::text AS body
  FROM (${INVOICE} ORDER BY invoice.date DESC, invoice.number DESC LIMIT ${limit}) listed`;

const ONE = `SELECT row_to_json(found)::text AS body
  FROM (${INVOICE} AND invoice.id = $2) found`;

const LOW = `SELECT COALESCE(json_agg(row_to_json(item)), '[]')::text AS body
  FROM (
    SELECT
      id, sku, name, unit,
      on_hand AS "onHand", reorder_point AS "reorderPoint", low,
      unit_cost AS "unitCost", unit_price AS "unitPrice",
      ${toIsoTime('updated_at')} AS "updatedAt"
    FROM items
    WHERE company_id = $1 AND low
    ORDER BY name
    LIMIT 1000
  ) item`;

/** As the product computed it when the database was filled. */
const SUMMARY = 'SELECT body FROM summaries WHERE company_id = $1';

export function listInvoices(pool: pg.Pool, companyId: string, limit: number) {
  const served = Math.max(1, Math.min(Math.trunc(limit), 200));
  return readBody(pool, `list-${served}`, list(served), [companyId]);
}

export const findInvoice = (pool: pg.Pool, companyId: string, id: string) =>
  readBody(pool, 'one', ONE, [companyId, id]);

export const listLow = (pool: pg.Pool, companyId: string) =>
  readBody(pool, 'low', LOW, [companyId]);

export const readSummary = (pool: pg.Pool, companyId: string) =>
  readBody(pool, 'summary', SUMMARY, [companyId]);

async function readBody(
  pool: pg.Pool,
  name: string,
  text: string,
  values: unknown[],
): Promise<string | null> {
  const { rows } = await pool.query({ name, text, values });
  return rows[0]?.body ?? null;
}
