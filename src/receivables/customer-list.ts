// The records of customers with what each one owes at this moment: sorted and selected by it, with
// the sums of all that match. One statement adds up the money of all customers.
import { aboveLimitSql } from '../customers/credit/credits.js';
import type { CustomerQuery } from '../customers/list-schema.js';
import { customerConditions } from '../customers/queries.js';
import { PAST_DUE } from '../invoices/overdue.js';
import { readRows } from '../platform/db/list-reads.js';
import { splitPage } from '../platform/http/pagination.js';
import { ensureDues, moneySql, PENDING } from './dues/money.js';
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
    ...customerConditions({ ...filter, limit }, value),
    ...(filter.overdue ? ['o.overdue > 0'] : []),
    ...(filter.overLimit
      ? [aboveLimitSql('COALESCE(o.outstanding - o.unallocated, 0)', 'c.credit_limit')]
      : []),
  ];
  const [amount, key, id] = position?.map(value) ?? [];
  const isBefore = position
    ? `(-amount, key, id) <= (-${amount}::numeric, ${key}, ${id}::uuid)`
    : 'false';
  const [row] = await readRows<SumsRow>(
    companyId,
    `WITH ${PENDING}, owed AS MATERIALIZED (
       SELECT n.customer_id, COALESCE(sum(i.due), 0) AS outstanding,
         COALESCE(sum(i.due) FILTER (WHERE ${PAST_DUE}), 0) AS overdue,
         COALESCE(sum(i.unallocated), 0) AS unallocated
       FROM (${moneySql({ keys: null, day: null })}) i
       JOIN customer_names n ON n.company_id = $1 AND n.name_key = i.customer_key
       GROUP BY n.customer_id
     ), matched AS MATERIALIZED (
       SELECT c.id, c.name_key AS key, ${AMOUNTS[filter.sort]} AS amount,
         o.outstanding, o.overdue, o.unallocated
       FROM customers c
       LEFT JOIN owed o ON o.customer_id = c.id
       WHERE c.company_id = $1 AND ${conditions.join(' AND ')}
     )
     SELECT count(*)::int AS total,
       count(*) FILTER (WHERE ${isBefore})::int AS before,
       ${text('sum(outstanding)')} AS outstanding,
       ${text('sum(overdue)')} AS overdue,
       ARRAY(
         SELECT row_to_json(page)
         FROM (
           SELECT id, key, ${text('amount')} AS amount, ${text('outstanding')} AS outstanding,
             ${text('overdue')} AS overdue, ${text('unallocated')} AS unallocated
           FROM matched
           WHERE NOT ${isBefore}
           ORDER BY -matched.amount, key, id
           LIMIT $2
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
