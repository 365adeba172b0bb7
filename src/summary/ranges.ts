// Figures of any range of days, from the same rollups as the summary and as fresh: one row per day,
// and per month for customers and items.
import { query } from '../platform/db/connection.js';
import { minorUnits } from '../platform/values/money.js';
import { ENTRY_FIGURES, itemName, percentChange } from './summary-json.js';

/** Days, YYYY-MM-DD, both inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** A range and an earlier one that it is compared with. */
export interface ComparedRange extends DayRange {
  readonly previous: DayRange;
  /** The day of the earlier range that corresponds to today, or its last day. */
  readonly previousSameDay: string;
}

/** Figures as decimal text. Invoices and credit notes count by their own dates. */
export interface RangeFigures {
  readonly invoiced: string;
  readonly credited: string;
  /** The tax of what was invoiced, less the tax of what was credited. */
  readonly tax: string;
  /** Invoiced less credited, without tax. */
  readonly net: string;
  readonly issued: string;
  readonly voided: string;
  /** Issued less voided. */
  readonly count: string;
  /** `net` per invoice, rounded half up to the minor unit; null without invoices. */
  readonly average: string | null;
  readonly previousNet: string;
  readonly previousCount: string;
  /** The figures of the earlier range, up to the corresponding day. */
  readonly sameNet: string;
  readonly sameCount: string;
  /** The change against these, one decimal; null where the base is not above 0. */
  readonly countPercent: string | null;
  readonly netPercent: string | null;
}

/** Invoices and credit notes as rows by day, with credited figures below 0. */
const DAYS = `
  SELECT date, count AS issued, 0 AS voided, total AS invoiced, 0 AS credited, tax
  FROM daily_totals
  WHERE company_id = $1
  UNION ALL
  SELECT date, 0, CASE type WHEN 'void' THEN count ELSE 0 END,
    0, CASE type WHEN 'creditNote' THEN total ELSE 0 END,
    CASE type WHEN 'creditNote' THEN -tax ELSE 0 END
  FROM entry_totals
  WHERE company_id = $1 AND type IN ('creditNote', 'void')`;

const NET = 'invoiced - credited - tax';

export async function readRange(
  companyId: string,
  { from, to, previous, previousSameDay }: ComparedRange,
  currency: string,
): Promise<RangeFigures> {
  const sum = (figure: string, first: string, last: string) =>
    `COALESCE(sum(${figure}) FILTER (WHERE date BETWEEN ${first}::date AND ${last}::date), 0)`;
  const count = 'issued - voided';
  // Sums without GROUP BY always return one row.
  const [figures] = await query<RangeFigures>(
    `SELECT trim_scale(invoiced)::text AS invoiced,
       trim_scale(credited)::text AS credited,
       trim_scale(net)::text AS net,
       trim_scale(tax)::text AS tax,
       issued, voided, count,
       CASE WHEN count > 0 THEN trim_scale(round(net / count, $7::int))::text END AS average,
       trim_scale(previous_net)::text AS "previousNet",
       previous_count AS "previousCount",
       trim_scale(same_net)::text AS "sameNet",
       same_count AS "sameCount",
       ${percentChange('count', 'GREATEST(same_count, 0)')}::text AS "countPercent",
       ${percentChange('net', 'GREATEST(same_net, 0)')}::text AS "netPercent"
     FROM (
       SELECT
         ${sum('invoiced', '$2', '$3')} AS invoiced,
         ${sum('credited', '$2', '$3')} AS credited,
         ${sum(NET, '$2', '$3')} AS net,
         ${sum('tax', '$2', '$3')} AS tax,
         ${sum('issued', '$2', '$3')} AS issued,
         ${sum('voided', '$2', '$3')} AS voided,
         ${sum(count, '$2', '$3')} AS count,
         ${sum(NET, '$4', '$5')} AS previous_net,
         ${sum(count, '$4', '$5')} AS previous_count,
         ${sum(NET, '$4', '$6')} AS same_net,
         ${sum(count, '$4', '$6')} AS same_count
       FROM (${DAYS}) days
       WHERE date BETWEEN $2::date AND $3::date OR date BETWEEN $4::date AND $5::date
     ) figures`,
    [companyId, from, to, previous.from, previous.to, previousSameDay, minorUnits(currency)],
  );
  return figures as RangeFigures;
}

/** The money that changed hands, as decimal text. */
export interface EntryFigures {
  readonly creditedCount: string;
  readonly creditedTotal: string;
  /** Payments less reversals. */
  readonly receivedCount: string;
  readonly receivedTotal: string;
  readonly reversedCount: string;
  readonly refundedTotal: string;
}

/** The entries of the range by their own dates. */
export async function readEntryRange(
  companyId: string,
  { from, to }: DayRange,
): Promise<EntryFigures> {
  const [figures] = await query<EntryFigures>(
    `SELECT credited_count AS "creditedCount",
       trim_scale(credited_total)::text AS "creditedTotal",
       received_count AS "receivedCount",
       trim_scale(received_total)::text AS "receivedTotal",
       reversed_count AS "reversedCount",
       trim_scale(refunded_total)::text AS "refundedTotal"
     FROM (
       SELECT ${ENTRY_FIGURES}
       FROM entry_totals
       WHERE company_id = $1 AND date BETWEEN $2::date AND $3::date
     ) figures`,
    [companyId, from, to],
  );
  return figures as EntryFigures;
}

export interface PeriodTotal {
  /** The day, or the first day of the month, YYYY-MM-DD. */
  readonly date: string;
  /** Decimal text. */
  readonly total: string;
}

/** Net sales of the days, or months, that have invoices or credit notes, in order. */
export async function listNetTotals(
  companyId: string,
  { from, to }: DayRange,
  unit: 'day' | 'month',
): Promise<PeriodTotal[]> {
  return query<PeriodTotal>(
    `SELECT date_trunc($4, date::timestamp)::date::text AS date,
       trim_scale(sum(${NET}))::text AS total
     FROM (${DAYS}) days
     WHERE date BETWEEN $2 AND $3
     GROUP BY 1
     ORDER BY 1`,
    [companyId, from, to, unit],
  );
}

export interface TopCustomer {
  readonly name: string;
  readonly count: string;
  readonly total: string;
}

export interface TopItem {
  readonly name: string;
  readonly qty: string;
  readonly total: string;
}

const MAX_TOP = 5;

/** The customers with the largest totals of these months, tax included, less credit notes. */
export async function listTopCustomers(
  companyId: string,
  { from, to }: DayRange,
): Promise<TopCustomer[]> {
  return query<TopCustomer>(
    `SELECT newest.name, top.count::text, trim_scale(top.total)::text AS total
     FROM (${largest('customer_totals', 'customer_key', 'count')}) top,
       LATERAL (${newestName('customer_totals', 'customer_key')}) newest
     ORDER BY top.total DESC, top.key`,
    [companyId, from, to],
  );
}

/** The items with the largest totals, without tax, less credit notes, by their current names. */
export async function listTopItems(companyId: string, { from, to }: DayRange): Promise<TopItem[]> {
  return query<TopItem>(
    `SELECT ${itemName('$1')} AS name,
       trim_scale(t.count)::text AS qty,
       trim_scale(t.total)::text AS total
     FROM (
       SELECT top.*, top.key AS item_key, newest.name
       FROM (${largest('item_totals', 'item_key', 'qty')}) top,
         LATERAL (${newestName('item_totals', 'item_key')}) newest
     ) t
     ORDER BY t.total DESC, t.key`,
    [companyId, from, to],
  );
}

function largest(rollup: string, key: string, count: string): string {
  return `
    SELECT ${key} AS key, sum(${count}) AS count, sum(total) AS total
    FROM ${rollup}
    WHERE company_id = $1 AND month BETWEEN $2::date AND $3::date
    GROUP BY ${key}
    HAVING sum(total) > 0 AND sum(${count}) > 0
    ORDER BY 3 DESC, 1
    LIMIT ${MAX_TOP}`;
}

/** A month that has only credit notes of it has no name. */
function newestName(rollup: string, key: string): string {
  return `
    SELECT name
    FROM ${rollup}
    WHERE company_id = $1 AND month BETWEEN $2::date AND $3::date AND ${key} = top.key
      AND name <> ''
    ORDER BY month DESC
    LIMIT 1`;
}
