// The lock of company rows: the last lock of every write, taken in order. Under it a company's
// numbers, versions and the names of its items change, so they become visible in order.
import { plainArray } from '../platform/db/arrays.js';
import { query, type Transaction } from '../platform/db/connection.js';

interface LockedRow {
  readonly id: string;
  /** Counts the changes of the names and SKUs of the company's items. */
  readonly namesVersion: string;
}

/**
 * Locks the companies in order and selects `columns` of their rows, and `computed` once the row `c`
 * is locked: what depends on the time belongs there, since a lock may be waited for.
 */
export function lockCompanies<Row extends object>(
  companyIds: readonly string[],
  { columns, computed }: { readonly columns?: string; readonly computed?: string },
  tx: Transaction,
): Promise<(Row & LockedRow)[]> {
  return query<Row & LockedRow>(
    `SELECT c.*${computed ? `, ${computed}` : ''}
     FROM unnest($1::uuid[]) AS wanted (id),
       LATERAL (
         SELECT id, names_version AS "namesVersion"${columns ? `, ${columns}` : ''}
         FROM companies
         WHERE id = wanted.id
         FOR NO KEY UPDATE
       ) c`,
    [plainArray([...new Set(companyIds)].sort())],
    tx,
  );
}
