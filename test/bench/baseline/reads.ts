// The baseline's reads: one named statement each. It assembles the lines of an invoice when
// reading.
import type pg from 'pg';

const toIsoTime = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const LINES = `SELECT json_agg(
    json_build_object(
      'name', name, 'sku', sku,
      'qty', trim_scale(qty), 'price', trim_scale(price), 'amount', trim_scale(amount),
      'itemId', item_id
    )
    ORDER BY position
  )
  FROM invoice_lines AS line
  WHERE line.company_id = invoice.company_id AND line.invoice_id = invoice.id`;

const INVOICE = `SELECT
    id, number_prefix || lpad(number::text, greatest(6, length(number::text)), '0') AS number,
    status, customer_name AS "customerName", invoice.date, trim(currency) AS currency,
    (${LINES}) AS items,
    trim_scale(total) AS total, reference, ${toIsoTime('created_at')} AS "createdAt"
  FROM invoices AS invoice
  WHERE company_id = $1`;

const LIST = `SELECT COALESCE(json_agg(row_to_json(listed)), '[]')::text AS body
  FROM (${INVOICE} ORDER BY invoice.date DESC, invoice.number DESC LIMIT $2) AS listed`;

const ONE = `SELECT row_to_json(found)::text AS body
  FROM (${INVOICE} AND id = $2) AS found`;

const LOW = `SELECT COALESCE(json_agg(row_to_json(item)), '[]')::text AS body
  FROM (
    SELECT
      id, sku, name, unit,
      trim_scale(on_hand) AS "onHand", trim_scale(reorder_point) AS "reorderPoint", low,
      trim_scale(unit_cost) AS "unitCost", trim_scale(unit_price) AS "unitPrice",
      ${toIsoTime('updated_at')} AS "updatedAt"
    FROM items
    WHERE company_id = $1 AND low
    ORDER BY name, id
    LIMIT 1000
  ) AS item`;

const SUMMARY = 'SELECT body FROM summaries WHERE company_id = $1';

export const listInvoices = (pool: pg.Pool, companyId: string, limit: number) =>
  readBody(pool, 'list', LIST, [companyId, Math.min(limit, 200)]);

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
