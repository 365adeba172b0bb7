// The ledger's statements look up rows by an index, even those that were prepared on empty tables,
// once the scheduler has analyzed the tables. Postgres then plans them again.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { Settlement } from '../../src/jobs/settle/settlement.js';
import type { JobOutcome, Submission } from '../../src/jobs/write-kind.js';
import type { LedgerPayload } from '../../src/ledger/payload.js';
import { closeDatabase, openDatabase } from '../../src/platform/db/connection.js';
import { createLog } from '../../src/platform/process/log.js';
import type { Reply } from '../../src/platform/queue/replies.js';
import { WRITE_QUEUES } from '../../src/write-kinds.js';
import type { Json } from '../support/client.js';
import { until } from '../support/processes.js';
import { makeStores, type Stores } from '../support/suite.js';

const TABLES = ['invoices', 'entries', 'allocations', 'items', 'movements', 'jobs', 'companies'];
const ROWS = 20_000;

describe('the statements of the ledger', () => {
  let stores: Stores;
  const companyId = uuidv7();
  before(async () => {
    stores = await makeStores('postgres');
    // One connection, so that all batches use the plans of the first ones.
    openDatabase({ url: stores.databaseUrl, poolMax: 1, name: 'plans', lookupPlans: true });
    await stores.sql(
      `INSERT INTO companies (id, name, currency, time_zone) VALUES ($1, 'Plans', 'USD', 'UTC')`,
      [companyId],
    );
  });
  after(closeDatabase);

  /** Settles one write and returns the JSON of its result. */
  async function settle<Payload extends { type: string }>(payload: Payload, name = 'ledger') {
    let outcome: JobOutcome | undefined;
    const reply = async (_address: string, [first]: Reply<JobOutcome>[]) => {
      outcome = first?.content;
    };
    const queue = WRITE_QUEUES.find(each => each.name === name);
    if (!queue) throw new Error(`there is no queue ${name}`);
    const log = createLog('test', 'silent');
    await new Settlement(queue, { batchMax: 100, reply, log }).take([submission(payload)]);
    expect(outcome?.status, JSON.stringify(outcome?.problem)).to.equal('succeeded');
    return JSON.parse(outcome?.body ?? '{}') as Json;
  }

  function submission(payload: { readonly type: string }): Submission {
    return {
      companyId,
      type: payload.type,
      id: uuidv7(),
      fingerprint: '0'.repeat(64),
      submissionId: uuidv7(),
      requestId: randomUUID(),
      payload,
      createdBy: null,
      acceptedAt: new Date().toISOString(),
      replyTo: 'test',
    };
  }

  async function keepBooks(): Promise<void> {
    const date = '2026-11-24';
    const issue = () =>
      settle(
        {
          type: 'invoice.create',
          customerName: 'Castle',
          date,
          items: [{ name: 'Pipe', qty: 5, price: 2 }],
        },
        'invoices',
      );
    const [one, two, wrong] = [await issue(), await issue(), await issue()];
    const run = (payload: LedgerPayload) => settle(payload);
    const payment = await run({
      type: 'payment.record',
      amount: 15,
      date,
      externalId: uuidv7(),
      invoices: [{ invoiceId: one.id }],
    });
    await run({
      type: 'allocation.make',
      paymentId: payment.id,
      invoices: [{ number: two.number, amount: 2 }],
    });
    await run({ type: 'refund.record', paymentId: payment.id, amount: 1, date });
    const note = { invoiceId: two.id, date, reason: 'return', restock: true } as const;
    await run({ type: 'creditNote.create', ...note, items: [{ line: 1, qty: 1 }] });
    await run({ type: 'creditNote.create', ...note });
    await run({ type: 'invoice.void', invoiceId: wrong.id });
    const bounced = await run({
      type: 'payment.record',
      amount: 1,
      date,
      customerName: 'Castle',
    });
    await run({ type: 'payment.reverse', paymentId: bounced.id, date });
  }

  it('read no table from its start after it has grown and was analyzed', async () => {
    const items = [{ name: 'Pipe', delta: 1_000 }];
    await settle({ type: 'inventory.adjust', reason: 'received', items }, 'stock');
    await keepBooks();
    await stores.sql(
      `WITH numbers AS (SELECT 1000 + n AS n FROM generate_series(1, ${ROWS}) n), invoice AS (
         INSERT INTO invoices (company_id, id, submission_id, number, number_prefix, customer_name,
           customer_key, date, currency, total, body, created_at)
         SELECT $1, gen_random_uuid(), gen_random_uuid(), n, 'INV-', 'Castle', 'castle',
           '2026-11-20', 'USD', 1, '{}', now()
         FROM numbers
         RETURNING id, number
       ), entry AS (
         INSERT INTO entries (company_id, id, submission_id, sequence, type, date,
           effective_date, currency, customer_name, customer_key, amount, body, created_at,
           external_id)
         SELECT $1, gen_random_uuid(), gen_random_uuid(), n, 'payment', '2026-11-20',
           '2026-11-20', 'USD', 'Castle', 'castle', 1, '{}', now(), n::text
         FROM numbers
         RETURNING id, sequence
       )
       INSERT INTO allocations (company_id, invoice_id, sequence, source_id, amount,
         effective_date, source_date, invoice_number, invoice_date, customer_key)
       SELECT $1, invoice.id, entry.sequence, entry.id, 1,
         '2026-11-20', '2026-11-20', invoice.number, '2026-11-20', 'castle'
       FROM invoice JOIN entry ON entry.sequence = invoice.number`,
      [companyId],
    );
    // As the scheduler does every two seconds for tables that have grown.
    await stores.sql('ANALYZE invoices, entries, allocations');
    await stores.sql('SELECT pg_stat_reset()');
    for (let pass = 0; pass < 8; pass += 1) await keepBooks();
    const reads = () =>
      stores.sql<{ table: string; scanned: string; looked_up: string }>(
        `SELECT relname AS table, seq_tup_read AS scanned, idx_tup_fetch AS looked_up
         FROM pg_stat_user_tables
         WHERE relname = ANY($1)`,
        [TABLES],
      );
    await until('the statistics are published', async () =>
      (await reads()).some(
        ({ table, looked_up }) => table === 'entries' && Number(looked_up) >= 32,
      ),
    );
    const rows = await reads();
    expect(rows.filter(row => Number(row.scanned) > 0)).to.deep.equal([]);
    // No look-up reads all rows of a company through an index either.
    expect(rows.filter(row => Number(row.looked_up) > ROWS)).to.deep.equal([]);
  });
});
