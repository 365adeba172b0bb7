// The lists of one company do not take the connections that others need.
import { expect } from 'chai';
import pg from 'pg';
import { signedIn } from './support/dashboard.js';
import { invoiceRequest, makeCompany, receive } from './support/factories.js';
import { addInvoices } from './support/many-rows.js';
import { until } from './support/processes.js';
import { describeMode } from './support/suite.js';

describeMode('postgres', 'the lists of one company', stack => {
  let lock: pg.Client;
  afterEach(() => lock.end());
  /** The statements like a pattern that wait for the lock of a table. */
  const blockedReads = async (table: string, pattern: string) => {
    const [row] = await stack().sql<{ count: number }>(
      `SELECT count(*)::int AS count
       FROM pg_locks
       JOIN pg_stat_activity USING (pid)
       WHERE relation = $1::regclass AND NOT granted AND datname = current_database()
         AND query LIKE $2`,
      [table, pattern],
    );
    return row?.count ?? 0;
  };

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
    const blocked = () => blockedReads('movements', '%m.kind = %');
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

  it('leave connections to another one while it searches thirty times at once', async () => {
    const [busy, other] = [await makeCompany(stack()), await makeCompany(stack())];
    // More than a search reads before it needs the stored texts.
    await addInvoices(stack(), busy, 400);
    await other.post('/invoices', invoiceRequest({}));
    const [{ browser: searching }, { browser }] = [
      await signedIn(stack(), busy.companyId),
      await signedIn(stack(), other.companyId),
    ];
    lock = new pg.Client({ connectionString: stack().databaseUrl });
    await lock.connect();
    // A new invoice's text could not be stored while the table is locked.
    for (const each of [searching, browser]) expect((await each.get('/')).status).to.equal(200);
    await lock.query('BEGIN; LOCK TABLE search_texts');
    const searches = Array.from({ length: 30 }, (_, at) => searching.get(`/search?q=none+${at}`));
    const blocked = () => blockedReads('search_texts', '%strpos(t.lines%');
    await until('a search waits', async () => (await blocked()) >= 1);
    for (const page of ['/', '/invoices', '/payments', '/credit-notes', '/inventory'])
      expect((await browser.get(page)).status, page).to.equal(200);
    for (const list of ['/invoices', '/payments', '/inventory'])
      expect((await other.get(list)).status, list).to.equal(200);
    expect(await blocked(), 'one search at a time').to.equal(1);
    await lock.query('ROLLBACK');
    for (const { status } of await Promise.all(searches)) expect(status).to.be.oneOf([200, 503]);
    expect((await searching.get('/search?q=customer')).status).to.equal(200);
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
