// The records of customers with what each one owes at this moment: sorted and selected by it, with
// the sums of all that match. One statement adds up the money of all customers. In the order of
// names it adds up one sum for all and one for each row of the page, which takes less time than one
// for each of 20,000 customers.
import { aboveLimitSql } from '../customers/credit/credits.js';
import type { CustomerQuery } from '../customers/list-schema.js';
import { customerConditions } from '../customers/queries.js';
import { readRows } from '../platform/db/list-reads.js';
import { splitPage } from '../platform/http/pagination.js';
import { ensureDues, owedSql, PENDING } from './dues/money.js';
import type { Owed } from './owed.js';

export interface OwingFilter extends Pick<CustomerQuery, 'q' | 'hold' | 'archived'> {
  /** Only customers with overdue money. */
  readonly overdue?: boolean;
  /** Only customers whose balance exceeds their credit limit. */
  readonly overLimit?: boolean;
  /** By name, or the largest amount first. */
  readonly sort: 'name' | 'overdue' | 'outstanding';
}

interface OwingCustomer {
  readonly id: string;
  readonly owed: Owed;
}

export interface OwingCustomers {
  readonly rows: readonly OwingCustomer[];
  /** The position of the last row if more rows follow. */
  readonly next: string[] | null;
  /** How many records match, how many of them precede the page, and their sums. */
  readonly total: number;
  readonly before: number;
  readonly sums: Pick<Owed, 'outstanding' | 'overdue'>;
}

/** The records after `position`. */
export async function listOwingCustomers(
  companyId: string,
  filter: OwingFilter,
  limit: number,
  position?: readonly string[],
): Promise<OwingCustomers> {
  await ensureDues(companyId);
  const bind: unknown[] = [companyId, limit + 1];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  const conditions = [
    ...customerConditions(filter, value),
    ...(filter.overdue ? ['o.overdue > 0'] : []),
    ...(filter.overLimit
      ? [aboveLimitSql('COALESCE(o.outstanding - o.unallocated, 0)', 'c.credit_limit')]
      : []),
  ];
  const [amount, key, id] = position?.map(value) ?? [];
  const isBefore = position
    ? `(-amount, key, id) <= (-${amount}::numeric, ${key}, ${id}::uuid)`
    : 'false';
  const parts = { conditions: conditions.join(' AND '), isBefore };
  const hasFigures = filter.sort !== 'name' || filter.overdue || filter.overLimit;
  const ctes = hasFigures ? byFigure(filter.sort, parts) : byName(parts);
  const [row] = await readRows<SumsRow>(
    companyId,
    `WITH ${PENDING}, ${ctes}
     SELECT count(*)::int AS total,
       count(*) FILTER (WHERE ${isBefore})::int AS before,
       (SELECT ${text('outstanding')} FROM sums) AS outstanding,
       (SELECT ${text('overdue')} FROM sums) AS overdue,
       ARRAY(
         SELECT row_to_json(page)
         FROM (
           SELECT p.id, p.key, ${text('p.amount')} AS amount,
             ${text('o.outstanding')} AS outstanding, ${text('o.overdue')} AS overdue,
             ${text('o.unallocated')} AS unallocated
           FROM page p
           LEFT JOIN owed o ON o.customer_id = p.id
           ORDER BY ${orderOf('p')}
         ) page
       ) AS page
     FROM matched`,
    bind,
  );
  const { total = 0, before = 0, outstanding = '0', overdue = '0' } = row ?? {};
  const { page, next } = splitPage(row?.page ?? [], limit, last => [
    ...[last.amount, last.key, last.id],
  ]);
  const rows = page.map(each => ({
    id: each.id,
    owed: {
      outstanding: each.outstanding,
      overdue: each.overdue,
      unallocated: each.unallocated,
    },
  }));
  return { rows, next, total, before, sums: { outstanding, overdue } };
}

interface Parts {
  /** SQL that selects records. */
  readonly conditions: string;
  /** SQL for a record before the page. */
  readonly isBefore: string;
}

/**
 * SQL for the CTEs `matched`, the records; `page`, the page's rows and one more; `owed`, what at
 * least these owe; and `sums`, what all records owe.
 */
function byFigure(sort: OwingFilter['sort'], { conditions, isBefore }: Parts): string {
  return `
    matched AS MATERIALIZED (
      SELECT c.id, c.name_key AS key, ${AMOUNTS[sort]} AS amount,
        o.outstanding, o.overdue, o.unallocated
      FROM customers c
      LEFT JOIN (${owedByRecord(null)}) o ON o.customer_id = c.id
      WHERE c.company_id = $1 AND ${conditions}
    ), ${pageCte(isBefore)}, owed AS (
      SELECT id AS customer_id, outstanding, overdue, unallocated FROM page
    ), sums AS MATERIALIZED (
      SELECT sum(outstanding) AS outstanding, sum(overdue) AS overdue FROM matched
    )`;
}

function byName({ conditions, isBefore }: Parts): string {
  const keys = `ARRAY(
    SELECT name_key
    FROM customer_names
    WHERE company_id = $1 AND customer_id IN (SELECT id FROM page)
  )`;
  return `
    matched AS MATERIALIZED (
      SELECT c.id, c.name_key AS key, ${AMOUNTS.name} AS amount
      FROM customers c
      WHERE c.company_id = $1 AND ${conditions}
    ), ${pageCte(isBefore)}, owed AS MATERIALIZED (${owedByRecord(keys)}), sums AS MATERIALIZED (
      SELECT ${OUTSTANDING}
      FROM ${namedOwed(null)}
      JOIN matched m ON m.id = n.customer_id
    )`;
}

function pageCte(isBefore: string): string {
  return `page AS MATERIALIZED (
    SELECT *
    FROM matched
    WHERE NOT ${isBefore}
    ORDER BY ${orderOf('matched')}
    LIMIT $2
  )`;
}

const orderOf = (alias: string) => `-${alias}.amount, ${alias}.key, ${alias}.id`;

/** SQL for what records owe: all, or those with these match keys. */
function owedByRecord(keys: string | null): string {
  return `
    SELECT n.customer_id, ${OUTSTANDING}, sum(i.unallocated) AS unallocated
    FROM ${namedOwed(keys)}
    GROUP BY n.customer_id`;
}

const OUTSTANDING = 'sum(i.outstanding) AS outstanding, sum(i.overdue) AS overdue';

const namedOwed = (keys: string | null) => `(${owedSql(keys)}) i
  JOIN customer_names n ON n.company_id = $1 AND n.name_key = i.customer_key`;

/** By name, all amounts are equal. */
const AMOUNTS: Readonly<Record<OwingFilter['sort'], string>> = {
  name: '0',
  overdue: 'COALESCE(o.overdue, 0)',
  outstanding: 'COALESCE(o.outstanding, 0)',
};

const text = (amount: string) => `trim_scale(COALESCE(${amount}, 0))::text`;

interface SumsRow {
  readonly total: number;
  readonly before: number;
  readonly outstanding: string;
  readonly overdue: string;
  readonly page: readonly (Owed & {
    readonly id: string;
    readonly key: string;
    readonly amount: string;
  })[];
}
