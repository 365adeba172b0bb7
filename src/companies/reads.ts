// Where a company's lists are read: on the replica where there is one and it has what the company has written, else on the
// primary. The company row's two counters tell: each posted write advances one of them in its own transaction, so a
// replica that shows a counter shows the writes it counts. They are looked up for many reads at once, cost one index
// look-up each, and hold across any number of web processes and replicas without a store between them.
import { Batcher } from '../platform/batch.js';
import { query, queryOne } from '../platform/db.js';
import { hasReplica, queryReplica } from '../platform/replica.js';

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
 * The one row of a statement that shows the company's invoices or stock, no older than the company's last write: it and
 * the counters are one statement, so one snapshot. Whatever else changes invoices or items has to advance a counter too.
 */
export async function readCurrent<Row extends object>(
  companyId: string,
  sql: string,
  bind: unknown[],
): Promise<Row | null> {
  if (!hasReplica()) return queryOne<Row>(sql, bind);
  const { invoices, stock } = await versions.submit(companyId);
  const at = bind.length;
  const fresh = await queryReplica<Row>(
    `SELECT answer.* FROM companies c, LATERAL (${sql}) answer
     WHERE c.id = $${at + 1} AND c.next_invoice_number >= $${at + 2} AND c.stock_version >= $${at + 3}`,
    [...bind, companyId, invoices, stock],
  );
  return fresh ?? queryOne<Row>(sql, bind);
}

/** A row that never changes once it is there: the replica's where it has it already. */
export async function readIssued<Row extends object>(sql: string, bind: unknown[]): Promise<Row | null> {
  return (await queryReplica<Row>(sql, bind)) ?? queryOne<Row>(sql, bind);
}
