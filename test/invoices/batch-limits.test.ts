// The limits of what one request holds and of what one answer lists.
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import {
  fieldErrors,
  invoiceRequest,
  makeCompany,
  type TestCompany,
} from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const MAX_ERRORS = 100;
const LINE = { name: 'Valve', qty: 1, price: 2 };
const unknownSkus = (lines: number) =>
  invoiceRequest({ items: Array(lines).fill({ ...LINE, sku: 'NONE' }) });
const emptyLines = (lines: number) => invoiceRequest({ items: Array(lines).fill({}) });

describeMode('postgres', 'an answer with many field errors', stack => {
  it('lists the first 100 of them and says how many more there are', async () => {
    const company = await makeCompany(stack());
    // Each line lacks a name, a quantity and a price.
    for (const lines of [33, 34, 250]) {
      const { status, body } = await company.post('/invoices', emptyLines(lines));
      const count = 3 * lines;
      expect([status, body.errors.length]).to.deep.equal([422, Math.min(count, MAX_ERRORS)]);
      expect(body.errorsOmitted).to.equal(count > MAX_ERRORS ? count - MAX_ERRORS : undefined);
      expect(body.detail).to.equal(`The body has ${count} invalid fields.`);
      expect(body.errors[0].pointer).to.equal('/items/0/qty');
    }
  });

  it('counts unknown fields beyond those that it lists', async () => {
    const company = await makeCompany(stack());
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at]));
    const { body } = await company.post('/invoices', invoiceRequest(unknown));
    expect([body.errors.length, body.errorsOmitted]).to.deep.equal([100, 4_900]);
  });

  it('lists 100 if a worker found them, also in its job', async () => {
    const company = await makeCompany(stack());
    const { status, body } = await company.post('/invoices', unknownSkus(250));
    expect([status, body.errors.length, body.errorsOmitted]).to.deep.equal([422, 100, 150]);
    const headers = { 'idempotency-key': 'k', prefer: 'respond-async' };
    const accepted = await company.post('/invoices', unknownSkus(250), { headers });
    const replay = await company.post('/invoices', unknownSkus(250), {
      headers: { 'idempotency-key': 'k' },
    });
    expect([replay.status, replay.body.errorsOmitted]).to.deep.equal([422, 150]);
    const job = await company.get(`/jobs/${accepted.body.id}`);
    expect([job.body.error.errors.length, job.body.error.errorsOmitted]).to.deep.equal([100, 150]);
  });

  it('lists 100 for all problems of a batch together, and counts the others of each', async () => {
    const company = await makeCompany(stack());
    const invoices = [
      ...[unknownSkus(30), emptyLines(20), invoiceRequest(), unknownSkus(40)],
      ...[emptyLines(10), unknownSkus(250)],
    ];
    const { body } = await company.post('/invoices/batch', { invoices });
    const problems = body.results.map(({ problem }: Json) => problem);
    const listed = problems.map((problem: Json) => problem?.errors.length);
    const omitted = problems.map((problem: Json) => problem?.errorsOmitted);
    expect(listed).to.deep.equal([30, 60, undefined, 10, 0, 0]);
    expect(omitted).to.deep.equal([undefined, undefined, undefined, 30, 30, 250]);
  });
});

describeMode('postgres', 'a batch request', stack => {
  const batchOf = (company: TestCompany, sizes: readonly number[]) =>
    company.post('/invoices/batch', {
      invoices: sizes.map(size => invoiceRequest({ items: Array(size).fill(LINE) })),
    });

  it('may have 2,500 lines in all, and is refused as a whole with one more', async () => {
    const company = await makeCompany(stack());
    const most = await batchOf(company, Array(10).fill(250));
    expect(most.body.results.map(({ status }: Json) => status)).to.deep.equal(Array(10).fill(201));
    const refused = await batchOf(company, [...Array(10).fill(250), 1]);
    expect(fieldErrors(refused)).to.deep.equal(['/invoices too_many_items']);
    expect(refused.body.errors[0].detail).to.contain('2,500 lines');
    expect((await company.get('/invoices')).body).to.have.length(10);
  });
});
