// Invisible characters do not count where texts are compared, unique, searched, filtered or
// required, and codes are stored without them.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Json, Response } from './support/client.js';
import { makeCustomer } from './support/customers.js';
import { type Browser, formErrors, signedIn } from './support/dashboard.js';
import {
  fieldErrors,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from './support/factories.js';
import { textOf } from './support/html.js';
import { importFile } from './support/imports.js';
import { created, issue, pay, payment } from './support/ledger.js';
import { until } from './support/processes.js';
import { describeMode } from './support/suite.js';

/** Zero-width space, joiner, soft hyphen, marks of direction, selectors, fillers, tags. */
const INVISIBLE = [
  ...['\u200b', '\u200d', '\u00ad', '\u200e', '\u2060', '\ufeff', '\ufe0f', '\u034f', '\u061c'],
  ...['\u3164', '\uffa0', '\u115f', '\u17b4', '\u180e', '\u{e0061}', '\u{1d173}'],
];
/** Also refused inside names, because they reorder what is read. A clipboard adds them to codes. */
const EMBEDDINGS = ['\u202a', '\u202c', '\u2066', '\u2069'];

/** A text with the character inside and at both ends. */
const hidden = (text: string, character: string) =>
  `${character}${text.slice(0, 2)}${character}${text.slice(2)}${character}`;
const encoded = (text: string) => encodeURIComponent(text);

async function found(company: TestCompany, path: string): Promise<number> {
  const { status, body, text } = await company.get(path);
  expect(status, text).to.equal(200);
  return body.length;
}

function existing({ status, body }: Response): unknown {
  expect([status, body.code]).to.deep.equal([409, 'already_exists']);
  return body.existingId;
}

describeMode('postgres', 'a text with invisible characters', stack => {
  it('names the item, in a line, an entry and a filter, and makes no second one', async () => {
    const company = await makeCompany(stack());
    const [pipe, other] = await receive(
      company,
      { name: 'Copper pipe', sku: 'CP-15', delta: 500 },
      { name: 'Other', delta: 1 },
    );
    for (const character of INVISIBLE) {
      const [name, sku] = [hidden('Copper pipe', character), hidden('CP-15', character)];
      const items = [
        { name, qty: 1, price: 1 },
        { sku, qty: 1, price: 1, name: 'Pipe' },
      ];
      const invoice = await issue(company, { items });
      expect(invoice.items.map(({ itemId }: Json) => itemId)).to.deep.equal([pipe, pipe]);
      expect(invoice.items[1].sku).to.equal('CP-15');
      expect(
        await receive(company, { name, delta: 1 }, { name: 'x', sku, delta: 1 }),
      ).to.deep.equal([pipe, pipe]);
      for (const query of [`name=${encoded(name)}`, `sku=${encoded(sku)}`, `q=${encoded(sku)}`])
        expect(await found(company, `/inventory?${query}`), query).to.equal(1);
      for (const patch of [{ name }, { sku }])
        expect(existing(await company.patch(`/inventory/${other}`, patch))).to.equal(pipe);
    }
    const lines = [{ sku: hidden('CP-15', '\u200b'), qty: 1 }];
    const [error] = fieldErrors(await company.post('/invoices', invoiceRequest({ items: lines })));
    expect(error, 'the item has no price').to.equal('/items/0/price required');
  });

  it('names the customer, whatever asks for it, and makes no second one', async () => {
    const company = await makeCompany(stack());
    const record = { name: 'Limit Ltd', aliases: ['Limits'], number: 'K-10', externalId: 'crm-1' };
    const { id } = await makeCustomer(company, { ...record, hold: true });
    const onHold = (body: Record<string, unknown>) =>
      company.post('/invoices', invoiceRequest(body));
    for (const character of INVISIBLE) {
      const of = (text: string) => hidden(text, character);
      for (const name of ['Limit Ltd', 'Limits'])
        expect((await onHold({ customerName: of(name) })).body.code).to.equal('customer_on_hold');
      const byNumber = { customerName: undefined, customerNumber: of('K-10') };
      expect((await onHold(byNumber)).body.code).to.equal('customer_on_hold');
      for (const body of [
        { name: of('Limit Ltd') },
        { name: of('Limits') },
        { name: 'New', aliases: [of('Limits')] },
        { name: 'New', number: of('K-10') },
        { name: 'New', externalId: of('crm-1') },
      ])
        expect(existing(await company.post('/customers', body))).to.equal(id);
      for (const query of ['name=Limit Ltd', 'number=K-10', 'externalId=crm-1', 'q=mits']) {
        const [name = '', text = ''] = query.split('=');
        expect(await found(company, `/customers?${name}=${encoded(of(text))}`), query).to.equal(1);
      }
    }
  });

  it('is stored as typed, without them at its ends, or nowhere if it is a code', async () => {
    const company = await makeCompany(stack());
    for (const character of [...INVISIBLE, ...EMBEDDINGS]) {
      const of = (text: string) => hidden(text, character);
      const code = randomUUID().slice(0, 8);
      const isInside = INVISIBLE.includes(character);
      const name = isInside ? `Ann${character}e ${code}` : `Anne ${code}`;
      const customer = await makeCustomer(company, {
        ...{ name: `${character} ${name} ${character}`, number: of(code), externalId: of(code) },
        ...{ email: of('ap@harbour.example'), phone: of('+49 421 1'), registrationId: of('HRB 1') },
        ...{ taxId: `${of('DE')}\u00a0123\u2009456\u202f789`, buyerReference: of('PO') },
        address: { country: 'DE', postalCode: of('28195') },
      });
      expect(customer).to.include({
        ...{ name, number: code, externalId: code, email: 'ap@harbour.example' },
        ...{ phone: '+49 421 1', registrationId: 'HRB 1', taxId: 'DE123456789' },
        buyerReference: 'PO',
      });
      expect(customer.address.postalCode).to.equal('28195');
      const invoice = await issue(company, {
        ...{ customerName: name, reference: of('SO-1'), orderReference: of('PO-1') },
        note: `${character}Thank you${character}`,
      });
      expect(invoice).to.include({ reference: 'SO-1', orderReference: 'PO-1', note: 'Thank you' });
    }
    expect(
      await found(company, `/invoices?reference=${encoded(hidden('SO-1', '\u200b'))}`),
    ).to.equal(INVISIBLE.length + EMBEDDINGS.length);
    expect(await found(company, `/invoices?number=${encoded('INV-\u200b000001')}`)).to.equal(1);
  });

  it('is a payment of the same invoice, and the same transfer', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { customerName: 'Acme' });
    const first = await pay(company, 1, [invoice], { externalId: 'TX-1', reference: 'R\u200b1' });
    expect(first.reference).to.equal('R1');
    for (const character of [...INVISIBLE, ...EMBEDDINGS]) {
      const again = payment(1, [], { customerName: 'Acme', externalId: hidden('TX-1', character) });
      expect(existing(await company.post('/payments', again))).to.equal(first.id);
      const number = hidden(invoice.number, character);
      const body = { ...payment(1, []), invoices: [{ number }, { number: invoice.number }] };
      expect(fieldErrors(await company.post('/payments', body))).to.deep.equal([
        '/invoices/1 invalid_value',
      ]);
      const list = `/payments?externalId=${encoded(hidden('TX-1', character))}`;
      expect(await found(company, list)).to.equal(1);
    }
    const named = { customerName: 'Ac\u200bme' };
    const paid = created(await company.post('/payments', payment(1, [invoice], named)));
    expect(paid.customerName).to.equal('Ac\u200bme');
    for (const path of ['/payments', '/invoices', '/statements'])
      expect((await company.get(`${path}?customerName=${encoded('A\u00adcme')}`)).status).to.equal(
        200,
      );
  });

  it('is empty without any other character', async () => {
    const company = await makeCompany(stack());
    for (const character of [...INVISIBLE, ...EMBEDDINGS]) {
      const blank = ` ${character}${character}`;
      const items = [{ name: blank, sku: blank, qty: 1, price: 1 }];
      const request = { customerName: blank, items, reference: blank, note: blank };
      expect(fieldErrors(await company.post('/invoices', invoiceRequest(request)))).to.deep.equal([
        ...['/customerName empty', '/items/0/name empty', '/items/0/sku empty'],
        ...['/reference empty', '/note empty'],
      ]);
      const record = { name: blank, aliases: [blank], number: blank, phone: blank, email: blank };
      expect(fieldErrors(await company.post('/customers', record))).to.deep.equal([
        ...['/name empty', '/number empty', '/aliases/0 empty', '/email empty', '/phone empty'],
      ]);
      const money = payment(1, [], { customerName: blank, externalId: blank });
      expect(fieldErrors(await company.post('/payments', money))).to.deep.equal([
        ...['/customerName empty', '/externalId empty'],
      ]);
      const { status } = await company.get(`/customers?q=${encoded(blank)}`);
      expect(status).to.equal(400);
    }
  });

  it('finds what it names in the pages, the forms and the imports', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    const [pipe] = await receive(company, { name: 'Copper pipe', sku: 'CP-15', delta: 5 });
    await makeCustomer(company, { name: 'Harbour Ltd', number: 'K-7' });
    for (const [page, text] of [
      ['/inventory', 'Copper pipe'],
      ['/customers', 'K-7'],
      ['/search', 'Harbour Ltd'],
    ] as const) {
      const answer = await browser.get(`${page}?q=${encoded(hidden(text, '\u200b'))}`);
      expect(textOf(answer), page).to.contain(page === '/inventory' ? text : 'Harbour Ltd');
    }
    await setStock(browser, `name,sku,count\r\n,"CP\u200b-15",7\r\n"Cop\u00adper pipe",,8\r\n`);
    await until('the import has set the stock', async () => {
      const { body } = await company.get('/inventory');
      expect(body).to.have.length(1);
      return body[0].id === pipe && body[0].onHand === 8;
    });
    const blank = await browser.post('/account', '/account/name', { name: '\u200bAnn\u200b' });
    expect(blank.status).to.equal(303);
    expect(textOf(await browser.get('/account'))).to.contain('Ann');
    const refused = await browser.post('/settings', '/settings', { name: '\u3164' });
    expect(Object.keys(formErrors(refused))).to.include('name');
  });
});

async function setStock(browser: Browser, content: string): Promise<void> {
  const started = await importFile(browser, { content });
  expect(started.status, textOf(started)).to.equal(303);
}
