// GET /summary as clients read it: correct without a stored row, and at most 5 s old.

import { expect } from 'chai';
import pg from 'pg';
import { today } from '../support/days.js';
import {
  type CompanyOptions,
  changeCompany,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { pay } from '../support/ledger.js';
import { type RunningProcess, until } from '../support/processes.js';
import { inBothModes, makeStores, type Stores, startForTests } from '../support/suite.js';

const FRESH_MS = 5_000;
const SETTINGS_MS = 1_000;

const sell = (company: TestCompany) => company.post('/invoices', invoiceRequest({ date: today() }));
const count = async (company: TestCompany): Promise<number> =>
  (await company.get('/summary')).body.invoices.count;

inBothModes('the summary', stack => {
  const company = (options: CompanyOptions = {}) => makeCompany(stack(), options);

  it('has all fields, empty or zero, for a new company', async () => {
    const { status, headers, body } = await (await company()).get('/summary');
    expect(status).to.equal(200);
    expect(headers['content-type']).to.match(/^application\/json/u);
    expect(body.invoices).to.deep.equal({ count: 0, total: 0, average: null });
    expect(body.previous.toSameDay).to.deep.equal({ count: 0, total: 0 });
    expect(body.change).to.deep.equal({ countPercent: null, totalPercent: null });
    expect([body.topCustomers, body.topItems]).to.deep.equal([[], []]);
    expect(body.inventory).to.deep.equal({ items: 0, low: 0, outOfStock: 0, value: 0 });
  });

  it('is correct at the first request of a company', async () => {
    const seller = await company();
    await sell(seller);
    expect(await count(seller)).to.equal(1);
  });

  it('shows an invoice, a payment and a stock change within 5 seconds of their 201', async () => {
    const seller = await company();
    await seller.get('/summary');
    await receive(seller, { name: 'Pipe', delta: 2, unitCost: 3 });
    await until(
      'the stock shows',
      async () => (await seller.get('/summary')).body.inventory.value === 6,
      FRESH_MS,
    );
    await sell(seller);
    await until('the invoice shows', async () => (await count(seller)) === 1, FRESH_MS);
    await pay(seller, 7.5, [], { customerName: 'Bright & Sons', date: today() });
    await until(
      'the payment shows',
      async () => (await seller.get('/summary')).body.unallocated.total === 7.5,
      FRESH_MS,
    );
    const age = Date.now() - Date.parse((await seller.get('/summary')).body.computedAt);
    expect(age).to.be.within(-1_000, FRESH_MS);
  });

  it('shows a changed unit cost even if no stock moved', async () => {
    const seller = await company();
    await receive(seller, { name: 'Pipe', delta: 2, unitCost: 3 });
    await seller.get('/summary');
    await receive(seller, { name: 'Pipe', delta: 0, unitCost: 4 });
    await until(
      'the value shows',
      async () => (await seller.get('/summary')).body.inventory.value === 8,
      FRESH_MS,
    );
  });

  it('follows a change of time zone, currency or day within a second', async () => {
    const seller = await company();
    await receive(seller, { name: 'Pipe', delta: 3, unitCost: 0.335 });
    await seller.get('/summary');
    await changeCompany(stack(), seller, { timeZone: 'Pacific/Kiritimati', currency: 'JPY' });
    const changed = async () => {
      const { body } = await seller.get('/summary');
      return (
        body.period.timezone === 'Pacific/Kiritimati' &&
        body.currency === 'JPY' &&
        body.inventory.value === 1
      );
    };
    await until('the settings show', changed, SETTINGS_MS);
    await stack().sql(
      `UPDATE summaries SET day = day - 1, body = '{"of":"yesterday"}' WHERE company_id = $1`,
      [seller.companyId],
    );
    expect((await seller.get('/summary')).body).to.have.property('computedAt');
  });

  it('is read without reading any invoice or item', async () => {
    const seller = await company();
    await sell(seller);
    await until('the invoice shows', async () => (await count(seller)) === 1, FRESH_MS);
    const client = new pg.Client({ connectionString: stack().databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE invoices, items, movements IN ACCESS EXCLUSIVE MODE');
      expect(await count(seller)).to.equal(1);
    } finally {
      await client.end();
    }
  });
});

inBothModes('the scheduler', stack => {
  let stores: Stores;
  let worker: RunningProcess;
  let seller: TestCompany;

  before(async () => {
    stores = await makeStores(stack().mode);
    const web = await startForTests('web', stores.env);
    worker = await startForTests('worker', stores.env);
    seller = await makeCompany({ ...stores, baseUrl: `http://127.0.0.1:${web.port}` });
  });

  const emptyQueue = async (): Promise<void> => {
    if (!stores.redis) return void (await stores.sql('TRUNCATE bullmq.job CASCADE'));
    const { Redis } = await import('ioredis');
    const redis = new Redis(stores.redis.url);
    await redis.flushall();
    redis.disconnect();
  };

  it('finds the writes that were made while it was down, even if the queue is lost', async () => {
    await sell(seller);
    expect(await count(seller)).to.equal(1);
    await sell(seller);
    await receive(seller, { name: 'Pipe', delta: 2, unitCost: 3 });
    expect(await count(seller)).to.equal(1);
    await worker.stop('SIGKILL');
    await emptyQueue();
    await startForTests('scheduler', stores.env);
    await until('the invoice shows', async () => (await count(seller)) === 2, FRESH_MS);
    expect((await seller.get('/summary')).body.inventory.value).to.equal(6);
  });

  it('can run twice, and one of them can be killed', async () => {
    await startForTests('worker', stores.env);
    const second = await startForTests('scheduler', stores.env);
    for (const sold of [3, 4]) {
      await sell(seller);
      if (sold === 4) await second.stop('SIGKILL');
      await until(`${sold} invoices show`, async () => (await count(seller)) === sold, FRESH_MS);
    }
  });
});
