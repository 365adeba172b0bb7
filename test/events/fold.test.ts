// Whatever changes a company, its feed applied in order gives what the API shows.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { issueKey, revokeKey, rotateKey, updateKeyScopes } from '../../src/api-keys/service.js';
import { updateSettings } from '../../src/customer-records/settings.js';
import { EVENTS_PER_ROW } from '../../src/feed/append.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { stepsOf } from '../../src/platform/values/steps.js';
import type { Json } from '../support/client.js';
import { changeCustomer, makeCustomer } from '../support/customers.js';
import { signedIn } from '../support/dashboard.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { expectCompleteFeed, expectShownObjects, readFeed } from '../support/feed.js';
import { importFile } from '../support/imports.js';
import { created, credit, issue, pay } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { writeRandomBooks } from '../support/random-books.js';
import { describeMode, openForTests } from '../support/suite.js';

const typesOf = (events: readonly Json[]): string[] => events.map(({ type }) => type);

describeMode('redis', 'the feed of a company', stack => {
  it('gives the invoices and entries of random books', async () => {
    const company = await makeCompany(stack());
    await writeRandomBooks(company, {
      seed: 4711,
      invoices: 60,
      requests: 150,
      names: ['Ada', 'ada', 'Bert', 'Cleo'],
    });
    const events = await expectCompleteFeed(stack(), company);
    for (const type of ['invoice.voided', 'invoice.reopened', 'payment.reversed'])
      expect(typesOf(events)).to.include(type);
  });

  it('gives the stock of sales, adjustments, returns and changed items', async () => {
    const company = await makeCompany(stack());
    const [pump = '', hose = ''] = await receive(
      company,
      { name: 'Pump', sku: 'P-1', delta: 5, reorderPoint: 2, unitCost: 1.25, unit: 'pc' },
      { name: 'Hose', delta: 3 },
    );
    const sale = (qty: number) => ({
      customerName: 'Ada',
      date: '2026-11-24',
      items: [{ name: 'Pump', sku: 'P-1', qty, price: 2 }],
    });
    const invoice = created(await company.post('/invoices', sale(3)));
    created(await company.post('/invoices', sale(2)));
    await company.post('/credit-notes', {
      invoiceId: invoice.id,
      date: '2026-11-24',
      reason: 'return',
      items: [{ line: 1, qty: 3, restock: true }],
    });
    await company.patch(`/inventory/${pump}`, { name: 'Big pump', unitPrice: 4.5 });
    await company.patch(`/inventory/${pump}`, { reorderPoint: 3 });
    await receive(company, { name: 'Big pump', delta: 1, unitCost: 1.5 });
    await receive(company, { name: 'Hose', delta: -3 });
    await company.patch(`/inventory/${hose}`, { archived: true });
    const events = await expectCompleteFeed(stack(), company);
    expect(typesOf(events)).to.deep.equal([
      ...['adjustment.created', 'item.created', 'item.created', 'stock.changed'],
      ...['invoice.created', 'stock.changed', 'stock.low'],
      ...['invoice.created', 'stock.changed', 'stock.out'],
      ...['credit_note.created', 'invoice.paid', 'stock.changed', 'stock.recovered'],
      ...['item.updated', 'item.updated', 'stock.low'],
      ...['adjustment.created', 'item.updated', 'stock.changed', 'stock.recovered'],
      ...['adjustment.created', 'stock.changed', 'stock.out', 'item.updated'],
    ]);
    expect(events.at(6).data).to.deep.equal({
      itemId: pump,
      sku: 'P-1',
      name: 'Pump',
      onHand: 2,
      reorderPoint: 2,
    });
  });

  it('gives the records of customers, and a merge ends one of them first', async () => {
    const company = await makeCompany(stack());
    const ada = await makeCustomer(company, { name: 'Ada', termsDays: 14 });
    const other = await makeCustomer(company, { name: 'Ada Ltd', aliases: ['A. Ltd'] });
    await changeCustomer(company, ada, { note: 'Calls on Mondays' });
    await changeCustomer(company, ada, { note: 'Calls on Mondays' });
    const batch = { customers: [{ name: 'Bert' }, { name: 'Cleo' }, { name: 'Bert' }] };
    await company.post('/customers/batch', batch);
    const [bert] = (await company.get('/customers?name=Bert')).body;
    await company.delete(`/customers/${bert.id}`);
    await company.post(`/customers/${ada.id}/merge`, { customerId: other.id });
    const events = await readFeed(company);
    expect(events.map(({ type, data }) => `${type} ${data.name}`)).to.deep.equal([
      'customer.created Ada',
      'customer.created Ada Ltd',
      'customer.updated Ada',
      'customer.created Bert',
      'customer.created Cleo',
      'customer.deleted Bert',
      'customer.updated Ada Ltd',
      'customer.updated Ada',
    ]);
    expect(events.at(-2).data).to.include({ archived: true, mergedInto: ada.id });
    expect(events.at(-1).data).to.deep.equal((await company.get(`/customers/${ada.id}`)).body);
    expect(events[5].data).to.have.keys('id', 'number', 'name');
  });

  it('gives what imports of stock write, and their undo', async () => {
    const company = await makeCompany(stack());
    const { browser, user } = await signedIn(stack(), company.companyId);
    await receive(company, { name: 'Row 1', delta: 2, unitPrice: 3 });
    const rows = Array.from({ length: 400 }, (_, row) => `Row ${row},${row % 3},,${row % 7}`);
    const content = ['name,delta,unitCost,reorderPoint', ...rows].join('\n');
    const started = await importFile(browser, { content });
    const path = started.headers.location ?? '';
    const done = (type: string) =>
      until(type, async () => typesOf(await readFeed(company)).includes(type));
    await done('import.finished');
    const events = await expectCompleteFeed(stack(), company);
    const { data, actor } = events.at(-1);
    expect(data).to.include({ kind: 'stock', status: 'done', rowsTotal: 400, rowsDone: 400 });
    expect(actor).to.deep.equal({ kind: 'user', id: user.userId });
    await browser.post(path, `${path}/undo`, {});
    await done('import.undone');
    const after = await expectCompleteFeed(stack(), company);
    expect(after.at(-1).data).to.include({ id: data.id, status: 'done' });
  });

  it('names the key or user of each change, and the states of an invoice', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const paid = await pay(company, 40, [invoice]);
    await pay(company, 60, [invoice]);
    await company.post(`/payments/${paid.id}/reversal`, { date: '2026-11-25' });
    await credit(company, invoice, { items: [{ line: 1, amount: 10 }] });
    const events = await expectCompleteFeed(stack(), company);
    expect(typesOf(events)).to.deep.equal([
      'invoice.created',
      ...['payment.recorded', 'invoice.updated'],
      ...['payment.recorded', 'invoice.paid'],
      ...['payment.reversed', 'invoice.reopened'],
      ...['credit_note.created', 'invoice.updated'],
    ]);
    for (const { actor } of events) expect(actor).to.deep.equal({ kind: 'key', id: company.keyId });
    expect(events[2].data).to.include({ amountPaid: 40, amountDue: 60, status: 'open' });
    expect(events[4].data).to.include({ status: 'paid', amountDue: 0 });
  });

  it('has nothing of a write that was refused or changed nothing', async () => {
    const company: TestCompany = await makeCompany(stack());
    const [id = ''] = await receive(company, { name: 'Pump', delta: 1 });
    const before = await readFeed(company);
    const items = [{ name: 'Pump', sku: 'none', qty: 1, price: 1 }];
    const refused = { customerName: 'Ada', date: '2026-11-24', items };
    expect((await company.post('/invoices', refused)).status).to.equal(422);
    expect((await company.patch(`/inventory/${id}`, { name: 'Pump' })).status).to.equal(200);
    expect(await readFeed(company)).to.deep.equal(before);
  });
});

describeMode('postgres', 'the events of keys, customers by file, and e-mails', stack => {
  before(() => openForTests(stack().databaseUrl, 2));
  after(closeDatabase);

  it('has each change of a key but its use', async () => {
    const company = await makeCompany(stack());
    const { companyId } = company;
    const { user } = await signedIn(stack(), companyId);
    const by = user.userId;
    const { keyId } = await issueKey(companyId, { name: 'Till', createdBy: by });
    await rotateKey(companyId, keyId, { by });
    await updateKeyScopes(companyId, keyId, ['invoices:read'], { by });
    await updateKeyScopes(companyId, keyId, ['invoices:read'], { by });
    await revokeKey(companyId, keyId);
    await revokeKey(companyId, keyId);
    const events = await readFeed(company);
    expect(typesOf(events)).to.deep.equal([
      ...['key.created', 'key.rotated', 'key.updated', 'key.revoked'],
    ]);
    expect(events[0].data).to.deep.equal({
      id: keyId,
      name: 'Till',
      scopes: [
        ...['summary:read', 'invoices:read', 'invoices:write'],
        ...['inventory:read', 'inventory:write'],
      ],
      expiresAt: null,
      revokedAt: null,
    });
    expect(events[2].data.scopes).to.deep.equal(['invoices:read']);
    expect(events[3].data.revokedAt).to.match(/^\d{4}-.*Z$/u);
    expect(events.map(({ actor }) => actor)).to.deep.equal([
      ...Array(3).fill({ kind: 'user', id: by }),
      null,
    ]);
  });

  it('has the records of an imported file, and its undo', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    await makeCustomer(company, { name: 'Ada' });
    const form = '/customers/import';
    const file = { name: 'c.csv', content: 'name,note\nAda,Calls\nBert,Writes\n' };
    const uploaded = await browser.upload(form, form, { key: randomUUID() }, file);
    const path = uploaded.headers.location ?? '';
    await browser.post(path, `${path}/start`, {});
    await until('the end', async () =>
      typesOf(await readFeed(company)).includes('import.finished'),
    );
    await browser.post(path, `${path}/undo`, {});
    await until('the undo', async () => typesOf(await readFeed(company)).includes('import.undone'));
    const events = await expectCompleteFeed(stack(), company);
    expect(typesOf(events)).to.have.members([
      ...['customer.created', 'customer.updated', 'customer.created', 'import.finished'],
      ...['customer.updated', 'customer.deleted', 'import.undone'],
    ]);
    expect(events.at(-1).data).to.include({ kind: 'customers', fileName: 'c.csv', rowsDone: 2 });
  });

  it('has each customer again in the new currency of the company', async () => {
    const company = await makeCompany(stack());
    const { companyId } = company;
    const [ada, duplicate] = [
      await makeCustomer(company, { name: 'Ada' }),
      await makeCustomer(company, { name: 'Ada Ltd' }),
    ];
    await changeCustomer(company, ada, { note: 'Calls on Mondays' });
    await company.post(`/customers/${ada.id}/merge`, { customerId: duplicate.id });
    // One more than a step writes.
    const names = Array.from({ length: EVENTS_PER_ROW - 1 }, (_, index) => `Customer ${index}`);
    for (const few of stepsOf(names, 100))
      await company.post('/customers/batch', { customers: few.map(name => ({ name })) });
    const before = await expectShownObjects(company);
    const actor = { kind: 'user', id: randomUUID(), name: 'ann@example.com' } as const;
    await updateSettings(companyId, { currency: 'EUR' }, actor);
    const events = await expectShownObjects(company);
    const added = events.slice(before.length);
    expect(new Set(typesOf(added))).to.deep.equal(new Set(['customer.updated']));
    const ids = new Set(added.map(({ data }) => data.id));
    expect([added.length, ids.size]).to.deep.equal([names.length + 2, names.length + 2]);
    expect(added[0].actor).to.deep.equal({ kind: 'user', id: actor.id });
    // The events before show the former currency.
    expect(events.slice(0, before.length)).to.deep.equal(before);
    await updateSettings(companyId, { currency: 'EUR', name: 'Harbour' });
    expect(await readFeed(company)).to.have.lengthOf(events.length);
  });
});
