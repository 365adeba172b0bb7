// What the customers of a page owe.
import { IS_DUE, PAST_DUE } from '../invoices/overdue.js';
import { readRows } from '../platform/db/list-reads.js';

/** Decimal texts. */
export interface Owed {
  readonly outstanding: string;
  readonly overdue: string;
  readonly unallocated: string;
}

export const NOTHING_OWED: Owed = { outstanding: '0', overdue: '0', unallocated: '0' };

interface OwedRow extends Owed {
  readonly customerId: string;
}

/** By the ids of records. A record that owes and has nothing may be absent. */
export async function readOwed(
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, Owed>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows<OwedRow>(companyId, OWED, [companyId, ids]);
  return new Map(rows.map(({ customerId, ...owed }) => [customerId, owed]));
}

const OWED = `
  SELECT n.customer_id AS "customerId",
    trim_scale(COALESCE(sum(i.due), 0))::text AS outstanding,
    trim_scale(COALESCE(sum(i.overdue), 0))::text AS overdue,
    trim_scale(COALESCE(sum(e.rest), 0))::text AS unallocated
  FROM customer_names n,
    LATERAL (
      SELECT sum(i.total - i.paid - i.credited) AS due,
        sum(i.total - i.paid - i.credited) FILTER (WHERE ${PAST_DUE}) AS overdue
      FROM invoices i
      WHERE i.company_id = $1 AND i.customer_key = n.name_key AND ${IS_DUE}
    ) i,
    LATERAL (
      SELECT sum(unallocated) AS rest
      FROM entries
      WHERE company_id = $1 AND customer_key = n.name_key
        AND type IN ('payment', 'creditNote') AND unallocated > 0
    ) e
  WHERE n.company_id = $1 AND n.customer_id = ANY($2::uuid[])
  GROUP BY n.customer_id`;
