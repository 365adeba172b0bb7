// The rows of customer_exposures: outstanding less unallocated of each record in use with a credit
// limit, in companies that refuse invoices above it. All statements require the company's lock.
import { plainArray } from '../../platform/db/arrays.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import {
  add,
  arraysOf,
  type Columns,
  type RowChange,
  unnest,
  updateRows,
} from '../../platform/db/rows.js';
import { lookUpAll } from '../../platform/db/sql.js';
import { toUnits } from '../../platform/values/money.js';
import { readBalances } from '../balances.js';
import { ensureDues } from '../dues.js';
import { NAME_OF_WANTED } from '../names/names.js';
import { type CustomerRecord, nameKeys } from '../record.js';

interface CustomerRef {
  readonly companyId: string;
  readonly customerId: string;
}

const ADDED: RowChange<CustomerRef & { readonly added: string }> = {
  key: {
    company_id: ['uuid', ({ companyId }) => companyId],
    customer_id: ['uuid', ({ customerId }) => customerId],
  },
  set: { exposure: ['numeric', ({ added }) => added, add] },
};

/** SQL of the company's row: it refuses invoices above a credit limit. */
const REFUSES_ABOVE_LIMIT = `credit_limit_action = 'refuse'`;

/** SQL of the company's row: it refuses above a limit, and a record has one. */
export const LIMITS_CREDIT = `(customers_with_limit > 0 AND ${REFUSES_ABOVE_LIMIT})`;

/** Adds amounts (decimal text) to the exposures of records. */
export function addExposures(
  changes: readonly (CustomerRef & { readonly added: string })[],
  tx: Transaction,
): Promise<void> {
  return updateRows('customer_exposures', ADDED, changes, tx);
}

/** An amount (decimal text) that an entry adds to the exposure of the record with its name. */
export interface NamedExposure {
  readonly companyId: string;
  readonly customerKey: string;
  readonly added: string;
}

const NAMED: Columns<NamedExposure> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  name_key: ['text', ({ customerKey }) => customerKey],
  added: ['numeric', ({ added }) => added],
};

/** Adds amounts to the exposures of the records with these names. Other names have none. */
export async function addNamedExposures(
  changes: readonly NamedExposure[],
  tx: Transaction,
): Promise<void> {
  if (changes.length === 0) return;
  await query(
    `UPDATE customer_exposures stored
     SET exposure = stored.exposure + change.added
     FROM (
       SELECT n.company_id, n.customer_id, sum(wanted.added) AS added
       FROM ${unnest(NAMED, 'wanted')},
         ${NAME_OF_WANTED}
       GROUP BY n.company_id, n.customer_id
     ) change
     WHERE stored.company_id = change.company_id AND stored.customer_id = change.customer_id`,
    arraysOf(NAMED, changes),
    tx,
  );
}

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
 * change of a record's limit, names or archived flag, and of the company's creditLimitAction.
 */
export async function syncExposures(
  companyId: string,
  customerIds: readonly string[] | null,
  tx: Transaction,
): Promise<void> {
  if (customerIds?.length === 0) return;
  const isWanted = (id: string) => (customerIds === null ? 'true' : `${id} = ANY($2::uuid[])`);
  const bind = customerIds === null ? [companyId] : [companyId, plainArray(customerIds)];
  await query(
    `DELETE FROM customer_exposures e
     WHERE e.company_id = $1 AND ${isWanted('e.customer_id')}
       AND NOT EXISTS (
         SELECT
         FROM customers c
         JOIN companies o ON o.id = c.company_id
         WHERE c.company_id = e.company_id AND c.id = e.customer_id AND ${IS_LIMITED}
       )`,
    bind,
    tx,
  );
  if (customerIds === null) await query(INSERT_ALL, [companyId], tx);
  else await storeExposures(companyId, customerIds, tx);
}

/** Reads the balances of the records, which costs less than counting all their invoices. */
async function storeExposures(
  companyId: string,
  customerIds: readonly string[],
  tx: Transaction,
): Promise<void> {
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
  for (const { id, keys } of records) {
    const { outstanding, unallocated } = await readBalances(companyId, keys, tx);
    await query(
      `INSERT INTO customer_exposures (company_id, customer_id, exposure)
       VALUES ($1, $2, $3::numeric - $4::numeric)
       ON CONFLICT (company_id, customer_id) DO UPDATE SET exposure = excluded.exposure`,
      [companyId, id, outstanding, unallocated],
      tx,
    );
  }
}

/**
 * SQL: a limit of the record c of the company o is enforced, so customer_exposures has its row. A
 * merged record is archived.
 */
export const IS_LIMITED = `(
  c.credit_limit IS NOT NULL AND NOT c.archived AND o.${REFUSES_ABOVE_LIMIT}
)`;

/** SQL for the unallocated money of the record c. */
const UNALLOCATED = `(
  SELECT COALESCE(sum(e.unallocated), 0)
  FROM customer_names n,
    ${lookUpAll(
      'entries',
      'e',
      'company_id = n.company_id AND customer_key = n.name_key AND unallocated > 0',
    )}
  WHERE n.company_id = c.company_id AND n.customer_id = c.id
)`;

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
) - ${UNALLOCATED}`;

const INSERT_ALL = `
  INSERT INTO customer_exposures (company_id, customer_id, exposure)
  SELECT c.company_id, c.id, ${EXPOSURE}
  FROM customers c
  JOIN companies o ON o.id = c.company_id
  WHERE c.company_id = $1 AND ${IS_LIMITED}
  ON CONFLICT (company_id, customer_id) DO UPDATE SET exposure = excluded.exposure`;

/** The unallocated money of records in ten-thousandths, by company and record. */
export async function readUnallocated(
  refs: readonly CustomerRef[],
  tx: Transaction,
): Promise<Map<string, bigint>> {
  if (refs.length === 0) return new Map();
  const rows = await query<CustomerRef & { unallocated: string }>(
    `SELECT c.company_id AS "companyId", c.id AS "customerId", ${UNALLOCATED} AS unallocated
     FROM unnest($1::uuid[], $2::uuid[]) AS c (company_id, id)`,
    [
      plainArray(refs.map(({ companyId }) => companyId)),
      plainArray(refs.map(({ customerId }) => customerId)),
    ],
    tx,
  );
  return new Map(rows.map(row => [`${row.companyId} ${row.customerId}`, toUnits(row.unallocated)]));
}
