// The API of customer records: their fields, names, and what refuses a change.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json, Response } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import {
  fieldErrors,
  invoiceRequest,
  makeCompany,
  type TestCompany,
} from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const MEMBERS = [
  ...['id', 'number', 'name', 'legalName', 'aliases', 'externalId', 'email', 'emailCc', 'phone'],
  ...['contactName', 'address', 'deliveryAddress', 'taxId', 'registrationId', 'electronicAddress'],
  ...['buyerReference', 'language', 'termsDays', 'tax', 'creditLimit', 'hold', 'currency', 'note'],
  ...['archived', 'mergedInto', 'createdAt', 'updatedAt'],
];

const ADDRESS = {
  line1: '1 Quay',
  line2: null,
  line3: null,
  city: 'Bremen',
  postalCode: '28195',
  region: null,
  country: 'DE',
};

const FULL = {
  number: 'K-7',
  name: 'Harbour Ltd',
  legalName: 'Harbour Trading Limited',
  aliases: ['Harbour', 'Harbor Ltd'],
  externalId: 'crm-7',
  email: 'ap@harbour.example',
  emailCc: ['boss@harbour.example'],
  phone: '+49 421 1',
  contactName: 'Ann',
  address: ADDRESS,
  deliveryAddress: { ...ADDRESS, line1: 'Gate 4' },
  taxId: 'DE123456789',
  registrationId: 'HRB 1',
  electronicAddress: { scheme: '9930', id: 'DE123456789' },
  buyerReference: 'PO team',
  language: 'de',
  termsDays: 30,
  tax: { rate: 0, category: 'E', reason: 'Exempt' },
  creditLimit: 1000.5,
  hold: false,
  note: 'Pays\nlate',
};

async function invoice(company: TestCompany, customerName: string): Promise<Json> {
  const items = [{ name: 'Advice', qty: 1, price: 10 }];
  const response = await company.post('/invoices', invoiceRequest({ customerName, items }));
  expect(response.status, response.text).to.equal(201);
  return response.body;
}

const problem = ({ status, body }: Response) => [status, body.code];
const pointers = ({ body }: Response) => body.errors.map(({ pointer }: Json) => pointer);

describeMode('postgres', 'records of customers', stack => {
  it('have all members in order, with null or [] for what is absent', async () => {
    const company = await makeCompany(stack());
    const response = await company.post('/customers', { name: ' Harbour  Ltd ' });
    expect(response.status).to.equal(201);
    const { body } = response;
    expect(Object.keys(body)).to.deep.equal(MEMBERS);
    expect(response.headers.location).to.equal(`/api/external/customers/${body.id}`);
    expect(body).to.include({
      number: 'C-00001',
      name: 'Harbour  Ltd',
      hold: false,
      currency: 'USD',
    });
    expect([body.aliases, body.emailCc, body.termsDays]).to.deep.equal([[], [], null]);
    expect(body.createdAt).to.equal(body.updatedAt);
    expect((await company.get(`/customers/${body.id}`)).body).to.deep.equal(body);
    expect((await company.get('/customers')).body).to.deep.equal([body]);
  });

  it('keep every field as sent', async () => {
    const company = await makeCompany(stack());
    const body = await makeCustomer(company, FULL);
    const { id, currency, archived, mergedInto, createdAt, updatedAt, ...sent } = body;
    expect(sent).to.deep.equal(FULL);
    expect([archived, mergedInto, currency]).to.deep.equal([false, null, 'USD']);
    // A client may send back the record that it has read.
    const { currency: _currency, ...again } = { ...sent, currency };
    expect((await company.patch(`/customers/${id}`, again)).body).to.deep.equal(body);
  });

  it('have what the field rules make of a value', async () => {
    const company = await makeCompany(stack());
    const body = await makeCustomer(company, {
      name: 'A',
      aliases: ['a', 'B', 'b', 'C'],
      taxId: 'de 12.3-4',
      emailCc: [],
      legalName: null,
      address: { country: 'FR' },
    });
    expect(body.aliases).to.deep.equal(['B', 'C']);
    expect(body.taxId).to.equal('DE1234');
    expect(body.address).to.deep.equal({
      ...{ line1: null, line2: null, line3: null, city: null },
      ...{ postalCode: null, region: null, country: 'FR' },
    });
  });

  it('refuse each invalid value at its pointer and write nothing', async () => {
    const company = await makeCompany(stack());
    const cases: [object, string, string][] = [
      [{ name: '' }, '/name', 'empty'],
      [{ name: undefined }, '/name', 'required'],
      [{ name: null }, '/name', 'wrong_type'],
      [{ name: 'x'.repeat(256) }, '/name', 'too_long'],
      [{ number: 'x'.repeat(31) }, '/number', 'too_long'],
      [{ externalId: 'x'.repeat(101) }, '/externalId', 'too_long'],
      [{ aliases: Array.from({ length: 101 }, (_, i) => `A${i}`) }, '/aliases', 'too_many_items'],
      [{ email: 'a@b' }, '/email', 'invalid_value'],
      [{ email: 'a b@c.de' }, '/email', 'invalid_value'],
      [{ email: 'a@b@c.de' }, '/email', 'invalid_value'],
      [{ email: `${'x'.repeat(250)}@c.de` }, '/email', 'too_long'],
      [{ email: 7 }, '/email', 'wrong_type'],
      [
        { emailCc: Array.from({ length: 6 }, (_, i) => `a${i}@b.de`) },
        '/emailCc',
        'too_many_items',
      ],
      [{ emailCc: ['a@b.de', 'no'] }, '/emailCc/1', 'invalid_value'],
      [{ address: {} }, '/address/country', 'required'],
      [{ address: { country: 'de' } }, '/address/country', 'invalid_value'],
      [{ address: { country: 'XX' } }, '/address/country', 'invalid_value'],
      [{ address: { country: 'DE', zip: '1' } }, '/address/zip', 'unknown_field'],
      [{ taxId: 'Ä1' }, '/taxId', 'invalid_value'],
      [{ taxId: '' }, '/taxId', 'empty'],
      [{ taxId: '1-' }, '/taxId', 'too_short'],
      [{ taxId: 'X'.repeat(21) }, '/taxId', 'too_long'],
      [{ taxId: 'ß12' }, '/taxId', 'invalid_value'],
      [
        { electronicAddress: { scheme: '1', id: 'x' } },
        '/electronicAddress/scheme',
        'invalid_value',
      ],
      [{ electronicAddress: { scheme: '9930' } }, '/electronicAddress/id', 'required'],
      [{ language: 'pl' }, '/language', 'invalid_value'],
      [{ termsDays: 366 }, '/termsDays', 'too_large'],
      [{ termsDays: -1 }, '/termsDays', 'too_small'],
      [{ termsDays: 1.5 }, '/termsDays', 'too_many_decimals'],
      [{ termsDays: '1' }, '/termsDays', 'wrong_type'],
      [{ tax: { rate: 101 } }, '/tax/rate', 'too_large'],
      [{ tax: { category: 'S' } }, '/tax/rate', 'required'],
      [{ tax: { rate: 0, category: 'S' } }, '/tax/category', 'invalid_value'],
      [{ tax: { rate: 0, category: 'E' } }, '/tax/reason', 'required'],
      [{ creditLimit: 0.001 }, '/creditLimit', 'too_many_decimals'],
      [{ creditLimit: 100_000_000_000 }, '/creditLimit', 'too_large'],
      [{ creditLimit: -1 }, '/creditLimit', 'too_small'],
      [{ currency: 'EUR' }, '/currency', 'invalid_value'],
      [{ currency: '' }, '/currency', 'empty'],
      [{ currency: 'dollar' }, '/currency', 'invalid_value'],
      [{ hold: 'yes' }, '/hold', 'wrong_type'],
      [{ note: 'x'.repeat(2001) }, '/note', 'too_long'],
      [{ id: uuidv7() }, '/id', 'unknown_field'],
      [{ archived: true }, '/archived', 'unknown_field'],
    ];
    for (const [fields, pointer, code] of cases) {
      const response = await company.post('/customers', { name: 'Harbour', ...fields });
      expect([problem(response), fieldErrors(response)], JSON.stringify(fields)).to.deep.equal([
        [422, 'validation_failed'],
        [`${pointer} ${code}`],
      ]);
    }
    expect((await company.get('/customers')).body).to.deep.equal([]);
  });

  it('take the limits of the currency', async () => {
    const company = await makeCompany(stack(), { currency: 'JPY' });
    const response = await company.post('/customers', { name: 'A', creditLimit: 10.5 });
    expect(fieldErrors(response)).to.deep.equal(['/creditLimit too_many_decimals']);
    expect(
      (await makeCustomer(company, { name: 'A', creditLimit: 10, currency: 'JPY' })).currency,
    ).to.equal('JPY');
  });

  it('number themselves with gaps, past numbers that are taken', async () => {
    const company = await makeCompany(stack());
    await makeCustomer(company, { name: 'A', number: 'c-00002' });
    const numbers = [];
    for (const name of ['B', 'C', 'D'])
      numbers.push((await makeCustomer(company, { name })).number);
    expect(numbers).to.deep.equal(['C-00001', 'C-00003', 'C-00004']);
  });

  it('refuse what another record has, even an archived one, with its id', async () => {
    const company = await makeCompany(stack());
    const first = await makeCustomer(company, { ...FULL, hold: false });
    await company.patch(`/customers/${first.id}`, { archived: true });
    const response = await company.post('/customers', {
      name: 'HARBOUR',
      number: 'k-7',
      externalId: 'crm-7',
      aliases: ['New', 'harbor  ltd'],
    });
    expect(problem(response)).to.deep.equal([409, 'already_exists']);
    expect(response.body.existingId).to.equal(first.id);
    expect(pointers(response)).to.deep.equal(['/number', '/externalId', '/name', '/aliases/1']);
    for (const error of response.body.errors)
      expect(error).to.include({ code: 'already_exists', existingId: first.id });
    expect((await company.get('/customers')).body).to.deep.equal([]);
  });

  it('list what another record has with the errors of an invalid body', async () => {
    const company = await makeCompany(stack());
    const first = await makeCustomer(company, { name: 'Harbour', number: 'K-7' });
    const other = await makeCustomer(company, { name: 'Other' });
    const body = { name: 'HARBOUR', number: 'k-7', termsDays: 'soon', creditLimit: 0.001 };
    const expected = [
      ...['/termsDays wrong_type', '/creditLimit too_many_decimals'],
      ...['/number already_exists', '/name already_exists'],
    ];
    for (const answer of [
      await company.post('/customers', body),
      await company.patch(`/customers/${other.id}`, body),
    ]) {
      expect(fieldErrors(answer)).to.deep.equal(expected);
      expect(answer.body.existingId).to.equal(first.id);
    }
    const own = await company.patch(`/customers/${first.id}`, body);
    expect(fieldErrors(own)).to.deep.equal(expected.slice(0, 2));
  });

  it('create one record of two concurrent requests for a name', async () => {
    const company = await makeCompany(stack());
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, i) => company.post('/customers', { name: i % 2 ? 'a' : 'A' })),
    );
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([
      201,
      ...Array(7).fill(409),
    ]);
  });

  it('repeat a response under an Idempotency-Key: 201 and 409, but not 422', async () => {
    const company = await makeCompany(stack());
    const keyed = (key: string, body: object, path = '/customers') =>
      company.post(path, body, { headers: { 'idempotency-key': key } });
    const created = await keyed('k', { name: 'A' });
    await company.patch(`/customers/${created.body.id}`, { name: 'B' });
    const again = await keyed('k', { name: 'A' });
    expect([again.status, again.headers['idempotency-replayed']]).to.deep.equal([201, 'true']);
    expect([again.body, again.headers.location]).to.deep.equal([
      created.body,
      created.headers.location,
    ]);
    expect(problem(await keyed('k', { name: 'C' }))).to.deep.equal([422, 'idempotency_key_reused']);
    const refused = await keyed('r', { name: 'A' });
    await company.patch(`/customers/${created.body.id}`, { aliases: [] });
    const replayed = await keyed('r', { name: 'A' });
    expect(problem(replayed)).to.deep.equal([409, 'already_exists']);
    expect(replayed.body).to.deep.equal({ ...refused.body, requestId: replayed.body.requestId });
    expect((await keyed('v', { name: '' })).status).to.equal(422);
    expect((await keyed('v', { name: 'New' })).status).to.equal(201);
    const both = await Promise.all([keyed('t', { name: 'T' }), keyed('t', { name: 'T' })]);
    expect(both.map(({ status }) => status)).to.deep.equal([201, 201]);
    expect(both[0].body).to.deep.equal(both[1].body);
    await company.post('/invoices', invoiceRequest(), { headers: { 'idempotency-key': 'i' } });
    for (const response of [
      await keyed('i', { name: 'I' }),
      await keyed('k', invoiceRequest(), '/invoices'),
    ])
      expect(problem(response)).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('need their scopes', async () => {
    const company = await makeCompany(stack(), { scopes: ['customers:read'] });
    expect((await company.get('/customers')).status).to.equal(200);
    const id = uuidv7();
    for (const response of await Promise.all([
      company.post('/customers', { name: 'A' }),
      company.post('/customers/batch', { customers: [{ name: 'A' }] }),
      company.patch(`/customers/${id}`, {}),
      company.delete(`/customers/${id}`),
      company.post(`/customers/${id}/merge`, { customerId: id }),
    ]))
      expect([response.status, response.body.requiredScope]).to.deep.equal([
        403,
        'customers:write',
      ]);
  });

  it('are 404 for a missing id, no UUID and another company, in each method', async () => {
    const company = await makeCompany(stack());
    const foreign = await makeCustomer(await makeCompany(stack()), { name: 'A' });
    for (const id of [uuidv7(), 'x', foreign.id])
      for (const response of await Promise.all([
        company.get(`/customers/${id}`),
        company.patch(`/customers/${id}`, { name: 'B' }),
        company.delete(`/customers/${id}`),
        company.post(`/customers/${id}/merge`, { customerId: uuidv7() }),
      ]))
        expect([problem(response), response.body.detail.slice(0, 26)]).to.deep.equal([
          [404, 'not_found'],
          'There is no such customer.',
        ]);
  });
});

describeMode('postgres', 'a change of a customer', stack => {
  it('keeps the old name as an alias, and takes the new one from the aliases', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { name: 'A', aliases: ['B'] });
    const patch = async (body: object) => (await company.patch(`/customers/${id}`, body)).body;
    expect(await patch({ name: 'b' })).to.deep.include({ name: 'b', aliases: ['A'] });
    expect(await patch({ name: 'B' })).to.deep.include({ name: 'B', aliases: ['A'] });
    expect(await patch({ aliases: null })).to.deep.include({ name: 'B', aliases: [] });
    expect((await company.post('/customers', { name: 'A' })).status).to.equal(201);
  });

  it('refuses a 101st alias, and removing an alias that an invoice or payment has', async () => {
    const company = await makeCompany(stack());
    const aliases = Array.from({ length: 100 }, (_, i) => `Alias ${i}`);
    const { id, ...before } = await makeCustomer(company, { name: 'A', aliases });
    const renamed = await company.patch(`/customers/${id}`, { name: 'B' });
    expect(problem(renamed)).to.deep.equal([409, 'invalid_state']);
    await invoice(company, 'alias 7');
    const payment = { amount: 1, date: '2026-01-01', customerName: 'ALIAS 8' };
    expect((await company.post('/payments', payment)).status).to.equal(201);
    for (const used of ['Alias 7', 'Alias 8']) {
      const kept = aliases.filter(alias => alias !== used);
      const response = await company.patch(`/customers/${id}`, { aliases: kept });
      expect([problem(response), response.body.detail.includes(used)]).to.deep.equal([
        [409, 'invalid_state'],
        true,
      ]);
    }
    expect((await company.get(`/customers/${id}`)).body).to.deep.equal({ id, ...before });
    const kept = ['Alias 7', 'Alias 8'];
    expect((await company.patch(`/customers/${id}`, { aliases: kept })).body.aliases).to.deep.equal(
      kept,
    );
  });

  it('clears optional members with null, and refuses null for the others', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { ...FULL, hold: true });
    const optional = Object.keys(FULL).filter(name => !['number', 'name'].includes(name));
    const cleared = await company.patch(
      `/customers/${id}`,
      Object.fromEntries(optional.map(name => [name, null])),
    );
    expect(cleared.status, cleared.text).to.equal(200);
    for (const name of optional)
      expect(cleared.body[name], name).to.deep.equal(
        name === 'hold' ? false : ['aliases', 'emailCc'].includes(name) ? [] : null,
      );
    for (const name of ['number', 'name', 'archived']) {
      const response = await company.patch(`/customers/${id}`, { [name]: null });
      expect(fieldErrors(response)).to.deep.equal([`/${name} wrong_type`]);
    }
    for (const name of ['id', 'mergedInto', 'createdAt', 'updatedAt']) {
      const response = await company.patch(`/customers/${id}`, { [name]: null });
      expect(fieldErrors(response)).to.deep.equal([`/${name} unknown_field`]);
    }
  });

  it('replaces the tax as a whole', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, {
      name: 'A',
      tax: { rate: 0, category: 'E', reason: 'R' },
    });
    const { body } = await company.patch(`/customers/${id}`, { tax: { rate: 19 } });
    expect(body.tax).to.deep.equal({ rate: 19 });
  });

  it('merges the parts of an address into those of the record', async () => {
    const company = await makeCompany(stack());
    const sent = { line1: 'Way 1', line2: 'Floor 2', country: 'DE' };
    const { id, address } = await makeCustomer(company, { name: 'A', address: sent });
    const patch = (body: object) => company.patch(`/customers/${id}`, body);
    const moved = await patch({ address: { line2: null, city: 'Bonn' } });
    expect(moved.body.address).to.deep.equal({ ...address, line2: null, city: 'Bonn' });
    expect(fieldErrors(await patch({ address: { country: null } }))).to.deep.equal([
      '/address/country required',
    ]);
    expect(fieldErrors(await patch({ deliveryAddress: { city: 'Bonn' } }))).to.deep.equal([
      '/deliveryAddress/country required',
    ]);
    await patch({ electronicAddress: { scheme: 'EM', id: 'a@b.example' } });
    const renamed = await patch({ electronicAddress: { id: 'c@d.example' } });
    expect(renamed.body.electronicAddress).to.deep.equal({ scheme: 'EM', id: 'c@d.example' });
  });

  it('is refused after another change with If-Match, and may change nothing', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { name: 'A' });
    const { headers, body } = await company.get(`/customers/${id}`);
    const match = { headers: { 'if-match': String(headers.etag) } };
    const same = await company.patch(`/customers/${id}`, { name: 'A', aliases: [] }, match);
    expect([same.status, same.body]).to.deep.equal([200, body]);
    const changed = await company.patch(`/customers/${id}`, { note: 'N' }, match);
    expect(changed.body.updatedAt > body.updatedAt).to.equal(true);
    const late = await company.patch(`/customers/${id}`, { note: 'M' }, match);
    expect(problem(late)).to.deep.equal([412, 'precondition_failed']);
    expect((await company.get(`/customers/${id}`)).headers.etag).to.equal(changed.headers.etag);
  });

  it('archives only a customer with nothing outstanding or unallocated', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { name: 'A', aliases: ['B'] });
    const { id: invoiceId } = await invoice(company, 'B');
    const archive = (archived = true) => company.patch(`/customers/${id}`, { archived });
    const owing = await archive();
    expect(problem(owing)).to.deep.equal([409, 'invalid_state']);
    expect(owing.body).to.include({ outstanding: 10, unallocated: 0 });
    await company.post('/payments', { amount: 12, date: '2026-01-01', invoices: [{ invoiceId }] });
    expect((await archive()).body).to.include({ outstanding: 0, unallocated: 2 });
    const [{ id: paymentId }] = (await company.get('/payments')).body;
    await company.post('/refunds', { paymentId, amount: 2, date: '2026-01-01' });
    expect((await archive()).body.archived).to.equal(true);
    expect((await company.get('/customers')).body).to.deep.equal([]);
    expect((await company.get('/customers?archived=1')).body.length).to.equal(1);
    expect((await archive(false)).body.archived).to.equal(false);
  });

  it('deletes a record whose names no invoice or payment has', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { name: 'A', aliases: ['B'] });
    const used = await makeCustomer(company, { name: 'C' });
    await invoice(company, 'C');
    const refused = await company.delete(`/customers/${used.id}`);
    expect(problem(refused)).to.deep.equal([409, 'invalid_state']);
    expect(refused.body).to.include({ invoices: 1, entries: 0, outstanding: 10, unallocated: 0 });
    const { status, text } = await company.delete(`/customers/${id}`);
    expect([status, text]).to.deep.equal([204, '']);
    expect((await company.get(`/customers/${id}`)).status).to.equal(404);
    expect((await makeCustomer(company, { name: 'B' })).number).to.equal('C-00003');
  });
});
