// The baseline's reads: one named statement each. Lists and single invoices put their lines together when read.
import type pg from 'pg';

const INVOICE = `i.id, i.number_prefix || lpad(i.number::text, greatest(6, length(i.number::text)), '0') AS number, i.status,
  i.customer_name AS "customerName", i.date, trim(i.currency) AS currency,
  (SELECT json_agg(json_build_object('name', l.name, 'sku', l.sku, 'qty', trim_scale(l.qty), 'price', trim_scale(l.price),
     'amount', trim_scale(l.amount), 'itemId', l.item_id) ORDER BY l.position)
   FROM invoice_lines l WHERE l.company_id = i.company_id AND l.invoice_id = i.id) AS items,
  trim_scale(i.total) AS total, i.reference, to_char(i.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"`;

const LIST = `SELECT COALESCE(json_agg(row_to_json(r)), '[]')::text AS body
  FROM (SELECT ${INVOICE} FROM invoices i WHERE i.company_id = $1 ORDER BY i.date DESC, i.number DESC LIMIT $2) r`;

const ONE = `SELECT row_to_json(r)::text AS body FROM (SELECT ${INVOICE} FROM invoices i WHERE i.company_id = $1 AND i.id = $2) r`;

const LOW = `SELECT COALESCE(json_agg(row_to_json(r)), '[]')::text AS body
  FROM (SELECT id, sku, name, unit, trim_scale(on_hand) AS "onHand", trim_scale(reorder_point) AS "reorderPoint", low,
      trim_scale(unit_cost) AS "unitCost", trim_scale(unit_price) AS "unitPrice",
      to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"
    FROM items WHERE company_id = $1 AND low ORDER BY name, id LIMIT 1000) r`;

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
