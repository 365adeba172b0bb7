// SQL for the summary's JSON, computed from the rollups. Used by the refresh and by verify.
import { AGES, isOfAge, isPast } from '../invoices/overdue.js';
import { jsonObject, timeJson } from '../platform/db/sql.js';
import { isAboveZero } from './tops.js';

/** SQL expressions for the company and the settings of a summary. */
interface SummaryExpressions {
  readonly company: string;
  readonly currency: string;
  readonly timeZone: string;
  /** The currency's decimals. */
  readonly decimals: string;
  /** The instant that counts as now. */
  readonly instant: string;
  /** The unallocated money of payments and credit notes. */
  readonly unallocated: string;
}

/**
 * The one definition of the summary's JSON text. Invoices and entries count towards the month of
 * their date; today is the current day in the time zone.
 */
export function summaryJson(terms: SummaryExpressions): string {
  const { company, currency, timeZone, decimals, instant, unallocated } = terms;
  return `(
  WITH today AS (
    SELECT (${instant} AT TIME ZONE ${timeZone})::date AS day
  ),
  period AS (
    SELECT day,
      date_trunc('month', day)::date AS start,
      (date_trunc('month', day) + interval '1 month')::date - 1 AS last,
      (date_trunc('month', day) - interval '1 month')::date AS previous
    FROM today
  ),
  figures AS (
    SELECT
      ${sumOf('count', THIS_MONTH)} AS count,
      ${sumOf('total', THIS_MONTH)} AS total,
      ${sumOf('tax', THIS_MONTH)} AS tax,
      ${sumOf('count', LAST_MONTH)} AS before_count,
      ${sumOf('total', LAST_MONTH)} AS before_total,
      ${sumOf('count', LAST_MONTH_TO_SAME_DAY)} AS same_count,
      ${sumOf('total', LAST_MONTH_TO_SAME_DAY)} AS same_total
    FROM period
    LEFT JOIN daily_totals ON company_id = ${company} AND date BETWEEN previous AND last
  ),
  entries AS (
    SELECT ${ENTRY_FIGURES}
    FROM period
    LEFT JOIN entry_totals ON company_id = ${company} AND date BETWEEN start AND last
  ),
  due AS (
    SELECT
      COALESCE(sum(count), 0) AS count,
      COALESCE(sum(total), 0) AS total,
      ${sumOf('count', OVERDUE)} AS overdue_count,
      ${sumOf('total', OVERDUE)} AS overdue_total,
      ${AGES.map(age => `${sumOf('total', isOfAge(age, 'due_date', 'day'))} AS "${age}"`).join(`,
      `)}
    FROM period
    LEFT JOIN due_totals ON company_id = ${company}
  ),
  stock AS (
    SELECT item_count AS items,
      low_items AS low,
      items_out_of_stock AS "outOfStock",
      trim_scale(round(stock_value, ${decimals}::int)) AS value
    FROM companies
    WHERE id = ${company}
  )
  SELECT row_to_json(summary)::text
  FROM (
    SELECT
      ${period(timeZone)} AS period,
      ${currency} AS currency,
      ${invoices(decimals)} AS invoices,
      ${PREVIOUS} AS previous,
      ${CHANGE} AS change,
      ${topCustomers(company)} AS "topCustomers",
      ${topItems(company)} AS "topItems",
      (SELECT row_to_json(stock) FROM stock) AS inventory,
      ${timeJson(instant)} AS "computedAt",
      ${SALES} AS sales,
      ${CREDIT} AS credited,
      ${countAndTotal('e.received')} AS received,
      ${countAndTotal('e.refunded')} AS refunded,
      ${jsonObject('d.count, trim_scale(d.total) AS total')} AS outstanding,
      ${countAndTotal('d.overdue')} AS overdue,
      ${jsonObject(`trim_scale(${unallocated}) AS total`)} AS unallocated,
      ${RECEIVABLES} AS receivables
    FROM period p, figures f, entries e, due d
  ) summary
)`;
}

const THIS_MONTH = 'date >= start';
const LAST_MONTH = 'date < start';
const LAST_MONTH_TO_SAME_DAY = `${LAST_MONTH} AND extract(day FROM date) <= extract(day FROM day)`;

/** The rollup has a due date only while money is due on it, so no other condition is needed. */
const OVERDUE = isPast('due_date', 'day');

const sumOf = (column: string, condition: string) =>
  `COALESCE(sum(${column}) FILTER (WHERE ${condition}), 0)`;

const CREDIT_NOTES = "type = 'creditNote'";
const PAYMENTS = "type = 'payment'";
const REVERSALS = "type = 'reversal'";
const REFUNDS = "type = 'refund'";

/** The select list of entry_totals, summed. A reversal lessens the money of its own date. */
export const ENTRY_FIGURES = `
  ${sumOf('count', CREDIT_NOTES)} AS credited_count,
  ${sumOf('total', CREDIT_NOTES)} AS credited_total,
  ${sumOf('tax', CREDIT_NOTES)} AS credited_tax,
  ${sumOf('count', REVERSALS)} AS reversed_count,
  ${sumOf('count', PAYMENTS)} - ${sumOf('count', REVERSALS)} AS received_count,
  ${sumOf('total', PAYMENTS)} - ${sumOf('total', REVERSALS)} AS received_total,
  ${sumOf('count', REFUNDS)} AS refunded_count,
  ${sumOf('total', REFUNDS)} AS refunded_total`;

// The members of the summary read the period as p, the figures as f, the entries as e, and the
// totals of due dates as d.

const period = (timeZone: string) =>
  jsonObject(`
    to_char(p.start, 'YYYY-MM') AS month,
    p.start AS "from",
    p.last AS "to",
    ${timeZone} AS timezone`);

const invoices = (decimals: string) =>
  jsonObject(`
    f.count,
    trim_scale(f.total) AS total,
    trim_scale(round(f.total / NULLIF(f.count, 0), ${decimals}::int)) AS average`);

const PREVIOUS = jsonObject(`
  to_char(p.previous, 'YYYY-MM') AS month,
  f.before_count AS count,
  trim_scale(f.before_total) AS total,
  ${jsonObject('f.same_count AS count, trim_scale(f.same_total) AS total')} AS "toSameDay"`);

const CHANGE = jsonObject(`
  ${percentChange('f.count', 'f.same_count')} AS "countPercent",
  ${percentChange('f.total', 'f.same_total')} AS "totalPercent"`);

const SALES = jsonObject('trim_scale(f.total - f.tax) AS net, trim_scale(f.tax) AS tax');

const CREDIT = jsonObject(`
  e.credited_count AS count,
  trim_scale(e.credited_total) AS total,
  trim_scale(e.credited_total - e.credited_tax) AS net,
  trim_scale(e.credited_tax) AS tax`);

const RECEIVABLES = jsonObject(AGES.map(age => `trim_scale(d."${age}") AS "${age}"`).join(',\n  '));

const countAndTotal = (figures: string) =>
  jsonObject(`${figures}_count AS count, trim_scale(${figures}_total) AS total`);

export function percentChange(now: string, before: string): string {
  return `trim_scale(round((${now} - ${before}) * 100 / NULLIF(${before}, 0), 1))`;
}

const topCustomers = (company: string) =>
  jsonArray(`
    SELECT name, count, trim_scale(total) AS total
    FROM ${largest('customer_totals', 'customer_key', 'count', 'customers', company)} t
    ORDER BY t.total DESC, customer_key`);

const topItems = (company: string) =>
  jsonArray(`
    SELECT ${itemName(company)} AS name, trim_scale(qty) AS qty, trim_scale(total) AS total
    FROM ${largest('item_totals', 'item_key', 'qty', 'items', company)} t
    ORDER BY t.total DESC, item_key`);

function jsonArray(select: string): string {
  return `(SELECT COALESCE(json_agg(row_to_json(element)), '[]') FROM (${select}) element)`;
}

/** The rows of a rollup with the month's largest totals, of which an earlier release kept zeros. */
function largest(rollup: string, key: string, count: string, top: string, company: string): string {
  return `(
      SELECT t.*
      FROM monthly_tops top,
        unnest(top.${top}) AS top_key,
        LATERAL (
          SELECT *
          FROM ${rollup} r
          WHERE r.company_id = top.company_id AND r.month = top.month AND r.${key} = top_key
          LIMIT 1
        ) t
      WHERE top.company_id = ${company} AND top.month = p.start AND ${isAboveZero('t', count)}
    )`;
}

/** Names an item: a stock item by its current name, anything else by its newest line. */
export function itemName(company: string): string {
  return `CASE
      WHEN item_key LIKE 'name:%' THEN t.name
      ELSE (SELECT i.name FROM items i WHERE i.company_id = ${company} AND i.id = t.item_key::uuid)
    END`;
}
