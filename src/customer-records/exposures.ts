// Recomputes exposures after a change of records or of the company's settings.
import {
  type CustomerExposure,
  IS_LIMITED,
  RECORD_UNALLOCATED,
  REFUSES_ABOVE_LIMIT,
  replaceExposures,
} from '../customers/credit/exposures.js';
import { type CustomerRecord, nameKeys } from '../customers/record.js';
import { plainArray } from '../platform/db/arrays.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { lookUpAll } from '../platform/db/sql.js';
import { fromUnits, toUnits } from '../platform/values/money.js';
import { readBalances } from '../receivables/dues/balances.js';
import { ensureDues } from '../receivables/dues/money.js';

/** Whether a change of a record may change its row: by its limit, its names or its use. */
export function movesExposure(
  before: CustomerRecord | undefined,
  after: CustomerRecord | undefined,
): boolean {
  const stateOf = (record: CustomerRecord | undefined) =>
    record && !record.archived && record.creditLimit !== null ? nameKeys(record).sort() : null;
  return JSON.stringify(stateOf(before)) !== JSON.stringify(stateOf(after));
}

/**
 * Makes `readBalances` quick before the company is locked, if the change of a record may read them:
 * for an exposure, or (`isNeeded`) for another reason.
 */
export async function prepareBalances(companyId: string, isNeeded = false): Promise<void> {
  const refuses = `SELECT FROM companies WHERE id = $1 AND ${REFUSES_ABOVE_LIMIT}`;
  if (isNeeded || (await queryOne(refuses, [companyId])) !== null) await ensureDues(companyId);
}

/**
 * Recomputes the exposures of these records; of all the company's records if null. Called after a
 * change of a record's limit, names or archived flag, and of the company's creditLimitAction. The
 * company is locked.
 */
export async function syncExposures(
  companyId: string,
  customerIds: readonly string[] | null,
  tx: Transaction,
): Promise<void> {
  if (customerIds?.length === 0) return;
  const exposures =
    customerIds === null
      ? await query<CustomerExposure>(ALL_EXPOSURES, [companyId], tx)
      : await readExposures(companyId, customerIds, tx);
  await replaceExposures(companyId, customerIds, exposures, tx);
}

/** Reads the balances of the records, which costs less than counting all their invoices. */
async function readExposures(
  companyId: string,
  customerIds: readonly string[],
  tx: Transaction,
): Promise<CustomerExposure[]> {
  const records = await query<{ id: string; keys: string[] }>(
    `SELECT c.id, (
         SELECT array_agg(n.name_key)
         FROM customer_names n
         WHERE n.company_id = c.company_id AND n.customer_id = c.id
       ) AS keys
     FROM customers c
     JOIN companies o ON o.id = c.company_id
     WHERE c.company_id = $1 AND c.id = ANY($2::uuid[]) AND ${IS_LIMITED}`,
    [companyId, plainArray(customerIds)],
    tx,
  );
  const exposures: CustomerExposure[] = [];
  for (const { id: customerId, keys } of records) {
    const { outstanding, unallocated } = await readBalances(companyId, keys, tx);
    exposures.push({
      customerId,
      exposure: fromUnits(toUnits(outstanding) - toUnits(unallocated)),
    });
  }
  return exposures;
}

/** SQL for the exposure of the record c, recounted from its invoices and entries. */
export const EXPOSURE = `(
  SELECT COALESCE(sum(i.total - i.paid - i.credited), 0)
  FROM customer_names n,
    ${lookUpAll(
      'invoices',
      'i',
      `company_id = n.company_id AND customer_key = n.name_key AND status = 'open'`,
    )}
  WHERE n.company_id = c.company_id AND n.customer_id = c.id
) - ${RECORD_UNALLOCATED}`;

const ALL_EXPOSURES = `
  SELECT c.id AS "customerId", ${EXPOSURE} AS exposure
  FROM customers c
  JOIN companies o ON o.id = c.company_id
  WHERE c.company_id = $1 AND ${IS_LIMITED}`;
