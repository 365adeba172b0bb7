// Statements that fail through no fault of the request: an operator cancels them, or the server
// refuses writes (a demoted primary, a provider that found the disk full). A client is told to try
// again, and a write that was accepted is carried out.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import type { Response } from '../../support/client.js';
import { Browser, PASSWORD } from '../../support/dashboard.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../../support/factories.js';
import { until } from '../../support/processes.js';
import { makeStores, type Stores, startForTests } from '../../support/suite.js';
import { untilSettled } from '../../support/waiting-job.js';

/** More than the attempts of a job. */
const CANCELLATIONS = 6;

describe('a statement that is interrupted', () => {
  let stack: Stores & { baseUrl: string };
  let output = () => '';
  let company: TestCompany;
  let session: pg.Client;

  before(async () => {
    const stores = await makeStores('postgres');
    const types = ['web', 'worker'] as const;
    const [web] = await Promise.all(types.map(type => startForTests(type, stores.env)));
    output = web?.output ?? output;
    stack = { ...stores, baseUrl: `http://127.0.0.1:${web?.port}` };
    company = await makeCompany(stack);
    await receive(company, { name: 'Pipe', delta: 100 });
  });
  beforeEach(async () => {
    session = new pg.Client({
      connectionString: stack.databaseUrl,
      options: '-c default_transaction_read_only=off',
    });
    await session.connect();
  });
  afterEach(() => session.end());

  /** Cancels statements of these processes that wait for a lock. Returns how many. */
  const cancel = async (name: string, by = 'pg_cancel_backend'): Promise<number> => {
    // Not in `session`: a transaction sees the activity as it was when it first looked.
    const rows = await stack.sql(
      `SELECT ${by}(pid)
       FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = $1 AND wait_event_type = 'Lock'`,
      [name],
    );
    return rows.length;
  };
  const expectUnavailable = ({ status, headers, body }: Response) => {
    expect([status, body.code]).to.deep.equal([503, 'service_unavailable']);
    expect(Number(headers['retry-after'])).to.be.above(0);
  };
  /** A form whose transaction runs on models. */
  const signUp = () =>
    new Browser(stack.baseUrl).send('/sign-up', {
      name: 'Hill & Sons',
      currency: 'EUR',
      timeZone: 'Europe/Berlin',
      email: `${randomUUID()}@example.org`,
      password: PASSWORD,
    });
  const sold = async () => 100 - (await company.get('/inventory')).body[0].onHand;
  const invoice = invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 1 }] });

  it('of a read is answered with 503 and Retry-After', async () => {
    await session.query('BEGIN; LOCK TABLE invoices');
    const reading = company.get('/invoices');
    await until('the read is cancelled', async () => (await cancel('tradepost-web')) > 0);
    expectUnavailable(await reading);
    await session.query('ROLLBACK');
    expect((await company.get('/invoices')).status).to.equal(200);
  });

  it('of an accepted write is retried until the write is carried out', async () => {
    const before = await sold();
    await session.query('BEGIN; LOCK TABLE items');
    const { body } = await company.post('/invoices', invoice, {
      headers: { prefer: 'respond-async' },
    });
    let cancelled = 0;
    const countCancelled = async () => {
      cancelled += await cancel('tradepost-worker');
      return cancelled >= CANCELLATIONS;
    };
    await until('enough statements are cancelled', countCancelled);
    await session.query('ROLLBACK');
    expect((await untilSettled(company, body.id)).status).to.equal('succeeded');
    expect((await sold()) - before).to.equal(1);
  });

  it('with its connection is answered with 503 in a transaction of models', async () => {
    await session.query('BEGIN; LOCK TABLE companies');
    let signingUp = signUp();
    const isEnded = async () => {
      if ((await cancel('tradepost-web', 'pg_terminate_backend')) > 0) return true;
      // On a slow host it may have ended before it was seen to wait.
      const isAnswered = await Promise.race([signingUp.then(() => true), delay(1, false)]);
      if (isAnswered) signingUp = signUp();
      return false;
    };
    await until('the connection is ended', isEnded);
    await session.query('ROLLBACK');
    expect((await signingUp).status).to.equal(503);
    expect((await signUp()).status).to.equal(303);
    for (const line of output().split('\n').filter(Boolean)) JSON.parse(line);
  });

  it('by a server that refuses writes is a 503, until new connections accept them', async () => {
    const settle = `ALTER DATABASE ${new URL(stack.databaseUrl).pathname.slice(1)}`;
    await session.query(`${settle} SET default_transaction_read_only = on`);
    await session.query(
      `SELECT pg_terminate_backend(pid)
       FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    const isBack = async () => (await company.get('/inventory')).status === 200;
    await until('reads work', isBack);
    const refused = await company.post('/invoices', invoice, {
      headers: { prefer: 'respond-async' },
    });
    expectUnavailable(refused);
    expect((await signUp()).status).to.equal(503);
    await session.query(`${settle} RESET default_transaction_read_only`);
    const isCreated = async () => (await company.post('/invoices', invoice)).status === 201;
    await until('writes work', isCreated);
  });
});
