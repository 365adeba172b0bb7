// The lists of one company do not take the connections that others need.
import { expect } from 'chai';
import pg from 'pg';
import { invoiceRequest, makeCompany, receive } from './support/factories.js';
import { until } from './support/processes.js';
import { describeMode } from './support/suite.js';

describeMode('postgres', 'the lists of one company', stack => {
  let lock: pg.Client;
  afterEach(() => lock.end());

  it('leave connections to the lists and reads of another one', async () => {
    const [busy, other] = [await makeCompany(stack()), await makeCompany(stack())];
    const [itemId] = await receive(busy, { name: 'Pipe', delta: 1 });
    const { body: invoice } = await other.post('/invoices', invoiceRequest({}));
    lock = new pg.Client({ connectionString: stack().databaseUrl });
    await lock.connect();
    // Every list of movements is slow now. No other read needs the table.
    await lock.query('BEGIN; LOCK TABLE movements');
    const path = (at: number) => `/inventory/${itemId}/movements?kind=theft&limit=${at + 1}`;
    const reads = Array.from({ length: 32 }, (_, at) => busy.get(path(at)));
    const blocked = async () => {
      const [row] = await stack().sql<{ count: number }>(
        `SELECT count(*)::int AS count
         FROM pg_locks
         JOIN pg_stat_activity USING (pid)
         WHERE relation = 'movements'::regclass AND NOT granted AND datname = current_database()
           AND query LIKE '%m.kind = %'`,
      );
      return row?.count ?? 0;
    };
    await until('lists wait', async () => (await blocked()) >= 2);
    const list = await other.get('/invoices');
    const one = await other.get(`/invoices/${invoice.id}`);
    expect([list.status, one.status]).to.deep.equal([200, 200]);
    // The busy company's lists still wait, on half of the four connections for lists. The audit
    // may wait for the table as well.
    expect(await blocked()).to.equal(2);
    await lock.query('ROLLBACK');
    for (const { status } of await Promise.all(reads)) expect(status).to.be.oneOf([200, 503]);
  });

  it('are answered with 503 and Retry-After if reading them takes too long', async () => {
    const company = await makeCompany(stack());
    const [itemId] = await receive(company, { name: 'Pipe', delta: 1 });
    lock = new pg.Client({ connectionString: stack().databaseUrl });
    await lock.connect();
    await lock.query('BEGIN; LOCK TABLE movements');
    const { status, body, headers } = await company.get(`/inventory/${itemId}/movements`);
    expect([status, body.code, headers['retry-after']]).to.deep.equal([
      503,
      'service_unavailable',
      '2',
    ]);
    expect(body.detail).to.match(/^Reading this list took too long\. Narrow it, to fewer days/u);
  });
});
