// What a customer owes and has unallocated at this moment.
import { textArray } from '../platform/db/arrays.js';
import { queryOne, type Transaction } from '../platform/db/connection.js';

/** Decimal texts. */
export interface CustomerBalances {
  readonly outstanding: string;
  readonly unallocated: string;
}

/** The sums of all invoices and entries with one of these folded names. */
export async function readBalances(
  companyId: string,
  nameKeys: readonly string[],
  tx?: Transaction,
): Promise<CustomerBalances> {
  const row = await queryOne<CustomerBalances>(
    `SELECT trim_scale(COALESCE((
         SELECT sum(total - paid - credited)
         FROM invoices
         WHERE company_id = $1 AND customer_key = ANY($2::text[]) AND status = 'open'
       ), 0))::text AS outstanding,
       trim_scale(COALESCE((
         SELECT sum(unallocated)
         FROM entries
         WHERE company_id = $1 AND customer_key = ANY($2::text[])
           AND type IN ('payment', 'creditNote') AND unallocated > 0
       ), 0))::text AS unallocated`,
    [companyId, textArray(nameKeys)],
    tx,
  );
  return row ?? { outstanding: '0', unallocated: '0' };
}
