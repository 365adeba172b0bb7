// The money on the invoice pages: due dates, taxes, discounts, and what is paid, credited and due;
// on the page, on paper, in the list and its file, and in the form.

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { formatDay } from '../../src/dashboard/kit/ui/format.js';
import type { Json, Response } from '../support/client.js';
import { formErrors, signedIn } from '../support/dashboard.js';
import { dayFromToday, today } from '../support/days.js';
import { changeCompany, makeCompany, type TestCompany } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { created, credit, issue, pay, read } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const FORM = '/invoices/new';
const DATE = dayFromToday(-28);
const DUE_DATE = dayFromToday(-14);
const DELIVERY_DATE = dayFromToday(-30);

/** 27.03 and 5.00 tax-free, less 1.00 on the whole, of which 0.84 and 0.16: 31.03 + 4.98 tax. */
const TAXED = {
  customerName: 'Nordlicht',
  date: DATE,
  dueDate: DUE_DATE,
  orderReference: 'PO-7',
  deliveryDate: DELIVERY_DATE,
  note: 'Thank you.\nSee you soon.',
  discount: { amount: 1, reason: 'Regular customer' },
  taxReason: 'Exempt training',
  items: [
    { name: 'Pump', qty: 3, price: 10.01, discount: { percent: 10 }, taxRate: 19 },
    { name: 'Training', qty: 1, price: 5, taxRate: 0, taxCategory: 'E' },
  ],
};

/** The same, typed into the form. */
const TYPED = {
  customerName: 'Nordlicht',
  date: DATE,
  dueDate: DUE_DATE,
  orderReference: 'PO-7',
  deliveryDate: DELIVERY_DATE,
  note: 'Thank you.\r\nSee you soon.',
  discount: '1,00',
  'discount.reason': 'Regular customer',
  taxReason: 'Exempt training',
  'items.0.name': 'Pump',
  'items.0.qty': '3',
  'items.0.price': '10.01',
  'items.0.discount': '10 %',
  'items.0.taxRate': '19,0',
  'items.1.name': 'Training',
  'items.1.qty': '1',
  'items.1.price': '5',
  'items.1.taxRate': '0',
  'items.1.taxCategory': 'E',
  // A line with nothing but a suggested rate is blank.
  'items.2.taxRate': '19',
};

describeMode('postgres', 'the money of an invoice', stack => {
  const arrange = async (options: { termsDays?: number; defaultTaxRate?: number } = {}) => {
    const company = await makeCompany(stack());
    const { termsDays = null, defaultTaxRate = null } = options;
    await changeCompany(stack(), company, { termsDays, defaultTaxRate });
    const { browser, user } = await signedIn(stack(), company.companyId, { role: 'member' });
    const send = (fields: Record<string, string>) =>
      browser.post(FORM, FORM, { key: uuidv7(), customerName: 'A', date: today(), ...fields });
    const show = async (path: string) => textOf(await browser.get(path));
    return { company, browser, user, send, show };
  };

  it('is on its page and on paper, with its entries in order', async () => {
    const { company, show } = await arrange();
    const invoice = await issue(company, TAXED);
    expect(invoice).to.include({ subtotal: 31.03, taxTotal: 4.98, total: 36.01 });
    const issued = await show(`/invoices/${invoice.id}`);
    const wasDue = `$36.01 due Was due ${formatDay(DUE_DATE)} · 14 days overdue`;
    expect(issued).to.contain(`${invoice.number} Overdue Nordlicht ${wasDue}`);
    await pay(company, 20, [invoice], { date: dayFromToday(-19) });
    await credit(company, invoice, {
      date: dayFromToday(-17),
      items: [{ line: 2, amount: 5 }],
    });
    const bounced = await pay(company, 4, [invoice], { date: dayFromToday(-16) });
    const reversal = { date: dayFromToday(-15) };
    created(await company.post(`/payments/${bounced.id}/reversal`, reversal));
    const { amountDue, amountCredited } = await read(company, `/invoices/${invoice.id}`);
    const [due, credited] = [amountDue, amountCredited].map(amount => `$${amount.toFixed(2)}`);
    const page = await show(`/invoices/${invoice.id}`);
    expect(page).to.contain(`Nordlicht ${due} due Was due`);
    expect(page).to.contain(`Total $36.01 Paid −$20.00 Credited −${credited} Amount due ${due}`);
    const dated = (daysAgo: number) => `Dated ${formatDay(dayFromToday(-daysAgo))}`;
    const [payment, note] = ['Payment −\\$20\\.00', 'Credit note CN-000001'];
    for (const entries of [
      `${payment} ${dated(19)} .* \\$16\\.01 due ${note} .* ${dated(17)}`,
      `−\\$4\\.00 .* Payment reversed \\+ ?\\$4\\.00 ${dated(15)}`,
    ])
      expect(page).to.match(new RegExp(entries, 'u'));
    const paper = await show(`/invoices/${invoice.id}/print`);
    for (const text of [page, paper]) {
      expect(text).to.contain('Items $32.03 Discount: Regular customer −$1.00');
      expect(text).to.contain('Subtotal $31.03 Tax (19% of $26.19) $4.98');
      expect(text).to.contain('Exempt training $0.00 Total $36.01');
      const days = [formatDay(DUE_DATE), formatDay(DELIVERY_DATE)];
      for (const fact of [...days, 'PO-7', 'Thank you. See you soon.'])
        expect(text).to.contain(fact);
    }
    expect(paper).to.contain(`Paid −$20.00 Credited −${credited} Amount due ${due}`);
    expect(paper).to.contain(`${due} was due on ${formatDay(DUE_DATE)} and is 14 days overdue.`);
    expect(paper, 'one line is exempt').to.contain('19% tax').and.contain('0% tax');
    await pay(company, amountDue, [invoice], { date: dayFromToday(-9) });
    const settled = await show(`/invoices/${invoice.id}`);
    expect(settled).to.contain(`$0.00 due Paid on ${formatDay(dayFromToday(-9))}`);
    const items = [1, 2].map(qty => ({ name: `Pump ${qty}`, qty, price: 10, taxRate: 10 }));
    const wrong = await issue(company, { dueDate: '2100-01-01', items });
    const unpaid = await show(`/invoices/${wrong.id}/print`);
    expect(unpaid).to.contain('Please pay $33.00 by Jan 1, 2100 .').and.not.contain('VOID');
    expect(unpaid, 'one rate').to.contain('Tax (10% of $30.00) $3.00');
    expect(unpaid).not.to.contain('10% tax');
    created(await company.post(`/invoices/${wrong.id}/void`, {}));
    expect(await show(`/invoices/${wrong.id}/print`))
      .to.match(/Test company Invoice INV-000002 VOID Bill to/u)
      .and.contain('This invoice is void. Credit note CN-000002 of ')
      .and.contain(' cancels it. Nothing is due.')
      .and.not.contain('Due date');
  });

  it('is filtered by the tabs of the list, alone, with a search, and in its file', async () => {
    const { company, browser } = await arrange();
    const request = (customerName: string, dueDate: string | undefined) =>
      issue(company, { customerName, dueDate, date: '2026-11-01' });
    const open = await request('Open Ltd', '2100-01-01');
    const late = await request('Late Ltd', '2026-11-02');
    const paid = await request('Paid Ltd', '2026-11-02');
    const voided = await request('Void Ltd', undefined);
    await pay(company, 100, [paid]);
    await pay(company, 60, [late]);
    created(await company.post(`/invoices/${voided.id}/void`, {}));
    const numbersOf = (text: string) => [...new Set(text.match(/(?<=[>"])INV-\d+/gu))];
    const found = async (query: string) => numbersOf((await browser.get(`/invoices${query}`)).text);
    const numbers = (...invoices: Json[]) => invoices.map(({ number }) => number);
    expect(await found('')).to.deep.equal(numbers(voided, paid, late, open));
    for (const [query, expected] of [
      ['?status=open', numbers(late, open)],
      ['?overdue=1', numbers(late)],
      ['?status=paid', numbers(paid)],
      ['?status=paid&q=ltd', numbers(paid)],
      ['?status=open&q=ltd&order=oldest', numbers(open, late)],
      ['?overdue=1&q=open', []],
      ['?status=open&from=2026-11-02', []],
    ] as const) {
      expect(await found(query), query).to.deep.equal(expected);
      const file = await browser.get(`/invoices/export.csv${query}`);
      expect(numbersOf(file.text).toSorted(), query).to.deep.equal(expected.toSorted());
    }
    const page = await browser.get('/invoices?overdue=1&q=late');
    expect(textOf(page)).to.contain('Nov 2 , 2026 Overdue $100.00 $40.00');
    expect(page.text)
      .to.contain('href="/invoices?q=late&amp;status=paid"')
      .and.contain('<input type="hidden" name="overdue" value="1"/>')
      .and.match(/aria-current="page">Overdue</u);
    expect(textOf(await browser.get('/invoices'))).to.contain(' Paid $100.00 $0.00');
    // A phone shows what is due beside the total only if it is another amount.
    const list = (await browser.get('/invoices')).text;
    const due = /<span( class="[^"]*")?><span class="figure">([^<]*)<\/span><span [^>]*> due/gu;
    const onPhone = [...list.matchAll(due)].map(([, hidden, sum]) => [sum, hidden === undefined]);
    expect(onPhone).to.deep.equal([
      ['$0.00', false],
      ['$0.00', false],
      ['$40.00', true],
      ['$100.00', false],
    ]);
    const nothing = await browser.get('/invoices?overdue=1&from=2099-01-01');
    expect(textOf(nothing)).to.contain('No matching invoices ');
  });

  /** An invoice without what differs between two equal requests. */
  const withoutNames = async (company: TestCompany, id: string) => {
    const { id: _id, number, createdAt, ...invoice } = await read(company, `/invoices/${id}`);
    return invoice;
  };
  const idIn = (location: unknown) => String(location).replace('/invoices/', '');

  it('is typed into the form as the API is sent it, with the amounts that are posted', async () => {
    const { company, browser, send, show } = await arrange();
    const more = await send({ do: 'add-lines', ...TYPED });
    expect(more.status).to.equal(200);
    expect(more.text).to.contain('value="10 %"');
    const totals = 'Items $32.03 Discount: Regular customer −$1.00 Subtotal $31.03 Tax (19% of';
    expect(textOf(more)).to.contain(`${totals} $26.19) $4.98 `).and.contain(' Total $36.01');
    const sent = await send(TYPED);
    expect(sent.status, textOf(sent)).to.equal(303);
    const id = idIn(sent.headers.location);
    const expected = await issue(company, TAXED);
    expect(await withoutNames(company, id)).to.deep.equal(await withoutNames(company, expected.id));
    const copy = await browser.get(`${FORM}?copy=${id}`);
    for (const value of ['10%', '1.00', 'Regular customer', 'Exempt training', '19'])
      expect(copy.text, value).to.contain(`value="${value}"`);
    expect(copy.text)
      .to.match(/<option value="E" selected/u)
      .and.contain('See you soon.');
    expect(copy.text).to.not.contain('PO-7').and.not.contain(DUE_DATE);
    expect(textOf(copy)).to.contain('Total $36.01');
    const page = await show(`/invoices/${id}`);
    expect(page).to.contain(totals).and.contain('Total $36.01');
  });

  it('is collapsed in the form as long as it is what the company’s settings give', async () => {
    const { company, browser, send } = await arrange({ termsDays: 14, defaultTaxRate: 7.5 });
    const opened = ({ text }: Response) => [
      /<details class="[^"]*invoice-more"[^>]* open/u.test(text),
      ...Array.from(text.matchAll(/<details class="line-fold"([^>]*)/gu), ([, attributes]) =>
        attributes?.includes('open'),
      ),
    ];
    const form = await browser.get(FORM);
    expect(opened(form)).to.deep.equal([false, false, false]);
    expect(form.text).to.match(/data-sums[^>]*><\/dl>/u);
    expect(textOf(form)).to.contain('Total –').and.not.contain('$0.00');
    const line = { 'items.0.name': 'Pump', 'items.0.qty': '1', 'items.0.price': '10' };
    const add = async (fields: Record<string, string>) =>
      opened(await send({ do: 'add-lines', ...line, ...fields })).slice(0, 2);
    expect(await add({ 'items.0.taxRate': '7.5' })).to.deep.equal([false, false]);
    expect(await add({ 'items.0.taxRate': '19' })).to.deep.equal([false, true]);
    expect(await add({ 'items.0.discount': '5%' })).to.deep.equal([false, true]);
    for (const name of ['reference', 'orderReference', 'deliveryDate', 'discount', 'note'])
      expect(await add({ [name]: 'x' }), name).to.deep.equal([true, false]);
    expect(await add({ dueDate: '2100-01-01' })).to.deep.equal([true, false]);
    const wrong = await send({ ...line, 'items.0.taxRate': '7.5', 'items.0.discount': '11' });
    expect(opened(wrong)).to.deep.equal([false, true, false]);
    expect((await read(company, '/invoices')).length).to.equal(0);
  });

  it('asks about a date more than a year away, once, and about no other', async () => {
    const { browser, send } = await arrange();
    const line = { 'items.0.name': 'Pump', 'items.0.qty': '1', 'items.0.price': '10' };
    for (const date of [dayFromToday(-360), dayFromToday(360)])
      expect((await send({ ...line, date })).status, date).to.equal(303);
    const asked = await send({ ...line, date: '2062-01-01', dueDate: '2062-03-01' });
    expect(asked.status).to.equal(422);
    expect(formErrors(asked)).to.include({
      date: 'Jan 1, 2062 is more than a year from now. Is that right?',
      dueDate: 'Mar 1, 2062 is more than a year from now. Is that right?',
    });
    expect(formErrors(await send({ ...line, date: '2001-01-01' })).date).to.equal(
      'Jan 1, 2001 is more than a year ago. Is that right?',
    );
    expect(asked.text).to.contain('name="confirm.date" value="2062-01-01"');
    const form = fieldsOf(asked) as Record<string, string>;
    expect(form).to.include({ date: '2062-01-01' }).and.not.have.property('confirm.date');
    // The answer is for the date that was asked about.
    const confirmed = { 'confirm.date': '2062-01-01', 'confirm.dueDate': '2062-03-01' };
    const changed = await browser.send(FORM, { ...form, ...confirmed, date: '2061-01-01' });
    expect(formErrors(changed)).to.have.property('date').that.contains('Jan 1, 2061');
    expect(formErrors(changed)).to.not.have.property('dueDate');
    expect(fieldsOf(changed)).to.include({ 'confirm.dueDate': '2062-03-01' });
    const sent = await browser.send(FORM, { ...form, ...confirmed });
    expect(sent.status, textOf(sent)).to.equal(303);
  });

  it('starts with the terms and the tax of the company', async () => {
    const { company, browser, send } = await arrange({ termsDays: 14, defaultTaxRate: 7.5 });
    const form = await browser.get(FORM);
    expect(form.text)
      .to.contain(`value="${dayFromToday(14)}"`)
      .and.contain('data-terms="14"');
    expect(form.text.match(/value="7\.5"/gu), 'one line and the template').to.have.length(2);
    const line = { 'items.0.name': 'Pump', 'items.0.qty': '1', 'items.0.price': '10' };
    expect(textOf(await send({ do: 'add-lines', ...line }))).to.contain(
      'Subtotal $10.00 Tax (7.5% of $10.00) $0.75 Total $10.75',
    );
    const sent = await send({ ...line, 'items.0.taxRate': '0', date: dayFromToday(-9) });
    const invoice = await read(company, `/invoices/${idIn(sent.headers.location)}`);
    expect(invoice).to.include({ total: 10, taxTotal: 0, dueDate: dayFromToday(5) });
    const untouched = await send(line);
    const taxed = await read(company, `/invoices/${idIn(untouched.headers.location)}`);
    expect(taxed).to.include({ total: 10.75 });
  });

  it('is refused at the field that is wrong, and nothing is written', async () => {
    const { company, send } = await arrange();
    const wrong = await send({
      dueDate: dayFromToday(-1),
      date: today(),
      discount: '1,250',
      'items.0.name': 'Pump',
      'items.0.qty': '1',
      'items.0.price': '10',
      'items.0.discount': '10.01',
      'items.0.taxRate': '19',
      'items.1.name': 'Hose',
      'items.1.qty': '1',
      'items.1.price': '10',
      'items.1.discount': '101%',
    });
    expect(wrong.status).to.equal(422);
    expect(formErrors(wrong)).to.include({
      dueDate: 'Must not be before the invoice date.',
      discount: 'This could mean two numbers. Enter 1250 or 1.250.',
      'items-0-discount': 'Must be at most 10, which it reduces.',
      'items-1-discount': 'Must be at most 100.',
      'items-1-taxRate': 'Required.',
    });
    for (const typed of ['1,250', '10.01', '101%'])
      expect(wrong.text).to.contain(`value="${typed}"`);
    const category = await send({
      'items.0.name': 'Pump',
      'items.0.qty': '1',
      'items.0.price': '10',
      'items.0.taxRate': '19',
      'items.0.taxCategory': 'E',
    });
    expect(formErrors(category)).to.have.keys('items-0-taxCategory', 'taxReason', '');
    expect((await company.get('/invoices')).body).to.deep.equal([]);
  });
});
