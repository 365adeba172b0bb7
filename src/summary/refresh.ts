// Refreshes a company's summary: folds the invoices above its watermark into the rollups, then
// stores the response of GET /summary. The cost depends on what is new, not on what exists. The
// summary's row is locked, so any number of processes may refresh at once.
import { inTransaction, query, queryOne, type Transaction } from '../platform/db/connection.js';
import { minorUnits } from '../platform/values/money.js';
import { summaryJson } from './summary-json.js';

/** Invoices per transaction: a company with a million new ones catches up in short steps. */
const FOLD_MAX = 5_000;

interface SummaryRow {
  readonly watermark: string;
  readonly currency: string;
  readonly timeZone: string;
  /** The company's newest invoice number and stock version, read before the rows they count. */
  readonly lastNumber: string;
  readonly stockVersion: string;
}

/**
 * Brings the summary up to date and returns its JSON text as of `at` (null: now), or null if there
 * is no such company. The counters are read in an earlier snapshot than the figures, so a summary
 * never claims to show more than it does.
 */
export async function refreshSummary(
  companyId: string,
  at: Date | null = null,
): Promise<string | null> {
  for (;;) {
    const { done, body } = await inTransaction(tx => refreshStep(companyId, at, tx));
    if (done) return body;
  }
}

/** Folds up to FOLD_MAX invoices. After the last ones, also computes the figures. */
async function refreshStep(
  companyId: string,
  at: Date | null,
  tx: Transaction,
): Promise<{ done: boolean; body: string | null }> {
  const row = await lockSummary(companyId, tx);
  if (!row) return { done: true, body: null };
  const watermark = BigInt(row.watermark);
  const lastNumber = BigInt(row.lastNumber);
  const step = watermark + BigInt(FOLD_MAX);
  const upTo = lastNumber < step ? lastNumber : step;
  if (upTo > watermark) await fold(companyId, watermark, upTo, tx);
  if (upTo < lastNumber) return { done: false, body: null };
  return { done: true, body: await storeFigures(companyId, row, at, tx) };
}

/** Locks the company's summary, created if it is missing; null if there is no such company. */
async function lockSummary(companyId: string, tx: Transaction): Promise<SummaryRow | null> {
  await query(
    `INSERT INTO summaries (company_id)
     SELECT id FROM companies WHERE id = $1
     ON CONFLICT DO NOTHING`,
    [companyId],
    tx,
  );
  return queryOne<SummaryRow>(
    `SELECT s.watermark,
       trim(c.currency) AS currency,
       c.time_zone AS "timeZone",
       c.next_invoice_number - 1 AS "lastNumber",
       c.stock_version AS "stockVersion"
     FROM summaries s
     JOIN companies c ON c.id = s.company_id
     WHERE s.company_id = $1
     FOR UPDATE OF s`,
    [companyId],
    tx,
  );
}

/**
 * Adds the invoices numbered above the watermark to the rollups. Numbers commit in order, so none
 * is skipped.
 */
async function fold(
  companyId: string,
  watermark: bigint,
  upTo: bigint,
  tx: Transaction,
): Promise<void> {
  await query(
    `WITH fresh AS MATERIALIZED (
       SELECT company_id, id, number, date, date_trunc('month', date)::date AS month,
         customer_key, customer_name, total
       FROM invoices
       WHERE company_id = $1 AND number > $2 AND number <= $3
     ), days AS (
       INSERT INTO daily_totals AS d
       SELECT company_id, date, count(*), sum(total)
       FROM fresh
       GROUP BY 1, 2
       ON CONFLICT (company_id, date) DO UPDATE
         SET count = d.count + excluded.count,
           total = d.total + excluded.total
     ), customers AS (
       INSERT INTO customer_totals AS t
       SELECT company_id, month, customer_key,
         (array_agg(customer_name ORDER BY number DESC))[1],
         count(*), sum(total)
       FROM fresh
       GROUP BY 1, 2, 3
       ON CONFLICT (company_id, month, customer_key) DO UPDATE
         SET name = excluded.name,
           count = t.count + excluded.count,
           total = t.total + excluded.total
     ), items AS (
       INSERT INTO item_totals AS t
       SELECT l.company_id, f.month, l.item_key,
         (array_agg(l.name ORDER BY f.number DESC, l.position))[1],
         sum(l.qty), sum(l.amount)
       FROM fresh f
       JOIN invoice_lines l ON l.company_id = f.company_id AND l.invoice_id = f.id
       GROUP BY 1, 2, 3
       ON CONFLICT (company_id, month, item_key) DO UPDATE
         SET name = excluded.name,
           qty = t.qty + excluded.qty,
           total = t.total + excluded.total
     )
     UPDATE summaries
     SET watermark = $3
     WHERE company_id = $1`,
    [companyId, String(watermark), String(upTo)],
    tx,
  );
}

/** $5: the instant of the summary, or NULL for now. */
const INSTANT = 'COALESCE($5::timestamptz, now())';

async function storeFigures(
  companyId: string,
  { currency, timeZone, stockVersion }: SummaryRow,
  at: Date | null,
  tx: Transaction,
): Promise<string | null> {
  const body = summaryJson({
    company: '$1',
    currency: '$2',
    timeZone: '$3',
    places: '$4',
    instant: INSTANT,
  });
  const stored = await queryOne<{ body: string }>(
    `UPDATE summaries s
     SET stock_version = $6,
       currency = $2,
       time_zone = $3,
       day = (${INSTANT} AT TIME ZONE $3)::date,
       computed_at = ${INSTANT},
       body = ${body}
     WHERE company_id = $1
     RETURNING body`,
    [companyId, currency, timeZone, minorUnits(currency), at, stockVersion],
    tx,
  );
  return stored?.body ?? null;
}
