// The money that the customers of a page owe at this moment.

import { textArray } from '../platform/db/arrays.js';
import { readRows } from '../platform/db/list-reads.js';
import { ensureDues, owedSql, PENDING } from './dues/money.js';

/** Decimal texts. */
export interface Owed {
  readonly outstanding: string;
  readonly overdue: string;
  readonly unallocated: string;
}

export const NOTHING_OWED: Owed = { outstanding: '0', overdue: '0', unallocated: '0' };

/** By the ids of records. A record that owes and has nothing may be absent. */
export async function readOwed(
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, Owed>> {
  if (ids.length === 0) return new Map();
  await ensureDues(companyId);
  type Row = Owed & { readonly customerId: string };
  const rows = await readRows<Row>(companyId, OWED_BY_RECORD, [companyId, ids]);
  return new Map(rows.map(({ customerId, ...owed }) => [customerId, owed]));
}

/** Of a customer with these match keys. */
export async function readOwedBy(companyId: string, keys: readonly string[]): Promise<Owed> {
  await ensureDues(companyId);
  const [owed] = await readRows<Owed>(companyId, OWED_BY_NAMES, [companyId, textArray(keys)]);
  return owed ?? NOTHING_OWED;
}

/** The number of a record's invoices, void ones too, counted up to `most` + 1. */
export async function countInvoicesOf(
  companyId: string,
  customerId: string,
  most: number,
): Promise<number> {
  const [row] = await readRows<{ count: number }>(
    companyId,
    `SELECT count(*)::int AS count
     FROM (
       SELECT
       FROM customer_names n
       JOIN invoices i ON i.company_id = n.company_id AND i.customer_key = n.name_key
       WHERE n.company_id = $1 AND n.customer_id = $2
       LIMIT $3
     ) counted`,
    [companyId, customerId, most + 1],
  );
  return row?.count ?? 0;
}

const SUMS = `
  trim_scale(COALESCE(sum(i.outstanding), 0))::text AS outstanding,
  trim_scale(COALESCE(sum(i.overdue), 0))::text AS overdue,
  trim_scale(COALESCE(sum(i.unallocated), 0))::text AS unallocated`;

const OWED_BY_NAMES = `
  WITH ${PENDING}
  SELECT ${SUMS}
  FROM (${owedSql('$2::text[]')}) i`;

const OWED_BY_RECORD = `
  WITH ${PENDING}, named AS MATERIALIZED (
    SELECT name_key, customer_id
    FROM customer_names
    WHERE company_id = $1 AND customer_id = ANY($2::uuid[])
  )
  SELECT named.customer_id AS "customerId", ${SUMS}
  FROM (${owedSql('ARRAY(SELECT name_key FROM named)')}) i
  JOIN named ON named.name_key = i.customer_key
  GROUP BY named.customer_id`;
