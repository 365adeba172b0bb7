// The invoice pages over HTTP: one invoice, creating one by hand, and its job.

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json, Response } from '../support/client.js';
import { formErrors, signedIn } from '../support/dashboard.js';
import { today } from '../support/days.js';
import { invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { addWaitingJob } from '../support/waiting-job.js';

describeMode('postgres', 'the pages of an invoice', stack => {
  it('show its lines, stock movements and job, and print without navigation', async () => {
    const company = await makeCompany(stack(), { currency: 'KWD', timeZone: 'Asia/Tokyo' });
    await receive(company, { name: 'Pump', delta: 12.5, sku: 'P-1', unit: 'pc' });
    const items = [
      { name: 'pump', qty: 2.5, price: 1234.5678 },
      { name: 'Delivery <fast>', qty: 1, price: 3 },
    ];
    const headers = { 'x-request-id': 'order-4711' };
    const { body } = await company.post('/invoices', invoiceRequest({ items, reference: 'PO-1' }), {
      headers,
    });
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    const page = textOf(await browser.get(`/invoices/${body.id}`));
    expect(page)
      .to.contain('INV-000001')
      .and.contain('Bright &amp; Sons')
      .and.contain('PO-1')
      .and.contain('Nov 20, 2026');
    expect(page)
      .to.contain('pump P-1 2.5 2.5 × KWD 1,234.5678 KWD 3,086.420')
      .and.contain('Delivery &lt;fast>');
    expect(page).to.contain('Total KWD 3,089.420').and.contain('Pump −2.5 pc 10 pc');
    expect(page).to.contain('API key “Test key” · ').and.not.contain('reference –');
    expect(page)
      .to.contain('Succeeded')
      .and.contain('order-4711')
      .and.match(/Id [0-9a-f-]{36} Accepted/u);
    const paper = await browser.get(`/invoices/${body.id}/print`);
    expect(textOf(paper)).to.contain('Test company Invoice INV-000001 Bill to Bright &amp; Sons');
    expect(paper.text).not.to.match(/<nav|Sign out/u);
  });

  it('are not found for another company, and neither is its job', async () => {
    const company = await makeCompany(stack());
    const { headers } = await company.post('/invoices', invoiceRequest(), {
      headers: { prefer: 'respond-async' },
    });
    const job = String(headers.location).split('/').at(-1);
    await until('it is there', async () => (await company.get('/invoices')).body.length === 1);
    const [{ id }] = (await company.get('/invoices')).body;
    const { browser: own } = await signedIn(stack(), company.companyId);
    const { browser: other } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    const untokened = ({ text }: Response) => text.replaceAll(/name="token" value="[^"]+"/gu, '');
    const missing = untokened(await other.get(`/invoices/${uuidv7()}`));
    for (const [path, status] of [
      [`/invoices/${id}`, 200],
      [`/invoices/${id}/print`, 200],
      [`/invoices/jobs/${job}`, 303],
    ] as const) {
      expect((await own.get(path)).status, path).to.equal(status);
      const answer = await other.get(path);
      expect(answer.status, path).to.equal(404);
      expect(untokened(answer)).to.equal(missing);
    }
    expect((await other.get(`/invoices/new?job=${job}`)).status).to.equal(404);
    expect((await own.get('/invoices/no-id')).status).to.equal(404);
  });
});

describeMode('postgres', 'creating an invoice by hand', stack => {
  const visitor = async (options = {}) => {
    const company = await makeCompany(stack(), options);
    await receive(company, { name: 'Pump', delta: 5, sku: 'P-1', unitPrice: 9.5, unit: 'pc' });
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    const send = (fields: Record<string, string>) =>
      browser.post('/invoices/new', '/invoices/new', {
        key: uuidv7(),
        customerName: 'A & B',
        date: today(),
        ...fields,
      });
    const count = async () => (await company.get('/invoices')).body.length;
    return { company, browser, send, count };
  };
  const line = (index: number, name: string, qty: string, price: string, sku = '') => ({
    [`items.${index}.name`]: name,
    [`items.${index}.sku`]: sku,
    [`items.${index}.qty`]: qty,
    [`items.${index}.price`]: price,
  });

  it('posts it as the API does, reduces stock, and leads to it with its number', async () => {
    const { company, browser, send } = await visitor();
    // Blank lines are ignored, and a number may have leading and trailing zeros.
    const answer = await send({
      reference: ' PO-1 ',
      ...line(0, '', ' ', ''),
      ...line(3, 'PUMP', '02.50', '10.10'),
    });
    expect(answer.status).to.equal(303);
    const id = String(answer.headers.location).replace('/invoices/', '');
    expect(textOf(await browser.get(`/invoices/${id}`))).to.contain('Invoice INV-000001 created.');
    const { body } = await company.get(`/invoices/${id}`);
    expect(body).to.include({ customerName: 'A & B', reference: 'PO-1', total: 25.25 });
    expect(body.items[0]).to.include({ sku: 'P-1', qty: 2.5, price: 10.1 });
    expect((await company.get('/inventory')).body[0].onHand).to.equal(2.5);
  });

  it('accepts 18,50, and refuses 1,250, which means two numbers', async () => {
    const { company, send, count } = await visitor();
    const doubtful = await send(line(0, 'Delivery', '1', '1,250'));
    expect(doubtful.status).to.equal(422);
    expect(formErrors(doubtful)['items-0-price']).to.equal(
      'This could mean two numbers. Enter 1250 or 1.250.',
    );
    expect(doubtful.text).to.contain('value="1,250"');
    expect(await count()).to.equal(0);
    expect((await send(line(0, 'Delivery', '1,5', '1.250,50'))).status).to.equal(303);
    const [{ items }] = (await company.get('/invoices')).body;
    expect([items[0].qty, items[0].price]).to.deep.equal([1.5, 1250.5]);
    const api = await company.post(
      '/invoices',
      invoiceRequest({ items: [{ name: 'Delivery', qty: '1,5', price: 1 }] }),
    );
    expect(api.status, 'the API accepts JSON numbers only').to.equal(422);
  });

  it('starts with the lines of a duplicated invoice, on today’s date', async () => {
    const { company, browser } = await visitor();
    const { body } = await company.post(
      '/invoices',
      invoiceRequest({
        reference: 'PO-1',
        date: '2020-01-02',
        items: [
          { name: 'Pump', qty: 2, price: 9.5 },
          { name: 'Delivery', qty: 1, price: 0.0625 },
        ],
      }),
    );
    const form = await browser.get(`/invoices/new?copy=${body.id}`);
    for (const [field, value] of [
      ['customerName', 'Bright &amp; Sons'],
      ['items.0.name', 'Pump'],
      ['items.0.sku', 'P-1'],
      ['items.0.qty', '2'],
      ['items.0.price', '9.50'],
      ['items.1.price', '0.0625'],
      ['date', today()],
    ])
      expect(form.text, field).to.match(
        new RegExp(
          `name="${field}"[^>]*value="${value}"|value="${value}"[^>]*name="${field}"`,
          'u',
        ),
      );
    expect(form.text).to.not.contain('PO-1').and.not.contain('2020-01-02');
    const { browser: other } = await visitor();
    expect((await other.get(`/invoices/new?copy=${body.id}`)).status).to.equal(404);
  });

  it('happens once per form; other values need another confirmation', async () => {
    const { browser, send, count } = await visitor();
    const { key = '' } = fieldsOf(await browser.get('/invoices/new'));
    const sent = await Promise.all(
      [1, 2, 3].map(() => send({ key, ...line(0, 'Pump', '1', '10') })),
    );
    // One that waits for longer leads to the page of the job.
    expect(sent.map(({ status }) => status)).to.deep.equal([303, 303, 303]);
    await until('the invoice exists', async () => (await count()) > 0);
    expect(await count()).to.equal(1);
    const other = await send({ key, ...line(0, 'Pump', '2', '10') });
    expect(other.status).to.equal(422);
    expect(formErrors(other)['']).to.contain('already submitted with different values');
    const { key: fresh = '' } = fieldsOf(other);
    expect((await send({ key: fresh, ...line(0, 'Pump', '2', '10') })).status).to.equal(303);
    expect(await count()).to.equal(2);
  });

  it('shows each error at its line, and preserves the input', async () => {
    const { send, count } = await visitor();
    const answer = await send({
      customerName: ' ',
      date: '2026-02-30',
      ...line(1, '', '1', '1'),
      ...line(4, 'Pump "XL"', '1,x', '-1'),
      ...line(7, 'Pump', '1', '0.12345'),
    });
    expect(answer.status).to.equal(422);
    expect(formErrors(answer)).to.include({
      customerName: 'Required.',
      'items-0-name': 'Required.',
      'items-1-qty': 'Enter a number, such as 12.50.',
      'items-1-price': 'Must be at least 0.',
      'items-2-price': 'Must have at most 4 decimals.',
    });
    expect(formErrors(answer).date).to.contain('Must be a date');
    for (const typed of ['Pump &quot;XL&quot;', '1,x', '-1', '0.12345', '2026-02-30'])
      expect(answer.text).to.contain(`value="${typed}"`);
    const empty = await send({});
    expect(textOf(empty)).to.contain('Add at least one line.');
    expect(empty.text).to.contain('name="items.0.name"');
    expect(textOf(await send(line(0, 'Gold', '1000000', '999999999')))).to.contain(
      'The total must be at most',
    );
    expect(await count()).to.equal(0);
  });

  it('shows insufficient stock and unknown SKUs at their lines, and can be retried', async () => {
    const { company, send, count } = await visitor();
    const fields = {
      ...line(0, 'Delivery', '1', '5'),
      ...line(1, 'pump', '3', '1'),
      ...line(2, 'P', '4', '1', 'P-1'),
    };
    const short = await send(fields);
    expect(short.status).to.equal(422);
    expect(formErrors(short)).to.include({
      'items-1-qty': 'Only 5 on hand.',
      'items-2-qty': 'Only 5 on hand.',
    });
    expect(textOf(short)).to.contain('$5.00').and.contain('Total $12.00');
    expect(formErrors(await send(line(0, 'X', '1', '1', 'NO')))).to.include({
      'items-0-sku': 'There is no stock item with this sku.',
    });
    expect(await count()).to.equal(0);
    await receive(company, { name: 'Pump', delta: 2 });
    const { key = '' } = fieldsOf(short);
    expect((await send({ ...fields, key })).status).to.equal(303);
  });

  it('adds lines without JavaScript, with the input and its amounts', async () => {
    const { browser, send, count } = await visitor({ currency: 'JPY' });
    expect(
      (await browser.get('/invoices/new')).text.match(/name="items\.\d+\.name"/gu),
    ).to.have.length(1);
    const more = await send({
      do: 'add-lines',
      ...line(1, 'Pump', '3', '10.5'),
      ...line(2, 'Half', '1', ''),
    });
    expect(more.status).to.equal(200);
    expect(more.text.match(/name="items\.\d+\.name"/gu)).to.have.length(7);
    expect(formErrors(more)).to.deep.equal({});
    expect(textOf(more)).to.contain('Amount ¥32').and.contain('Total ¥32');
    expect(await count()).to.equal(0);
  });

  it('suggests stock items of this company by part of their name or SKU', async () => {
    const { company, browser } = await visitor();
    await receive(
      company,
      { name: 'Garden pump', delta: 1 },
      { name: 'Hose', delta: 1, sku: 'H_1' },
    );
    const names = async (q: string) => {
      const { headers, body } = await browser.get(`/invoices/items?${new URLSearchParams({ q })}`);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      return body.map(({ name }: { name: string }) => name);
    };
    expect(await names('PUMP')).to.deep.equal(['Pump', 'Garden pump']);
    expect(await names('h_')).to.deep.equal(['Hose']);
    expect(await names('%')).to.deep.equal([]);
    const found = await browser.get('/invoices/items?q=p-1');
    expect(found.body.map(({ id: _, ...item }: Json) => item)).to.deep.equal([
      { name: 'Pump', sku: 'P-1', unit: 'pc', onHand: '5', unitPrice: '9.5' },
    ]);
    const { browser: other } = await visitor();
    expect((await other.get('/invoices/items?q=hose')).body).to.deep.equal([]);
  });
});

describeMode('postgres', 'an invoice job', stack => {
  const arrange = async (request = invoiceRequest()) => {
    const company = await makeCompany(stack());
    const job = await addWaitingJob(stack(), company, 'invoice.create', request);
    const { browser } = await signedIn(stack(), company.companyId);
    return { company, browser, job, path: `/invoices/jobs/${job.id}` };
  };

  it('is shown while it waits, refreshes by itself, and then leads to the invoice', async () => {
    const { browser, job, path } = await arrange();
    const page = await browser.get(path);
    expect(page.status).to.equal(200);
    expect(textOf(page))
      .to.contain('Creating the invoice')
      .and.contain('Bright &amp; Sons')
      .and.contain('waiting-1');
    expect(page.text).to.contain('<noscript><meta http-equiv="refresh" content="2"/></noscript>');
    await job.release();
    const { headers } = await browser.get(path);
    expect(headers.location).to.match(/^\/invoices\/[0-9a-f-]{36}$/u);
    expect(textOf(await browser.get(String(headers.location)))).to.contain(
      'Invoice INV-000001 created.',
    );
  });

  it('leads back to the form if it is refused, as submitted', async () => {
    const request = invoiceRequest({
      reference: 'PO-9',
      items: [
        { name: 'Delivery', qty: 1.5, price: 18.5 },
        { name: 'Pump', qty: 2, price: 1, sku: 'P-1' },
      ],
    });
    const { company, browser, job, path } = await arrange(request);
    await job.release();
    const { headers } = await browser.get(path);
    expect(headers.location).to.equal(`/invoices/new?job=${job.id}`);
    const form = await browser.get(String(headers.location));
    expect(formErrors(form)).to.include({ 'items-1-sku': 'There is no stock item with this sku.' });
    for (const typed of ['Bright &amp; Sons', 'PO-9', 'Delivery', '1.5', '18.50', 'P-1']) {
      expect(form.text).to.contain(`value="${typed}"`);
    }
    expect((await company.get('/invoices')).body).to.deep.equal([]);
  });

  it('says that it failed on our side and must not be submitted again unasked', async () => {
    const { browser, job, path } = await arrange();
    await job.fail();
    const page = await browser.get(path);
    expect(textOf(page))
      .to.contain('went wrong on our side')
      .and.contain('waiting-1')
      .and.contain('saved twice');
  });
});
