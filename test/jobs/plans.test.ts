// The worker's statements look up rows by an index, even those that were prepared on empty tables.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { stockQueue } from '../../src/inventory/adjust.js';
import { invoiceQueue } from '../../src/invoices/post.js';
import { Settlement } from '../../src/jobs/settle/settlement.js';
import type { JobOutcome, Submission } from '../../src/jobs/write-kind.js';
import { closeDatabase, openDatabase } from '../../src/platform/db/connection.js';
import { createLog } from '../../src/platform/process/log.js';
import type { Reply } from '../../src/platform/queue/replies.js';
import { until } from '../support/processes.js';
import { makeStores, type Stores } from '../support/suite.js';

const TABLES = ['items', 'movements', 'invoices', 'adjustments', 'jobs', 'companies'];
const ITEMS = 20_000;

describe('the statements of a worker', () => {
  let stores: Stores;
  before(async () => {
    stores = await makeStores('postgres');
    // One connection, so that all batches use the plans of the first ones.
    openDatabase({ url: stores.databaseUrl, poolMax: 1, name: 'plans', lookupPlans: true });
  });
  after(closeDatabase);

  it("a worker's statements read no table from its start after it has grown", async () => {
    const companyId = uuidv7();
    await stores.sql(
      `INSERT INTO companies (id, name, currency, time_zone) VALUES ($1, 'Plans', 'USD', 'UTC')`,
      [companyId],
    );
    const statuses: (string | undefined)[] = [];
    const settle = async (name: string): Promise<void> => {
      const reply = async (_address: string, replies: Reply<JobOutcome>[]) => {
        for (const { content } of replies) statuses.push(content?.status);
      };
      const log = createLog('test', 'silent');
      for (const queue of [stockQueue, invoiceQueue]) {
        const settlement = new Settlement(queue, { batchMax: 100, reply, log });
        const payload =
          queue.name === 'invoices'
            ? {
                customerName: 'Castle',
                date: '2026-11-20',
                items: [
                  { name, qty: 1, price: 2 },
                  { name: 'By SKU', sku: `sku ${name}`, qty: 1, price: 2 },
                ],
              }
            : {
                reason: 'received',
                items: [
                  { name, delta: 5 },
                  { name: `${name} with a SKU`, sku: `sku ${name}`, delta: 5, unitCost: 1 },
                ],
              };
        await settlement.take([
          submission(queue.label, companyId, payload),
          submission(queue.label, companyId, payload),
        ]);
      }
    };
    await settle('first');
    await stores.sql(
      `WITH created AS (
         INSERT INTO items (company_id, id, name, name_key, sku, sku_key)
         SELECT $1, gen_random_uuid(), 'Item ' || n, 'item ' || n, 'SKU-' || n, 'sku-' || n
         FROM generate_series(1, ${ITEMS}) n
         RETURNING company_id, id, name_key
       )
       INSERT INTO item_keys (company_id, item_id, name_key)
       SELECT company_id, id, name_key FROM created`,
      [companyId],
    );
    for (let pass = 0; pass < 8; pass += 1) await settle(`item ${pass + 1}`);
    expect(statuses).to.deep.equal(Array.from({ length: 36 }, () => 'succeeded'));
    // A session publishes its statistics within a second.
    const reads = () =>
      stores.sql<{ table: string; scanned: string; looked_up: string }>(
        `SELECT relname AS table, seq_tup_read AS scanned, idx_tup_fetch AS looked_up
         FROM pg_stat_user_tables
         WHERE relname = ANY($1)`,
        [TABLES],
      );
    await until('the statistics are published', async () =>
      (await reads()).some(({ table, looked_up }) => table === 'items' && Number(looked_up) >= 32),
    );
    const scanned = (await reads()).filter(row => Number(row.scanned) > 0);
    expect(scanned).to.deep.equal([]);
  });
});

function submission(type: string, companyId: string, payload: object): Submission {
  return {
    companyId,
    type,
    id: uuidv7(),
    fingerprint: '0'.repeat(64),
    submissionId: uuidv7(),
    requestId: randomUUID(),
    acceptedAt: new Date().toISOString(),
    payload,
    createdBy: null,
    replyTo: 'test',
  };
}
