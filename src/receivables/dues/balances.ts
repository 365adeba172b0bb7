// The outstanding and the unallocated money of a customer at this moment.
import { textArray } from '../../platform/db/arrays.js';
import { queryOne, type Transaction } from '../../platform/db/connection.js';
import { hasDues, moneySql, PENDING } from './money.js';

/** Decimal texts. */
export interface CustomerBalances {
  readonly outstanding: string;
  readonly unallocated: string;
}

/**
 * The sums of all invoices and entries with one of these match keys, exact in the transaction's
 * next snapshot. It reads few rows after `ensureDues`, which a caller with a lock calls before it
 * locks; without it, all invoices of the customer.
 */
export async function readBalances(
  companyId: string,
  nameKeys: readonly string[],
  tx?: Transaction,
): Promise<CustomerBalances> {
  const sql = (await hasDues(companyId, tx)) ? SUMS_OF_DUES : SUMS_OF_INVOICES;
  const row = await queryOne<CustomerBalances>(sql, [companyId, textArray(nameKeys)], tx);
  return row ?? { outstanding: '0', unallocated: '0' };
}

const SUMS_OF_DUES = `
  WITH ${PENDING}
  SELECT trim_scale(COALESCE(sum(due), 0))::text AS outstanding,
    trim_scale(COALESCE(sum(unallocated), 0))::text AS unallocated
  FROM (${moneySql({ keys: '$2::text[]', day: null })}) money`;

const SUMS_OF_INVOICES = `
  SELECT trim_scale(COALESCE((
      SELECT sum(total - paid - credited)
      FROM invoices
      WHERE company_id = $1 AND customer_key = ANY($2::text[]) AND status = 'open'
    ), 0))::text AS outstanding,
    trim_scale(COALESCE((
      SELECT sum(unallocated)
      FROM entries
      WHERE company_id = $1 AND customer_key = ANY($2::text[]) AND unallocated > 0
    ), 0))::text AS unallocated`;
