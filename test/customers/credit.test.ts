// The hold and the credit limit of a customer's record refuse invoices, in the transaction of the
// invoice.
import { expect } from 'chai';
import { updateSettings } from '../../src/customer-records/settings.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import type { Json, Response } from '../support/client.js';
import {
  changeCustomer,
  exposures,
  freshKey,
  makeCustomer,
  refuseAboveLimits,
} from '../support/customers.js';
import {
  fieldErrors,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { created, credit, issue, pay, refused } from '../support/ledger.js';
import { describeMode, inBothModes, openForTests, startForTests } from '../support/suite.js';

const costing = (price: number, more: object = {}) =>
  invoiceRequest({ customerName: 'Acme', items: [{ name: 'Work', qty: 1, price }], ...more });
const outcome = ({ status, body }: Response) => [status, body.code ?? body.status];
const limitOf = ({ body }: Response): Json => {
  const { creditLimit, outstanding, unallocated, requested, available } = body;
  return { creditLimit, outstanding, unallocated, requested, available };
};

describeMode('postgres', 'a customer on hold', stack => {
  it('gets no new invoices, by name, alias or id, even of 0.00', async () => {
    const company = await makeCompany(stack());
    const customer = await makeCustomer(company, {
      name: 'Acme',
      aliases: ['ACME Ltd'],
      hold: true,
    });
    for (const request of [
      costing(10),
      costing(0),
      costing(10, { customerName: ' acme  LTD' }),
      costing(10, { customerName: undefined, customerId: customer.id }),
    ]) {
      const body = await refused(stack(), company, 409, 'customer_on_hold', () =>
        company.post('/invoices', request),
      );
      expect(body.customerId).to.equal(customer.id);
    }
    created(await company.post('/invoices', costing(10, { customerName: 'Acme Inc' })));
  });

  it('is refused after invalid fields and before the limit and the stock', async () => {
    openForTests(stack().databaseUrl, 2);
    const company = await makeCompany(stack());
    await refuseAboveLimits(company);
    await closeDatabase();
    await receive(company, { name: 'Pump', sku: 'P', delta: 1 });
    const customer = await makeCustomer(company, { name: 'Acme', hold: true, creditLimit: 5 });
    const items = [{ sku: 'P', name: 'Pump', qty: 2, price: 10 }];
    const unknown = [{ sku: 'nothing', name: 'Pump', qty: 2, price: 10 }];
    expect(
      fieldErrors(await company.post('/invoices', costing(1, { items: unknown }))),
    ).to.deep.equal(['/items/0/sku unknown_item']);
    const post = () => company.post('/invoices', costing(1, { items }));
    expect(outcome(await post())).to.deep.equal([409, 'customer_on_hold']);
    await changeCustomer(company, customer, { hold: false });
    expect(outcome(await post())).to.deep.equal([409, 'credit_limit_exceeded']);
    await changeCustomer(company, customer, { creditLimit: null });
    expect(outcome(await post())).to.deep.equal([409, 'insufficient_stock']);
  });

  it('that is archived gets invoices', async () => {
    const company = await makeCompany(stack());
    const customer = await makeCustomer(company, { name: 'Acme', hold: true });
    await makeCustomer(company, { name: 'Other', hold: true });
    await changeCustomer(company, customer, { archived: true });
    created(await company.post('/invoices', costing(10)));
  });

  it('can still pay and be credited', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { customerName: 'Acme' });
    await makeCustomer(company, { name: 'Acme', hold: true });
    await pay(company, 40, [invoice]);
    await credit(company, invoice);
  });

  it('is refused to a 202 as well, and the job says so', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { name: 'Acme', hold: true });
    const headers = { prefer: 'respond-async' };
    const { status, body } = await company.post('/invoices', costing(1), { headers });
    expect(status).to.equal(202);
    let job: Json;
    do job = (await company.get(`/jobs/${body.id}`)).body;
    while (job.status === 'queued');
    expect([job.status, job.error.code, job.error.customerId]).to.deep.equal([
      ...['failed', 'customer_on_hold', id],
    ]);
  });

  it('gets the same refusal again under an Idempotency-Key', async () => {
    const company = await makeCompany(stack());
    const customer = await makeCustomer(company, { name: 'Acme', hold: true });
    const post = () =>
      company.post('/invoices', costing(1), { headers: { 'idempotency-key': 'once' } });
    expect(outcome(await post())).to.deep.equal([409, 'customer_on_hold']);
    await changeCustomer(company, customer, { hold: false });
    const again = await post();
    expect(outcome(again)).to.deep.equal([409, 'customer_on_hold']);
    expect(again.headers['idempotency-replayed']).to.equal('true');
  });
});

describeMode('postgres', 'a credit limit', stack => {
  before(() => {
    openForTests(stack().databaseUrl, 2);
  });
  after(closeDatabase);

  const arrange = async (record: object, currency = 'USD') => {
    const company = await makeCompany(stack(), { currency });
    await refuseAboveLimits(company);
    const customer = await makeCustomer(company, { name: 'Acme', ...record });
    return { company, customer };
  };

  it('refuses what exceeds it, to the cent, and says why', async () => {
    const { company, customer } = await arrange({ creditLimit: 100.5 });
    created(await company.post('/invoices', costing(60.25)));
    await pay(company, 10, [], { customerName: 'Acme' });
    const body = await refused(stack(), company, 409, 'credit_limit_exceeded', () =>
      company.post('/invoices', costing(50.26)),
    );
    expect(body).to.deep.include({
      customerId: customer.id,
      creditLimit: 100.5,
      outstanding: 60.25,
      unallocated: 10,
      requested: 50.26,
      available: 50.25,
    });
    created(await company.post('/invoices', costing(50.25)));
    expect(await exposures(stack(), company)).to.deep.equal({ Acme: 100.5 });
  });

  it('counts the invoices of all names, also those before the record', async () => {
    const company = await makeCompany(stack());
    await refuseAboveLimits(company);
    await issue(company, { customerName: 'Old name' });
    await issue(company, { customerName: 'Other' });
    await makeCustomer(company, { name: 'Acme', aliases: ['old NAME'], creditLimit: 150 });
    expect(limitOf(await company.post('/invoices', costing(51)))).to.include({ available: 50 });
    created(await company.post('/invoices', costing(50, { customerName: 'Old Name' })));
  });

  it('compares the total with tax and discount, in the decimals of the currency', async () => {
    const { company } = await arrange({ creditLimit: 1.107 }, 'KWD');
    const items = [{ name: 'Work', qty: 1, price: 1, taxRate: 19 }];
    const body = costing(1, { items, discount: { percent: 7 } });
    created(await company.post('/invoices', body));
    expect(limitOf(await company.post('/invoices', costing(0.001)))).to.deep.equal({
      creditLimit: 1.107,
      outstanding: 1.107,
      unallocated: 0,
      requested: 0.001,
      available: 0,
    });
  });

  it('lets 0.00 pass, and shows a negative rest once it is lowered', async () => {
    const { company, customer } = await arrange({ creditLimit: 100 });
    created(await company.post('/invoices', costing(80)));
    await changeCustomer(company, customer, { creditLimit: 50 });
    created(await company.post('/invoices', costing(0)));
    expect(limitOf(await company.post('/invoices', costing(1)))).to.include({ available: -30 });
    await changeCustomer(company, customer, { creditLimit: 0 });
    expect(limitOf(await company.post('/invoices', costing(1)))).to.include({ available: -80 });
    await changeCustomer(company, customer, { creditLimit: null });
    created(await company.post('/invoices', costing(1_000)));
  });

  it('is free again after each kind of entry, at once', async () => {
    const { company } = await arrange({ creditLimit: 100 });
    const first = await issue(company, { customerName: 'Acme' });
    const left = async () => limitOf(await company.post('/invoices', costing(1_000))).available;
    expect(await left()).to.equal(0);
    const payment = await pay(company, 70, [{ id: first.id }]);
    expect(await left()).to.equal(70);
    const spare = await pay(company, 20, [], { customerName: 'ACME' });
    expect(await left()).to.equal(90);
    created(
      await company.post('/allocations', {
        paymentId: spare.id,
        invoices: [{ invoiceId: first.id }],
      }),
    );
    expect(await left()).to.equal(90);
    created(await company.post(`/payments/${payment.id}/reversal`, { date: '2026-11-26' }));
    expect(await left()).to.equal(20);
    await credit(company, first, { items: [{ line: 1, amount: 90 }] });
    expect(await left()).to.equal(110);
    const { body: notes } = await company.get('/credit-notes?unallocated=1');
    const refund = { creditNoteId: notes[0].id, amount: 10, date: '2026-11-26' };
    created(await company.post('/refunds', refund));
    expect(await left()).to.equal(100);
    const wrong = created(await company.post('/invoices', costing(60)));
    expect(await left()).to.equal(40);
    created(await company.post(`/invoices/${wrong.id}/void`, {}));
    expect(await left()).to.equal(100);
    await exposures(stack(), company);
  });

  it('only warns unless the company refuses, from the change of the setting on', async () => {
    const company = await makeCompany(stack());
    await makeCustomer(company, { name: 'Acme', creditLimit: 10 });
    created(await company.post('/invoices', costing(11)));
    expect(await exposures(stack(), company)).to.deep.equal({});
    await refuseAboveLimits(company);
    expect(limitOf(await company.post('/invoices', costing(1)))).to.deep.equal({
      creditLimit: 10,
      outstanding: 11,
      unallocated: 0,
      requested: 1,
      available: -1,
    });
    await updateSettings(company.companyId, { creditLimitAction: 'warn' });
    expect(await exposures(stack(), company)).to.deep.equal({});
    created(await company.post('/invoices', costing(1)));
  });

  it('counts what was merged, and nothing of an archived or deleted record', async () => {
    const { company, customer } = await arrange({ creditLimit: 100 });
    created(await company.post('/invoices', costing(30)));
    created(await company.post('/invoices', costing(50, { customerName: 'Other' })));
    const other = await makeCustomer(company, { name: 'Other', creditLimit: 60 });
    expect(await exposures(stack(), company)).to.deep.equal({ Acme: 30, Other: 50 });
    const merge = { customerId: other.id };
    expect((await company.post(`/customers/${customer.id}/merge`, merge)).status).to.equal(200);
    expect(await exposures(stack(), company)).to.deep.equal({ Acme: 80 });
    const byOther = costing(21, { customerName: 'other' });
    expect(limitOf(await company.post('/invoices', byOther))).to.include({ available: 20 });
    await pay(company, 80, [], { customerName: 'Other' });
    const open = (await company.get('/invoices?status=open')).body;
    const { body: payments } = await company.get('/payments');
    const invoices = open.map(({ id }: Json) => ({ invoiceId: id }));
    created(await company.post('/allocations', { paymentId: payments[0].id, invoices }));
    await changeCustomer(company, customer, { archived: true });
    expect(await exposures(stack(), company)).to.deep.equal({});
    created(await company.post('/invoices', costing(500)));
    await changeCustomer(company, customer, { archived: false });
    expect(await exposures(stack(), company)).to.deep.equal({ Acme: 500 });
    const unused = await makeCustomer(company, { name: 'Unused', creditLimit: 1 });
    expect((await company.delete(`/customers/${unused.id}`)).status).to.equal(204);
    expect(await exposures(stack(), company)).to.deep.equal({ Acme: 500 });
  });

  it('applies in the order of a batch', async () => {
    const { company } = await arrange({ creditLimit: 100 });
    const invoices = [60, 50, 40, 0.01].map(price => costing(price));
    const { body } = await company.post('/invoices/batch', { invoices });
    const statuses = body.results.map(({ status }: Json) => status);
    expect(statuses).to.deep.equal([201, 409, 201, 409]);
    expect(body.results[1].problem).to.include({ outstanding: 60, available: 40 });
    expect(body.results[3].problem).to.include({ outstanding: 100, available: 0 });
    expect(body.results[2].invoice.number).to.equal('INV-000002');
  });

  it('applies in the order of the largest batch', async () => {
    const { company } = await arrange({ creditLimit: 305 });
    const invoices = Array.from({ length: 100 }, () => costing(10));
    const { body } = await company.post('/invoices/batch', { invoices });
    const statuses = body.results.map(({ status }: Json) => status);
    expect(statuses).to.deep.equal([...Array(30).fill(201), ...Array(70).fill(409)]);
  });
});

describeMode('postgres', 'ignoreCredit', stack => {
  const WITHOUT = ['invoices:read', 'invoices:write'];

  it('skips the hold and the limit, and still counts', async () => {
    openForTests(stack().databaseUrl, 2);
    const company = await makeCompany(stack());
    await refuseAboveLimits(company);
    await closeDatabase();
    await makeCustomer(company, { name: 'Acme', hold: true, creditLimit: 5 });
    const invoice = created(await company.post('/invoices', costing(10, { ignoreCredit: true })));
    expect(invoice).not.to.have.any.keys('ignoreCredit', 'customerId');
    expect(await exposures(stack(), company)).to.deep.equal({ Acme: 10 });
    const post = company.post('/invoices', costing(10, { ignoreCredit: false }));
    expect(outcome(await post)).to.deep.equal([409, 'customer_on_hold']);
  });

  it('needs the scope customers:write, whatever the rest of the body is', async () => {
    const company = await makeCompany(stack());
    const { key } = await freshKey(stack(), company, WITHOUT);
    for (const body of [costing(1, { ignoreCredit: true }), { ignoreCredit: true }]) {
      const refusedBody = await refused(stack(), company, 403, 'insufficient_scope', () =>
        company.post('/invoices', body, { key }),
      );
      expect(refusedBody.requiredScope).to.equal('customers:write');
    }
    created(await company.post('/invoices', costing(1, { ignoreCredit: false }), { key }));
    expect(
      fieldErrors(await company.post('/invoices', costing(1, { ignoreCredit: 'yes' }))),
    ).to.deep.equal(['/ignoreCredit wrong_type']);
  });

  it('is refused alone in a batch, and is not replayed to a key without the scope', async () => {
    const company = await makeCompany(stack());
    const { key } = await freshKey(stack(), company, WITHOUT);
    const invoices = [costing(1), costing(2, { ignoreCredit: true }), { ignoreCredit: true }];
    const send = (options: object) =>
      company.post(
        '/invoices/batch',
        { invoices },
        { headers: { 'idempotency-key': 'b' }, ...options },
      );
    const statuses = ({ body }: Response) =>
      body.results.map(({ status, problem }: Json) => [status, problem?.code]);
    const expected = [
      [201, undefined],
      [403, 'insufficient_scope'],
      [403, 'insufficient_scope'],
    ];
    expect(statuses(await send({ key }))).to.deep.equal(expected);
    expect(statuses(await send({}))).to.deep.equal([
      [201, undefined],
      [201, undefined],
      [422, 'validation_failed'],
    ]);
    expect(statuses(await send({ key }))).to.deep.equal(expected);
  });
});

inBothModes('concurrent invoices at a credit limit, with two workers', stack => {
  before(async () => {
    openForTests(stack().databaseUrl, 2);
    await startForTests('worker', stack().env);
  });
  after(closeDatabase);

  const arrange = async (): Promise<{ company: TestCompany; customer: Json }> => {
    const company = await makeCompany(stack());
    await refuseAboveLimits(company);
    const customer = await makeCustomer(company, {
      ...{ name: 'Acme', aliases: ['Acme 2'], creditLimit: 100 },
    });
    return { company, customer };
  };
  const name = (index: number) => ({ customerName: index % 2 === 0 ? 'Acme' : 'acme 2' });
  const countOf = (statuses: readonly number[]) =>
    [201, 409].map(status => statuses.filter(each => each === status).length);

  it('post exactly those that fit', async () => {
    const { company } = await arrange();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => company.post('/invoices', costing(10, name(index)))),
    );
    expect(countOf(responses.map(({ status }) => status))).to.deep.equal([10, 40]);
    expect(await exposures(stack(), company)).to.deep.equal({ Acme: 100 });
    const { body } = await company.get('/invoices?limit=200');
    expect(body).to.have.length(10);
  });

  it('post exactly those that fit, beside batches', async () => {
    const { company } = await arrange();
    const batch = Array.from({ length: 10 }, (_, index) => costing(10, name(index)));
    const responses = await Promise.all([
      ...batch.map(request => company.post('/invoices', request)),
      ...batch.slice(0, 4).map(() => company.post('/invoices/batch', { invoices: batch })),
    ]);
    const statuses = responses.flatMap(({ status, body }) =>
      body.results ? body.results.map((each: Json) => each.status) : [status],
    );
    expect(countOf(statuses)).to.deep.equal([10, 40]);
    expect(await exposures(stack(), company)).to.deep.equal({ Acme: 100 });
  });

  it('never exceed a limit that changes, or that payments free, meanwhile', async () => {
    const { company, customer } = await arrange();
    const limits = [50, 200, 80, 150].map(
      creditLimit => () => changeCustomer(company, customer, { creditLimit }),
    );
    const invoices = Array.from(
      { length: 40 },
      (_, index) => () => company.post('/invoices', costing(10, name(index))),
    );
    const payments = Array.from({ length: 5 }, () => () => pay(company, 10, [], name(0)));
    const work: (() => Promise<unknown>)[] = [...invoices];
    for (const [index, each] of [...limits, ...payments].entries()) work.splice(index * 5, 0, each);
    await Promise.all(work.map(run => run()));
    const { Acme } = await exposures(stack(), company);
    expect(Acme).to.be.at.most(200);
    // The whole story in the order of its transactions: no accepted invoice exceeded its limit.
    const [row] = await stack().sql<{ exceeded: number }>(
      `SELECT count(*)::int AS exceeded
       FROM invoices i
       JOIN customer_versions v ON v.company_id = i.company_id AND v.customer_id = $2
         AND v.valid_from <= i.created_at
         AND NOT EXISTS (
           SELECT FROM customer_versions later
           WHERE later.company_id = v.company_id AND later.customer_id = v.customer_id
             AND later.version > v.version AND later.valid_from <= i.created_at
         )
       WHERE i.company_id = $1 AND (v.body::json ->> 'creditLimit')::numeric < (
         SELECT sum(o.total) FROM invoices o
         WHERE o.company_id = $1 AND o.number <= i.number
       ) - (
         SELECT COALESCE(sum(e.amount), 0) FROM entries e
         WHERE e.company_id = $1 AND e.created_at <= i.created_at
       )`,
      [company.companyId, customer.id],
    );
    expect(row?.exceeded).to.equal(0);
  });
});
