// A company whose writes cannot be settled delays no other company's: rows that another session has
// locked, a write that always fails, a statement that takes too long, or a long backlog.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { invoiceRequest, type TestCompany } from '../support/factories.js';
import { type Answers, lockItems, makeTrader, postInvoice, trade } from '../support/neighbours.js';
import { until } from '../support/processes.js';
import { inBothModes } from '../support/suite.js';

const SECONDS = 5;
/** Of each of the other companies. */
const USUAL = { perSecond: 10, seconds: SECONDS, prefer: 'wait=30' };
/** A busy host answers within seconds. A write that waits for the troubled company takes longer. */
const UNDISTURBED_MS = 8_000;

function expectUndisturbed({ statuses, p99Ms }: Answers): void {
  expect(new Set(statuses)).to.deep.equal(new Set([201]));
  expect(p99Ms).to.be.below(UNDISTURBED_MS);
}

inBothModes('beside a company whose writes cannot be settled', stack => {
  /** Ends the trouble that a test caused, if the test has not. */
  let end: () => Promise<unknown> = async () => undefined;
  afterEach(() => end());

  const makeTraders = (count: number) =>
    Promise.all(Array.from({ length: count }, () => makeTrader(stack())));

  /** Its jobs by status, and the attempts that they took. */
  const jobsOf = async ({ companyId }: TestCompany) => {
    const [row] = await stack().sql<Record<'queued' | 'succeeded' | 'failed' | 'tried', number>>(
      `SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
         count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
         count(*) FILTER (WHERE status = 'failed')::int AS failed,
         count(*) FILTER (WHERE attempts > 0)::int AS tried
       FROM jobs
       WHERE company_id = $1`,
      [companyId],
    );
    if (!row) throw new Error('count(*) returned no row');
    return row;
  };

  const untilSettled = (company: TestCompany) =>
    until('all its jobs are settled', async () => (await jobsOf(company)).queued === 0);

  /** Inserts queued jobs that are due. */
  const queueJobs = (company: TestCompany, count: number, payload: object) =>
    stack().sql(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint,
         submission_id, request_id, payload, run_at
       )
       SELECT $1, gen_random_uuid(), 'invoice.create', 'queued', decode(repeat('00', 32), 'hex'),
         gen_random_uuid(), 'queued', $3, now()
       FROM generate_series(1, $2::int)`,
      [company.companyId, count, JSON.stringify(payload)],
    );

  it("others get 201 while one company's items are locked, and it does later", async () => {
    const [held, ...others] = await makeTraders(4);
    if (!held) throw new Error('no company');
    end = await lockItems(stack(), held);
    const async = trade([held], { ...USUAL, prefer: 'respond-async' });
    const waiting = trade([held], { perSecond: 10, seconds: SECONDS, prefer: 'wait=2' });
    expectUndisturbed(await trade(others, USUAL));
    const answers = [...(await async).statuses, ...(await waiting).statuses];
    expect(new Set(answers)).to.deep.equal(new Set([202]));
    await end();
    await untilSettled(held);
    const { succeeded, failed, tried } = await jobsOf(held);
    // One adjustment received the stock.
    expect({ succeeded, failed, tried }).to.deep.equal({
      succeeded: answers.length + 1,
      failed: 0,
      tried: 0,
    });
    await until('it is answered 201 again', async () => (await postInvoice(held)).status === 201);
  });

  it("a company's writes of other items are settled while one of its items is locked", async () => {
    const held = await makeTrader(stack());
    const items = [{ name: 'Delivery', qty: 1, price: 1 }];
    end = await lockItems(stack(), held);
    for (let pair = 0; pair < 5; pair += 1) {
      const lockedOne = postInvoice(held, 'respond-async');
      const other = held.post('/invoices', invoiceRequest({ items }), {
        headers: { prefer: 'respond-async' },
      });
      expect([(await lockedOne).status, (await other).status]).to.deep.equal([202, 202]);
    }
    await until(
      'the other invoices exist',
      async () => (await held.get('/invoices')).body.length === 5,
    );
    await end();
    await until('all invoices exist', async () => (await held.get('/invoices')).body.length === 10);
  });

  it('others get 201 while some writes of one company always fail', async () => {
    const [failing, ...others] = await makeTraders(3);
    if (!failing) throw new Error('no company');
    const itemless = { customerName: 'No items', date: '2026-11-20' };
    const usual = trade(others, USUAL);
    const own = trade([failing], USUAL);
    for (let turn = 0; turn < SECONDS; turn += 1) {
      await queueJobs(failing, 20, itemless);
      await new Promise(resolve => setTimeout(resolve, 500));
    }
    expectUndisturbed(await usual);
    expect(new Set((await own).statuses)).to.deep.equal(new Set([201]));
    await stack().sql(
      `UPDATE jobs SET payload = $2 WHERE company_id = $1 AND request_id = 'queued'`,
      [failing.companyId, invoiceRequest()],
    );
    // An attempt with the former payload may still end, and postpone its job for many seconds.
    await until('all its jobs are settled', async () => {
      await stack().sql(
        `UPDATE jobs SET run_at = now()
         WHERE company_id = $1 AND status = 'queued' AND run_at > now() + interval '3 seconds'`,
        [failing.companyId],
      );
      return (await jobsOf(failing)).queued === 0;
    });
  });

  it("others get 201 while one company's statements time out; it loses nothing", async () => {
    const [slow, ...others] = await makeTraders(3);
    if (!slow) throw new Error('no company');
    end = await slowDown(slow);
    const own = trade([slow], { perSecond: 5, seconds: SECONDS, prefer: 'respond-async' });
    await until('it is delayed', async () => (await jobsOf(slow)).queued > 5);
    expectUndisturbed(await trade(others, USUAL));
    expect(new Set((await own).statuses)).to.deep.equal(new Set([202]));
    await end();
    await untilSettled(slow);
    expect(await jobsOf(slow)).to.include({ failed: 0, tried: 0 });
  });

  /** Makes each insert of the company's invoices sleep. The returned function ends that at once. */
  const slowDown = async ({ companyId }: TestCompany) => {
    const name = `slow_${uuidv7().replaceAll('-', '')}`;
    const define = (body: string) =>
      stack().sql(
        `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN ${body} RETURN NEW; END $$`,
      );
    await define(`IF NEW.company_id = '${companyId}' THEN PERFORM pg_sleep(60); END IF;`);
    await stack().sql(
      `CREATE TRIGGER ${name} BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION ${name}()`,
    );
    return async () => {
      await define('');
      await stack().sql(
        `SELECT pg_cancel_backend(pid)
         FROM pg_stat_activity
         WHERE wait_event = 'PgSleep' AND datname = current_database()`,
      );
      await stack().sql(
        `DROP TRIGGER IF EXISTS ${name} ON invoices;
         DROP FUNCTION ${name}()`,
      );
    };
  };

  it('others get 201 while one company has 12,000 queued jobs and gets 503', async () => {
    const [behind, ...others] = await makeTraders(3);
    if (!behind) throw new Error('no company');
    end = await lockItems(stack(), behind);
    await queueJobs(
      behind,
      12_000,
      invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 1 }] }),
    );
    expectUndisturbed(await trade(others, USUAL));
    expect((await postInvoice(behind)).status).to.equal(503);
    await stack().sql(
      `BEGIN;
       SET LOCAL session_replication_role = replica;
       DELETE FROM jobs WHERE company_id = '${behind.companyId}' AND request_id = 'queued';
       COMMIT`,
    );
    await end();
    await until('it is answered 201 again', async () => (await postInvoice(behind)).status === 201);
  });
});
