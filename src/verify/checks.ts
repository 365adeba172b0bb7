// The invariants, one SQL statement each: a row is a violation and names its offender. Read from the truth (lines,
// movements, invoices), never from what is derived of it.
import { lineJson } from '../invoices/queries.js';
import { MINOR_UNITS } from '../platform/money.js';

export interface Check {
  readonly name: string;
  readonly sql: string;
}

const places = `CASE trim(c.currency) ${[...MINOR_UNITS].map(([code, digits]) => `WHEN '${code}' THEN ${digits}`).join(' ')} ELSE 2 END`;

export const CHECKS: readonly Check[] = [
  {
    name: 'invoice numbers are 1 to the counter, without a gap',
    sql: `SELECT c.id AS "companyId", c.next_invoice_number - 1 AS counter, count(i.number) AS invoices, max(i.number) AS "lastNumber"
      FROM companies c LEFT JOIN invoices i ON i.company_id = c.id
      GROUP BY c.id HAVING count(i.number) <> c.next_invoice_number - 1 OR COALESCE(max(i.number), 0) <> c.next_invoice_number - 1`,
  },
  {
    name: "an invoice's total is the sum of its lines",
    sql: `SELECT i.company_id AS "companyId", i.id AS "invoiceId", i.total, sum(l.amount) AS "sumOfLines"
      FROM invoices i LEFT JOIN invoice_lines l ON l.company_id = i.company_id AND l.invoice_id = i.id
      GROUP BY i.company_id, i.id HAVING sum(l.amount) IS DISTINCT FROM i.total`,
  },
  {
    name: "a line's amount is qty × price rounded half up to the currency's minor unit",
    sql: `WITH terms AS MATERIALIZED (SELECT id, ${places} AS places FROM companies c)
      SELECT l.company_id AS "companyId", l.invoice_id AS "invoiceId", l.position, l.amount
      FROM invoice_lines l JOIN terms t ON t.id = l.company_id WHERE l.amount <> round(l.qty * l.price, t.places)`,
  },
  {
    name: "an invoice's stored line JSON says what its lines say",
    // Equal as text, as rendered at posting, or else as JSON: parsing a million of them would take a minute.
    sql: `SELECT i.company_id AS "companyId", i.id AS "invoiceId"
      FROM invoices i JOIN (
        SELECT company_id, invoice_id, '[' || string_agg(${lineJson}, ',' ORDER BY position) || ']' AS lines
        FROM (SELECT *, item_id AS "itemId" FROM invoice_lines) l GROUP BY company_id, invoice_id
      ) l ON l.company_id = i.company_id AND l.invoice_id = i.id
      WHERE l.lines <> i.lines::text AND l.lines::jsonb <> i.lines::jsonb`,
  },
  {
    name: "an invoice is in its company's currency",
    sql: `SELECT i.company_id AS "companyId", i.id AS "invoiceId", i.currency, c.currency AS "companyCurrency"
      FROM invoices i JOIN companies c ON c.id = i.company_id WHERE i.currency <> c.currency`,
  },
  {
    name: 'on hand is the sum of the movements',
    sql: `SELECT i.company_id AS "companyId", i.id AS "itemId", i.on_hand AS "onHand", COALESCE(m.sum, 0) AS "sumOfMovements"
      FROM items i LEFT JOIN (SELECT company_id, item_id, sum(delta) AS sum FROM movements GROUP BY company_id, item_id) m
        ON m.company_id = i.company_id AND m.item_id = i.id
      WHERE i.on_hand <> COALESCE(m.sum, 0)`,
  },
  {
    name: 'each movement carries the balance after it',
    sql: `SELECT company_id AS "companyId", item_id AS "itemId", id AS "movementId", on_hand_after AS "onHandAfter", balance
      FROM (SELECT company_id, item_id, id, on_hand_after, sum(delta) OVER (PARTITION BY company_id, item_id ORDER BY id) AS balance FROM movements) m
      WHERE on_hand_after <> balance`,
  },
  {
    name: 'an invoice took out of stock what its lines say',
    sql: `SELECT company_id AS "companyId", invoice_id AS "invoiceId", item_id AS "itemId", sum(qty) AS "ofLines", -sum(delta) AS "ofMovements"
      FROM (
        SELECT company_id, invoice_id, item_id, qty, 0 AS delta FROM invoice_lines WHERE item_id IS NOT NULL
        UNION ALL SELECT company_id, invoice_id, item_id, 0, delta FROM movements WHERE invoice_id IS NOT NULL) t
      GROUP BY company_id, invoice_id, item_id HAVING sum(qty) <> -sum(delta)`,
  },
  {
    name: "an adjustment's stored movements are those that it made",
    sql: `SELECT a.company_id AS "companyId", a.id AS "adjustmentId"
      FROM adjustments a
      LEFT JOIN (SELECT company_id, adjustment_id, jsonb_agg(jsonb_build_array(item_id, delta, on_hand_after) ORDER BY id) AS made
          FROM movements WHERE adjustment_id IS NOT NULL GROUP BY company_id, adjustment_id) m
        ON m.company_id = a.company_id AND m.adjustment_id = a.id
      WHERE m.made IS DISTINCT FROM (
        SELECT jsonb_agg(jsonb_build_array(e->'itemId', e->'delta', e->'onHandAfter') ORDER BY position)
        FROM json_array_elements(a.movements) WITH ORDINALITY AS x (e, position))`,
  },
  {
    name: 'a job that succeeded has exactly its result',
    sql: `SELECT j.company_id AS "companyId", j.id AS "jobId", j.type, j.result_id AS "resultId"
      FROM jobs j
      LEFT JOIN invoices i ON i.company_id = j.company_id AND i.id = j.result_id AND i.submission_id = j.submission_id
      LEFT JOIN adjustments a ON a.company_id = j.company_id AND a.id = j.result_id AND a.submission_id = j.submission_id
      WHERE j.status = 'succeeded' AND (CASE j.type WHEN 'invoice.create' THEN i.id ELSE a.id END) IS NULL`,
  },
  {
    name: 'an invoice or adjustment comes from a job that succeeded with it',
    sql: `SELECT r.company_id AS "companyId", j.id AS "jobId", r.id AS "resultId", j.status
      FROM (SELECT company_id, submission_id, id FROM invoices UNION ALL SELECT company_id, submission_id, id FROM adjustments) r
      JOIN jobs j ON j.company_id = r.company_id AND j.submission_id = r.submission_id
      WHERE j.status <> 'succeeded' OR j.result_id <> r.id`,
  },
  {
    name: 'no row points across companies',
    sql: `SELECT t.what, t.company_id AS "companyId", t.id FROM (
        SELECT 'invoice line' AS what, l.company_id, l.invoice_id AS id FROM invoice_lines l
          LEFT JOIN invoices i ON i.company_id = l.company_id AND i.id = l.invoice_id
          LEFT JOIN items s ON s.company_id = l.company_id AND s.id = l.item_id
          WHERE i.id IS NULL OR (l.item_id IS NOT NULL AND s.id IS NULL)
        UNION ALL SELECT 'movement', m.company_id, m.item_id FROM movements m
          LEFT JOIN items s ON s.company_id = m.company_id AND s.id = m.item_id
          LEFT JOIN invoices i ON i.company_id = m.company_id AND i.id = m.invoice_id
          LEFT JOIN adjustments a ON a.company_id = m.company_id AND a.id = m.adjustment_id
          WHERE s.id IS NULL OR num_nonnulls(i.id, a.id) <> 1
        UNION ALL SELECT 'api key', k.company_id, k.id FROM api_keys k
          LEFT JOIN users u ON u.company_id = k.company_id AND u.id = k.created_by
          WHERE k.created_by IS NOT NULL AND u.id IS NULL
        UNION ALL SELECT 'api key secret', x.company_id, x.api_key_id FROM api_key_secrets x
          LEFT JOIN api_keys k ON k.company_id = x.company_id AND k.id = x.api_key_id WHERE k.id IS NULL) t`,
  },
  {
    name: 'no summary is ahead of its company',
    sql: `SELECT s.company_id AS "companyId", s.watermark, c.next_invoice_number - 1 AS counter
      FROM summaries s JOIN companies c ON c.id = s.company_id
      WHERE s.watermark > c.next_invoice_number - 1 OR s.stock_version > c.stock_version`,
  },
  {
    name: 'the daily rollup equals a recount up to its watermark',
    sql: `SELECT COALESCE(d.company_id, r.company_id) AS "companyId", COALESCE(d.date, r.date)::text AS date, d.count, d.total,
        r.count AS recounted, r.total AS "recountedTotal"
      FROM daily_totals d
      FULL JOIN (SELECT i.company_id, i.date, count(*) AS count, sum(i.total) AS total
          FROM invoices i JOIN summaries s ON s.company_id = i.company_id AND i.number <= s.watermark GROUP BY 1, 2) r
        ON r.company_id = d.company_id AND r.date = d.date
      WHERE d.count IS DISTINCT FROM r.count OR d.total IS DISTINCT FROM r.total`,
  },
  {
    name: 'the customer rollup equals a recount up to its watermark',
    sql: `SELECT COALESCE(t.company_id, r.company_id) AS "companyId", COALESCE(t.month, r.month)::text AS month, t.name, t.count, r.count AS recounted
      FROM customer_totals t
      FULL JOIN (SELECT i.company_id, date_trunc('month', i.date)::date AS month, i.customer_key, count(*) AS count, sum(i.total) AS total
          FROM invoices i JOIN summaries s ON s.company_id = i.company_id AND i.number <= s.watermark GROUP BY 1, 2, 3) r
        ON r.company_id = t.company_id AND r.month = t.month AND r.customer_key = t.customer_key
      WHERE t.count IS DISTINCT FROM r.count OR t.total IS DISTINCT FROM r.total`,
  },
  {
    name: 'the item rollup equals a recount up to its watermark',
    sql: `SELECT COALESCE(t.company_id, r.company_id) AS "companyId", COALESCE(t.month, r.month)::text AS month, t.name, t.qty, r.qty AS recounted
      FROM item_totals t
      FULL JOIN (SELECT i.company_id, date_trunc('month', i.date)::date AS month, l.item_key, sum(l.qty) AS qty, sum(l.amount) AS total
          FROM invoices i JOIN summaries s ON s.company_id = i.company_id AND i.number <= s.watermark
          JOIN invoice_lines l ON l.company_id = i.company_id AND l.invoice_id = i.id GROUP BY 1, 2, 3) r
        ON r.company_id = t.company_id AND r.month = t.month AND r.item_key = t.item_key
      WHERE t.qty IS DISTINCT FROM r.qty OR t.total IS DISTINCT FROM r.total`,
  },
];
