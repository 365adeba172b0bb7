// POST /invoices/batch: many invoices in one request, each by itself.
import { expect } from 'chai';
import { type Json, type Response, send } from '../support/client.js';
import {
  changeCompany,
  fieldErrors,
  invoiceRequest,
  makeCompany,
  receive,
} from '../support/factories.js';
import { until } from '../support/processes.js';
import { describeMode, inBothModes } from '../support/suite.js';

const statusesOf = ({ status, body }: Response): number[] => {
  expect(status, JSON.stringify(body)).to.equal(200);
  return body.results.map((result: Json) => result.status);
};
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const valves = (qty: number) => invoiceRequest({ items: [{ name: 'Valve', qty, price: 2 }] });

inBothModes('a batch of invoices', stack => {
  it('has one result per invoice, in order: what each would get by itself', async () => {
    const company = await makeCompany(stack());
    const [itemId] = await receive(company, { name: 'Valve', delta: 5 });
    const answer = await company.post('/invoices/batch', {
      invoices: [
        invoiceRequest(),
        valves(6),
        invoiceRequest({ date: '2026-02-30', colour: 1 }),
        valves(5),
        invoiceRequest({ items: [{ name: 'X', sku: 'NONE', qty: 1, price: 1 }] }),
        null,
      ],
    });
    expect(statusesOf(answer)).to.deep.equal([201, 409, 422, 201, 422, 422]);
    const [first, short, invalid, last, unknown, none] = answer.body.results;
    expect(short.problem).to.deep.include({
      ...{
        type: '/docs/errors#insufficient_stock',
        status: 409,
        instance: '/api/external/invoices',
      },
      code: 'insufficient_stock',
      requestId: answer.headers['x-request-id'],
    });
    expect(short.problem.errors[0]).to.include({ pointer: '/items/0/qty', itemId, available: 5 });
    const pointers = ({ problem }: Json) => problem.errors.map((error: Json) => error.pointer);
    expect(pointers(invalid)).to.have.members(['/date', '/colour']);
    expect([pointers(unknown), pointers(none)]).to.deep.equal([['/items/0/sku'], ['']]);
    expect((await company.get('/invoices')).body).to.have.deep.members([
      first.invoice,
      last.invoice,
    ]);
    expect([first, last].map(({ invoice }) => invoice.number).sort()).to.deep.equal([
      'INV-000001',
      'INV-000002',
    ]);
  });

  it('replays what was created, one by one, and creates what was not sent before', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Valve', delta: 5 });
    const invoices = [invoiceRequest(), valves(6), invoiceRequest({ reference: 'R-2' })];
    const first = await company.post('/invoices/batch', { invoices }, keyed('night'));
    expect(statusesOf(first)).to.deep.equal([201, 409, 201]);
    expect(first.headers['idempotency-replayed']).to.equal(undefined);
    const again = await company.post('/invoices/batch', { invoices }, keyed('night'));
    expect(again.headers['idempotency-replayed']).to.equal('true');
    const withoutIds = ({ text }: Response) => text.replaceAll(/"requestId":"[^"]*"/gu, '');
    expect(withoutIds(again)).to.equal(withoutIds(first));
    const longer = [...invoices.slice(0, 2), invoiceRequest({ reference: 'other' }), valves(1)];
    const more = await company.post('/invoices/batch', { invoices: longer }, keyed('night'));
    expect(statusesOf(more)).to.deep.equal([201, 409, 422, 201]);
    expect(more.headers['idempotency-replayed']).to.equal(undefined);
    expect(more.body.results[2].problem.code).to.equal('idempotency_key_reused');
    // The n-th invoice has the key <key>/<n>, which a request of its own may use, too.
    const single = await company.post('/invoices', invoices[0], keyed('night/0'));
    expect([single.status, single.body]).to.deep.equal([201, first.body.results[0].invoice]);
    expect((await company.get('/invoices')).body).to.have.length(3);
  });

  it('answers with jobs to respond-async, and they all succeed', async () => {
    const company = await makeCompany(stack());
    const invoices = Array.from({ length: 30 }, () => invoiceRequest());
    const answer = await company.post(
      '/invoices/batch',
      { invoices: [...invoices, {}] },
      { headers: { prefer: 'respond-async' } },
    );
    expect(statusesOf(answer)).to.deep.equal([...invoices.map(() => 202), 422]);
    expect(answer.headers['preference-applied']).to.equal('respond-async');
    const jobs: Json[] = answer.body.results.slice(0, -1).map(({ job }: Json) => job);
    expect(new Set(jobs.map(({ id }) => id)).size).to.equal(30);
    await until('all jobs have succeeded', async () => {
      const states = await Promise.all(jobs.map(({ id }) => company.get(`/jobs/${id}`)));
      return states.every(({ body }) => body.status === 'succeeded');
    });
    expect((await company.get('/invoices')).body).to.have.length(30);
  });

  it('creates 100 invoices without a gap, several batches at once', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Valve', delta: 250 });
    const batch = { invoices: Array.from({ length: 100 }, () => valves(1)) };
    const answers = await Promise.all([1, 2, 3].map(() => company.post('/invoices/batch', batch)));
    const results = answers.flatMap(({ body }) => body.results);
    expect(results.filter(({ status }) => status === 409)).to.have.length(50);
    const numbers = results.flatMap(({ invoice }) => (invoice ? [invoice.number] : [])).sort();
    expect(numbers).to.deep.equal(
      Array.from({ length: 250 }, (_, at) => `INV-${String(at + 1).padStart(6, '0')}`),
    );
    expect((await company.get('/inventory')).body[0].onHand).to.equal(0);
  });
});

describeMode('postgres', 'the request of a batch', stack => {
  it('is refused as a whole if it is not a list of 1 to 100 invoices', async () => {
    const company = await makeCompany(stack());
    const refused: [unknown, string][] = [
      [{}, '/invoices required'],
      [{ invoices: null }, '/invoices wrong_type'],
      [{ invoices: {} }, '/invoices wrong_type'],
      [{ invoices: [] }, '/invoices empty'],
      [{ invoices: Array(101).fill(invoiceRequest()) }, '/invoices too_many_items'],
      [{ invoices: [invoiceRequest()], currency: 'EUR' }, '/currency unknown_field'],
      [[invoiceRequest()], ' wrong_type'],
      [null, ' wrong_type'],
    ];
    for (const [body, error] of refused)
      expect(fieldErrors(await company.post('/invoices/batch', body)), error).to.deep.equal([
        error,
      ]);
    const malformed = await company.post('/invoices/batch', null, { raw: '{"invoices":[' });
    expect([malformed.status, malformed.body.code]).to.deep.equal([400, 'malformed_json']);
    const raw = JSON.stringify({ invoices: [invoiceRequest({ note: 'x'.repeat(600_000) })] });
    const large = await company.post('/invoices/batch', null, { raw });
    expect([large.status, large.body.code]).to.deep.equal([413, 'payload_too_large']);
    const badKey = await company.post('/invoices/batch', { invoices: [{}] }, keyed('a b'));
    expect([badKey.status, badKey.body.code]).to.deep.equal([400, 'invalid_idempotency_key']);
    expect((await company.get('/invoices')).body).to.deep.equal([]);
  });

  it('takes POST alone', async () => {
    const company = await makeCompany(stack());
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const path = '/api/external/invoices/batch';
      const { status, headers } = await send(stack().baseUrl, method, path, { key: company.key });
      expect([status, headers.allow], method).to.deep.equal([405, 'OPTIONS, POST']);
    }
  });

  it('counts once towards the rate limit, and needs invoices:write', async () => {
    const company = await makeCompany(stack(), { rateLimit: 3 });
    const batch = { invoices: [1, 2, 3, 4, 5].map(() => invoiceRequest()) };
    const answer = await company.post('/invoices/batch', batch);
    expect(statusesOf(answer)).to.deep.equal([201, 201, 201, 201, 201]);
    expect(answer.headers['x-ratelimit-remaining']).to.equal('2');
    const reader = await makeCompany(stack(), { scopes: ['invoices:read'] });
    const refused = await reader.post('/invoices/batch', batch);
    expect([refused.status, refused.body.requiredScope]).to.deep.equal([403, 'invoices:write']);
  });

  it('accepts a key of 255 characters, and applies the settings of the company', async () => {
    const company = await makeCompany(stack());
    await changeCompany(stack(), company, { termsDays: 7, defaultTaxRate: 20 });
    const batch = { invoices: [invoiceRequest(), invoiceRequest({ dueDate: '2026-12-24' })] };
    const { body } = await company.post('/invoices/batch', batch, keyed('k'.repeat(255)));
    expect(
      body.results.map(({ invoice }: Json) => [invoice.dueDate, invoice.taxTotal]),
    ).to.deep.equal([
      ['2026-11-27', 3.7],
      ['2026-12-24', 3.7],
    ]);
  });
});
