// Where a payment or a credit note starts without an invoice's page: the choice of the customer or
// of the invoice. And where the navigation puts credit notes.
import { expect } from 'chai';
import { makeSignedIn } from '../support/dashboard.js';
import { textOf } from '../support/html.js';
import { created, credit, issue, pay } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'the start of a payment or credit note', stack => {
  const arrange = () => makeSignedIn(stack());

  it('lists customers by their longest overdue invoice, with what is due and overdue', async () => {
    const { company, browser } = await arrange();
    const date = '2026-01-01';
    await issue(company, { date, customerName: 'Later', dueDate: '2026-03-01' });
    await issue(company, { date, customerName: 'In time', dueDate: '2100-01-01' });
    const partly = await issue(company, { date, customerName: 'Longest', dueDate: '2026-02-01' });
    await issue(company, { date, customerName: 'Longest', dueDate: '2100-01-01' });
    await pay(company, 60, [partly]);
    const page = textOf(await browser.get('/payments/new'));
    expect(page).to.contain('Longest overdue first.');
    expect(page).to.contain(
      'Due Longest 2 open invoices $40.00 overdue $140.00 ' +
        'Later 1 open invoice $100.00 overdue $100.00 In time 1 open invoice $100.00 ',
    );
  });

  it('lists the invoices that can be credited, newest first, and finds one by number', async () => {
    const { company, browser } = await arrange();
    const { company: foreign } = await arrange();
    const older = await issue(company, { date: '2026-01-01', customerName: 'Quay' });
    const newer = await issue(company, { date: '2026-01-02', customerName: 'Pier' });
    const free = [{ name: 'Sample', qty: 1, price: 0 }];
    const gone = await issue(company, { date: '2026-01-03', customerName: 'Quay', items: free });
    const whole = await issue(company, { date: '2026-01-03', customerName: 'Quay' });
    const partly = await issue(company, { date: '2026-01-04', customerName: 'Quay' });
    await issue(foreign, { date: '2026-01-04', customerName: 'Quay' });
    created(await company.post(`/invoices/${gone.id}/void`, {}));
    await credit(company, whole);
    await credit(company, partly, { items: [{ line: 1, qty: 1 }] });
    const offered = async (query: string) => {
      const { text } = await browser.get(`/credit-notes/new${query}`);
      return [...text.matchAll(/href="\/invoices\/([^"/]+)\/credit"/gu)].map(([, id]) => id);
    };
    expect(await offered('')).to.deep.equal([partly, newer, older].map(({ id }) => id));
    expect(await offered('?q=QUAY')).to.deep.equal([partly.id, older.id]);
    const found = await browser.get(`/credit-notes/new?q=${String(older.number).toLowerCase()}`);
    expect(found.headers.location).to.equal(`/invoices/${older.id}/credit`);
    const none = textOf(await browser.get('/credit-notes/new?q=unknown'));
    expect(none).to.contain('No matching invoices ').and.contain('Clear search');
  });

  it('is in one area of the navigation: credit notes are a tab of Invoices', async () => {
    const { company, browser } = await arrange();
    const invoice = await issue(company);
    const note = await credit(company, invoice, { items: [{ line: 1, qty: 1 }] });
    for (const path of [
      '/credit-notes',
      '/credit-notes/new',
      `/credit-notes/${note.id}`,
      `/invoices/${invoice.id}/credit`,
    ]) {
      const { text } = await browser.get(path);
      expect(text, path).to.match(/href="\/invoices" aria-current="[^"]+"><svg/u);
      expect(text, path).to.contain('<nav class="tabs" aria-label="Invoices">');
    }
    const list = await browser.get('/credit-notes');
    expect(list.text).to.contain(
      '<a class="button" href="/credit-notes/new">Credit an invoice</a>',
    );
    expect((await browser.get('/payments')).text).not.to.contain('<nav class="tabs"');
  });

  it('shows whether a credit note is applied, refunded or unallocated', async () => {
    const { company, browser } = await arrange();
    const statuses = async () => {
      const { text } = await browser.get('/credit-notes');
      return [
        ...text.matchAll(/<td role="cell"><span class="badge[^"]*">(.*?)<\/span><\/td>/gu),
      ].map(([, html = '']) => textOf({ text: html }).trim());
    };
    const invoice = await issue(company);
    await credit(company, invoice, { items: [{ line: 1, qty: 1 }] });
    await pay(company, 90, [invoice]);
    const note = await credit(company, invoice, { items: [{ line: 1, amount: 25 }] });
    expect(await statuses()).to.deep.equal(['$25.00 unallocated', 'Applied']);
    const refund = { creditNoteId: note.id, amount: 25, date: '2026-11-25' };
    created(await company.post('/refunds', refund));
    expect(await statuses()).to.deep.equal(['Refunded', 'Applied']);
  });
});
