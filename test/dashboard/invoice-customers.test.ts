// The customer of the invoice form: the records and names that it offers, the terms and the tax
// that it takes from a record, and the refusals for a hold and a credit limit.

import { expect } from 'chai';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { type Browser, makeSignedIn } from '../support/dashboard.js';
import { dayFromToday, today } from '../support/days.js';
import { changeCompany, makeCompany, type TestCompany } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { issue } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const FORM = '/invoices/new';
const LINE = { 'items.0.name': 'Advice', 'items.0.qty': '1', 'items.0.price': '100' };
const IGNORE = 'name="ignoreCredit"';

describeMode('postgres', 'the customer of the invoice form', stack => {
  const arrange = (role: 'owner' | 'member' = 'member') => makeSignedIn(stack(), { role });
  const open = async (browser: Browser, customer = '') => {
    const query = customer === '' ? '' : `?${new URLSearchParams({ customer })}`;
    return fieldsOf(await browser.get(FORM + query)) as Record<string, string>;
  };
  const newest = async (company: TestCompany) => (await company.get('/invoices')).body[0];

  it('is offered by name, alias and number, before names without a record', async () => {
    const { company, browser } = await arrange();
    await makeCustomer(company, { name: 'Quay', aliases: ['Pier'], number: 'K-7' });
    for (const customerName of ['Quality', 'QUAY', 'Equal']) await issue(company, { customerName });
    const offered = async (q: string) => {
      const { text } = await browser.get(`/invoices/customers?${new URLSearchParams({ q })}`);
      return JSON.parse(text).map(({ name, details }: Json) => [name, details]);
    };
    const quay = ['Quay', 'K-7 · Pier'];
    expect(await offered('qua')).to.deep.equal([quay, ['Quality', '']]);
    expect(await offered('PIER')).to.deep.equal([quay]);
    expect(await offered('k-7')).to.deep.equal([quay]);
    expect(await offered('')).to.deep.equal([]);
    expect(await offered('%')).to.deep.equal([]);
  });

  it('has the terms, the tax and the credit of its record', async () => {
    const { company, browser } = await arrange();
    const tax = { rate: 0, category: 'E', reason: 'Exempt by law' };
    const { id } = await makeCustomer(company, {
      ...{ name: 'Quay', aliases: ['Pier'], termsDays: 10, tax, creditLimit: 500 },
    });
    await issue(company, { customerName: 'Pier', date: '2026-01-01' });
    const fields = await open(browser, 'pier');
    expect(fields).to.include({
      ...{ customerName: 'Quay', 'items.0.taxRate': '0', 'items.0.taxCategory': 'E' },
      ...{ taxReason: 'Exempt by law', termsOf: 'quay' },
    });
    const page = await browser.get(`${FORM}?customer=Quay`);
    expect(page.text).to.contain(`href="/customers/${id}"`);
    expect(textOf(page)).to.contain('Due after 10 days 0% tax $400.00 credit left of $500.00');
    const sent = await browser.send(FORM, {
      ...fields,
      ...LINE,
      date: dayFromToday(-30),
      dueDate: '',
    });
    expect(sent.status, sent.text).to.equal(303);
    expect(await newest(company)).to.include({ customerName: 'Quay', dueDate: dayFromToday(-20) });
    const named = await browser.get('/invoices/customers?named=QUAY');
    expect(JSON.parse(named.text)).to.deep.include({
      ...{ name: 'Quay', termsKey: 'quay', termsDays: 10, taxRate: '0', taxCategory: 'E' },
      credit: { left: '300', limit: '500', refuses: false },
    });
    expect(JSON.parse((await browser.get('/invoices/customers?named=Buoy')).text)).to.deep.equal({
      ...{ name: 'Buoy', termsKey: '', termsDays: null, taxRate: '', taxCategory: '' },
      ...{ taxReason: '', newName: 'buoy', credit: null },
      note: '<span class="warn">New name:</span> company terms, no credit limit.',
    });
  });

  it('replaces the suggested terms once, for the person to check, without a script', async () => {
    const { company, browser } = await arrange();
    await changeCompany(stack(), company, { termsDays: 30, defaultTaxRate: 20 });
    await makeCustomer(company, { name: 'Quay', termsDays: 10, tax: { rate: 7 } });
    const fields = await open(browser);
    const typed = { ...fields, ...LINE, customerName: 'Quay', date: dayFromToday(-30) };
    const dueDate = today();
    const asked = await browser.send(FORM, { ...typed, dueDate });
    expect([asked.status, textOf(asked).includes('of Quay are filled in')]).to.deep.equal([
      200,
      true,
    ]);
    const shown = fieldsOf(asked) as Record<string, string>;
    expect(shown).to.include({
      ...{ dueDate: dayFromToday(-20), 'items.0.taxRate': '7', termsOf: 'quay' },
    });
    expect((await company.get('/invoices')).body).to.deep.equal([]);
    const edited = { ...shown, dueDate };
    expect((await browser.send(FORM, edited)).status).to.equal(303);
    const invoice = await newest(company);
    expect([invoice.dueDate, invoice.total]).to.deep.equal([dueDate, 107]);
    const back = await browser.send(FORM, { ...shown, customerName: 'Buoy' });
    expect(fieldsOf(back)).to.include({
      dueDate,
      'items.0.taxRate': '20',
      termsOf: '',
    });
    // Values that a person typed are theirs.
    const own = { ...typed, dueDate: dayFromToday(-26), 'items.0.taxRate': '5' };
    expect((await browser.send(FORM, own)).status).to.equal(303);
    expect((await newest(company)).total).to.equal(105);
  });

  it('on hold is refused, and invoiced all the same by an owner who ignores credit', async () => {
    const { company, browser } = await arrange('owner');
    await makeCustomer(company, { name: 'Quay' });
    const [record] = (await company.get('/customers')).body;
    await company.patch(`/customers/${record.id}`, { hold: true });
    const fields = { ...(await open(browser, 'Quay')), ...LINE };
    expect(IGNORE in fields).to.equal(false);
    const refused = await browser.send(FORM, fields);
    expect(refused.status).to.equal(422);
    expect(textOf(refused)).to.contain('Quay is on hold.');
    expect(refused.text).to.contain(IGNORE);
    const again = fieldsOf(refused) as Record<string, string>;
    const sent = await browser.send(FORM, { ...again, ignoreCredit: 'true' });
    expect(sent.status, sent.text).to.equal(303);
    expect((await newest(company)).customerName).to.equal('Quay');
  });

  it('above a refusing limit is refused, and a member cannot ignore it', async () => {
    const { company, browser } = await arrange();
    await changeCompany(stack(), company, { creditLimitAction: 'refuse' });
    await makeCustomer(company, { name: 'Quay', creditLimit: 150 });
    await issue(company, { customerName: 'Quay' });
    const fields = { ...(await open(browser, 'Quay')), ...LINE };
    const refused = await browser.send(FORM, fields);
    expect(refused.status).to.equal(422);
    expect(textOf(refused)).to.contain(
      'This invoice would put the customer $50.00 over its limit of $150.00. Ask an owner.',
    );
    expect(refused.text).to.not.contain(IGNORE);
    const again = fieldsOf(refused) as Record<string, string>;
    expect((await browser.send(FORM, { ...again, ignoreCredit: 'true' })).status).to.equal(403);
    expect((await company.get('/invoices')).body).to.have.length(1);
  });

  it('of another company is neither offered nor read', async () => {
    const { browser } = await arrange();
    const other = await makeCompany(stack());
    await makeCustomer(other, { name: 'Quay', termsDays: 3 });
    await issue(other, { customerName: 'Quality' });
    expect((await browser.get('/invoices/customers?q=qua')).text).to.equal('[]');
    const named = JSON.parse((await browser.get('/invoices/customers?named=quay')).text);
    expect([named.newName, named.termsDays]).to.deep.equal(['quay', null]);
  });
});
