// The page of one invoice: its head, everything that happened to it, and its effect on stock.
import { expect } from 'chai';
import { makeSignedIn } from '../support/dashboard.js';
import { receive } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { created, credit, issue, pay } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'the page of an invoice', stack => {
  const arrange = async () => {
    const { company, browser } = await makeSignedIn(stack());
    const show = async (path: string) => textOf(await browser.get(path));
    return { company, browser, show };
  };
  /** The text of the list of activity, one string per event, without times and authors. */
  const eventsIn = (html: string) => {
    const [, list = ''] =
      /<ol class="movements" aria-label="Activity">(.*?)<\/ol>/su.exec(html) ?? [];
    return list.split('<li>').flatMap(item => {
      const text = textOf({ text: item }).trim();
      return text === '' ? [] : [text.replace(/ Dated .* [AP]M/u, ' |')];
    });
  };

  it('lists all that happened to it in order, with reasons, links and what is due', async () => {
    const { company, browser } = await arrange();
    const invoice = await issue(company, { date: '2026-01-05' });
    const other = await issue(company, { date: '2026-01-06' });
    const money = await pay(company, 120, [invoice, other], {
      date: '2026-01-10',
      method: 'bank_transfer',
      reference: 'TX-1',
    });
    const take = {
      paymentId: money.id,
      date: '2026-01-11',
      invoices: [{ invoiceId: invoice.id, amount: -30 }],
    };
    created(await company.post('/allocations', take));
    created(
      await company.post('/allocations', {
        ...take,
        invoices: [{ invoiceId: invoice.id, amount: 30 }],
      }),
    );
    const reversal = { date: '2026-01-12', reason: 'Returned by the bank' };
    created(await company.post(`/payments/${money.id}/reversal`, reversal));
    await pay(company, 90, [invoice], { date: '2026-01-13' });
    const note = await credit(company, invoice, {
      date: '2026-01-14',
      note: 'Too dear',
      items: [{ line: 1, amount: 25 }],
    });
    created(
      await company.post('/refunds', {
        creditNoteId: note.id,
        amount: 15,
        date: '2026-01-15',
        method: 'card',
        note: 'To the card',
      }),
    );
    const { text } = await browser.get(`/invoices/${invoice.id}`);
    expect(eventsIn(text)).to.deep.equal([
      'Issued $100.00 | $100.00 due',
      'Payment of $120.00 −$100.00 | Bank transfer · TX-1 $0.00 due',
      'Payment unallocated + $30.00 | $30.00 due',
      'Payment allocated −$30.00 | $0.00 due',
      'Payment reversed + $100.00 | Returned by the bank $100.00 due',
      'Payment −$90.00 | $10.00 due',
      'Credit note CN-000001 of $25.00 −$10.00 | Price corrected · Too dear $0.00 due',
      'Credit note CN-000001 : $15.00 refunded | Card · To the card',
    ]);
    expect(text)
      .to.contain(`<a href="/payments/${money.id}">Payment</a> reversed`)
      .and.contain(
        `<a href="/credit-notes/${note.id}">Credit note <span class="document-number">CN-000001`,
      );
    expect(eventsIn((await browser.get(`/invoices/${other.id}`)).text)).to.deep.equal([
      'Issued $100.00 | $100.00 due',
      'Payment of $120.00 −$20.00 | Bank transfer · TX-1 $80.00 due',
      'Payment reversed + $20.00 | Returned by the bank $100.00 due',
    ]);
  });

  it('says that a void invoice is void, when, why and with which credit note', async () => {
    const { company, browser, show } = await arrange();
    await receive(company, { name: 'Valve', delta: 65, unit: 'pc' });
    const invoice = await issue(company, {
      customerName: 'Quay',
      date: '2026-01-05',
      dueDate: '2026-02-04',
      items: [{ name: 'Valve', qty: 10, price: 7.84 }],
    });
    expect(await show(`/invoices/${invoice.id}`))
      .to.contain('−10 pc 55 pc')
      .and.contain(' Void ');
    const reason = 'Entered twice';
    const note = created(
      await company.post(`/invoices/${invoice.id}/void`, { date: '2026-01-06', reason }),
    );
    const { text } = await browser.get(`/invoices/${invoice.id}`);
    const page = textOf({ text });
    expect(page).to.contain(
      `Void Quay Voided on Jan 6, 2026 (Entered twice) with credit note ${note.number}`,
    );
    expect(page).not.to.match(/Feb 4, 2026|Due date/u);
    expect(eventsIn(text)).to.deep.equal([
      'Issued $78.40 | $78.40 due',
      `Voided: Credit note ${note.number} −$78.40 | Entered twice $0.00 due`,
    ]);
    for (const path of ['void', 'credit'])
      expect(text).not.to.contain(`/invoices/${invoice.id}/${path}`);
    expect(text).not.to.contain('/payments/new');
    expect(text).to.contain(`?copy=${invoice.id}`);
    const stock = page.slice(page.indexOf('Stock 2 movements'));
    expect(stock).to.match(/Sold .* −10 pc 55 pc on hand Returned with CN-000001 on Jan 6, 2026/u);
    expect(stock).to.match(/Returned .* \+ ?10 pc 65 pc on hand/u);
  });

  it('shows the first movements of a long list, and all of them on request', async () => {
    const { company, browser } = await arrange();
    const names = Array.from({ length: 12 }, (_, index) => `Part ${index}`);
    await receive(company, ...names.map(name => ({ name, delta: 5 })));
    const invoice = await issue(company, {
      date: '2026-01-05',
      items: names.map(name => ({ name, qty: 2, price: 1 })),
    });
    const items = names.map((_, index) => ({ line: index + 1, qty: 1, restock: true }));
    for (const count of [12, 3])
      await credit(company, invoice, { date: '2026-01-06', items: items.slice(0, count) });
    const path = `/invoices/${invoice.id}`;
    const movementsIn = (html: string) =>
      html
        .split('<caption class="unseen">Stock movements of ')
        .slice(1)
        .map(table => table.match(/class="row-link"/gu)?.length);
    const { text } = await browser.get(path);
    expect(movementsIn(text)).to.deep.equal([10, 10, 3]);
    expect(textOf({ text })).to.contain('Stock 27 movements').and.contain('Show all 12 items');
    expect(text).to.contain(`href="${path}?stock=all"`);
    const all = await browser.get(`${path}?stock=all`);
    expect(movementsIn(all.text)).to.deep.equal([12, 12, 3]);
    expect(textOf(all)).not.to.contain('Show all');
  });
});
