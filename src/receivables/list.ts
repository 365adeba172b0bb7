// Receivables: what each customer owes by age, now or at the end of a past day. Each read adds up
// all customers in one statement, so its totals and rows are of one snapshot.
import { aboveLimitSql } from '../customers/credit/credits.js';
import { isPast } from '../invoices/overdue.js';
import { textArray } from '../platform/db/arrays.js';
import { inReportTurn, readReport } from '../platform/db/list-reads.js';
import { AGEING_TEXTS, ageingSums, type Basis, dateOf } from './ageing.js';
import { findRecord, newestSpelling } from './customer.js';
import { moneySql, PENDING } from './dues/money.js';
import { prepareReceivables } from './dues/refresh.js';
import { type Ageing, type CustomerReceivables, FIGURES } from './json.js';
import { cellsOf, joinedRows, type Members, type RowFormat, rowText, wordOf } from './row-text.js';

export interface ReceivablesFilter {
  /** The end of this day; undefined for the present, which includes later dates. */
  readonly asOf?: string | undefined;
  readonly basis: Basis;
  readonly customerId?: string | undefined;
  /** Only customers with overdue money, by the basis. */
  readonly overdue?: boolean;
  /** Only customers whose balance exceeds their credit limit of today. */
  readonly overLimit?: boolean;
  readonly sort: 'outstanding' | 'name';
}

export interface Receivables {
  /** The day from which ages count. */
  readonly asOf: string;
  /** Of all rows, on every page. */
  readonly totals: Ageing;
  /** The texts of the page's rows, joined; '' without rows. */
  readonly customers: string;
  /** The position of the page's last row if more rows follow. */
  readonly next: string[] | null;
}

/** The rows after `position`, at most `limit`. */
export function readReceivables(
  companyId: string,
  filter: ReceivablesFilter,
  limit: number,
  position?: readonly string[],
): Promise<Receivables> {
  return inReportTurn(companyId, ['receivables', filter, limit, position], async () => {
    const { day, bind, value, keys } = await selectionOf(companyId, filter);
    const after = afterSql(filter, position, value);
    const sql = pageSql(filter, keys, after, value(limit));
    const [row] = await readReport<PageRow>(companyId, sql, bind);
    if (!row) throw new Error('an aggregate has no row');
    const { totals, customers, last } = row;
    return { asOf: day, totals, customers: customers ?? '', next: row.hasMore ? last : null };
  });
}

interface PageRow {
  readonly totals: Ageing;
  readonly customers: string | null;
  /** The position of the page's last row; null without rows. */
  readonly last: string[] | null;
  readonly hasMore: boolean;
}

/** All rows as parts of a CSV file, each with PART_ROWS records at most. */
export function readAllReceivables(
  companyId: string,
  filter: ReceivablesFilter,
  format: RowFormat,
): Promise<string[]> {
  return inReportTurn(companyId, ['all receivables', filter, format], async () => {
    const { bind, keys } = await selectionOf(companyId, filter);
    const rows = await readReport<{ part: string }>(
      companyId,
      partsSql(filter, keys, format),
      bind,
    );
    return rows.map(({ part }) => part);
  });
}
const PART_ROWS = 1_000;

/** The customers that are added up, and the day of the ages, which is $2. */
async function selectionOf(companyId: string, { asOf, customerId }: ReceivablesFilter) {
  const today = (await prepareReceivables(companyId)) ?? '';
  const day = asOf ?? today;
  const bind: unknown[] = [companyId, day];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  let keys: string | null = null;
  if (customerId !== undefined) {
    const record = await findRecord(companyId, customerId);
    keys = `${value(textArray(record?.keys ?? []))}::text[]`;
  }
  return { day, bind, value, keys };
}

/** Rows have different keys: match keys of records, or plain names. */
function afterSql(
  { sort }: ReceivablesFilter,
  position: readonly string[] | undefined,
  value: (bound: unknown) => string,
): string {
  if (!position) return 'true';
  if (sort === 'name') return `key > ${value(position[0])}`;
  const [outstanding, key] = position.map(value);
  return `(-outstanding, key) > (-${outstanding}::numeric, ${key})`;
}

/**
 * SQL for CTEs. `money` has the money of each customer, and `customer` has one row per customer
 * with the sums that select and sort it. The ages of the rows that are shown are added up
 * afterwards: eight sums for each of 50,000 customers would take four times as long as one.
 */
function customersSql(filter: ReceivablesFilter, keys: string | null): string {
  const { asOf, basis, overdue, overLimit } = filter;
  const isOverdue = `sum(due) FILTER (WHERE ${isPast(dateOf(basis), '$2::date')}) > 0`;
  const day = asOf === undefined ? null : '$2::date';
  const isAboveLimit = `WHERE EXISTS (
      SELECT
      FROM customers c
      WHERE c.company_id = $1 AND c.id = summed.id AND NOT c.archived
        AND ${aboveLimitSql('summed.outstanding - summed.unallocated', 'c.credit_limit')}
    )`;
  return `
    ${PENDING}, named AS MATERIALIZED (
      SELECT n.name_key, c.id, c.name_key AS key
      FROM customer_names n
      JOIN customers c ON c.company_id = $1 AND c.id = n.customer_id
      WHERE n.company_id = $1
    ), money AS MATERIALIZED (
      SELECT COALESCE(named.key, money.customer_key) AS key, named.id,
        money.due_date, money.date, money.due, money.unallocated
      FROM (${moneySql({ keys, day })}) money
      LEFT JOIN named ON named.name_key = money.customer_key
    ), customer AS MATERIALIZED (
      SELECT *
      FROM (
        SELECT key, id, COALESCE(sum(due) FILTER (WHERE due <> 0), 0) AS outstanding,
          COALESCE(sum(unallocated) FILTER (WHERE unallocated <> 0), 0) AS unallocated
        FROM money
        GROUP BY key, id
        ${overdue ? `HAVING ${isOverdue}` : ''}
      ) summed
      ${overLimit ? isAboveLimit : ''}
    )`;
}

/**
 * SQL for a CTE `page`: the rows of `customer` that are shown, with their places. `limited` is SQL
 * that ends the list of rows.
 */
function pageCte({ sort }: ReceivablesFilter, after: string, limited: string): string {
  const order = sort === 'name' ? 'row.key' : 'row.outstanding DESC, row.key';
  return `
    page AS MATERIALIZED (
      SELECT row.*, row_number() OVER (ORDER BY ${order}) AS place
      FROM (
        SELECT *
        FROM customer row
        WHERE (outstanding <> 0 OR unallocated <> 0) AND ${after}
        ORDER BY ${order}
        ${limited}
      ) row
    )`;
}

function pageSql(
  filter: ReceivablesFilter,
  keys: string | null,
  after: string,
  limit: string,
): string {
  const { basis, sort, overdue, overLimit } = filter;
  const ofCustomers =
    overdue || overLimit ? 'JOIN (SELECT key FROM customer) shown USING (key)' : '';
  const position = sort === 'name' ? ['key'] : ['trim_scale(outstanding)::text', 'key'];
  const isOnPage = `place <= ${limit}::int`;
  return `
    WITH ${customersSql(filter, keys)},
      ${pageCte(filter, after, `LIMIT ${limit}::int + 1`)}
    SELECT (
        SELECT row_to_json(totals)
        FROM (
          SELECT ${AGEING_TEXTS}
          FROM (SELECT ${ageingSums(basis, '$2::date')} FROM money ${ofCustomers}) sums
        ) totals
      ) AS totals,
      (${joinedRows(rowsSql(basis, `page WHERE ${isOnPage}`), ROW, 'json')}) AS customers,
      (
        SELECT json_build_array(${position.join(', ')})
        FROM page
        WHERE ${isOnPage}
        ORDER BY place DESC
        LIMIT 1
      ) AS last,
      (SELECT count(*) FROM page) > ${limit}::int AS "hasMore"`;
}

function partsSql(filter: ReceivablesFilter, keys: string | null, format: RowFormat): string {
  const part = `(place - 1) / ${PART_ROWS}`;
  return `
    WITH ${customersSql(filter, keys)},
      ${pageCte(filter, 'true', '')}
    SELECT string_agg(${rowText(ROW, format)}, '' ORDER BY place) AS part
    FROM (${rowsSql(filter.basis, 'page')}) row
    GROUP BY ${part}
    ORDER BY ${part}`;
}

/** SQL for the rows of `shown`, a part of `page`, with their ages, names and limits. */
function rowsSql(basis: Basis, shown: string): string {
  return `
    SELECT shown.place, shown.id, c.credit_limit, COALESCE(c.hold, false) AS hold, ages.*,
      c.number AS customer_number,
      COALESCE(c.name, ${newestSpelling('shown.key')}, shown.key) AS name
    FROM (SELECT key, id, place FROM ${shown}) shown
    JOIN (
      SELECT key AS summed_key, ${ageingSums(basis, '$2::date')}
      FROM money
      WHERE key IN (SELECT key FROM ${shown})
      GROUP BY key
    ) ages ON ages.summed_key = shown.key
    LEFT JOIN customers c ON c.company_id = $1 AND c.id = shown.id
    ORDER BY shown.place`;
}

type AgeingSql = Record<keyof Ageing, string>;
const MEMBERS: Members<CustomerReceivables> = {
  customerId: 'id',
  name: 'name',
  creditLimit: 'trim_scale(credit_limit)',
  hold: 'hold',
  ...(Object.fromEntries(FIGURES.map(figure => [figure, `trim_scale("${figure}")`])) as AgeingSql),
};
const ROW = {
  members: MEMBERS,
  cells: cellsOf(MEMBERS, ['creditLimit', ...FIGURES]),
  pageCells: {
    Customer: { text: 'name' },
    Number: { text: 'customer_number' },
    'Credit limit': { number: MEMBERS.creditLimit },
    'On hold': wordOf('hold::text', { true: 'Yes' }),
    Outstanding: { number: MEMBERS.outstanding },
    'Not due yet': { number: MEMBERS.current },
    '1–30 days': { number: MEMBERS.days1To30 },
    '31–60 days': { number: MEMBERS.days31To60 },
    '61–90 days': { number: MEMBERS.days61To90 },
    'Over 90 days': { number: MEMBERS.over90 },
    Unallocated: { number: MEMBERS.unallocated },
    Balance: { number: MEMBERS.balance },
  },
};
/** The columns of the dashboard's file. */
export const RECEIVABLES_HEADS = Object.keys(ROW.pageCells);
/** The columns of a CSV file. */
export const RECEIVABLES_COLUMNS = Object.keys(MEMBERS);
