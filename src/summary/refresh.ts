// Making a company's summary: folds the invoices past its watermark into the rollups, then writes the answer of
// GET /summary. Cost follows what is new, not what exists. Safe at any number of processes: the row is locked.
import { inTransaction, query, queryOne, type Transaction } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/sql.js';
import { minorUnits } from '../platform/values/money.js';

/** Invoices folded in one transaction: a company with a million unseen ones is caught up with in short steps. */
const FOLD_MAX = 5_000;

interface SummaryRow {
  readonly watermark: string;
  readonly currency: string;
  readonly timeZone: string;
  /** The company's newest invoice number, and its stock's version: read before what they count. */
  readonly lastNumber: string;
  readonly stockVersion: string;
}

/**
 * Brings the summary up to date and returns its JSON text as of `at` (null: now); null where there is no such company.
 * The statement's snapshot is younger than the counters noted with it, so a summary never claims to show more than it does.
 */
export async function refreshSummary(
  companyId: string,
  at: Date | null = null,
): Promise<string | null> {
  for (;;) {
    const { done, body } = await inTransaction(tx => refreshIn(companyId, at, tx));
    if (done) return body;
  }
}

async function refreshIn(
  companyId: string,
  at: Date | null,
  tx: Transaction,
): Promise<{ done: boolean; body: string | null }> {
  await query(
    'INSERT INTO summaries (company_id) SELECT id FROM companies WHERE id = $1 ON CONFLICT DO NOTHING',
    [companyId],
    tx,
  );
  const row = await queryOne<SummaryRow>(
    `SELECT s.watermark, trim(c.currency) AS currency, c.time_zone AS "timeZone",
       c.next_invoice_number - 1 AS "lastNumber", c.stock_version AS "stockVersion"
     FROM summaries s JOIN companies c ON c.id = s.company_id WHERE s.company_id = $1 FOR UPDATE OF s`,
    [companyId],
    tx,
  );
  if (!row) return { done: true, body: null };
  const watermark = BigInt(row.watermark);
  const lastNumber = BigInt(row.lastNumber);
  const step = watermark + BigInt(FOLD_MAX);
  const upTo = lastNumber < step ? lastNumber : step;
  if (upTo > watermark) await fold(companyId, watermark, upTo, tx);
  if (upTo < lastNumber) return { done: false, body: null };
  const written = await queryOne<{ body: string }>(
    `UPDATE summaries s SET stock_version = $6, currency = $2, time_zone = $3, day = (${instant} AT TIME ZONE $3)::date,
       computed_at = ${instant}, body = ${summaryJson({ company: '$1', currency: '$2', timeZone: '$3', places: '$4', instant })}
     WHERE company_id = $1 RETURNING body`,
    [companyId, row.currency, row.timeZone, minorUnits(row.currency), at, row.stockVersion],
    tx,
  );
  return { done: true, body: written?.body ?? null };
}

/** Adds the invoices numbered above the watermark to the rollups. They commit in order of number, so none is passed over. */
async function fold(
  companyId: string,
  watermark: bigint,
  upTo: bigint,
  tx: Transaction,
): Promise<void> {
  await query(
    `WITH fresh AS MATERIALIZED (
       SELECT company_id, id, number, date, date_trunc('month', date)::date AS month, customer_key, customer_name, total
       FROM invoices WHERE company_id = $1 AND number > $2 AND number <= $3
     ), days AS (
       INSERT INTO daily_totals AS d SELECT company_id, date, count(*), sum(total) FROM fresh GROUP BY 1, 2
       ON CONFLICT (company_id, date) DO UPDATE SET count = d.count + excluded.count, total = d.total + excluded.total
     ), customers AS (
       INSERT INTO customer_totals AS t
       SELECT company_id, month, customer_key, (array_agg(customer_name ORDER BY number DESC))[1], count(*), sum(total)
       FROM fresh GROUP BY 1, 2, 3
       ON CONFLICT (company_id, month, customer_key)
         DO UPDATE SET name = excluded.name, count = t.count + excluded.count, total = t.total + excluded.total
     ), items AS (
       INSERT INTO item_totals AS t
       SELECT l.company_id, f.month, l.item_key, (array_agg(l.name ORDER BY f.number DESC, l.position))[1], sum(l.qty), sum(l.amount)
       FROM fresh f JOIN invoice_lines l ON l.company_id = f.company_id AND l.invoice_id = f.id GROUP BY 1, 2, 3
       ON CONFLICT (company_id, month, item_key)
         DO UPDATE SET name = excluded.name, qty = t.qty + excluded.qty, total = t.total + excluded.total
     )
     UPDATE summaries SET watermark = $3 WHERE company_id = $1`,
    [companyId, String(watermark), String(upTo)],
    tx,
  );
}

/** $5: the instant the summary is of; NULL for now. */
const instant = 'COALESCE($5::timestamptz, now())';

/** An item goes by its own name, whatever a line that named its sku called it; anything else by its newest line's. */
const itemName = (company: string) => `CASE WHEN item_key LIKE 'name:%' THEN t.name
  ELSE (SELECT i.name FROM items i WHERE i.company_id = ${company} AND i.id = t.item_key::uuid) END`;

/** The month's five largest rows of a rollup, and those of the fifth one's size: the index knows totals by their size. */
const largest = (rollup: string, company: string) => `(SELECT * FROM ${rollup}
  WHERE company_id = ${company} AND month = p.start ORDER BY magnitude DESC FETCH FIRST 5 ROWS WITH TIES)`;

/** SQL expressions of whose summary it is and by which settings. */
interface SummaryTerms {
  readonly company: string;
  readonly currency: string;
  readonly timeZone: string;
  /** The currency's decimal places. */
  readonly places: string;
  /** What counts as now. */
  readonly instant: string;
}

/**
 * The one definition of the summary's JSON, over the rollups. Months are those of invoice dates; today is the time
 * zone's.
 */
export function summaryJson({
  company,
  currency,
  timeZone,
  places,
  instant,
}: SummaryTerms): string {
  return `(
  WITH today AS (SELECT (${instant} AT TIME ZONE ${timeZone})::date AS day),
  period AS (
    SELECT day, date_trunc('month', day)::date AS start, (date_trunc('month', day) + interval '1 month')::date - 1 AS last,
      (date_trunc('month', day) - interval '1 month')::date AS previous FROM today
  ),
  figures AS (
    SELECT COALESCE(sum(count) FILTER (WHERE date >= start), 0) AS count, COALESCE(sum(total) FILTER (WHERE date >= start), 0) AS total,
      COALESCE(sum(count) FILTER (WHERE date < start), 0) AS before_count, COALESCE(sum(total) FILTER (WHERE date < start), 0) AS before_total,
      COALESCE(sum(count) FILTER (WHERE date < start AND extract(day FROM date) <= extract(day FROM day)), 0) AS same_count,
      COALESCE(sum(total) FILTER (WHERE date < start AND extract(day FROM date) <= extract(day FROM day)), 0) AS same_total
    FROM period LEFT JOIN daily_totals ON company_id = ${company} AND date BETWEEN previous AND last
  ),
  stock AS (
    SELECT count(*) AS items, count(*) FILTER (WHERE low) AS low, count(*) FILTER (WHERE on_hand <= 0) AS "outOfStock",
      trim_scale(round(COALESCE(sum(on_hand * unit_cost), 0), ${places}::int)) AS value
    FROM items WHERE company_id = ${company}
  )
  SELECT row_to_json(r)::text FROM (
    SELECT
      (SELECT row_to_json(x) FROM (SELECT to_char(p.start, 'YYYY-MM') AS month, p.start AS "from", p.last AS "to", ${timeZone} AS timezone) x) AS period,
      ${currency} AS currency,
      (SELECT row_to_json(x) FROM (SELECT f.count, trim_scale(f.total) AS total, trim_scale(round(f.total / NULLIF(f.count, 0), ${places}::int)) AS average) x) AS invoices,
      (SELECT row_to_json(x) FROM (SELECT to_char(p.previous, 'YYYY-MM') AS month, f.before_count AS count, trim_scale(f.before_total) AS total,
        (SELECT row_to_json(y) FROM (SELECT f.same_count AS count, trim_scale(f.same_total) AS total) y) AS "toSameDay") x) AS previous,
      (SELECT row_to_json(x) FROM (SELECT trim_scale(round((f.count - f.same_count) * 100 / NULLIF(f.same_count, 0), 1)) AS "countPercent",
        trim_scale(round((f.total - f.same_total) * 100 / NULLIF(f.same_total, 0), 1)) AS "totalPercent") x) AS change,
      (SELECT COALESCE(json_agg(row_to_json(x)), '[]') FROM (SELECT name, count, trim_scale(total) AS total
        FROM ${largest('customer_totals', company)} t ORDER BY t.total DESC, customer_key LIMIT 5) x) AS "topCustomers",
      (SELECT COALESCE(json_agg(row_to_json(x)), '[]') FROM (SELECT ${itemName(company)} AS name, trim_scale(qty) AS qty, trim_scale(total) AS total
        FROM ${largest('item_totals', company)} t ORDER BY t.total DESC, item_key LIMIT 5) x) AS "topItems",
      (SELECT row_to_json(stock) FROM stock) AS inventory,
      ${timeJson(instant)} AS "computedAt"
    FROM period p, figures f
  ) r
)`;
}
