// Idempotency-Key: one key has one outcome.
import { expect } from 'chai';
import { fingerprintOf, jobId } from '../../src/jobs/submit/submission.js';
import type { Response } from '../support/client.js';
import { send } from '../support/client.js';
import {
  fieldErrors,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { type RunningProcess, until } from '../support/processes.js';
import { runRetention } from '../support/retention.js';
import { describeMode, inBothModes, startForTests } from '../support/suite.js';

const keyed = (key: string | string[], more: Record<string, string> = {}) => ({
  headers: { 'idempotency-key': key, ...more },
});
const isReplay = ({ headers }: Response) => headers['idempotency-replayed'] === 'true';
const count = async (company: TestCompany) =>
  (await company.get('/invoices?limit=200')).body.length;

/** The same company behind another web process. */
function at(port: number, company: TestCompany): Pick<TestCompany, 'post'> {
  const post: TestCompany['post'] = (path, json, more = {}) =>
    send(`http://127.0.0.1:${port}`, 'POST', `/api/external${path}`, {
      key: company.key,
      json,
      ...more,
    });
  return { post };
}

inBothModes('repeating a write with its Idempotency-Key', stack => {
  let web: RunningProcess;
  before(async () => {
    web = await startForTests('web', stack().env);
  });
  after(() => web.stop());

  it('repeats status, body and location, marked as a replay, and writes once', async () => {
    const company = await makeCompany(stack());
    const first = await company.post('/invoices', invoiceRequest(), keyed('order-1'));
    const second = await company.post('/invoices', invoiceRequest(), keyed('order-1'));
    expect([first.status, isReplay(first)]).to.deep.equal([201, false]);
    expect([second.status, isReplay(second)]).to.deep.equal([201, true]);
    expect([second.text, second.headers.location]).to.deep.equal([
      first.text,
      first.headers.location,
    ]);
    expect(await count(company)).to.equal(1);
  });

  it('joins requests that arrive while the first one runs', async () => {
    const company = await makeCompany(stack());
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        company.post('/invoices', invoiceRequest(), keyed('order-1')),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect(answers[0]?.status).to.equal(201);
    expect(answers.filter(answer => !isReplay(answer))).to.have.length(1);
    expect(await count(company)).to.equal(1);
  });

  it('joins requests across web processes and refuses another body there', async () => {
    const company = await makeCompany(stack());
    const webs = [company, at(web.port, company)];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        [0, 1, 0, 1].map(n => webs[n]?.post('/invoices', invoiceRequest(), keyed(`same-${round}`))),
      );
      expect(new Set(answers.map(answer => `${answer?.status} ${answer?.text}`)).size).to.equal(1);
      expect(answers.filter(answer => answer && !isReplay(answer))).to.have.length(1);
      const mixed = await Promise.all(
        [0, 1].map(n =>
          webs[n]?.post(
            '/invoices',
            invoiceRequest({ reference: `${n}` }),
            keyed(`mixed-${round}`),
          ),
        ),
      );
      expect(mixed.map(answer => answer?.status).sort()).to.deep.equal([201, 422]);
      expect(mixed.map(answer => answer?.body.code)).to.include('idempotency_key_reused');
    }
    expect(await count(company)).to.equal(10);
  });

  it('carries out one of two writes with a key, also if only one of them is queued', async () => {
    const company = await makeCompany(stack());
    const adjustment = { reason: 'received', items: [{ name: 'Pipe', delta: 1 }] };
    for (const queued of [
      { path: '/invoices', body: invoiceRequest(), accepted: 201 },
      { path: '/inventory/adjustments', body: adjustment, accepted: 201 },
      { path: '/invoices', body: invoiceRequest(), prefer: 'respond-async', accepted: 202 },
    ])
      for (let round = 0; round < 5; round += 1) {
        const name = `${queued.path}-${queued.accepted}-${round}`;
        const writes = [
          { ...queued, headers: queued.prefer ? { prefer: queued.prefer } : {} },
          { path: '/customers', body: { name }, headers: {}, accepted: 201 },
        ].map(({ path, body, headers, accepted }) => ({
          send: () => company.post(path, body, keyed(name, headers)),
          accepted,
        }));
        const first = await Promise.all(writes.map(write => write.send()));
        await until(`the end of ${name}`, async () => {
          const jobs = await stack().sql('SELECT FROM jobs WHERE company_id = $1 AND status = $2', [
            company.companyId,
            'queued',
          ]);
          return jobs.length === 0;
        });
        const again = await Promise.all(writes.map(write => write.send()));
        const created = again.filter(({ status }) => status === 201);
        expect(created.map(isReplay), name).to.deep.equal([true]);
        expect(again.map(({ status }) => status).sort(), name).to.deep.equal([201, 422]);
        for (const [index, { status, body }] of first.entries()) {
          const isCreated = again[index]?.status === 201;
          // A queued write that was accepted may be refused later.
          const statuses = isCreated ? [writes[index]?.accepted] : [422, 202];
          expect(statuses, name).to.include(status);
          if (status === 422) expect(body.code, name).to.equal('idempotency_key_reused');
        }
        const { length: customers } = (
          await company.get(`/customers?q=${encodeURIComponent(name)}`)
        ).body;
        expect(customers, name).to.equal(again[1]?.status === 201 ? 1 : 0);
      }
    const records = await stack().sql<{ invoices: number; jobs: number }>(
      `SELECT
         (SELECT count(*)::int FROM invoices WHERE company_id = $1) AS invoices,
         (
           SELECT count(*)::int
           FROM jobs
           WHERE company_id = $1 AND type = 'invoice.create' AND status = 'succeeded'
         ) AS jobs`,
      [company.companyId],
    );
    expect(records[0]?.invoices).to.equal(records[0]?.jobs);
  });

  it('answers 201 for a write that was answered with 202 before', async () => {
    const company = await makeCompany(stack());
    const accepted = await company.post(
      '/invoices',
      invoiceRequest(),
      keyed('order-1', { prefer: 'respond-async' }),
    );
    expect([accepted.status, isReplay(accepted)]).to.deep.equal([202, false]);
    const created = await company.post('/invoices', invoiceRequest(), keyed('order-1'));
    expect([created.status, isReplay(created)]).to.deep.equal([201, true]);
    const job = await company.get(`/jobs/${accepted.body.id}`);
    expect(job.body.result.id).to.equal(created.body.id);
    const later = await company.post(
      '/invoices',
      invoiceRequest(),
      keyed('order-1', { prefer: 'respond-async' }),
    );
    expect([later.status, later.text]).to.deep.equal([201, created.text]);
    expect(await count(company)).to.equal(1);
  });

  it("replays a worker's refusal with the new request id, even if it would succeed", async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pipe', delta: 1 });
    const body = invoiceRequest({ items: [{ name: 'Pipe', qty: 2, price: 1 }] });
    const first = await company.post(
      '/invoices',
      body,
      keyed('order-1', { 'x-request-id': 'first' }),
    );
    await receive(company, { name: 'Pipe', delta: 10 });
    const second = await company.post(
      '/invoices',
      body,
      keyed('order-1', { 'x-request-id': 'second' }),
    );
    expect([first.status, isReplay(first), first.body.requestId]).to.deep.equal([
      409,
      false,
      'first',
    ]);
    expect([second.status, isReplay(second)]).to.deep.equal([409, true]);
    expect(second.body).to.deep.equal({ ...first.body, requestId: 'second' });
    expect(second.headers['content-type']).to.match(/^application\/problem\+json/u);

    const unknown = invoiceRequest({ items: [{ name: 'Pipe', sku: 'P-1', qty: 2, price: 1 }] });
    const refused = await company.post('/invoices', unknown, keyed('order-2'));
    const replayed = await company.post('/invoices', unknown, keyed('order-2'));
    expect([fieldErrors(refused), isReplay(refused)]).to.deep.equal([
      ['/items/0/sku unknown_item'],
      false,
    ]);
    expect([fieldErrors(replayed), isReplay(replayed)]).to.deep.equal([
      ['/items/0/sku unknown_item'],
      true,
    ]);
  });

  it('repeats the answer to an adjustment', async () => {
    const company = await makeCompany(stack());
    const body = { reason: 'received', items: [{ name: 'Pipe', delta: 1 }] };
    const answers = await Promise.all(
      [1, 2, 3].map(() => company.post('/inventory/adjustments', body, keyed('grn-1'))),
    );
    answers.push(await company.post('/inventory/adjustments', body, keyed('grn-1')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect((await company.get('/inventory')).body[0].onHand).to.equal(1);
  });

  it('replays a write that a killed web process accepted', async () => {
    const company = await makeCompany(stack());
    const first = await at(web.port, company).post('/invoices', invoiceRequest(), keyed('order-1'));
    await web.stop('SIGKILL');
    const second = await company.post('/invoices', invoiceRequest(), keyed('order-1'));
    expect([second.status, isReplay(second), second.text]).to.deep.equal([201, true, first.text]);
  });
});

describeMode('postgres', 'the Idempotency-Key', stack => {
  it('compares bodies as JSON: key order, white space and 1.0 for 1 do not matter', async () => {
    const company = await makeCompany(stack());
    const bodies = [
      '{"customerName":"A","date":"2026-11-20","items":[{"name":"x","qty":1,"price":2.50}]}',
      ' {"items":[{"price":2.5,"qty":1.0,"name":"\\u0078"}],' +
        '"date":"2026-11-20","customerName":"A"}\n',
    ];
    const answers = [];
    for (const raw of bodies)
      answers.push(await company.post('/invoices', undefined, { raw, ...keyed('order-1') }));
    expect(answers.map(answer => [answer.status, isReplay(answer)])).to.deep.equal([
      [201, false],
      [201, true],
    ]);
  });

  it('refuses another body or another path with 422 idempotency_key_reused', async () => {
    const company = await makeCompany(stack());
    const adjustment = { reason: 'received', items: [{ name: 'Pipe', delta: 1 }] };
    expect((await company.post('/invoices', invoiceRequest(), keyed('order-1'))).status).to.equal(
      201,
    );
    for (const refused of [
      await company.post('/invoices', invoiceRequest({ reference: 'other' }), keyed('order-1')),
      await company.post(
        '/invoices',
        invoiceRequest({ reference: null }),
        keyed('order-1', { prefer: 'respond-async' }),
      ),
      await company.post('/inventory/adjustments', adjustment, keyed('order-1')),
    ]) {
      expect([refused.status, refused.body.code, isReplay(refused)]).to.deep.equal([
        422,
        'idempotency_key_reused',
        false,
      ]);
    }
    expect((await company.post('/invoices', invoiceRequest(), keyed('order-1'))).status).to.equal(
      201,
    );
    expect((await company.get('/inventory')).body).to.deep.equal([]);
  });

  it('refuses another body while the first one runs', async () => {
    const company = await makeCompany(stack());
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(
        ['a', 'b'].map(reference =>
          company.post(
            '/invoices',
            invoiceRequest({ reference }),
            keyed(`order-${round}`, { prefer: 'respond-async' }),
          ),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([202, 422]);
    }
  });

  it('accepts 1 to 255 visible ASCII characters and refuses the rest with 400', async () => {
    const company = await makeCompany(stack());
    for (const key of [
      '',
      ' ',
      'a b',
      'é',
      'a\tb',
      'k'.repeat(256),
      ['one', 'two'],
      ['same', 'same'],
    ]) {
      const { status, body } = await company.post('/invoices', invoiceRequest(), keyed(key));
      expect([status, body.code], JSON.stringify(key)).to.deep.equal([
        400,
        'invalid_idempotency_key',
      ]);
    }
    for (const path of ['/invoices', '/inventory/adjustments']) {
      for (const raw of ['{}', '{']) {
        const { body } = await company.post(path, undefined, { raw, ...keyed('a b') });
        expect(body.code, `${path} ${raw}`).to.equal('invalid_idempotency_key');
      }
    }
    for (const key of ['!', '~', '"quoted"', 'k'.repeat(255)]) {
      expect((await company.post('/invoices', invoiceRequest(), keyed(key))).status, key).to.equal(
        201,
      );
    }
  });

  it('does not store a refusal by the web process', async () => {
    const company = await makeCompany(stack());
    const refusals = [
      await company.post('/invoices', invoiceRequest({ customerName: '' }), keyed('order-1')),
      await company.post('/invoices', undefined, { raw: '{', ...keyed('order-1') }),
      await company.post(
        '/invoices',
        invoiceRequest(),
        keyed('order-1', { 'content-type': 'text/plain' }),
      ),
    ];
    expect(refusals.map(({ status }) => status)).to.deep.equal([422, 400, 415]);
    const created = await company.post('/invoices', invoiceRequest(), keyed('order-1'));
    expect([created.status, isReplay(created)]).to.deep.equal([201, false]);
  });

  it('stores an Idempotency-Key per company', async () => {
    const companies = [await makeCompany(stack()), await makeCompany(stack())];
    for (const company of companies) {
      const created = await company.post('/invoices', invoiceRequest(), keyed('order-1'));
      expect([created.status, isReplay(created), created.body.number]).to.deep.equal([
        201,
        false,
        'INV-000001',
      ]);
    }
  });

  it('stores a key for 30 days, with its job, and accepts it as new after that', async () => {
    const company = await makeCompany(stack());
    const ages = { young: '29 days 23 hours', old: '30 days 1 minute' };
    for (const [key, age] of Object.entries(ages)) {
      await company.post('/invoices', invoiceRequest(), keyed(key));
      await stack().sql(
        `UPDATE jobs
         SET finished_at = finished_at - $3::interval
         WHERE company_id = $1 AND id = $2`,
        [company.companyId, jobId(company.companyId, key), age],
      );
    }
    await runRetention(stack());
    const seen = Object.keys(ages).map(
      async key => (await company.get(`/jobs/${jobId(company.companyId, key)}`)).status,
    );
    expect(await Promise.all(seen)).to.deep.equal([200, 404]);
    const young = await company.post('/invoices', invoiceRequest(), keyed('young'));
    const old = await company.post(
      '/invoices',
      invoiceRequest({ reference: 'another' }),
      keyed('old'),
    );
    expect([young.status, isReplay(young), old.status, isReplay(old)]).to.deep.equal([
      201,
      true,
      201,
      false,
    ]);
    expect(await count(company)).to.equal(3);
  });

  it('does not store an internal failure: the next request with the key runs again', async () => {
    const company = await makeCompany(stack());
    const body = invoiceRequest();
    const id = jobId(company.companyId, 'order-1');
    const fingerprint = Buffer.from(fingerprintOf('/api/external/invoices', body), 'hex');
    const error = {
      type: 'about:blank',
      title: 'Internal error',
      status: 500,
      code: 'internal_error',
      detail: '',
      instance: '',
    };
    await stack().sql(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint,
         submission_id, request_id, payload, attempts, error, finished_at
       )
       VALUES ($1, $2, 'invoice.create', 'failed', $3, $2, 'first', $4, 5, $5, now())`,
      [company.companyId, id, fingerprint, body, error],
    );
    const other = await company.post(
      '/invoices',
      invoiceRequest({ reference: 'x' }),
      keyed('order-1'),
    );
    expect(other.body.code).to.equal('idempotency_key_reused');
    const created = await company.post('/invoices', body, keyed('order-1'));
    expect([created.status, isReplay(created), created.body.number]).to.deep.equal([
      201,
      false,
      'INV-000001',
    ]);
    await until(
      'the job succeeded',
      async () => (await company.get(`/jobs/${id}`)).body.status === 'succeeded',
    );
  });
});
