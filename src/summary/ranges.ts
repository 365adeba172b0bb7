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

/** Figures as decimal text. */
export interface RangeFigures {
  readonly count: string;
  readonly total: string;
  /** The part of the total that is tax. */
  readonly tax: string;
  /** Rounded half up to the minor unit; null without invoices. */
  readonly average: string | null;
  readonly previousCount: string;
  readonly previousTotal: string;
  /** The figures of the earlier range, up to the corresponding day. */
  readonly sameCount: string;
  readonly sameTotal: string;
  /** The change against these, one decimal; null where the base is 0. */
  readonly countPercent: string | null;
  readonly totalPercent: string | null;
}

export async function readRange(
  companyId: string,
  { from, to, previous, previousSameDay }: ComparedRange,
  currency: string,
): Promise<RangeFigures> {
  const sum = (column: string, first: string, last: string) =>
    `COALESCE(sum(${column}) FILTER (WHERE date BETWEEN ${first} AND ${last}), 0)`;
  // Sums without GROUP BY always return one row.
  const [figures] = await query<RangeFigures>(
    `SELECT count, trim_scale(total)::text AS total,
       trim_scale(tax)::text AS tax,
       trim_scale(round(total / NULLIF(count, 0), $7::int))::text AS average,
       previous_count AS "previousCount",
       trim_scale(previous_total)::text AS "previousTotal",
       same_count AS "sameCount",
       trim_scale(same_total)::text AS "sameTotal",
       ${percentChange('count', 'same_count')}::text AS "countPercent",
       ${percentChange('total', 'same_total')}::text AS "totalPercent"
     FROM (
       SELECT
         ${sum('count', '$2::date', '$3::date')} AS count,
         ${sum('total', '$2::date', '$3::date')} AS total,
         ${sum('tax', '$2::date', '$3::date')} AS tax,
         ${sum('count', '$4::date', '$5::date')} AS previous_count,
         ${sum('total', '$4::date', '$5::date')} AS previous_total,
         ${sum('count', '$4::date', '$6::date')} AS same_count,
         ${sum('total', '$4::date', '$6::date')} AS same_total
       FROM daily_totals
       WHERE company_id = $1
         AND (date BETWEEN $2::date AND $3::date OR date BETWEEN $4::date AND $5::date)
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

/** Totals of the days, or months, from `from` to `to` that have invoices, in order. */
export async function listTotals(
  companyId: string,
  { from, to }: DayRange,
  unit: 'day' | 'month',
): Promise<PeriodTotal[]> {
  return query<PeriodTotal>(
    `SELECT date_trunc($4, date::timestamp)::date::text AS date,
       trim_scale(sum(total))::text AS total
     FROM daily_totals
     WHERE company_id = $1 AND date BETWEEN $2 AND $3
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

/** The customers with the largest net totals of these months, the largest first. */
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

/** The items with the largest net totals of these months, under their current names. */
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
