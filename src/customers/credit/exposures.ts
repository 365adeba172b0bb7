// The rows of customer_exposures: outstanding less unallocated of each record in use with a credit
// limit, in companies that refuse invoices above it. All statements require the company's lock.
import { plainArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import {
  add,
  arraysOf,
  type Columns,
  insertRows,
  type RowChange,
  unnest,
  updateRows,
} from '../../platform/db/rows.js';
import { lookUpAll } from '../../platform/db/sql.js';
import { toUnits } from '../../platform/values/money.js';
import { NAME_OF_WANTED } from '../names/names.js';

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
export const REFUSES_ABOVE_LIMIT = `credit_limit_action = 'refuse'`;

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

/** An exposure as decimal text. */
export interface CustomerExposure {
  readonly customerId: string;
  readonly exposure: string;
}

/** Replaces the exposures of these records; of all the company's records if null. */
export async function replaceExposures(
  companyId: string,
  customerIds: readonly string[] | null,
  exposures: readonly CustomerExposure[],
  tx: Transaction,
): Promise<void> {
  await query(
    `DELETE FROM customer_exposures
     WHERE company_id = $1 AND ($2::uuid[] IS NULL OR customer_id = ANY($2::uuid[]))`,
    [companyId, customerIds && plainArray(customerIds)],
    tx,
  );
  const rows = exposures.map(exposure => ({ ...exposure, companyId }));
  await insertRows('customer_exposures', STORED, rows, tx);
}

const STORED: Columns<CustomerRef & CustomerExposure> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  customer_id: ['uuid', ({ customerId }) => customerId],
  exposure: ['numeric', ({ exposure }) => exposure],
};

/**
 * SQL: a limit of the record c of the company o is enforced, so customer_exposures has its row. A
 * merged record is archived.
 */
export const IS_LIMITED = `(
  c.credit_limit IS NOT NULL AND NOT c.archived AND o.${REFUSES_ABOVE_LIMIT}
)`;

/** SQL for the unallocated money of the record c. */
export const RECORD_UNALLOCATED = `(
  SELECT COALESCE(sum(e.unallocated), 0)
  FROM customer_names n,
    ${lookUpAll(
      'entries',
      'e',
      'company_id = n.company_id AND customer_key = n.name_key AND unallocated > 0',
    )}
  WHERE n.company_id = c.company_id AND n.customer_id = c.id
)`;

/** The unallocated money of records in ten-thousandths, by company and record. */
export async function readUnallocated(
  refs: readonly CustomerRef[],
  tx: Transaction,
): Promise<Map<string, bigint>> {
  if (refs.length === 0) return new Map();
  const rows = await query<CustomerRef & { unallocated: string }>(
    `SELECT c.company_id AS "companyId", c.id AS "customerId", ${RECORD_UNALLOCATED} AS unallocated
     FROM unnest($1::uuid[], $2::uuid[]) AS c (company_id, id)`,
    [
      plainArray(refs.map(({ companyId }) => companyId)),
      plainArray(refs.map(({ customerId }) => customerId)),
    ],
    tx,
  );
  return new Map(rows.map(row => [`${row.companyId} ${row.customerId}`, toUnits(row.unallocated)]));
}
