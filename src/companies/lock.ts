// The lock of company rows: the first lock of every write, taken in order. Under it a company's
// numbers, items and their names change, so what a write reads after it stays true until its end.
import { plainArray } from '../platform/db/arrays.js';
import { query, type Transaction } from '../platform/db/connection.js';

/**
 * Locks the companies in order and selects `columns` of their rows, and `computed` once the row `c`
 * is locked: what depends on the time belongs there, since a lock may be waited for.
 */
export function lockCompanies<Row extends object>(
  companyIds: readonly string[],
  { columns, computed }: { readonly columns?: string; readonly computed?: string },
  tx: Transaction,
): Promise<(Row & { readonly id: string })[]> {
  return query<Row & { readonly id: string }>(
    `SELECT c.*${computed ? `, ${computed}` : ''}
     FROM unnest($1::uuid[]) AS wanted (id),
       LATERAL (
         SELECT id${columns ? `, ${columns}` : ''}
         FROM companies
         WHERE id = wanted.id
         FOR NO KEY UPDATE
       ) c`,
    [plainArray([...new Set(companyIds)].sort())],
    tx,
  );
}
