// Where a company's lists are read: on the replica where there is one and it has what the company has written, else on the
// primary. The company row's two counters tell: each posted write advances one of them in its own transaction, so a
// replica that shows a counter shows the writes it counts. They are looked up for many reads at once, cost one index
// look-up each, and hold across any number of web processes and replicas without a store between them.
import { Batcher } from '../platform/async/batch.js';
import { query } from '../platform/db/connection.js';
import { hasReplica, queryReplica } from '../platform/db/replica.js';

interface Version {
  readonly invoices: string;
  readonly stock: string;
}

const NO_COMPANY: Version = { invoices: '0', stock: '0' };

/** What is committed when it is asked, which is after the request came: whatever the client was told of is in it. */
const versions = new Batcher<string, Version>(
  async companyIds => {
    const rows = await query<Version & { id: string }>(
      'SELECT id, next_invoice_number AS invoices, stock_version AS stock FROM companies WHERE id = ANY($1::uuid[])',
      [[...new Set(companyIds)]],
    );
    const found = new Map(rows.map(row => [row.id, row]));
    return companyIds.map(id => found.get(id) ?? NO_COMPANY);
  },
  { maxSize: 500, maxInFlight: 2 },
);

/**
 * The rows of a statement that shows the company's invoices or stock, no older than the company's last write: they and the
 * counters are one statement, so one snapshot. Whatever else changes invoices or items has to advance a counter too. No
 * row of the statement may be all null.
 */
export async function readCurrentRows<Row extends object>(
  companyId: string,
  sql: string,
  bind: unknown[],
): Promise<Row[]> {
  if (!hasReplica()) return query<Row>(sql, bind);
  const { invoices, stock } = await versions.submit(companyId);
  const at = bind.length;
  const fresh = await queryReplica<Row>(
    `SELECT answer.* FROM companies c LEFT JOIN LATERAL (${sql}) answer ON true
     WHERE c.id = $${at + 1} AND c.next_invoice_number >= $${at + 2} AND c.stock_version >= $${at + 3}`,
    [...bind, companyId, invoices, stock],
  );
  if (fresh.length === 0) return query<Row>(sql, bind);
  // What is fresh and has no rows comes as one of nulls.
  return fresh.filter(row => Object.values(row).some(value => value !== null));
}

/** A row of a company. */
export interface RowRef {
  readonly companyId: string;
  readonly id: string;
}

/**
 * Rows that never change once they are there, in the order asked, null where there is none; the replica's where it has
 * them already. The statement takes companies as $1 and ids as $2, and tells by `place`, from 1 on, whose each row is.
 */
export async function readImmutable<Row extends { place: string }>(
  sql: string,
  refs: readonly RowRef[],
): Promise<(Row | null)[]> {
  const found: (Row | null)[] = refs.map(() => null);
  for (const ask of hasReplica() ? [queryReplica<Row>, query<Row>] : [query<Row>]) {
    const left = refs.flatMap((ref, at) => (found[at] ? [] : [{ ...ref, at }]));
    if (left.length === 0) break;
    const rows = await ask(sql, [left.map(({ companyId }) => companyId), left.map(({ id }) => id)]);
    for (const row of rows) found[left[Number(row.place) - 1]?.at ?? -1] = row;
  }
  return found;
}
