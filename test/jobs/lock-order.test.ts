// All writes lock rows of different tables in one order, and the rows of one table in one order, so
// no two of them wait for each other.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { CUSTOMER_IMPORTS } from '../../src/customer-records/imports/kind.js';
import {
  createCustomer,
  mergeCustomers,
  updateCustomer,
} from '../../src/customer-records/service.js';
import { updateSettings } from '../../src/customer-records/settings.js';
import { requestUndo } from '../../src/imports/undo.js';
import { runImportsForever } from '../../src/imports/work.js';
import { STOCK_IMPORTS } from '../../src/inventory/imports/kind.js';
import { updateItem } from '../../src/inventory/service.js';
import { checkRequest } from '../../src/invoices/checks/check-requests.js';
import { createDraft, deleteDraft, updateDraft } from '../../src/invoices/drafts/drafts.js';
import { settleJobs } from '../../src/jobs/settle/rows.js';
import { Settlement } from '../../src/jobs/settle/settlement.js';
import type { JobOutcome, Submission } from '../../src/jobs/write-kind.js';
import {
  closeDatabase,
  inTransaction,
  openDatabase,
  query,
} from '../../src/platform/db/connection.js';
import { createLog } from '../../src/platform/process/log.js';
import type { Reply } from '../../src/platform/queue/replies.js';
import { WRITE_QUEUES } from '../../src/write-kinds.js';
import { LOCK_ORDER, LockTrace, lockedTables } from '../support/lock-trace.js';
import { until } from '../support/processes.js';
import { makeStores, type Stores } from '../support/suite.js';

const DATE = '2026-11-20';
const log = createLog('test', 'silent');

describe('the order of locks', () => {
  let stores: Stores;
  let trace: LockTrace;
  let companyId: string;
  before(async () => {
    stores = await makeStores('postgres');
    trace = new LockTrace(openDatabase({ url: stores.databaseUrl, poolMax: 2, name: 'order' }));
    companyId = uuidv7();
    await stores.sql(
      `INSERT INTO companies (id, name, currency, time_zone) VALUES ($1, 'Order', 'USD', 'UTC')`,
      [companyId],
    );
  });
  after(closeDatabase);

  /** The transactions that locked something while `work` ran. */
  const locksOf = async (work: () => Promise<unknown>): Promise<string[][]> => {
    trace.transactions.length = 0;
    await work();
    return trace.transactions.filter(tables => tables.length > 0);
  };

  const settle = async (type: string, payload: object, owner = companyId): Promise<string> => {
    const outcomes: (JobOutcome | undefined)[] = [];
    const reply = async (_address: string, replies: Reply<JobOutcome>[]) => {
      for (const { content } of replies) outcomes.push(content);
    };
    const queue = WRITE_QUEUES.find(({ kinds }) => kinds.some(kind => kind.type === type));
    if (!queue) throw new Error(`no queue has ${type}`);
    const settlement = new Settlement(queue, { batchMax: 100, reply, log });
    await settlement.take([submission(owner, type, { type, ...payload })]);
    expect(outcomes[0]?.status, JSON.stringify(outcomes[0]?.problem)).to.equal('succeeded');
    return outcomes[0]?.resultId ?? '';
  };

  const expectOrder = (transactions: readonly string[][], last: string): void => {
    expect(transactions.flat()).to.include(last);
    for (const tables of transactions)
      expect(tables).to.deep.equal(LOCK_ORDER.filter(table => tables.includes(table)));
  };

  it('every kind of write locks the tables in one order', async () => {
    const check = async (type: string, payload: object): Promise<string> => {
      let id = '';
      const locks = await locksOf(async () => {
        id = await settle(type, payload);
      });
      expectOrder(locks, 'jobs');
      return id;
    };
    const receive = { reason: 'received', items: [{ name: 'Pipe', sku: 'P', delta: 100 }] };
    await check('inventory.adjust', receive);
    const deliveryId = await check('inventory.adjust', receive);
    await check('inventory.adjust', {
      ...{ reason: 'correction', corrects: { id: deliveryId, after: 0 } },
      items: [{ name: 'pipe', delta: -1 }],
    });
    const items = [
      { name: 'pipe', qty: 1, price: 10 },
      { name: 'By SKU', sku: 'p', qty: 1, price: 10 },
    ];
    const invoice = { customerName: 'Castle', date: DATE, items };
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push(await check('invoice.create', invoice));
    const [first, second, third] = ids;
    const paymentId = await check('payment.record', {
      ...{ amount: 50, date: DATE, invoices: [{ invoiceId: first, amount: 5 }] },
    });
    const recipients = [{ invoiceId: second, amount: 1 }];
    await check('allocation.make', { paymentId, invoices: recipients, date: DATE });
    const spareId = await check('payment.record', {
      amount: 9,
      date: DATE,
      customerName: 'Castle',
    });
    await check('refund.record', { paymentId: spareId, amount: 1, date: DATE });
    await check('payment.reverse', { paymentId, date: DATE });
    await check('creditNote.create', {
      ...{ invoiceId: second, date: DATE, reason: 'return', restock: true },
      items: [{ line: 1, qty: 1 }],
    });
    await check('invoice.void', { invoiceId: third, date: DATE });
  });

  it('an invoice that is not sent by e-mail has no statement for that', async () => {
    const items = [{ name: 'Service', qty: 1, price: 10 }];
    const invoice = { customerName: 'Castle', date: DATE, items };
    const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
      trace.statements.length = 0;
      await work();
      return [...trace.statements];
    };
    const company = { companyId, currency: 'USD', termsDays: null, defaultTaxRate: null };
    const state = { ...company, customerCount: 0, customersVersion: 0 };
    expect(await statementsOf(() => checkRequest(invoice, state))).to.deep.equal([]);
    const send = { recipients: { to: ['a@b.example'], cc: [] }, language: 'en', seller: 'Order' };
    const plain = await statementsOf(() => settle('invoice.create', invoice));
    const sent = await statementsOf(() => settle('invoice.create', { ...invoice, send }));
    expect(plain.join()).to.not.include('emails');
    expect(sent).to.have.lengthOf(plain.length + 1);
  });

  it('a write reads nothing of customers without a hold or a refusing limit', async () => {
    const own = uuidv7();
    await stores.sql(
      `INSERT INTO companies (id, name, currency, time_zone) VALUES ($1, 'Plain', 'USD', 'UTC')`,
      [own],
    );
    const readsCustomers = async () => {
      const items = [{ name: 'Work', qty: 1, price: 10 }];
      trace.statements.length = 0;
      const invoice = { customerName: 'Castle', date: DATE, items };
      const invoiceId = await settle('invoice.create', invoice, own);
      const payment = { amount: 5, date: DATE, invoices: [{ invoiceId }] };
      await settle('payment.record', { ...payment, customerName: 'castle' }, own);
      return trace.statements.some(sql => /\bcustomer(?:s|_names|_exposures)\b/u.test(sql));
    };
    expect(await readsCustomers()).to.equal(false);
    const record = { name: 'Castle', termsDays: 5, creditLimit: 1_000 };
    await createCustomer({ companyId: own, changedBy: null, body: record });
    expect(await readsCustomers()).to.equal(false);
    await updateSettings(own, { creditLimitAction: 'refuse' });
    expect(await readsCustomers()).to.equal(true);
  });

  it('so do writes for a customer with a credit limit, and changes of its record', async () => {
    const own = uuidv7();
    await stores.sql(
      `INSERT INTO companies (id, name, currency, time_zone) VALUES ($1, 'Credit', 'USD', 'UTC')`,
      [own],
    );
    await updateSettings(own, { creditLimitAction: 'refuse' });
    const call = (body: object) => ({ companyId: own, changedBy: null, body });
    const change = async (work: () => Promise<unknown>, last: string) =>
      expectOrder(await locksOf(work), last);
    const create = (name: string) => createCustomer(call({ name, creditLimit: 1_000 }));
    const [, first] = [await create('Other'), await create('Castle')];
    const { id } = JSON.parse('body' in first ? first.body : '{}');
    const items = [{ name: 'Work', qty: 1, price: 10 }];
    const invoice = { customerName: 'Castle', date: DATE, items };
    let invoiceId = '';
    const check = async (type: string, payload: object) => {
      const locks = await locksOf(async () => {
        invoiceId = await settle(type, payload, own);
      });
      expectOrder(locks, 'customer_exposures');
      return invoiceId;
    };
    const issued = await check('invoice.create', invoice);
    const note = { invoiceId: issued, date: DATE, reason: 'price' };
    await check('payment.record', { amount: 5, date: DATE, invoices: [{ invoiceId: issued }] });
    await check('creditNote.create', { ...note, items: [{ line: 1, amount: 1 }] });
    await change(() => updateCustomer(call({ creditLimit: null }), id), 'customer_exposures');
    await change(() => updateCustomer(call({ creditLimit: 1, aliases: ['C'] }), id), 'customers');
    const settings = (creditLimitAction: 'warn' | 'refuse') => () =>
      updateSettings(own, { creditLimitAction });
    await change(settings('warn'), 'customer_exposures');
    await change(settings('refuse'), 'companies');
    const third = await create('Third');
    const { id: customerId } = JSON.parse('body' in third ? third.body : '{}');
    await change(() => mergeCustomers(id, call({ customerId })), 'customer_exposures');
  });

  it('a change of an item, an import and its undo lock the tables in that order', async () => {
    await settle('inventory.adjust', { reason: 'received', items: [{ name: 'Hose', delta: 0 }] });
    const [item] = await stores.sql<{ id: string }>('SELECT id FROM items WHERE name_key = $1', [
      'hose',
    ]);
    for (const patch of [{ name: 'Tube' }, { archived: true }, { archived: false }, { unit: 'm' }])
      expectOrder(
        await locksOf(() => updateItem(companyId, item?.id ?? '', patch, null)),
        'companies',
      );
    const { importId, userId } = await insertImport();
    const stops: (() => unknown)[] = [];
    const work = async () => {
      runImportsForever(STOCK_IMPORTS, log, (_name, stop) => stops.push(stop));
      await until('the import is done', async () => {
        const [row] = await stores.sql('SELECT status FROM imports WHERE id = $1', [importId]);
        return row?.status === 'done';
      });
      for (const stop of stops.splice(0)) await stop();
    };
    expectOrder(await locksOf(work), 'import_rows');
    expect(await requestUndo(STOCK_IMPORTS, companyId, importId, userId)).to.equal(true);
    const undone = await locksOf(work);
    expectOrder(undone, 'items');
    expect(undone.flat()).to.include('item_keys').and.not.include('import_rows');
  });

  it('an import of customers locks the tables in that order', async () => {
    const { importId, userId } = { importId: uuidv7(), userId: uuidv7() };
    await stores.sql(
      `INSERT INTO users (company_id, id, email, password_hash, role)
       VALUES ($1, $2, 'b@b.example', '', 'owner')`,
      [companyId, userId],
    );
    await stores.sql(
      `INSERT INTO customer_imports (company_id, id, user_id, file_name, header, status,
         rows_total, rows_new, rows_failed, run_at)
       VALUES ($1, $2, $3, 'a.csv', '["name"]', 'queued', 2, 2, 0, now())`,
      [companyId, importId, userId],
    );
    await stores.sql(
      `INSERT INTO customer_import_rows (company_id, import_id, position, line, cells, entry)
       SELECT $1, $2, n, n + 1, '[]',
         json_build_object('name', 'Imported', 'phone', n, 'creditLimit', 5)
       FROM generate_series(1, 2) n`,
      [companyId, importId],
    );
    const stops: (() => unknown)[] = [];
    const work = async () => {
      runImportsForever(CUSTOMER_IMPORTS, log, (_name, stop) => stops.push(stop));
      await until('the import is done', async () => {
        const [row] = await stores.sql('SELECT status FROM customer_imports WHERE id = $1', [
          importId,
        ]);
        return row?.status === 'done';
      });
      for (const stop of stops.splice(0)) await stop();
    };
    expectOrder(await locksOf(work), 'customer_import_rows');
  });

  it('saving, issuing and deleting a draft lock the tables in the order of writes', async () => {
    const actor = { kind: 'user', id: uuidv7(), name: 'a@b.example' } as const;
    const content = { fields: 'a=1', customerName: '', date: null, total: null, currency: 'USD' };
    const create = (fields: string) =>
      createDraft(companyId, uuidv7(), { ...content, fields }, actor);
    const [issued, deleted] = [await create('a=1'), await create('a=2')];
    const lock = [['companies'], ['companies', 'invoice_drafts']];
    expect(await locksOf(() => create('a=3'))).to.deep.equal(lock.slice(0, 1));
    const update = () =>
      updateDraft(companyId, { id: deleted, version: 1 }, { ...content, fields: 'b=1' }, actor);
    expect(await locksOf(update)).to.deep.equal(lock.slice(1));
    const remove = () => deleteDraft(companyId, { id: deleted, version: 2 });
    expect(await locksOf(remove)).to.deep.equal(lock.slice(1));
    const items = [{ name: 'Service', qty: 1, price: 1 }];
    const invoice = { customerName: 'Castle', date: DATE, items };
    const draft = { id: issued, version: 1 };
    const locks = await locksOf(() => settle('invoice.create', { ...invoice, draft }));
    expectOrder(locks, 'invoice_drafts');
  });

  async function insertImport(): Promise<{ importId: string; userId: string }> {
    const [user] = await stores.sql<{ id: string }>(
      `INSERT INTO users (company_id, id, email, password_hash, role)
       VALUES ($1, gen_random_uuid(), 'a@b.example', '', 'owner')
       RETURNING id`,
      [companyId],
    );
    const [row] = await stores.sql<{ id: string }>(
      `INSERT INTO imports (company_id, id, user_id, file_name, reference, reason, decimal_mark,
         header, status, rows_total, rows_failed, run_at)
       VALUES ($1, gen_random_uuid(), $2, 'a.csv', 'a', 'count', '.', '[]', 'queued', 2, 0, now())
       RETURNING id`,
      [companyId, user?.id],
    );
    await stores.sql(
      `INSERT INTO import_rows (company_id, import_id, position, line, cells, entry)
       VALUES ($1, $2, 1, 2, '[]', '{"name":"Pipe","count":7}'),
         ($1, $2, 2, 3, '[]', '{"name":"Valve","count":7}')`,
      [companyId, row?.id],
    );
    return { importId: row?.id ?? '', userId: user?.id ?? '' };
  }

  it('rows of jobs are locked by company and then by id', async () => {
    // The company that comes first has the job that would come last by its id alone.
    const [one, other] = [uuidv7(), uuidv7()].sort() as [string, string];
    const [low, high] = [uuidv7(), uuidv7()].sort() as [string, string];
    const jobs = [
      submission(other, 'invoice.create', {}, low),
      submission(one, 'invoice.create', {}, high),
    ];
    await stores.sql(
      `INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id,
         payload, run_at)
       SELECT job.company_id, job.id, 'invoice.create', 'queued', decode(repeat('00', 32), 'hex'),
         job.id, 'r', '{}', 'infinity'
       FROM unnest($1::uuid[], $2::uuid[]) AS job (company_id, id)`,
      [jobs.map(job => job.companyId), jobs.map(job => job.id)],
    );
    const session = new pg.Client({ connectionString: stores.databaseUrl });
    await session.connect();
    await session.query('BEGIN');
    await session.query('SELECT FROM jobs WHERE company_id = $1 FOR UPDATE', [one]);
    const settling = inTransaction(tx =>
      settleJobs(
        jobs.map(each => ({ submission: each, resultId: each.id, problem: null })),
        tx,
      ),
    );
    await until('the batch waits for the first row', async () => {
      const waiting = await query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        [],
      );
      return waiting.length > 0;
    });
    // It has not locked the second one, which would make a circle.
    const free = session.query('SELECT FROM jobs WHERE company_id = $1 FOR UPDATE NOWAIT', [other]);
    await free.finally(() => session.query('ROLLBACK')).finally(() => session.end());
    await settling;
  });

  it('locks are read from SELECT … FOR UPDATE, UPDATE, DELETE and INSERT … DO UPDATE', () => {
    expect(
      lockedTables(`WITH a AS (SELECT * FROM x, (SELECT * FROM y FOR NO KEY UPDATE) z)
        UPDATE w SET b = 1; DELETE FROM v; INSERT INTO t VALUES (1);
        INSERT INTO u SELECT 1 ON CONFLICT (b) DO UPDATE SET b = 2`),
    ).to.deep.equal(['y', 'w', 'v', 'u']);
  });
});

function submission(companyId: string, type: string, payload: object, id = uuidv7()): Submission {
  return {
    ...{ companyId, type, id, fingerprint: '0'.repeat(64), submissionId: id },
    requestId: randomUUID(),
    acceptedAt: new Date().toISOString(),
    payload,
    createdBy: null,
    replyTo: 'test',
  };
}
