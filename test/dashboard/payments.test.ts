// The pages of payments and credit notes over HTTP, without scripts: what a form leaves or credits
// is shown before it is sent, and refusals appear at their fields.

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { type Browser, formErrors, makeSignedIn } from '../support/dashboard.js';
import { dayFromToday as day } from '../support/days.js';
import { receive } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { credit, issue, keepBooks, pay, read } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { addWaitingJob } from '../support/waiting-job.js';

const DATE = day(-5);

describeMode('postgres', 'the pages of payments and credit notes', stack => {
  const arrange = async () => {
    const { company, browser, user } = await makeSignedIn(stack());
    const send = (path: string, fields: Record<string, string>) =>
      browser.post(path, path, { key: uuidv7(), date: DATE, ...fields });
    return { company, browser, user, send };
  };

  it('record a payment for several invoices once its rest was shown', async () => {
    const { company, browser } = await arrange();
    const second = await issue(company, { customerName: 'A & B', dueDate: '2026-12-20' });
    const first = await issue(company, { customerName: 'A & B', dueDate: '2026-12-10' });
    const record = (fields: Record<string, string>) =>
      browser.post('/payments/new?customer=a%20%26%20b', '/payments/new', {
        key: uuidv7(),
        date: DATE,
        customerName: 'A & B',
        ...fields,
      });
    const found = await browser.get(`/payments/new?q=${String(first.number).toLowerCase()}`);
    expect(found.headers.location).to.equal(`/payments/new?invoice=${first.id}`);
    expect(textOf(await browser.get('/payments/new?q=B'))).to.contain('2 open invoices');

    const suggested = await record({ amount: '120', do: 'suggest' });
    expect(suggested.text.indexOf(first.number)).to.be.below(suggested.text.indexOf(second.number));
    expect(fieldsOf(suggested)[`invoice.${first.id}`]).to.equal('100.00');
    expect(fieldsOf(suggested)[`invoice.${second.id}`]).to.equal('20.00');

    const typed = { amount: '150', [`invoice.${first.id}`]: '100', remainder: '0' };
    const asked = await record(typed);
    expect(asked.status).to.equal(422);
    expect(formErrors(asked)['']).to.contain('$50.00 would not be used for any invoice.');
    expect(fieldsOf(asked).remainder).to.equal('50');
    expect(fieldsOf(asked)[`invoice.${first.id}`]).to.equal('100');
    expect(await read(company, '/payments')).to.deep.equal([]);
    const recorded = await record({ ...typed, remainder: '50', externalId: 'bank-1' });
    expect(recorded.status).to.equal(303);
    await until('it is recorded', async () => (await read(company, '/payments')).length === 1);
    const [payment] = await read(company, '/payments');
    expect(recorded.headers.location).to.equal(`/payments/${payment.id}`);
    expect(payment).to.include({ amount: 150, unallocated: 50, customerName: 'A & B' });

    const repeated = await record({ ...typed, amount: '100', externalId: 'bank-1' });
    expect(formErrors(repeated).externalId).to.equal(
      'A transfer with this id is recorded already.',
    );
    const tooMuch = await record({ amount: '150', [`invoice.${second.id}`]: '150' });
    expect(formErrors(tooMuch)[`invoice-${second.id}`]).to.equal('At most $100.00 is due.');
    const several = { amount: 'x', externalId: ' bank-1', [`invoice.${second.id}`]: '150' };
    expect(formErrors(await record(several))).to.deep.equal({
      '': 'Check the highlighted fields.',
      amount: 'Enter a number, such as 12.50.',
      externalId: 'A transfer with this id is recorded already.',
      [`invoice-${second.id}`]: 'At most $100.00 is due.',
    });
    const over = await record({ amount: '10', [`invoice.${second.id}`]: '20' });
    expect(over.text).to.contain('The amounts together exceed the payment.');
    const unread = await record({ amount: '10', [`invoice.${second.id}`]: 'all' });
    expect(formErrors(unread)[`invoice-${second.id}`]).to.contain('Enter a number');
    expect(await read(company, '/payments')).to.have.length(1);
    const advance = await record({ amount: '7', customerName: 'New & Co' });
    expect(advance.status).to.equal(303);
    expect((await read(company, '/payments?unallocated=1')).length).to.equal(2);
  });

  it('allocate, take back, refund and reverse with the same refusals as the API', async () => {
    const { company, browser, send } = await arrange();
    const [one, two] = [await issue(company), await issue(company)];
    const payment = await pay(company, 150, [one]);
    const path = `/payments/${payment.id}`;
    const page = await browser.get(`${path}/allocate`);
    expect(fieldsOf(page)[`invoice.${one.id}`]).to.equal('100.00');
    expect(fieldsOf(page)[`invoice.${two.id}`]).to.equal('50.00');
    const allocate = (a: string, b: string, remainder = '0') =>
      send(`${path}/allocate`, { [`invoice.${one.id}`]: a, [`invoice.${two.id}`]: b, remainder });
    expect(formErrors(await allocate('100', '', '50'))['']).to.contain('at least one invoice');
    expect((await allocate('100', '50')).headers.location).to.equal(path);
    expect((await allocate('', '50')).status, 'a remainder of 100 was not shown').to.equal(422);
    expect((await allocate('', '50', '100')).status).to.equal(303);
    expect(await read(company, path)).to.deep.include({
      allocations: [{ invoiceId: two.id, invoiceNumber: two.number, amount: 50 }],
      unallocated: 100,
    });

    const refund = (amount: string) => send(`${path}/refund`, { amount, method: 'cash' });
    expect(formErrors(await refund('100.01')).amount).to.equal('Only $100.00 is unallocated.');
    expect((await refund('30')).headers.location).to.equal(path);
    expect((await read(company, path)).refunded).to.equal(30);
    const reversal = await send(`${path}/reverse`, {});
    expect([reversal.status, formErrors(reversal)['']]).to.deep.equal([
      422,
      'The payment is refunded, in whole or in part.',
    ]);
    const shown = textOf(await browser.get(path));
    expect(shown).to.contain('Refunded').and.contain('Cash').and.contain('$70.00');

    const note = await credit(company, two, { items: [{ line: 1, amount: 60 }] });
    const moved = await send(`/credit-notes/${note.id}/refund`, { amount: '10' });
    expect(moved.headers.location).to.equal(`/credit-notes/${note.id}`);
  });

  it('credit lines once the total was shown, and put back only what is ticked', async () => {
    const { company, browser, send } = await arrange();
    await receive(company, { name: 'Pipe', delta: 20 }, { name: 'Cap', delta: 20 });
    const items = [
      { name: 'Pipe', qty: 3, price: 10, taxRate: 19 },
      { name: 'Cap', qty: 2, price: 5, taxRate: 19 },
    ];
    const invoice = await issue(company, { items });
    const path = `/invoices/${invoice.id}/credit`;
    const all = await send(path, { reason: 'return', do: 'all' });
    expect([1, 2].map(line => fieldsOf(all)[`line.${line}.qty`])).to.deep.equal(['3', '2']);
    expect(fieldsOf(all).shown).to.equal('47.6');
    const both = await send(path, {
      reason: 'return',
      'line.1.qty': '1',
      'line.1.amount': '1',
    });
    expect(formErrors(both)['line-1-qty']).to.contain('not both');
    const typed = {
      reason: 'return',
      'line.1.qty': '1',
      'line.1.restock': 'true',
      'line.2.qty': '1',
    };
    const asked = await send(path, typed);
    expect(formErrors(asked)['']).to.contain('The credit comes to $17.85.');
    expect(fieldsOf(asked).shown).to.equal('17.85');
    const confirmed = { ...typed, shown: '17.85', key: uuidv7() };
    const created = await send(path, confirmed);
    const again = await send(path, confirmed);
    const [note, ...others] = await read(company, '/credit-notes');
    expect(others, 'a form that is sent twice credits once').to.deep.equal([]);
    expect([created, again].map(({ headers }) => headers.location)).to.deep.equal([
      `/credit-notes/${note.id}`,
      `/credit-notes/${note.id}`,
    ]);
    expect(note.items.map((item: { restocked: boolean }) => item.restocked)).to.deep.equal([
      true,
      false,
    ]);
    expect(note.total).to.equal(17.85);
    const more = await send(path, { reason: 'return', 'line.2.qty': '2' });
    expect(formErrors(more)['line-2-qty']).to.equal('You can credit at most 1.');
    expect(formErrors(await send(path, { reason: 'return' }))['']).to.contain('at least one line');
    const paper = textOf(await browser.get(`/credit-notes/${note.id}/print`));
    expect(paper)
      .to.contain('Credit note CN-000001')
      .and.contain(`${invoice.number} of Nov 20, 2026`)
      .and.contain('Tax 19% $2.85')
      .and.contain('Total credit $17.85');
    const kept = await browser.get(`/invoices/${invoice.id}/void`);
    expect(kept.headers.location).to.equal(`/invoices/${invoice.id}`);
  });

  it('ask about a payment of tomorrow or of last year, and refuse a credit far away', async () => {
    const { company, send } = await arrange();
    const invoice = await issue(company, { customerName: 'A & B' });
    const record = (fields: Record<string, string>) =>
      send('/payments/new', {
        ...{ amount: '1', customerName: 'A & B', remainder: '1' },
        ...fields,
      });
    for (const [date, why] of [
      [day(2), 'after today'],
      [day(-400), 'more than a year ago'],
    ] as const) {
      const asked = await record({ date });
      expect(asked.status).to.equal(422);
      expect(formErrors(asked).date).to.contain(`is ${why}. Is that right?`);
      expect((await record({ date, 'confirm.date': date })).status).to.equal(303);
    }
    const [payment] = await read(company, '/payments');
    const refund = (fields: Record<string, string>) =>
      send(`/payments/${payment.id}/refund`, { amount: '0.5', date: day(2), ...fields });
    expect(formErrors(await refund({})).date).to.contain('after today');
    expect((await refund({ 'confirm.date': day(2) })).status).to.equal(303);
    const credit = (fields: Record<string, string>) =>
      send(`/invoices/${invoice.id}/credit`, {
        ...{ reason: 'price', 'line.1.amount': '1', shown: '1', ...fields },
      });
    expect(formErrors(await credit({ date: day(400) })).date).to.contain('at most 366 days');
    expect((await credit({ date: day(30) })).status, 'a document may be dated ahead').to.equal(303);
  });

  it('say why an invoice cannot be voided, and what to do', async () => {
    const { company, browser } = await arrange();
    const reasonFor = async (amount: number) => {
      const invoice = await issue(company);
      await pay(company, amount, [invoice]);
      await browser.get(`/invoices/${invoice.id}/void`);
      return textOf(await browser.get(`/invoices/${invoice.id}`));
    };
    expect(await reasonFor(100)).to.contain('is paid. Create a credit note instead.');
    expect(await reasonFor(40)).to.contain(
      'is paid or credited in part. Credit the remainder instead.',
    );
  });

  it('add up on a credit note, with its share of the discount of the invoice', async () => {
    const { company, browser } = await arrange();
    const items = [{ name: 'Pipe', qty: 10, price: 7.84, discount: { percent: 5 }, taxRate: 8.25 }];
    const invoice = await issue(company, { items, discount: { amount: 3 } });
    const note = await credit(company, invoice, { items: [{ line: 1, qty: 3 }] });
    expect([note.items[0].amount, note.subtotal, note.taxTotal, note.total]).to.deep.equal([
      22.34, 21.44, 1.77, 23.21,
    ]);
    for (const page of ['', '/print']) {
      const text = textOf(await browser.get(`/credit-notes/${note.id}${page}`));
      expect(text).to.match(
        /\$22\.34.*Discount −\$0\.90.*Subtotal \$21\.44.*Tax 8\.25% \$1\.77.*credit \$23\.21/u,
      );
    }
  });

  it('offer to void an invoice only if nothing was ever paid or credited', async () => {
    const { company, browser } = await arrange();
    const invoice = await issue(company);
    const button = `href="/invoices/${invoice.id}/void"`;
    const page = async () => (await browser.get(`/invoices/${invoice.id}`)).text;
    expect(await page()).to.contain(button);
    const { id } = await pay(company, 100, [invoice]);
    await credit(company, invoice, { items: [{ line: 1, amount: 1 }] });
    await company.post(`/payments/${id}/reversal`, { date: DATE });
    // The credit note's money is unallocated, so that nothing is paid or credited.
    const { amountPaid, amountCredited } = await read(company, `/invoices/${invoice.id}`);
    expect([amountPaid, amountCredited]).to.deep.equal([0, 0]);
    expect(await page()).not.to.contain(button);
    const refused = await browser.get(`/invoices/${invoice.id}/void`);
    expect(refused.headers.location).to.equal(`/invoices/${invoice.id}`);
    expect(textOf(await browser.get(`/invoices/${invoice.id}`))).to.contain(
      `Invoice ${invoice.number} has a credit note. Credit the remainder instead.`,
    );
  });

  it('wait on the page of the job, which leads to the payment or says why not', async () => {
    const { company, browser } = await arrange();
    const invoice = await issue(company, { customerName: 'Idem' });
    const payload = {
      type: 'payment.record',
      date: DATE,
      amount: 60,
      customerName: 'Idem',
      invoices: [{ invoiceId: invoice.id, amount: 60 }],
    };
    const [one, two] = [
      await addWaitingJob(stack(), company, 'payment.record', payload),
      await addWaitingJob(stack(), company, 'payment.record', payload),
    ];
    const page = `/payments/jobs/${one.id}`;
    expect(textOf(await browser.get(page))).to.contain('Recording the payment Idem');
    await one.release();
    const [payment] = await read(company, '/payments');
    expect((await browser.get(page)).headers.location).to.equal(`/payments/${payment.id}`);
    await two.release();
    const refused = await browser.get(`/payments/jobs/${two.id}`);
    expect(textOf(refused))
      .to.contain('The payment was not recorded')
      .and.contain('At most $40.00 is due.');
    expect(refused.text).to.contain('href="/payments/new?customer=Idem"');
    const { browser: other } = await arrange();
    expect((await other.get(page)).status).to.equal(404);
  });

  it('lists the payments and credit notes of one company, with a search and as CSV', async () => {
    const { company, browser } = await arrange();
    await keepBooks(company);
    const [payment] = await read(company, '/payments');
    const [note] = await read(company, '/credit-notes');
    const csv = async (reader: Browser, path: string) =>
      (await reader.get(path)).text.split('\r\n').slice(0, -1);
    const payments = await csv(browser, '/payments/export.csv');
    expect(payments[0]).to.equal(
      '\ufeff"Date","Customer","Status","Currency","Amount","Method","Reference",' +
        '"Transaction ID","Note","Applied to","Refunded","Unallocated","Created","Created by"',
    );
    expect(payments).to.have.length(3);
    expect(payments.join()).to.contain('"reversed"').and.contain('"INV-000001 INV-000002"');
    const notes = await csv(browser, '/credit-notes/export.csv?q=cn-000001');
    expect(notes).to.have.length(2);
    expect(notes[1]).to.match(/^"CN-000001",.*"Test key"$/u);
    expect(textOf(await browser.get('/payments?q=ledger'))).to.contain('Reversed');
    expect(textOf(await browser.get('/payments?q=unknown'))).to.contain('No matching payments ');
    expect(textOf(await browser.get('/credit-notes?q=CN-000002'))).to.contain('CN-000002');
    const moves = await csv(browser, '/inventory/movements.csv');
    expect(moves.join('\n')).to.match(/"return",1,.*,"CN-000001",,,"Test key"/u);
    const { browser: other } = await arrange();
    for (const path of [
      `/payments/${payment.id}`,
      `/payments/${payment.id}/refund`,
      `/credit-notes/${note.id}`,
      `/credit-notes/${note.id}/print`,
      `/invoices/${note.invoiceId}/credit`,
      `/invoices/${note.invoiceId}/void`,
    ])
      expect((await other.get(path)).status, path).to.equal(404);
    expect(await csv(other, '/payments/export.csv')).to.have.length(1);
    expect(textOf(await other.get('/payments'))).to.contain('No payments yet');
  });
});
