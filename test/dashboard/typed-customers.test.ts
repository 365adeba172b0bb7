// Wherever a customer is typed, its number and its other names mean the customer, and a new name is
// said, with the known names that it is nearly equal to. No script runs here.
import { expect } from 'chai';
import { distanceOf } from '../../src/platform/values/near-text.js';
import { makeCustomer } from '../support/customers.js';
import { type Browser, signedIn } from '../support/dashboard.js';
import { changeCompany, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { issue, pay } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const FORM = '/invoices/new';
const LINE = { 'items.0.name': 'Advice', 'items.0.qty': '1', 'items.0.price': '100' };

/** The texts that mean the customer Quay. */
const TEXTS = ['K-7', ' k-7 ', 'pier', 'QUAY'];

interface Place {
  readonly company: TestCompany;
  readonly browser: Browser;
}

type Type = (place: Place, text: string) => Promise<string>;

const q = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`;
const fieldsOn = async (browser: Browser, path: string) =>
  fieldsOf(await browser.get(path)) as Record<string, string>;
const rowsOf = async ({ browser }: Place, path: string) =>
  textOf(await browser.get(path)).replace(/^.*?Skip to the content/u, '');

/** Each returns the name that the place made of a text, or shows for it. */
const PLACES: Readonly<Record<string, Type>> = {
  'the address of a new invoice': async ({ browser }, text) =>
    String((await fieldsOn(browser, FORM + q({ customer: text }))).customerName),
  'an invoice': async ({ company, browser }, text) => {
    const fields = await fieldsOn(browser, FORM);
    const typed = { ...fields, ...LINE, customerName: text };
    const asked = await browser.send(FORM, typed);
    const again = asked.status === 200 ? (fieldsOf(asked) as Record<string, string>) : null;
    const sent = again ? await browser.send(FORM, again) : asked;
    expect(sent.status, textOf(sent)).to.equal(303);
    return (await company.get('/invoices')).body[0].customerName;
  },
  'the look-up of the form': async ({ browser }, text) =>
    JSON.parse((await browser.get(`/invoices/customers${q({ named: text })}`)).text).name,
  'a draft': async ({ browser }, text) => {
    const fields = await fieldsOn(browser, FORM);
    const saved = await browser.send(FORM, { ...fields, customerName: text, do: 'save-draft' });
    return String((await fieldsOn(browser, String(saved.headers.location))).customerName);
  },
  'the address of a payment': async ({ browser }, text) =>
    String((await fieldsOn(browser, `/payments/new${q({ customer: text })}`)).customerName),
  'a payment': async ({ company, browser }, text) => {
    const fields = await fieldsOn(browser, `/payments/new${q({ customer: 'Quay' })}`);
    const sent = await browser.send('/payments/new', {
      ...{ ...fields, amount: '1', customerName: text, remainder: '' },
    });
    const again = sent.status === 422 ? (fieldsOf(sent) as Record<string, string>) : null;
    const booked = again ? await browser.send('/payments/new', again) : sent;
    expect(booked.status, textOf(booked)).to.equal(303);
    return (await company.get('/payments')).body[0].customerName;
  },
  'the choice of a payer': async place =>
    /Quay/u.exec(await rowsOf(place, `/payments/new${q({ q: 'K-7' })}`))?.[0] ?? '',
  'the choice of an invoice to credit': async place =>
    /Quay/u.exec(await rowsOf(place, `/credit-notes/new${q({ q: 'K-7' })}`))?.[0] ?? '',
  'the statement': async ({ browser }, text) => {
    const { status, headers } = await browser.get(`/customers/name${q({ name: text })}`);
    expect(status).to.equal(303);
    return /Quay/u.exec(textOf(await browser.get(String(headers.location))))?.[0] ?? '';
  },
  'the list of invoices': async place =>
    /Quay/u.exec(await rowsOf(place, `/invoices${q({ q: 'K-7' })}`))?.[0] ?? '',
  'the list of payments': async place =>
    /Quay/u.exec(await rowsOf(place, `/payments${q({ q: 'K-7' })}`))?.[0] ?? '',
  'the list of unallocated money': async place =>
    /Quay/u.exec(await rowsOf(place, `/payments${q({ q: 'K-7', unallocated: '1' })}`))?.[0] ?? '',
  'the list of customers': async place =>
    /Quay/u.exec(await rowsOf(place, `/customers${q({ q: 'K-7' })}`))?.[0] ?? '',
  'the search': async place =>
    /Invoices.*Quay/u.test(await rowsOf(place, `/search${q({ q: 'K-7' })}`)) ? 'Quay' : '',
};

describeMode('postgres', 'a typed customer', stack => {
  const arrange = async (): Promise<Place> => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    await makeCustomer(company, { name: 'Quay', number: 'K-7', aliases: ['Pier'], termsDays: 3 });
    await issue(company, { customerName: 'Quay' });
    await pay(company, 7, [], { customerName: 'Quay' });
    return { company, browser };
  };

  for (const [place, type] of Object.entries(PLACES)) {
    it(`is found by number, other name and name in ${place}`, async () => {
      const arranged = await arrange();
      for (const text of type.length < 2 ? ['K-7'] : TEXTS)
        expect(await type(arranged, text), text).to.equal('Quay');
    });
  }

  it('of a new name is said, and asked about if it is nearly a known one', async () => {
    const { company, browser } = await arrange();
    await makeCustomer(company, { name: 'Adler Heating', termsDays: 5 });
    await issue(company, { customerName: 'Brücke Montage' });
    const typed = { ...(await fieldsOn(browser, FORM)), ...LINE, customerName: 'Adler Heatng' };
    const asked = await browser.send(FORM, typed);
    expect(asked.status).to.equal(422);
    expect(textOf(asked)).to.contain('New name: company terms, no credit limit. Did you mean');
    expect(asked.text).to.contain('value="use-name:Adler Heating"');
    expect((await company.get('/invoices')).body).to.have.length(2);
    const fields = fieldsOf(asked) as Record<string, string>;
    const chosen = await browser.send(FORM, { ...fields, do: 'use-name:Adler Heating' });
    expect(fieldsOf(chosen)).to.include({
      customerName: 'Adler Heating',
      termsOf: 'adler heating',
    });
    const meant = await browser.send(FORM, fields);
    expect(meant.status, textOf(meant)).to.equal(303);
    const near = async (text: string) =>
      [
        ...(await browser.get(FORM + q({ customer: text }))).text.matchAll(
          /data-use-name="([^"]*)"/gu,
        ),
      ].map(([, name]) => name);
    expect(await near('Brucke Montag')).to.deep.equal(['Brücke Montage']);
    expect(await near('Adler')).to.deep.equal(['Adler Heating', 'Adler Heatng']);
    expect(await near('Adler Heating 2')).to.deep.equal([]);
    expect(await near('Harbour')).to.deep.equal([]);
    const payer = textOf(await browser.get(`/payments/new${q({ customer: 'Quai 7' })}`));
    expect(payer).to.contain('New name: no customer and no invoice has it.');
    const known = textOf(await browser.get(FORM + q({ customer: 'brücke montage' })));
    expect(known).to.contain('Not saved as a customer: company terms, no credit limit.');
  });

  it('is not asked about if another request writes the name meanwhile', async () => {
    const { company, browser } = await arrange();
    for (let round = 1; round <= 10; round += 1) {
      const names = Array.from({ length: 4 }, (_, at) => `Harbour ${round}${at}`);
      let isWritten = false;
      const written = Promise.all(names.map(customerName => issue(company, { customerName })));
      const lookUp = async (name: string) => {
        while (!isWritten) {
          const { text } = await browser.get(`/invoices/customers${q({ named: name })}`);
          expect(JSON.parse(text).note).not.to.contain(`data-use-name="${name}"`);
        }
      };
      const end = () => {
        isWritten = true;
      };
      await Promise.all([written.finally(end), ...names.map(lookUp)]);
    }
  });

  it('that is archived or merged says so', async () => {
    const { company, browser } = await arrange();
    const old = await makeCustomer(company, { name: 'Mole', number: 'K-8', termsDays: 9 });
    const gone = await makeCustomer(company, { name: 'Jetty', number: 'K-9' });
    await company.patch(`/customers/${old.id}`, { archived: true });
    const [quay] = (await company.get('/customers?name=Quay')).body;
    await company.post(`/customers/${quay.id}/merge`, { customerId: gone.id });
    const archived = await browser.get(FORM + q({ customer: 'K-8' }));
    expect(textOf(archived)).to.contain('K-8 is archived: company terms, no credit limit.');
    expect(fieldsOf(archived)).to.include({ customerName: 'Mole', dueDate: '' });
    expect((await fieldsOn(browser, FORM + q({ customer: 'K-9' }))).customerName).to.equal('Quay');
  });

  it('above a limit that warns is said beside the total and after creating', async () => {
    const { company, browser } = await arrange();
    await makeCustomer(company, { name: 'Mole', creditLimit: 150, hold: false });
    await issue(company, { customerName: 'Mole' });
    const fields = { ...(await fieldsOn(browser, FORM + q({ customer: 'Mole' }))), ...LINE };
    const shown = await browser.send(FORM, { ...fields, do: 'add-lines' });
    expect(textOf(shown)).to.contain('$50.00 over the limit of $150.00');
    const sent = await browser.send(FORM, fields);
    expect(sent.status).to.equal(303);
    const page = await browser.get(String(sent.headers.location));
    expect(page.text).to.match(
      /message warn[^>]*>Mole is now \$50\.00 over its limit of \$150\.00\./u,
    );
    const left = textOf(await browser.get(FORM + q({ customer: 'Mole' })));
    expect(left).to.contain('$50.00 over the $150.00 limit');
  });

  it('above a limit that refuses is said in red, with the way on', async () => {
    const { company, browser } = await arrange();
    await changeCompany(stack(), company, { creditLimitAction: 'refuse' });
    await makeCustomer(company, { name: 'Mole', creditLimit: 50 });
    const fields = { ...(await fieldsOn(browser, FORM + q({ customer: 'Mole' }))), ...LINE };
    const refused = await browser.send(FORM, fields);
    expect(textOf(refused)).to.contain(
      'This invoice would put the customer $50.00 over its limit of $50.00. Ask an owner.',
    );
    expect(refused.text).to.contain('credit-state bad');
  });
});

describeMode('postgres', 'a line of the invoice form without scripts', stack => {
  it('takes the price of the item that its SKU or its name means', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    await receive(
      company,
      { name: 'Pump', sku: 'P-1', delta: 9, unitPrice: 12.5 },
      { name: 'Hose', delta: 9 },
    );
    const fields = { ...(await fieldsOn(browser, FORM)), customerName: 'Quay' };
    const lines = [
      { name: 'P-1', sku: '', qty: '2' },
      { name: 'Pump', sku: 'p-1', qty: '1' },
      { name: 'Pump', sku: '', qty: '1', price: '3' },
    ].map((line, at) => Object.entries(line).map(([name, text]) => [`items.${at}.${name}`, text]));
    const typed = { ...fields, ...Object.fromEntries(lines.flat()) };
    const sent = await browser.send(FORM, typed);
    expect(sent.status, textOf(sent)).to.equal(303);
    const [invoice] = (await company.get('/invoices')).body;
    expect(invoice.items.map(({ price }: { price: number }) => price)).to.deep.equal([
      12.5, 12.5, 3,
    ]);
    const none = { 'items.0.name': 'Hose', 'items.0.sku': '', 'items.0.qty': '1' };
    const refused = await browser.send(FORM, { ...fields, key: '', ...none });
    expect(refused.text).to.contain('id="field-items-0-price-error"');
  });
});

describe('a typing error', () => {
  it('is a letter more, less, other or swapped, never another digit', () => {
    const isNear = (a: string, b: string) => distanceOf(a, b) !== null;
    expect(isNear('adler heatng', 'adler heating')).to.equal(true);
    expect(isNear('alder heating', 'adler heating')).to.equal(true);
    expect(isNear('adlr hetng', 'adler heating')).to.equal(false);
    expect(isNear('adler heating ltd', 'adler heating')).to.equal(true);
    expect(isNear('adler 2', 'adler 3')).to.equal(false);
    expect(isNear('quay', 'quai')).to.equal(true);
    expect(isNear('abc', 'abd')).to.equal(false);
    expect(isNear('heating', 'eating')).to.equal(true);
    expect(isNear('north', 'south')).to.equal(false);
  });
});
