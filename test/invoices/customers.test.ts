// Creating invoices for customers with a record: by its id, and with its terms and tax.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import { changeCustomer, freshKey, makeCustomer } from '../support/customers.js';
import { fieldErrors, invoiceRequest, makeCompany } from '../support/factories.js';
import { created, pay, refused } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';
import { answerWithinASecond } from '../support/within-a-second.js';

const byId = (customerId: unknown, more: object = {}) =>
  invoiceRequest({ customerName: undefined, customerId, ...more });

describeMode('postgres', 'an invoice with a customerId', stack => {
  it('has the name of the record, and the id after its taxes', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { name: 'Acme', aliases: ['ACME Ltd'] });
    const response = await company.post('/invoices', byId(id));
    const invoice = created(response);
    expect(invoice).to.include({ customerName: 'Acme', customerId: id });
    expect(response.text).to.contain(`"taxes":[],"customerId":"${id}","amountPaid":0,`);
    const [listed] = (await company.get('/invoices')).body;
    expect(listed).to.deep.equal(invoice);
  });

  it('keeps it through a payment, a rename and a merge', async () => {
    const company = await makeCompany(stack());
    const acme = await makeCustomer(company, { name: 'Acme' });
    const other = await makeCustomer(company, { name: 'Other' });
    const invoice = created(await company.post('/invoices', byId(acme.id)));
    await pay(company, 5, [invoice]);
    await changeCustomer(company, acme, { name: 'Acme Group' });
    await company.post(`/customers/${other.id}/merge`, { customerId: acme.id });
    const { body } = await company.get(`/invoices/${invoice.id}`);
    expect(body).to.include({ customerName: 'Acme', customerId: acme.id, amountPaid: 5 });
    const later = created(await company.post('/invoices', byId(acme.id)));
    expect(later).to.include({ customerName: 'Other', customerId: acme.id });
  });

  it('is byte for byte as before without one', async () => {
    const company = await makeCompany(stack());
    await makeCustomer(company, { name: 'Bright & Sons', note: 'no terms' });
    const { text, body } = await company.post('/invoices', invoiceRequest());
    expect(text).to.equal(
      `{"id":"${body.id}","number":"INV-000001","status":"open","customerName":"Bright & Sons",` +
        '"date":"2026-11-20","currency":"USD","items":[{"name":"Delivery","sku":null,"qty":1,' +
        '"price":18.5,"amount":18.5,"itemId":null}],"total":18.5,"reference":null,' +
        `"createdAt":"${body.createdAt}","dueDate":null,"orderReference":null,` +
        '"deliveryDate":null,"note":null,"discount":null,"subtotal":18.5,"taxTotal":0,' +
        '"taxes":[],"amountPaid":0,"amountCredited":0,"amountDue":18.5,"settledOn":null}',
    );
  });

  it('is refused for an unknown, foreign or archived record', async () => {
    const company = await makeCompany(stack());
    const foreign = await makeCustomer(await makeCompany(stack()), { name: 'Acme' });
    const archived = await makeCustomer(company, { name: 'Archived' });
    const ended = await makeCustomer(company, { name: 'Ended' });
    await company.post(`/customers/${archived.id}/merge`, { customerId: ended.id });
    await changeCustomer(company, archived, { archived: true });
    for (const id of [uuidv7(), foreign.id, archived.id, ended.id]) {
      const body = await refused(stack(), company, 422, 'validation_failed', () =>
        company.post('/invoices', byId(id)),
      );
      expect(body.errors).to.have.length(1);
      expect(body.errors[0]).to.include({ pointer: '/customerId', code: 'unknown_customer' });
    }
    expect(fieldErrors(await company.post('/invoices', byId('x', { date: 1 })))).to.deep.equal([
      '/customerId invalid_value',
      '/date wrong_type',
    ]);
  });

  it('has either the id or the name', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { name: 'Acme' });
    const both = { customerName: 'Acme', customerId: id };
    for (const [fields, error] of [
      [both, '/customerName invalid_value'],
      [{ ...both, customerId: uuidv7() }, '/customerName invalid_value'],
      [{ customerName: undefined }, '/customerName required'],
      [{ customerName: null, customerId: null }, '/customerName wrong_type'],
      [{ customerName: '' }, '/customerName empty'],
    ] as const)
      expect(fieldErrors(await company.post('/invoices', invoiceRequest(fields)))[0]).to.equal(
        error,
      );
    created(await company.post('/invoices', byId(id, { customerName: null })));
    created(await company.post('/invoices', invoiceRequest({ customerId: null })));
  });

  it('is one request for a key even if the record is renamed meanwhile', async () => {
    const company = await makeCompany(stack());
    const acme = await makeCustomer(company, { name: 'Acme' });
    const headers = { 'idempotency-key': 'once' };
    const first = created(await company.post('/invoices', byId(acme.id), { headers }));
    await changeCustomer(company, acme, { name: 'Acme Group' });
    const again = await company.post('/invoices', byId(acme.id), { headers });
    expect(again.headers['idempotency-replayed']).to.equal('true');
    expect(again.body).to.deep.equal(first);
  });

  it('is found with others in a batch', async () => {
    const company = await makeCompany(stack());
    const [a, b] = [
      await makeCustomer(company, { name: 'A', termsDays: 10 }),
      await makeCustomer(company, { name: 'B' }),
    ];
    const { key } = await freshKey(stack(), company);
    const invoices = [
      byId(a.id),
      byId(uuidv7()),
      byId(b.id),
      invoiceRequest({ customerName: 'a' }),
    ];
    const { body } = await company.post('/invoices/batch', { invoices }, { key });
    expect(
      body.results.map(({ invoice, problem }: Json) =>
        problem ? problem.errors[0].code : [invoice.customerName, invoice.dueDate],
      ),
    ).to.deep.equal([['A', '2026-11-30'], 'unknown_customer', ['B', null], ['a', '2026-11-30']]);
  });
});

describeMode('postgres', "an invoice with a customer's number", stack => {
  const byNumber = (customerNumber: unknown, more: object = {}) =>
    invoiceRequest({ customerName: undefined, customerNumber, ...more });

  it('has the name and the terms of the record, in a batch, too', async () => {
    const company = await makeCompany(stack());
    const record = { name: 'Acme', number: 'K-7', termsDays: 10 };
    const { id } = await makeCustomer(company, record);
    const invoice = created(await company.post('/invoices', byNumber(' k-7 ')));
    expect(invoice).to.include({ customerName: 'Acme', dueDate: '2026-11-30' });
    expect(invoice).not.to.have.any.keys('customerId', 'customerNumber');
    const other = await makeCustomer(company, { name: 'Other', number: 'K-8' });
    await company.post(`/customers/${other.id}/merge`, { customerId: id });
    const { body } = await company.post('/invoices/batch', {
      invoices: [byNumber('K-7'), byNumber('K-8'), byNumber('K-9'), byNumber('')],
    });
    expect(
      body.results.map(({ invoice: one, problem }: Json) =>
        problem ? `${problem.errors[0].pointer} ${problem.errors[0].code}` : one.customerName,
      ),
    ).to.deep.equal([
      ...['Other', 'Other', '/customerNumber unknown_customer', '/customerNumber empty'],
    ]);
  });

  it('is refused for two ways to name it, and for an archived record', async () => {
    const company = await makeCompany(stack());
    const acme = await makeCustomer(company, { name: 'Acme', number: 'K-7' });
    await changeCustomer(company, acme, { archived: true });
    for (const [body, errors] of [
      [byNumber('K-7'), ['/customerNumber unknown_customer']],
      [byNumber('K-7', { customerName: 'Acme' }), ['/customerName invalid_value']],
      [byNumber('K-7', { customerId: acme.id }), ['/customerNumber invalid_value']],
      [byNumber(7), ['/customerNumber wrong_type']],
      [byNumber(null), ['/customerName required']],
    ] as [object, string[]][])
      expect(fieldErrors(await company.post('/invoices', body))).to.include.members(errors);
  });

  it('is refused if the number is sent as the name, unless it is a name', async () => {
    const company = await makeCompany(stack());
    const acme = await makeCustomer(company, { name: 'Acme', number: 'C 7' });
    const archived = await makeCustomer(company, { name: 'Archived', number: 'C 8' });
    await changeCustomer(company, archived, { archived: true });
    const { key } = await freshKey(stack(), company);
    const create = (customerName: string) =>
      company.post('/invoices', invoiceRequest({ customerName }), { key });
    for (const [name, id] of [
      ['c  7', acme.id],
      ['C 8', archived.id],
      ['C 7', acme.id],
    ]) {
      const answer = await create(name);
      expect(fieldErrors(answer)).to.deep.equal(['/customerName invalid_value']);
      expect([answer.body.existingId, answer.body.errors[0].existingId]).to.deep.equal([id, id]);
    }
    for (const [number, way] of [
      ['C 7', 'Send it as customerNumber.'],
      ['C 8', 'Restore the record first.'],
    ] as const)
      expect((await create(number)).body.errors[0].detail).to.contain(way);
    await makeCustomer(company, { name: 'C 7' });
    const { key: later } = await freshKey(stack(), company);
    const named = invoiceRequest({ customerName: 'C 7' });
    created(await company.post('/invoices', named, { key: later }));
  });

  it('says how to send the number where an id is wanted', async () => {
    const company = await makeCompany(stack());
    const { body } = await company.post('/invoices', byId('C-00001'));
    expect(body.errors[0].detail).to.equal(
      'Must be a UUID. To name a customer by number, send customerNumber.',
    );
    const list = await company.get('/invoices?customerId=C-00001');
    expect(list.body.detail).to.contain('GET /api/external/customers?number= finds it.');
  });
});

describeMode('postgres', "the terms and the tax of a customer's record", stack => {
  const arrange = async (record: object, settings = '') => {
    const company = await makeCompany(stack());
    if (settings !== '')
      await stack().sql(`UPDATE companies SET ${settings} WHERE id = $1`, [company.companyId]);
    const customer = await makeCustomer(company, { name: 'Acme', aliases: ['Acme 2'], ...record });
    const { key } = await freshKey(stack(), company);
    const create = async (more: object = {}) =>
      created(
        await company.post('/invoices', invoiceRequest({ customerName: 'ACME', ...more }), { key }),
      );
    return { company, customer, key, create };
  };
  const taxesOf = ({ dueDate, taxes }: Json) => [
    dueDate,
    ...taxes.map(({ category, rate, reason }: Json) => [category, rate, reason]),
  ];

  it("win over the company's, and the request's over both", async () => {
    const record = { termsDays: 10, tax: { rate: 7 } };
    const { customer, create } = await arrange(record, 'terms_days = 30, default_tax_rate = 19');
    for (const named of [
      {},
      { customerName: 'acme 2' },
      { customerName: null, customerId: customer.id },
    ])
      expect(taxesOf(await create(named))).to.deep.equal(['2026-11-30', ['S', 7, null]]);
    expect(taxesOf(await create({ customerName: 'Plain' }))).to.deep.equal([
      '2026-12-20',
      ['S', 19, null],
    ]);
    const items = [{ name: 'Work', qty: 1, price: 10, taxRate: 5 }];
    const own = { dueDate: '2027-01-01', items };
    expect(taxesOf(await create(own))).to.deep.equal(['2027-01-01', ['S', 5, null]]);
    expect(taxesOf(await create({ items }))).to.deep.equal(['2026-11-30', ['S', 5, null]]);
  });

  it('each win alone', async () => {
    const { create } = await arrange({ termsDays: 0 }, 'terms_days = 30, default_tax_rate = 19');
    expect(taxesOf(await create())).to.deep.equal(['2026-11-20', ['S', 19, null]]);
    const { create: createOther } = await arrange({ tax: { rate: 0 } }, 'terms_days = 30');
    expect(taxesOf(await createOther())).to.deep.equal(['2026-12-20', ['Z', 0, null]]);
  });

  it('give the lines the category and the reason of the tax', async () => {
    const { create } = await arrange({ tax: { rate: 0, category: 'AE' } }, 'default_tax_rate = 19');
    expect(taxesOf(await create())).to.deep.equal([null, ['AE', 0, 'Reverse charge']]);
    const items = [{ name: 'Work', qty: 1, price: 10, taxCategory: 'G' }];
    expect(taxesOf(await create({ items }))).to.deep.equal([
      null,
      ['G', 0, 'Export outside the EU'],
    ]);
    const exempt = { tax: { rate: 0, category: 'E', reason: 'Article 132' } };
    const { create: createExempt } = await arrange(exempt);
    expect(taxesOf(await createExempt())).to.deep.equal([null, ['E', 0, 'Article 132']]);
    expect(taxesOf(await createExempt({ taxReason: 'Own' }))).to.deep.equal([
      null,
      ['E', 0, 'Own'],
    ]);
    const taxed = [{ name: 'Work', qty: 1, price: 10, taxRate: 19 }];
    expect(taxesOf(await createExempt({ items: taxed }))).to.deep.equal([null, ['S', 19, null]]);
  });

  it('are checked with the request', async () => {
    const { company, key } = await arrange({ tax: { rate: 19 } });
    const items = [{ name: 'Work', qty: 1, price: 10, taxCategory: 'AE' }];
    const body = invoiceRequest({ customerName: 'Acme', items });
    expect(fieldErrors(await company.post('/invoices', body, { key }))).to.deep.equal([
      '/items/0/taxCategory invalid_value',
    ]);
    const large = [
      { name: 'Work', qty: 1, price: 999_999_999 },
      { name: 'W', qty: 99, price: 900_000_000 },
    ];
    const most = invoiceRequest({ customerName: 'Acme', items: large });
    expect(fieldErrors(await company.post('/invoices', most, { key }))).to.deep.equal([
      '/items too_large',
    ]);
  });

  it('are refused if they end after the last date, those of the company, too', async () => {
    const { company, key } = await arrange({ termsDays: 365 }, 'terms_days = 1');
    const errorsFor = async (customerName: string, date: string, more: object = {}) => {
      const body = invoiceRequest({ customerName, date, ...more });
      const answer = await company.post('/invoices', body, { key });
      return answer.status === 201 ? [] : fieldErrors(answer);
    };
    const dueDate = '2100-12-31';
    for (const [name, last, late] of [
      ['Acme', '2099-12-31', '2100-01-01'],
      ['Plain', '2100-12-30', '2100-12-31'],
    ] as const) {
      expect(await errorsFor(name, last)).to.deep.equal([]);
      expect(await errorsFor(name, late)).to.deep.equal(['/dueDate invalid_date']);
      expect(await errorsFor(name, late, { dueDate })).to.deep.equal([]);
    }
  });

  it('do not apply once it is archived', async () => {
    const { company, customer } = await arrange({ termsDays: 10 });
    await makeCustomer(company, { name: 'Another', termsDays: 1 });
    await changeCustomer(company, customer, { archived: true });
    const { key } = await freshKey(stack(), company);
    const { body } = await company.post('/invoices', invoiceRequest({ customerName: 'Acme' }), {
      key,
    });
    expect(body.dueDate).to.equal(null);
  });

  it('take effect within a second, for a key that is in use', async () => {
    const company = await makeCompany(stack());
    const ask = () => company.post('/invoices', invoiceRequest({ customerName: 'Acme' }));
    const becomes = async (dueDate: string | null) => {
      const { body } = await answerWithinASecond(ask, answer => answer.body.dueDate === dueDate);
      expect(body.dueDate).to.equal(dueDate);
    };
    await becomes(null);
    const customer = await makeCustomer(company, { name: 'Acme', termsDays: 10 });
    await becomes('2026-11-30');
    await changeCustomer(company, customer, { termsDays: 20 });
    await becomes('2026-12-10');
    const other = await makeCustomer(company, { name: 'Other', termsDays: 1 });
    await company.post(`/customers/${other.id}/merge`, { customerId: customer.id });
    await becomes('2026-11-21');
    await changeCustomer(company, other, { termsDays: null });
    await becomes(null);
  });
});
