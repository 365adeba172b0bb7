// The statements of receivables: one page of customers with the totals of all, and the whole file.
// They join whole lists with each other, so they must not depend on what the statistics say of a
// company that was just filled: see joinOnce.
import { aboveLimitSql } from '../customers/credit/credits.js';
import { isPast } from '../invoices/overdue.js';
import { textArray } from '../platform/db/arrays.js';
import { joinOnce } from '../platform/db/sql.js';
import { AGEING_TEXTS, ageingSums, type Basis, dateOf } from './ageing.js';
import { newestSpelling } from './customer.js';
import { moneySql, PENDING } from './dues/money.js';
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

export interface Selection extends ReceivablesFilter {
  /** The day from which ages count. */
  readonly day: string;
  /** The match keys of the customer; null for all customers. */
  readonly keys: readonly string[] | null;
}

interface Statement {
  readonly sql: string;
  readonly bind: unknown[];
}

/** One row: the rows after `position`, at most `limit`, and the totals of all. */
export function pageStatement(
  companyId: string,
  selection: Selection,
  limit: number,
  position?: readonly string[],
): Statement {
  const { bind, value, keys } = bindingsOf(companyId, selection);
  const after = afterSql(selection, position, value);
  return { sql: pageSql(selection, keys, after, value(limit)), bind };
}

/** The parts of a file, in order, each with PART_ROWS records at most. */
export function partsStatement(
  companyId: string,
  selection: Selection,
  format: RowFormat,
): Statement {
  const { bind, keys } = bindingsOf(companyId, selection);
  return { sql: partsSql(selection, keys, format), bind };
}
const PART_ROWS = 1_000;

/** The company is $1, the day $2. `keys` is SQL. */
function bindingsOf(companyId: string, { day, keys }: Selection) {
  const bind: unknown[] = [companyId, day];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  return { bind, value, keys: keys && `${value(textArray(keys))}::text[]` };
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
  const day = asOf === undefined ? null : '$2::date';
  const names = `
    SELECT name_key, customer_id
    FROM customer_names
    WHERE company_id = $1${keys === null ? '' : ` AND name_key = ANY(${keys})`}`;
  const records = `
    SELECT id, name_key AS key, name, number, credit_limit, hold, archived
    FROM customers
    WHERE company_id = $1`;
  const keysOfNames = 'SELECT name_key, key, id FROM named';
  const isOverdue = `sum(due) FILTER (WHERE ${isPast(dateOf(basis), '$2::date')}) > 0`;
  const summed = `
    SELECT key, id, COALESCE(sum(due) FILTER (WHERE due <> 0), 0) AS outstanding,
      COALESCE(sum(unallocated) FILTER (WHERE unallocated <> 0), 0) AS unallocated
    FROM money
    GROUP BY key, id
    ${overdue ? `HAVING ${isOverdue}` : ''}`;
  return `
    ${PENDING}, named AS MATERIALIZED (
      SELECT *
      FROM ${joinOnce(names, records, 'id = customer_id')}
      WHERE name_key IS NOT NULL
    ), money AS MATERIALIZED (
      SELECT COALESCE(key, customer_key) AS key, id, due_date, date, due, unallocated
      FROM ${joinOnce(moneySql({ keys, day }), keysOfNames, 'name_key = customer_key')}
      WHERE customer_key IS NOT NULL
    ), customer AS MATERIALIZED (${overLimit ? aboveLimit(summed) : summed})`;
}

/** SQL for the records of `named`, each of which has its own name among others. */
const RECORDS = `
  SELECT id AS record_id, name AS record_name, number, credit_limit, hold, archived
  FROM named
  WHERE name_key = key`;

/** SQL for the rows of `summed` whose balance exceeds the credit limit of their records. */
function aboveLimit(summed: string): string {
  const limits = `
    SELECT record_id, credit_limit
    FROM (${RECORDS}) record
    WHERE NOT archived AND credit_limit IS NOT NULL`;
  return `
    SELECT key, id, outstanding, unallocated
    FROM ${joinOnce(summed, limits, 'record_id = id')}
    WHERE ${aboveLimitSql('outstanding - unallocated', 'credit_limit')}`;
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
  const selected = 'SELECT key AS selected FROM customer';
  const counted =
    overdue || overLimit
      ? `${joinOnce('SELECT * FROM money', selected, 'key = selected')} WHERE selected IS NOT NULL`
      : 'money';
  const position = sort === 'name' ? ['key'] : ['trim_scale(outstanding)::text', 'key'];
  const isOnPage = `place <= ${limit}::int`;
  const shownRows = `page WHERE ${isOnPage}`;
  const ofShown = `money WHERE key IN (SELECT key FROM ${shownRows})`;
  return `
    WITH ${customersSql(filter, keys)},
      ${pageCte(filter, after, `LIMIT ${limit}::int + 1`)}
    SELECT (
        SELECT row_to_json(totals)
        FROM (
          SELECT ${AGEING_TEXTS}
          FROM (SELECT ${ageingSums(basis, '$2::date')} FROM ${counted}) sums
        ) totals
      ) AS totals,
      (${joinedRows(rowsSql(basis, shownRows, ofShown), ROW, 'json')}) AS customers,
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
    FROM (${rowsSql(filter.basis, 'page', 'money')}) row
    GROUP BY ${part}
    ORDER BY ${part}`;
}

/**
 * SQL for the rows of `shown`, a part of `page`, with their ages, names and limits. `money` is SQL
 * for a FROM clause that has at least the money of these.
 */
function rowsSql(basis: Basis, shown: string, money: string): string {
  const ages = `
    SELECT key AS summed_key, ${ageingSums(basis, '$2::date')}
    FROM ${money}
    GROUP BY key`;
  const aged = `
    SELECT *
    FROM ${joinOnce(`SELECT key, id, place FROM ${shown}`, ages, 'summed_key = key')}
    WHERE key IS NOT NULL`;
  return `
    SELECT joined.*, COALESCE(hold, false) AS on_hold, number AS customer_number,
      COALESCE(record_name, ${newestSpelling('joined.key')}, key) AS name
    FROM ${joinOnce(aged, RECORDS, 'record_id = id')}
    WHERE key IS NOT NULL
    ORDER BY place`;
}

type AgeingSql = Record<keyof Ageing, string>;
const MEMBERS: Members<CustomerReceivables> = {
  customerId: 'id',
  name: 'name',
  creditLimit: 'trim_scale(credit_limit)',
  hold: 'on_hold',
  ...(Object.fromEntries(FIGURES.map(figure => [figure, `trim_scale("${figure}")`])) as AgeingSql),
};
const ROW = {
  members: MEMBERS,
  cells: cellsOf(MEMBERS, ['creditLimit', ...FIGURES]),
  pageCells: {
    Customer: { text: 'name' },
    Number: { text: 'customer_number' },
    'Credit limit': { number: MEMBERS.creditLimit },
    'On hold': wordOf('on_hold::text', { true: 'Yes' }),
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
