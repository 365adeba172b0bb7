// The invariants: what must hold, and the SQL whose rows are the offenders. Read from the truth (lines, movements,
// invoices), never from what is derived of it. Checks that read the same rows share one statement: on a million invoices
// each pass over their lines takes seconds.
import { invoiceJson, lineJson } from '../invoices/queries.js';
import { MINOR_UNITS } from '../platform/values/money.js';
import { summaryJson } from '../summary/refresh.js';
import { unequalSums } from './sums.js';

export interface Check {
  /** What must hold. */
  readonly names: readonly string[];
  /** An offender a row; where there are several names, "violation" is the one that it offends. */
  readonly sql: string;
}

const TOTAL = "an invoice's total is the sum of its lines";
const AMOUNT = "a line's amount is qty × price rounded half up to the currency's minor unit";
const BODY = "an invoice's stored JSON says what it and its lines say";
const POSITIONS = "an invoice's lines are numbered from 1 without a gap";

/** A name as SQL text. */
const quote = (name: string) => `'${name.replaceAll("'", "''")}'`;

const placesOf = (currency: string) =>
  `CASE trim(${currency}) ${[...MINOR_UNITS].map(([code, digits]) => `WHEN '${code}' THEN ${digits}`).join(' ')} ELSE 2 END`;

/** Each company's terms, worked out once and not once a line. */
const terms = `terms AS MATERIALIZED (SELECT id, ${placesOf('currency')} AS places FROM companies)`;

/** The invoices that the rollups hold. */
const folded =
  'invoices i JOIN summaries s ON s.company_id = i.company_id AND i.number <= s.watermark';
const month = "date_trunc('month', i.date)::date AS month";

/** An invoice's JSON, anew: with its row as i and its lines' JSON text as l.lines. */
const body = invoiceJson('l.lines::json');

/** In the order in which they are begun: the longest first, so that none is left alone at the end. */
export const CHECKS: readonly Check[] = [
  {
    names: [TOTAL, AMOUNT, BODY, POSITIONS],
    // The JSON is equal as text, as rendered at posting, or else as JSON: parsing a million of them would take a minute.
    // OFFSET 0 has each comparison made once and not once a name.
    sql: `WITH ${terms}
      SELECT v.violation, b.company_id AS "companyId", b.id AS "invoiceId", b.total, b.sum AS "sumOfLines", b.wrong AS position
      FROM (
        SELECT i.company_id, i.id, i.total, l.sum, l.wrong, l.sum IS DISTINCT FROM i.total AS "badTotal", l.count <> l.last AS "badPositions",
          i.body <> ${body} AND i.body::jsonb <> ${body}::jsonb AS "badBody"
        FROM invoices i JOIN terms t ON t.id = i.company_id, LATERAL (
          SELECT sum(amount) AS sum, count(*) AS count, max(position) AS last, '[' || string_agg(${lineJson}, ',' ORDER BY position) || ']' AS lines,
            min(position) FILTER (WHERE amount <> round(qty * price, t.places)) AS wrong
          FROM (SELECT *, item_id AS "itemId" FROM invoice_lines WHERE company_id = i.company_id AND invoice_id = i.id) l) l
        OFFSET 0) b, LATERAL (VALUES (${quote(TOTAL)}, b."badTotal"), (${quote(AMOUNT)}, b.wrong IS NOT NULL), (${quote(BODY)}, b."badBody"),
          (${quote(POSITIONS)}, b."badPositions")) v (violation, broken)
      WHERE (b."badTotal" OR b.wrong IS NOT NULL OR b."badBody" OR b."badPositions") AND v.broken`,
  },
  {
    names: ['each movement carries the balance after it'],
    // By item first: ids of items differ early, so a sort by them is faster than the index, which reads row by row.
    sql: `SELECT company_id AS "companyId", item_id AS "itemId", id AS "movementId", on_hand_after AS "onHandAfter", balance
      FROM (SELECT company_id, item_id, id, on_hand_after, sum(delta) OVER (PARTITION BY item_id, company_id ORDER BY id) AS balance FROM movements) m
      WHERE on_hand_after <> balance`,
  },
  {
    names: ["an import's rows are those that it counts"],
    sql: `SELECT i.company_id AS "companyId", i.id AS "importId", i.rows_total AS total, i.rows_done AS done, i.rows_failed AS failed,
        COALESCE(r.waiting, 0) AS waiting, COALESCE(r.refused, 0) AS refused
      FROM imports i
      LEFT JOIN (SELECT company_id, import_id, count(entry) AS waiting, count(errors) AS refused FROM import_rows GROUP BY 1, 2) r
        ON r.company_id = i.company_id AND r.import_id = i.id
      WHERE COALESCE(r.refused, 0) <> i.rows_failed OR COALESCE(r.waiting, 0) <> i.rows_total - i.rows_done - i.rows_failed`,
  },
  {
    names: ['no row points across companies'],
    // A line's item and a sale's invoice follow: lines and sales are equal by company, invoice and item.
    sql: `SELECT t.what, t.company_id AS "companyId", t.id FROM (
        SELECT 'invoice line' AS what, l.company_id, l.invoice_id AS id FROM invoice_lines l
          LEFT JOIN invoices i ON i.company_id = l.company_id AND i.id = l.invoice_id WHERE i.id IS NULL
        UNION ALL SELECT 'movement', m.company_id, m.item_id FROM movements m
          LEFT JOIN items s ON s.company_id = m.company_id AND s.id = m.item_id
          LEFT JOIN adjustments a ON a.company_id = m.company_id AND a.id = m.adjustment_id
          WHERE s.id IS NULL OR num_nonnulls(m.invoice_id, a.id) <> 1
        UNION ALL SELECT 'job', j.company_id, j.id FROM jobs j LEFT JOIN companies c ON c.id = j.company_id WHERE c.id IS NULL
        UNION ALL SELECT 'api key', k.company_id, k.id FROM api_keys k
          LEFT JOIN users u ON u.company_id = k.company_id AND u.id = k.created_by
          WHERE k.created_by IS NOT NULL AND u.id IS NULL
        UNION ALL SELECT 'api key secret', x.company_id, x.api_key_id FROM api_key_secrets x
          LEFT JOIN api_keys k ON k.company_id = x.company_id AND k.id = x.api_key_id WHERE k.id IS NULL) t`,
  },
  {
    names: ['an invoice took out of stock what its lines say'],
    sql: unequalSums({
      key: { company_id: 'uuid', invoice_id: 'uuid', item_id: 'uuid' },
      figures: ['qty'],
      stored:
        'SELECT company_id, invoice_id, item_id, -delta AS qty FROM movements WHERE invoice_id IS NOT NULL',
      recounted:
        'SELECT company_id, invoice_id, item_id, qty FROM invoice_lines WHERE item_id IS NOT NULL',
      offender: `company_id AS "companyId", invoice_id AS "invoiceId", item_id AS "itemId", recounted_qty AS "ofLines", stored_qty AS "ofMovements"`,
    }),
  },
  {
    names: ['the item rollup equals a recount up to its watermark'],
    sql: unequalSums({
      key: { company_id: 'uuid', item_key: 'text', month: 'date' },
      figures: ['qty', 'total'],
      stored: 'SELECT company_id, month, item_key, qty, total FROM item_totals',
      recounted: `SELECT i.company_id, ${month}, l.item_key, l.qty, l.amount AS total
        FROM ${folded} JOIN invoice_lines l ON l.company_id = i.company_id AND l.invoice_id = i.id`,
      offender: `company_id AS "companyId", month::text, item_key AS "itemKey", stored_qty AS qty, recounted_qty AS recounted,
        stored_total AS total, recounted_total AS "recountedTotal"`,
    }),
  },
  {
    names: ['the customer rollup equals a recount up to its watermark'],
    sql: unequalSums({
      key: { company_id: 'uuid', customer_key: 'text', month: 'date' },
      figures: ['count', 'total'],
      stored: 'SELECT company_id, month, customer_key, count, total FROM customer_totals',
      recounted: `SELECT i.company_id, ${month}, i.customer_key, 1 AS count, i.total FROM ${folded}`,
      offender: `company_id AS "companyId", month::text, customer_key AS "customerKey", stored_count AS count, recounted_count AS recounted,
        stored_total AS total, recounted_total AS "recountedTotal"`,
    }),
  },
  {
    names: ['the daily rollup equals a recount up to its watermark'],
    sql: unequalSums({
      key: { company_id: 'uuid', date: 'date' },
      figures: ['count', 'total'],
      stored: 'SELECT company_id, date, count, total FROM daily_totals',
      recounted: `SELECT i.company_id, i.date, 1 AS count, i.total FROM ${folded}`,
      offender: `company_id AS "companyId", date::text, stored_count AS count, recounted_count AS recounted,
        stored_total AS total, recounted_total AS "recountedTotal"`,
    }),
  },
  {
    names: ['on hand is the sum of the movements'],
    sql: unequalSums({
      key: { company_id: 'uuid', item_id: 'uuid' },
      figures: ['on_hand'],
      stored: 'SELECT company_id, id AS item_id, on_hand FROM items',
      recounted: 'SELECT company_id, item_id, delta AS on_hand FROM movements',
      offender: `company_id AS "companyId", item_id AS "itemId", stored_on_hand AS "onHand", recounted_on_hand AS "sumOfMovements"`,
    }),
  },
  {
    names: ["a movement's kind is its adjustment's reason, and a sale takes out of stock"],
    sql: `SELECT m.company_id AS "companyId", m.id AS "movementId", m.kind, m.delta, a.reason
      FROM movements m LEFT JOIN adjustments a ON a.company_id = m.company_id AND a.id = m.adjustment_id
      WHERE CASE WHEN m.invoice_id IS NULL THEN m.kind <> a.reason ELSE m.kind <> 'sale' OR m.delta >= 0 END`,
  },
  {
    names: ["a line counts towards its item's figures, or towards its name's"],
    sql: `SELECT company_id AS "companyId", invoice_id AS "invoiceId", position, item_id AS "itemId", item_key AS "itemKey"
      FROM invoice_lines WHERE CASE WHEN item_id IS NULL THEN item_key NOT LIKE 'name:%' ELSE item_key <> item_id::text END`,
  },
  {
    names: ['an invoice or adjustment comes from a job that succeeded with it'],
    sql: `SELECT r.company_id AS "companyId", j.id AS "jobId", r.id AS "resultId", j.status
      FROM (SELECT company_id, submission_id, id FROM invoices UNION ALL SELECT company_id, submission_id, id FROM adjustments) r
      JOIN jobs j ON j.company_id = r.company_id AND j.submission_id = r.submission_id
      WHERE j.status <> 'succeeded' OR j.result_id <> r.id`,
  },
  {
    names: ['a job that succeeded has exactly its result'],
    sql: `SELECT j.company_id AS "companyId", j.id AS "jobId", j.type, j.result_id AS "resultId"
      FROM jobs j
      LEFT JOIN invoices i ON i.company_id = j.company_id AND i.id = j.result_id AND i.submission_id = j.submission_id
      LEFT JOIN adjustments a ON a.company_id = j.company_id AND a.id = j.result_id AND a.submission_id = j.submission_id
      WHERE j.status = 'succeeded' AND (CASE j.type WHEN 'invoice.create' THEN i.id ELSE a.id END) IS NULL`,
  },
  {
    names: ['a submission has one job'],
    sql: `SELECT company_id AS "companyId", submission_id AS "submissionId", count(*) AS jobs, min(id::text) AS "jobId"
      FROM jobs GROUP BY submission_id, company_id HAVING count(*) > 1`,
  },
  {
    names: ["an adjustment's stored movements are those that it made"],
    sql: `SELECT a.company_id AS "companyId", a.id AS "adjustmentId"
      FROM adjustments a
      LEFT JOIN (SELECT company_id, adjustment_id, jsonb_agg(jsonb_build_array(item_id, delta, on_hand_after - delta, on_hand_after) ORDER BY id) AS made
          FROM movements WHERE adjustment_id IS NOT NULL GROUP BY company_id, adjustment_id) m
        ON m.company_id = a.company_id AND m.adjustment_id = a.id
      WHERE m.made IS DISTINCT FROM (
        SELECT jsonb_agg(jsonb_build_array(e->'itemId', e->'delta', e->'onHandBefore', e->'onHandAfter') ORDER BY position)
        FROM json_array_elements(a.movements) WITH ORDINALITY AS x (e, position))`,
  },
  {
    names: ['invoice numbers are 1 to the counter, without a gap'],
    sql: `SELECT c.id AS "companyId", c.next_invoice_number - 1 AS counter, count(i.number) AS invoices, max(i.number) AS "lastNumber"
      FROM companies c LEFT JOIN invoices i ON i.company_id = c.id GROUP BY c.id
      HAVING count(DISTINCT i.number) <> count(i.number) OR count(i.number) <> c.next_invoice_number - 1
        OR COALESCE(max(i.number), 0) <> c.next_invoice_number - 1`,
  },
  {
    names: ["an invoice is in its company's currency"],
    sql: `SELECT i.company_id AS "companyId", i.id AS "invoiceId", i.currency, c.currency AS "companyCurrency"
      FROM invoices i JOIN companies c ON c.id = i.company_id WHERE i.currency <> c.currency`,
  },
  {
    names: ['no two items of a company share a name or a sku'],
    sql: `SELECT company_id AS "companyId", what, key, count(*) AS items
      FROM (SELECT company_id, 'name' AS what, name_key AS key FROM items UNION ALL SELECT company_id, 'sku', sku FROM items WHERE sku IS NOT NULL) k
      GROUP BY key, what, company_id HAVING count(*) > 1`,
  },
  {
    names: ['no summary is ahead of its company'],
    sql: `SELECT s.company_id AS "companyId", s.watermark, c.next_invoice_number - 1 AS counter
      FROM summaries s JOIN companies c ON c.id = s.company_id
      WHERE s.watermark > c.next_invoice_number - 1 OR s.stock_version > c.stock_version`,
  },
  {
    names: ['a summary that is up to date says what a recount says'],
    // A figure at a time: one that a later release adds is not there until the summary is made anew.
    sql: `SELECT s.company_id AS "companyId", said.key AS figure, said.value AS says, fresh.value AS recounted
      FROM summaries s JOIN companies c ON c.id = s.company_id AND s.watermark = c.next_invoice_number - 1 AND s.stock_version = c.stock_version,
        LATERAL (SELECT ${summaryJson({
          company: 's.company_id',
          currency: 's.currency',
          timeZone: 's.time_zone',
          places: placesOf('s.currency'),
          instant: 's.computed_at',
        })}::jsonb AS body OFFSET 0) f,
        LATERAL jsonb_each(s.body::jsonb) said LEFT JOIN LATERAL jsonb_each(f.body) fresh ON fresh.key = said.key
      WHERE said.value IS DISTINCT FROM fresh.value`,
  },
];
