// Reads on the replica that show all of a company's own writes. Each write advances one of two
// counters in the company's row, in its own transaction, so a replica that shows the counter shows
// the write. That holds across any number of web processes and replicas and needs no store between
// them. The counters are read in batches, at one index look-up per company.
import { Batcher } from '../platform/async/batch.js';
import { query } from '../platform/db/connection.js';
import { hasReplica, queryReplica } from '../platform/db/replica.js';

interface Version {
  readonly invoices: string;
  readonly stock: string;
}

const NO_COMPANY: Version = { invoices: '0', stock: '0' };

/** The counters committed by now: they cover every write that the client has an answer for. */
const versions = new Batcher<string, Version>(
  async companyIds => {
    const rows = await query<Version & { id: string }>(
      `SELECT id, next_invoice_number AS invoices, stock_version AS stock
       FROM companies
       WHERE id = ANY($1::uuid[])`,
      [[...new Set(companyIds)]],
    );
    const found = new Map(rows.map(row => [row.id, row]));
    return companyIds.map(id => found.get(id) ?? NO_COMPANY);
  },
  { maxSize: 500, maxInFlight: 2 },
);

/**
 * The rows of a statement that reads the company's invoices or stock, no older than the company's
 * last write: rows and counters come from one snapshot. Any other change of invoices or items must
 * advance a counter too. No row of the statement may have only nulls.
 */
export async function readCurrentRows<Row extends object>(
  companyId: string,
  sql: string,
  bind: unknown[],
): Promise<Row[]> {
  if (!hasReplica()) return query<Row>(sql, bind);
  const { invoices, stock } = await versions.submit(companyId);
  const given = bind.length;
  const fresh = await queryReplica<Row>(
    `SELECT answer.*
     FROM companies
     LEFT JOIN LATERAL (${sql}) answer ON true
     WHERE companies.id = $${given + 1}
       AND companies.next_invoice_number >= $${given + 2}
       AND companies.stock_version >= $${given + 3}`,
    [...bind, companyId, invoices, stock],
  );
  if (fresh.length === 0) return query<Row>(sql, bind);
  // A current answer without rows is one row of nulls.
  return fresh.filter(row => Object.values(row).some(value => value !== null));
}

/** The key of a company's row. */
export interface RowRef {
  readonly companyId: string;
  readonly id: string;
}

/**
 * Reads rows that never change, in the order of `refs`, null for a missing one. Asks the replica
 * first and the primary for the rest. The statement takes the companies as $1 and the ids as $2,
 * and returns as `place` which ref a row belongs to, counted from 1.
 */
export async function readImmutable<Row extends { place: string }>(
  sql: string,
  refs: readonly RowRef[],
): Promise<(Row | null)[]> {
  const found: (Row | null)[] = refs.map(() => null);
  for (const read of hasReplica() ? [queryReplica<Row>, query<Row>] : [query<Row>]) {
    const missing = refs.flatMap((ref, index) => (found[index] ? [] : [{ ...ref, index }]));
    if (missing.length === 0) break;
    const companyIds = missing.map(({ companyId }) => companyId);
    const rows = await read(sql, [companyIds, missing.map(({ id }) => id)]);
    for (const row of rows) found[missing[Number(row.place) - 1]?.index ?? -1] = row;
  }
  return found;
}
