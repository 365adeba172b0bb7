// How long a request waits for its write, and what a 202 contains.
import { expect } from 'chai';
import pg from 'pg';
import type { Json, Response } from '../support/client.js';
import { send } from '../support/client.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { describeMode, inBothModes, type Stack, startForTests } from '../support/suite.js';

const prefer = (value: string) => ({ headers: { prefer: value } });

/** Waits until the job of a 202 is settled, and returns it. */
async function settledJob(company: TestCompany, accepted: Response): Promise<Json> {
  const path = String(accepted.headers.location).replace('/api/external', '');
  let job: Json;
  await until(`${path} settled`, async () => {
    job = (await company.get(path)).body;
    return job.status !== 'queued';
  });
  return job;
}

/** Blocks the company's invoices until released, as a worker that hangs would. */
async function blockInvoices(stack: Stack, company: TestCompany): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM companies WHERE id = $1 FOR UPDATE', [company.companyId]);
  return () => client.end();
}

inBothModes('waiting for a write', stack => {
  it('always answers respond-async with 202 and a job that creates the invoice', async () => {
    const company = await makeCompany(stack());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        company.post('/invoices', invoiceRequest(), prefer('respond-async')),
      ),
    );
    for (const { status, headers, body } of answers) {
      expect(status).to.equal(202);
      expect(headers.location).to.equal(`/api/external/jobs/${body.id}`);
      expect(headers['retry-after']).to.equal('1');
      expect(headers['preference-applied']).to.equal('respond-async');
      expect(headers['content-type']).to.match(/^application\/json/u);
      expect(Object.keys(body)).to.deep.equal([
        'id',
        'type',
        'status',
        'createdAt',
        'finishedAt',
        'requestId',
        'result',
        'error',
      ]);
      expect([body.type, body.requestId]).to.deep.equal([
        'invoice.create',
        headers['x-request-id'],
      ]);
    }
    const jobs = await Promise.all(answers.map(answer => settledJob(company, answer)));
    const invoices = await Promise.all(
      jobs.map(async job => {
        expect(job).to.deep.include({ status: 'succeeded', error: null });
        expect(job.result).to.deep.equal({
          type: 'invoice',
          id: job.result.id,
          href: `/api/external/invoices/${job.result.id}`,
        });
        return (await company.get(job.result.href.replace('/api/external', ''))).body;
      }),
    );
    expect(new Set(invoices.map(({ number }) => number)).size).to.equal(20);
  });

  it('prefers respond-async over wait, and treats wait=0 as not waiting', async () => {
    const company = await makeCompany(stack());
    for (const [value, applied] of [
      ['wait=10, respond-async', 'respond-async'],
      ['wait=0', 'wait=0'],
    ] as const) {
      const { status, headers } = await company.post('/invoices', invoiceRequest(), prefer(value));
      expect([status, headers['preference-applied']], value).to.deep.equal([202, applied]);
    }
  });

  it('names the applied wait, and none if the request names none or a malformed one', async () => {
    const company = await makeCompany(stack());
    for (const [value, applied] of [
      ['wait=5', 'wait=5'],
      ['wait=300', 'wait=30'],
      ['wait=soon', undefined],
    ] as const) {
      const { status, headers } = await company.post('/invoices', invoiceRequest(), prefer(value));
      expect([status, headers['preference-applied']], value).to.deep.equal([201, applied]);
    }
    expect(
      (await company.post('/invoices', invoiceRequest())).headers['preference-applied'],
    ).to.equal(undefined);
  });

  it('answers 202 if the write takes longer than the wait, and carries it out later', async () => {
    const company = await makeCompany(stack());
    const release = await blockInvoices(stack(), company);
    const started = performance.now();
    const accepted = await company.post('/invoices', invoiceRequest(), prefer('wait=1'));
    const seconds = (performance.now() - started) / 1000;
    expect(accepted.status).to.equal(202);
    expect(accepted.body).to.include({
      status: 'queued',
      finishedAt: null,
      result: null,
      error: null,
    });
    expect(seconds).to.be.within(0.95, 3);
    await release();
    expect((await settledJob(company, accepted)).status).to.equal('succeeded');
    expect((await company.get('/invoices')).body).to.have.length(1);
  });

  it("answers one company's write while another company's is blocked", async () => {
    const [held, other] = [await makeCompany(stack()), await makeCompany(stack())];
    const release = await blockInvoices(stack(), held);
    const answer = held.post('/invoices', invoiceRequest());
    await until(
      'its batch waits for the lock',
      async () => (await stack().sql(HOLDERS)).length > 0,
    );
    expect((await other.post('/invoices', invoiceRequest())).status).to.equal(201);
    await release();
    expect((await answer).status).to.equal(201);
  });

  it("stores a refusal as the job's error", async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pipe', delta: 1 });
    const items = [{ name: 'Pipe', qty: 2, price: 1 }];
    const accepted = await company.post(
      '/invoices',
      invoiceRequest({ items }),
      prefer('respond-async'),
    );
    const job = await settledJob(company, accepted);
    expect(job).to.deep.include({ status: 'failed', result: null });
    expect(job.error).to.include({
      status: 409,
      code: 'insufficient_stock',
      requestId: accepted.headers['x-request-id'],
    });
    const members = 'type title status code detail instance requestId errors';
    expect(Object.keys(job.error).join(' ')).to.equal(members);
    expect(job.error.errors[0]).to.include({ pointer: '/items/0/qty', requested: 2, available: 1 });
    expect(Date.parse(job.finishedAt)).to.be.at.least(Date.parse(job.createdAt));
  });

  it("answers an adjustment's job with no href and the movements of its 201", async () => {
    const company = await makeCompany(stack());
    const body = { reason: 'received', items: [{ name: 'Pipe', delta: 1.5 }] };
    const headers = { 'idempotency-key': 'grn-1', prefer: 'respond-async' };
    const job = await settledJob(
      company,
      await company.post('/inventory/adjustments', body, { headers }),
    );
    const adjustment = await company.post('/inventory/adjustments', body, { headers });
    expect(adjustment.status).to.equal(201);
    expect(job.type).to.equal('inventory.adjust');
    expect(job.result).to.deep.equal({
      type: 'adjustment',
      id: adjustment.body.id,
      href: null,
      movements: adjustment.body.movements,
    });
  });
});

describeMode('postgres', 'a web process that stops while requests wait', stack => {
  it('answers waiting requests with 202 when web stops, and carries out their writes', async () => {
    const web = await startForTests('web', stack().env);
    const company = await makeCompany({ ...stack(), baseUrl: `http://127.0.0.1:${web.port}` });
    const release = await blockInvoices(stack(), company);
    const waiting = company.post('/invoices', invoiceRequest(), {
      headers: { prefer: 'wait=30', connection: 'close' },
    });
    await until('the request waits', async () => (await stack().sql(HOLDERS)).length > 0);
    const stopped = performance.now();
    const code = web.stop();
    const accepted = await waiting;
    expect(accepted.status).to.equal(202);
    expect(await code).to.equal(0);
    expect(performance.now() - stopped).to.be.below(8_000);
    await release();
    const again = async () =>
      (await send(stack().baseUrl, 'GET', String(accepted.headers.location), { key: company.key }))
        .body;
    await until('the job succeeded', async () => (await again()).status === 'succeeded');
  });
});

const HOLDERS =
  "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
