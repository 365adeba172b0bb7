// The list of invoices over HTTP: its order, pages, search, ranges of dates and count.
import { expect } from 'chai';
import type { Response } from '../support/client.js';
import { type Browser, signedIn } from '../support/dashboard.js';
import {
  changeCompany,
  invoiceRequest,
  makeCompany,
  type TestCompany,
} from '../support/factories.js';
import { linkOf, textOf } from '../support/html.js';
import { issue, pay } from '../support/ledger.js';
import { addInvoices } from '../support/many-rows.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

/** Without the marks of what a search has found. */
const unmarked = ({ text }: Response) => text.replaceAll(/<\/?mark>/gu, '');
/** The invoice numbers in a list, in order. */
const numbers = (page: Response) =>
  [...unmarked(page).matchAll(/>INV-0*(\d+)<\/a>/gu)].map(([, number]) => Number(number));

describeMode('postgres', 'the list of invoices', stack => {
  const visitor = async (): Promise<{ company: TestCompany; browser: Browser }> => {
    const company = await makeCompany(stack());
    return {
      company,
      browser: (await signedIn(stack(), company.companyId, { role: 'member' })).browser,
    };
  };
  const create = async (company: TestCompany, requests: Record<string, unknown>[]) => {
    for (const request of requests) await company.post('/invoices', invoiceRequest(request));
  };

  it('says what to do next if there are no invoices, without a search', async () => {
    const { browser } = await visitor();
    const page = await browser.get('/invoices');
    expect(textOf(page)).to.contain('No invoices yet').and.contain('your shop sends them');
    expect(page.text).to.contain('href="/invoices/new"').and.not.contain('id="search-text"');
  });

  it('is sorted by date, then creation, newest first, with pages that stay stable', async () => {
    const { company, browser } = await visitor();
    const dates = ['2026-11-01', '2026-11-03', '2026-11-02'];
    // Dates in this order, so that the numbers identify the dates.
    for (const date of dates) {
      await Promise.all(
        Array.from({ length: 40 }, () => company.post('/invoices', invoiceRequest({ date }))),
      );
    }
    const expected = [80, 120, 40].flatMap(last =>
      Array.from({ length: 40 }, (_, index) => last - index),
    );
    const first = await browser.get('/invoices');
    expect(numbers(first)).to.deep.equal(expected.slice(0, 50));
    expect(textOf(first)).to.contain('1–50 of 120');
    expect(linkOf(first, 'prev')).to.equal('');
    await create(company, [{ date: '2026-11-04' }]);
    const second = await browser.get(linkOf(first, 'next'));
    expect(numbers(second)).to.deep.equal(expected.slice(50, 100));
    expect(textOf(second), 'with the new one').to.contain('52–101 of 121');
    const third = await browser.get(linkOf(second, 'next'));
    expect(numbers(third)).to.deep.equal(expected.slice(100));
    expect(linkOf(third, 'next')).to.equal('');
    expect(textOf(third)).to.contain('102–121 of 121');
    expect(numbers(await browser.get(linkOf(third, 'prev')))).to.deep.equal(
      expected.slice(50, 100),
    );
    // A full page and the new invoice precede the second page, so one more step back remains.
    const back = await browser.get(linkOf(second, 'prev'));
    expect(numbers(back)).to.deep.equal(expected.slice(0, 50));
    expect((await browser.get(linkOf(back, 'prev'))).headers.location).to.equal('/invoices');
    expect(numbers(await browser.get('/invoices')).slice(0, 2)).to.deep.equal([121, 80]);
  });

  it('can be read from the oldest on, page by page and back', async () => {
    const { company, browser } = await visitor();
    await Promise.all(
      Array.from({ length: 60 }, () => company.post('/invoices', invoiceRequest())),
    );
    const order = Array.from({ length: 60 }, (_, index) => index + 1);
    const first = await browser.get('/invoices?order=oldest');
    expect(numbers(first)).to.deep.equal(order.slice(0, 50));
    expect(textOf(first)).to.contain('1–50 of 60');
    expect(first.text).to.contain('aria-sort="ascending"');
    const second = await browser.get(linkOf(first, 'next'));
    expect(numbers(second)).to.deep.equal(order.slice(50));
    expect(textOf(second)).to.contain('51–60 of 60');
    expect((await browser.get(linkOf(second, 'prev'))).headers.location).to.equal(
      '/invoices?order=oldest',
    );
  });

  it('has the usual ranges of dates in the zone of the company, and keeps the search', async () => {
    const company = await makeCompany(stack(), { timeZone: 'Pacific/Kiritimati' });
    const { browser } = await signedIn(stack(), company.companyId);
    await create(company, [{ date: '1990-01-01' }]);
    const { text } = await browser.get('/invoices?q=bright');
    const tabs = [...text.matchAll(/href="(\/invoices\?q=bright&amp;from=[^"]+)">([^<]+)<\/a>/gu)];
    expect(tabs.map(([, , label]) => label)).to.deep.equal(['Today', 'This month', 'Last month']);
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Kiritimati' }).format();
    expect(tabs[0]?.[1]).to.equal(`/invoices?q=bright&amp;from=${day}&amp;to=${day}`);
    const month = tabs[1]?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(month).to.contain(`from=${day.slice(0, 7)}-01&to=${day.slice(0, 7)}-`);
    await create(company, [{ date: day }]);
    const page = await browser.get(month);
    expect(numbers(page)).to.deep.equal([2]);
    expect(page.text).to.match(/aria-current="page">This month</u);
  });

  it('finds a few among many, and counts those that many match', async () => {
    const { company, browser } = await visitor();
    await create(company, [{ customerName: 'Needle Ltd', date: '2020-01-01' }]);
    await addInvoices(stack(), company, 12_000);
    await until('all texts are stored', async () => {
      const stored = await stack().sql(
        `SELECT FROM summaries s JOIN companies c ON c.id = s.company_id
         WHERE c.id = $1 AND s.texts_number = c.next_invoice_number - 1`,
        [company.companyId],
      );
      return stored.length > 0;
    });
    const many = await browser.get('/invoices?q=customer');
    expect(numbers(many)).to.have.length(50);
    expect(textOf(many)).to.contain('1–50 of more than 10,000');
    expect(textOf(await browser.get(linkOf(many, 'next')))).to.contain('50 of more than 10,000');
    expect(numbers(await browser.get('/invoices?q=needle'))).to.deep.equal([1]);
    const some = await browser.get('/invoices?q=customer+77');
    const [{ count } = { count: 0 }] = await stack().sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM invoices
       WHERE company_id = $1
         AND concat_ws(' ', customer_name, lpad(number::text, 6, '0'), reference) LIKE '%77%'`,
      [company.companyId],
    );
    expect(textOf(some)).to.contain(`1–50 of ${count}`);
    expect(numbers(await browser.get(linkOf(some, 'next')))).to.have.length(50);
  });

  it('is searched by customer in any case, by number, by reference and by date', async () => {
    const { company, browser } = await visitor();
    await create(company, [
      { customerName: 'Straße & Söhne', reference: 'PO-77', date: '2026-11-01' },
      { customerName: '100 % Wool_works', date: '2026-11-02' },
      { customerName: 'Wool works 2', reference: '50 % off', date: '2026-11-03' },
    ]);
    const { company: other } = await visitor();
    await create(other, [{ customerName: 'Straße & Söhne' }]);
    const found = async (query: Record<string, string>) =>
      numbers(await browser.get(`/invoices?${new URLSearchParams(query)}`));
    expect(await found({ q: 'STRASSE' })).to.deep.equal([1]);
    expect(await found({ q: 'söhne ' })).to.deep.equal([1]);
    expect(await found({ q: 'po-7' })).to.deep.equal([1]);
    expect(await found({ q: '0 %' }), 'customer and reference').to.deep.equal([3, 2]);
    expect(await found({ q: 'l_w' }), 'an underscore is itself').to.deep.equal([2]);
    expect(await found({ q: '0%off' }), 'and so is a percent sign').to.deep.equal([]);
    expect(await found({ q: 'o\\' })).to.deep.equal([]);
    expect(await found({ q: '2' }), 'a number, or a name with it').to.deep.equal([3, 2]);
    expect(await found({ q: 'inv-000002' })).to.deep.equal([2]);
    expect(await found({ q: 'INV-2' })).to.deep.equal([2]);
    expect(await found({ q: 'ABC-2' })).to.deep.equal([]);
    expect(await found({ q: '9'.repeat(30) })).to.deep.equal([]);
    await changeCompany(stack(), company, { invoicePrefix: 'INV-20' });
    await create(company, [{ date: '2026-11-04' }]);
    for (const q of ['inv-20000004', 'INV-204', '4'])
      expect(unmarked(await browser.get(`/invoices?q=${q}`)), q).to.contain('>INV-20000004<');
    expect(await found({ q: 'INV-304' })).to.deep.equal([]);
    expect(await found({ from: '2026-11-02', to: '2026-11-03' })).to.deep.equal([3, 2]);
    expect(await found({ from: '2026-11-02', q: 'po' })).to.deep.equal([]);
    const nothing = await browser.get('/invoices?q=%3Cb%3Estranger');
    expect(textOf(nothing)).to.contain('No matching invoices ').and.contain('Clear search');
    expect(nothing.text).to.contain('value="&lt;b>stranger"');
  });

  it('shows the exact sums of what is filtered, and has tabs for each state', async () => {
    const { company, browser } = await visitor();
    const sold = (price: number, more = {}) =>
      issue(company, { items: [{ name: 'Service', qty: 1, price }], ...more });
    await sold(0.1);
    await sold(0.2, { customerName: 'Ada' });
    const partly = await sold(1000.07, { date: '2026-10-31', customerName: 'Ada' });
    const paid = await sold(50, { date: '2026-10-01' });
    const gone = await sold(9999, { date: '2026-10-02' });
    await pay(company, 400.05, [partly]);
    await pay(company, 50, [paid]);
    await company.post(`/invoices/${gone.id}/void`, {});
    const foot = async (query: string) => textOf(await browser.get(`/invoices${query}`));
    expect(await foot('')).to.contain(
      '1–5 of 5 · Total without void invoices $1,050.37 · Due $600.32',
    );
    expect(await foot('?from=2026-10-01&to=2026-10-31')).to.contain(
      '1–3 of 3 · Total without void invoices $1,050.07 · Due $600.02',
    );
    expect(await foot('?status=open')).to.contain('1–3 of 3 · Total $1,000.37 · Due $600.32');
    expect(await foot('?partlyPaid=1')).to.contain('1 of 1 · Total $1,000.07 · Due $600.02');
    expect(await foot('?status=paid')).to.contain('1 of 1 · Total $50.00 · Due $0.00');
    expect(await foot('?q=ada')).to.contain(
      '1–2 of 2 · Total without void invoices $1,000.27 · Due $600.22',
    );
    const voided = textOf(await browser.get('/invoices?status=void'));
    expect(voided).to.contain('INV-000005').and.contain('1 of 1').and.not.contain('· Total');
    expect(textOf(await browser.get('/invoices?partlyPaid=1&q=nothing'))).to.contain(
      'No matching invoices',
    );
  });

  it('sums what it counts, up to 10,000 invoices, and shows no sum beyond', async () => {
    const { company, browser } = await visitor();
    await addInvoices(stack(), company, 10_001);
    expect(textOf(await browser.get('/invoices')))
      .to.contain('of more than 10,000')
      .and.not.contain('· Total');
    const some = textOf(await browser.get('/invoices?from=2026-11-01&to=2026-11-20'));
    expect(some).to.contain('1–50 of 101 · Total without void invoices $1,868.50 · Due $1,868.50');
  });

  it('cuts a long search after whole characters, so it still finds the longest name', async () => {
    const { company, browser } = await visitor();
    // An emoji has two UTF-16 units; the last one ends beyond 255 of them.
    const customerName = `${'a'.repeat(254)}😀`;
    await create(company, [{ customerName }]);
    for (const q of [customerName, `${customerName}😀`])
      expect(numbers(await browser.get(`/invoices?${new URLSearchParams({ q })}`))).to.deep.equal([
        1,
      ]);
  });

  it('refuses an invalid date and a page that it never linked to', async () => {
    const { browser } = await visitor();
    for (const query of [
      'from=yesterday',
      'to=2026-02-30',
      'after=1',
      'before=2026-02-30.1',
      'after=2026-01-01.x',
    ]) {
      expect((await browser.get(`/invoices?${query}`)).status, query).to.equal(400);
    }
  });
});
