// Invoices, stock, settings and keys show the person or the API key behind a change.

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { makeSignedIn } from '../support/dashboard.js';
import { today } from '../support/days.js';
import { invoiceRequest, receive } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { importFile } from '../support/imports.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const KEYS = '/integrations/api-access';

describeMode('postgres', 'who did it', stack => {
  const arrange = () => makeSignedIn(stack(), { role: 'owner' });
  const keyName = 'API key “Test key”';

  it('is shown with an invoice and its movements, and is not part of the JSON', async () => {
    const { company, browser, user } = await arrange();
    const [itemId = ''] = await receive(company, { name: 'Valve', delta: 10 });
    const { body } = await company.post(
      '/invoices',
      invoiceRequest({ items: [{ name: 'Valve', qty: 1, price: 2 }] }),
    );
    const issuedBy = async (path: string) =>
      /Issued .*?\$[\d.]+ (?:Dated .*? · )?(\S.*?) · /u.exec(textOf(await browser.get(path)))?.[1];
    expect(await issuedBy(`/invoices/${body.id}`)).to.equal(keyName);
    expect(body).not.to.have.property('createdBy');
    const created = await browser.post('/invoices/new', '/invoices/new', {
      key: uuidv7(),
      customerName: 'Quay',
      date: today(),
      'items.0.name': 'Valve',
      'items.0.qty': '2',
      'items.0.price': '3',
    });
    expect(await issuedBy(created.headers.location ?? '')).to.equal(user.email);
    const { text } = await browser.get(`/inventory/${itemId}`);
    const movements = text.slice(text.indexOf('Movements of Valve'));
    expect([...movements.matchAll(/<\/time> · ([^<]+)/gu)].map(([, by]) => by)).to.deep.equal([
      user.email,
      keyName,
      keyName,
    ]);
  });

  it('is stored with the name at that time, even by the recovery poll', async () => {
    const { company } = await arrange();
    const { body: job } = await company.post('/invoices', invoiceRequest(), {
      headers: { prefer: 'respond-async', 'idempotency-key': uuidv7() },
    });
    const rowOf = async () => {
      const [row] = await stack().sql<{ by: unknown }>(
        `SELECT i.created_by AS by
         FROM invoices i
         JOIN jobs j ON j.company_id = i.company_id AND j.result_id = i.id
         WHERE j.company_id = $1 AND j.id = $2`,
        [company.companyId, job.id],
      );
      return row;
    };
    await until('the invoice exists', async () => (await rowOf()) !== undefined);
    await stack().sql(`UPDATE api_keys SET name = 'Renamed' WHERE company_id = $1`, [
      company.companyId,
    ]);
    const by = { kind: 'key', id: company.keyId, name: 'Test key' };
    expect((await rowOf())?.by).to.deep.equal(by);
    const [queued] = await stack().sql<{ by: unknown }>(
      'SELECT created_by AS by FROM jobs WHERE company_id = $1 AND id = $2',
      [company.companyId, job.id],
    );
    expect(queued?.by, 'as the recovery poll would find it').to.deep.equal(by);
  });

  it('is shown with an adjustment of the dashboard', async () => {
    const { company, browser, user } = await arrange();
    const [itemId = ''] = await receive(company, { name: 'Valve', delta: 10 });
    const { body } = await company.get('/inventory');
    expect(body[0]).not.to.have.property('createdBy');
    const rows = () =>
      stack().sql<{ kind: string; name: string }>(
        `SELECT created_by ->> 'kind' AS kind, created_by ->> 'name' AS name
         FROM adjustments
         WHERE company_id = $1
         ORDER BY created_at`,
        [company.companyId],
      );
    const page = `/inventory/${itemId}`;
    await browser.post(page, `${page}/adjust`, {
      key: uuidv7(),
      how: 'add',
      quantity: '3',
      expectedOnHand: '10',
      addReason: 'received',
    });
    expect(await rows()).to.deep.equal([
      { kind: 'key', name: 'Test key' },
      { kind: 'user', name: user.email },
    ]);
  });

  it('is shown by the name that the person has now, with the e-mail address as title', async () => {
    const { company, browser, user } = await arrange();
    const [itemId = ''] = await receive(company, { name: 'Valve', delta: 10 });
    const page = `/inventory/${itemId}`;
    const adjustment = { how: 'add', quantity: '3', expectedOnHand: '10', addReason: 'received' };
    await browser.post(page, `${page}/adjust`, { key: uuidv7(), ...adjustment });
    const created = await browser.post('/invoices/new', '/invoices/new', {
      ...{ key: uuidv7(), customerName: 'Quay', date: today() },
      ...{ 'items.0.name': 'Service', 'items.0.qty': '2', 'items.0.price': '3' },
    });
    const invoice = created.headers.location ?? '';
    const paid = await browser.post('/payments/new?customer=Quay', '/payments/new', {
      ...{ key: uuidv7(), customerName: 'Quay', amount: '5', date: today(), rest: 'true' },
    });
    const settings = { name: 'Harbour', currency: 'USD', timeZone: 'UTC' };
    await browser.post('/settings', '/settings', settings);
    const fields = { once: uuidv7(), name: 'Till', access: 'all' };
    await browser.post(`${KEYS}/new`, `${KEYS}/new`, fields, { mayTell: true });
    const payment = paid.headers.location ?? '';
    const saved = await browser.post('/account', '/account/name', { name: '  Ada <Byron> ' });
    expect(saved.status).to.equal(303);
    const shown = `<span title="${user.email}">Ada &lt;Byron></span>`;
    for (const path of [page, invoice, payment, '/settings']) {
      expect((await browser.get(path)).text, path).to.contain(shown);
    }
    expect((await browser.get(KEYS)).text).to.contain('<span class="wraps">Ada &lt;Byron></span>');
    await browser.post('/account', '/account/name', { name: '' });
    const { text } = await browser.get(page);
    expect(text).to.contain(` · ${user.email}`);
    expect(text).not.to.contain('Ada');
  });

  it('is the person who uploaded the file, for the rows of an import', async () => {
    const { company, browser, user } = await arrange();
    const file = { name: 'stock.csv', content: 'name,count\nValve,4\n' };
    await importFile(browser, file);
    const actors = () =>
      stack().sql<{ by: unknown }>(
        'SELECT created_by AS by FROM adjustments WHERE company_id = $1',
        [company.companyId],
      );
    await until('the import is applied', async () => (await actors()).length > 0);
    expect(await actors()).to.deep.equal([
      { by: { kind: 'user', id: user.userId, name: user.email } },
    ]);
  });

  it('is shown with the settings, and with each key', async () => {
    const { company, browser, user } = await arrange();
    expect((await browser.get('/settings')).text).not.to.contain('Last changed by');
    await browser.post('/settings', '/settings', {
      name: 'Harbour',
      currency: 'EUR',
      timeZone: 'Europe/Berlin',
    });
    expect((await browser.get('/settings')).text).to.contain(`Last changed by ${user.email} on `);
    const fields = { once: uuidv7(), name: 'Till', access: 'all' };
    const created = await browser.post(`${KEYS}/new`, `${KEYS}/new`, fields, { mayTell: true });
    expect(created.status).to.equal(200);
    const { text } = await browser.get(KEYS);
    expect(text).to.contain(`data-label="Created by"><div><span class="wraps">${user.email}`);
    expect(text).to.contain('data-label="Created by"><div><span class="wraps">An operator');
    const key = await browser.get(`${KEYS}/${company.keyId}`);
    expect(key.text).to.match(/<dt>Created by<\/dt><dd>An operator<\/dd>/u);
  });
});
