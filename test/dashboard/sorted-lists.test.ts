// Lists that are sorted by a figure: their order, their pages, and the most rows that are sorted.
import { expect } from 'chai';
import type { Response } from '../support/client.js';
import { type Browser, makeSignedIn, signedIn } from '../support/dashboard.js';
import { receive, type TestCompany } from '../support/factories.js';
import { linkOf, textOf } from '../support/html.js';
import { credit, issue, pay } from '../support/ledger.js';
import { addInvoices, addPayments } from '../support/many-rows.js';
import { describeMode } from '../support/suite.js';

const SCOPES = [
  ...['invoices:read', 'invoices:write', 'payments:read', 'payments:write', 'credits:write'],
  ...['inventory:read', 'inventory:write'],
];

/** The texts of the first cells of the list, in their order. */
const rowsOf = ({ text }: Response) =>
  [...text.matchAll(/class="row-link" href="[^"]+">(.*?)<\/a>/gu)].map(([, name = '']) =>
    name.replaceAll(/<[^>]*>|^INV-0*|^CN-0*/gu, ''),
  );
/** The link in the head of a column. */
const headOf = ({ text }: Response, head: string) =>
  new RegExp(`<a href="([^"]+)"[^>]*>${head}(?:<span[^>]*> [↓↑]</span>)?</a></th>`, 'u')
    .exec(text)?.[1]
    ?.replaceAll('&amp;', '&') ?? '';

describeMode('postgres', 'a list sorted by a figure', stack => {
  const arrange = () => makeSignedIn(stack(), { scopes: SCOPES });
  const sold = (company: TestCompany, price: number, more: object = {}) =>
    issue(company, { items: [{ name: 'Service', qty: 1, price }], ...more });
  const get = async (browser: Browser, path: string) => {
    const page = await browser.get(path);
    expect(page.status, path).to.equal(200);
    return page;
  };
  const rows = async (browser: Browser, path: string) => rowsOf(await get(browser, path));
  /** The rows of each page, by the links of one kind. */
  const walk = async (browser: Browser, path: string, kind: 'next' | 'prev') => {
    const pages: { href: string; rows: string[]; text: string }[] = [];
    for (let href = path; href !== ''; ) {
      const page = await browser.get(href);
      if (page.status === 303) {
        href = String(page.headers.location);
        continue;
      }
      pages.push({ href, rows: rowsOf(page), text: textOf(page) });
      href = linkOf(page, kind);
    }
    return pages;
  };

  it('has the largest invoices first, then the smallest, equal ones newest first', async () => {
    const { company, browser } = await arrange();
    await sold(company, 9.5);
    const paid = await sold(company, 100.25);
    await sold(company, 1000, { date: '2020-01-01' });
    await sold(company, 9.5);
    const gone = await sold(company, 20.75);
    await pay(company, 99, [paid]);
    await company.post(`/invoices/${gone.id}/void`, {});
    const first = await get(browser, '/invoices');
    const largest = await get(browser, headOf(first, 'Total'));
    expect(rowsOf(largest)).to.deep.equal(['3', '2', '5', '4', '1']);
    expect(largest.text).to.contain('aria-sort="descending"').and.contain('title="Sort ascending"');
    expect(textOf(largest)).to.contain(
      '1–5 of 5 · Total without void invoices $1,119.25 · Due $1,020.25',
    );
    const smallest = await get(browser, headOf(largest, 'Total'));
    expect(rowsOf(smallest)).to.deep.equal(['4', '1', '5', '2', '3']);
    expect(smallest.text).to.contain('aria-sort="ascending"');
    expect(headOf(smallest, 'Total')).to.equal('/invoices?order=total');
    const byDue = await get(browser, headOf(smallest, 'Due'));
    expect(rowsOf(byDue)).to.deep.equal(['3', '4', '1', '2', '5']);
    expect(rowsOf(await get(browser, headOf(byDue, 'Due')))).to.deep.equal([
      '5',
      '2',
      '4',
      '1',
      '3',
    ]);
    expect(await rows(browser, '/invoices?status=open&order=total')).to.deep.equal([
      '3',
      '2',
      '4',
      '1',
    ]);
    const partly = await get(browser, '/invoices?partlyPaid=1&order=due');
    expect(rowsOf(partly)).to.deep.equal(['2']);
    expect(textOf(partly)).to.contain('1 of 1 · Total $100.25 · Due $1.25');
    expect(headOf(byDue, 'Date'), 'back to the usual order').to.equal('/invoices');
  });

  it('covers each invoice once, forward and back, also among equal figures', async () => {
    const { company, browser } = await arrange();
    await addInvoices(stack(), company, 160, '', 100, 'number % 3 + 0.05');
    const order = Array.from({ length: 160 }, (_, at) => 160 - at);
    const rest = (number: number) => number % 3;
    const largest = order.toSorted((a, b) => rest(b) - rest(a) || b - a).map(String);
    const smallest = order.toSorted((a, b) => rest(a) - rest(b) || b - a).map(String);
    for (const [path, expected] of [
      ['/invoices?order=total', largest],
      ['/invoices?order=due-smallest', smallest],
      ['/invoices?order=total&from=2020-01-01', largest],
    ] as const) {
      const pages = await walk(browser, path, 'next');
      expect(
        pages.flatMap(page => page.rows),
        path,
      ).to.deep.equal(expected);
      expect(pages.map(({ text }) => /\d+–\d+ of 160/u.exec(text)?.[0])).to.deep.equal([
        '1–50 of 160',
        '51–100 of 160',
        '101–150 of 160',
        '151–160 of 160',
      ]);
      const back = await walk(browser, pages.at(-1)?.href ?? '', 'prev');
      expect(back.map(page => page.rows)).to.deep.equal(pages.map(page => page.rows).toReversed());
      expect(back.at(-2)?.text).to.contain('51–100 of 160');
    }
    const customer = await get(
      browser,
      '/customers/name?name=Customer+0&show=invoices&order=total-smallest',
    );
    expect(rowsOf(customer)).to.deep.equal(['1', '101']);
    expect(headOf(customer, 'Due')).to.equal(
      '/customers/name?name=Customer+0&show=invoices&order=due',
    );
  });

  it('refuses a page of another order', async () => {
    const { company, browser } = await arrange();
    await addInvoices(stack(), company, 60);
    const pageOf = async (path: string) =>
      new URL(linkOf(await get(browser, path), 'next'), stack().baseUrl).searchParams.get('after');
    const byTotal = await pageOf('/invoices?order=total');
    const byDate = await pageOf('/invoices');
    for (const query of [
      ...['', 'order=oldest&', 'order=due&', 'order=total-smallest&'].map(
        order => `${order}after=${byTotal}`,
      ),
      `order=total&after=${byDate}`,
      `order=total&before=${byDate}`,
    ])
      expect((await browser.get(`/invoices?${query}`)).status, query).to.equal(400);
    expect((await browser.get(`/invoices?order=total&after=${byTotal}`)).status).to.equal(200);
  });

  it('stays in its usual order if more rows match than are sorted, and says so', async () => {
    const { company, browser } = await arrange();
    await addInvoices(stack(), company, 10_000, '', 100, 'number * 7919 % 10007');
    const all = await get(browser, '/invoices?order=total');
    expect(textOf(all)).to.contain('1–50 of 10,000 · Total').and.not.contain('too many');
    const second = linkOf(all, 'next');
    await addInvoices(stack(), company, 1);
    const sentence = 'More than 10,000 invoices are too many to sort by “Total”.';
    const many = await get(browser, '/invoices?order=total');
    expect(textOf(many)).to.contain(`${sentence} Choose dates or a status.`);
    expect(rowsOf(many)).to.deep.equal(await rows(browser, '/invoices'));
    expect(headOf(many, 'Total')).to.equal('/invoices?order=total');
    expect(many.text, 'a choice of dates is sorted').to.contain(
      '<input type="hidden" name="order" value="total"',
    );
    const next = linkOf(many, 'next');
    expect(next).to.match(/^\/invoices\?after=/u);
    expect(await rows(browser, next)).to.have.length(50);
    const some = await get(browser, '/invoices?order=total&from=2026-11-01');
    expect(textOf(some)).to.contain('1–50 of 101 · Total').and.not.contain('too many');
    const grown = await get(browser, second);
    expect(textOf(grown), 'the page before had fewer').to.contain(sentence);
    expect(rowsOf(grown)).to.deep.equal(await rows(browser, '/invoices'));
  });

  it('sorts what a search finds', async () => {
    const { company, browser } = await arrange();
    await sold(company, 5, { customerName: 'Ada' });
    await sold(company, 70.5, { customerName: 'Ada' });
    await sold(company, 900, { customerName: 'Bob' });
    const paid = await sold(company, 6, { customerName: 'Ada' });
    await pay(company, 6, [paid]);
    await pay(company, 4, [], { customerName: 'Ada' });
    await pay(company, 5, [], { customerName: 'Bob' });
    expect(await rows(browser, '/invoices?q=ada&order=total')).to.deep.equal(['2', '4', '1']);
    expect(await rows(browser, '/invoices?q=ada&status=paid&order=total')).to.deep.equal(['4']);
    const byDue = await get(browser, '/invoices?q=ada&order=due-smallest');
    expect(rowsOf(byDue)).to.deep.equal(['4', '1', '2']);
    expect(textOf(byDue)).to.contain('1–3 of 3').and.contain('Due $75.50');
    const payments = await get(browser, '/payments?q=ada&order=amount-smallest');
    expect(textOf(payments))
      .to.match(/\$4\.00.*\$6\.00/u)
      .and.contain('1–2 of 2');
    expect(headOf(payments, 'Date'), 'a way back').to.equal('/payments?q=ada');
  });

  it('has the largest payments and credit notes first, page by page', async () => {
    const { company, browser } = await arrange();
    const invoice = await sold(company, 900);
    for (const amount of [2.5, 10, 2.5, 9.99]) await pay(company, amount, [invoice]);
    for (const amount of [3, 20, 3.5])
      await credit(company, invoice, { items: [{ line: 1, amount }] });
    const amounts = async (path: string) =>
      [...textOf(await get(browser, path)).matchAll(/ \$(\d+\.\d\d)/gu)].map(([, each]) => each);
    const largest = ['10.00', '9.99', '2.50', '2.50'];
    expect(await amounts(headOf(await get(browser, '/payments'), 'Amount'))).to.deep.equal(largest);
    expect(await amounts('/payments?order=amount-smallest')).to.deep.equal(largest.toReversed());
    const notes = headOf(await get(browser, '/credit-notes'), 'Total');
    expect(await amounts(notes)).to.deep.equal(['20.00', '3.50', '3.00']);
    expect(await rows(browser, '/credit-notes?order=amount-smallest')).to.deep.equal([
      '1',
      '3',
      '2',
    ]);

    const many = await arrange();
    await addPayments(stack(), many.company, 130, '1 + sequence % 4 + 0.5');
    for (const path of ['/payments?order=amount', '/payments?unallocated=1&order=unallocated']) {
      const pages = await walk(many.browser, path, 'next');
      const ids = pages.flatMap(({ rows: found }) => found);
      expect(ids, path).to.have.length(130);
      expect(pages.map(({ text }) => /\d+–\d+ of 130/u.exec(text)?.[0])).to.deep.equal([
        '1–50 of 130',
        '51–100 of 130',
        '101–130 of 130',
      ]);
      const hrefs = await Promise.all(
        pages.map(async ({ href }) =>
          [...(await get(many.browser, href)).text.matchAll(/row-link" href="([^"]+)"/gu)].map(
            ([, link]) => link,
          ),
        ),
      );
      expect(new Set(hrefs.flat()).size, path).to.equal(130);
    }
    expect(textOf(await get(many.browser, '/payments?unallocated=1&order=amount'))).to.contain(
      'Unallocated $390.00',
    );
  });

  it('sorts items by stock and price, those without a price last, equal ones by name', async () => {
    const { company, browser } = await arrange();
    await receive(
      company,
      { name: 'Anvil', delta: 9.75 },
      { name: 'Clamp', delta: 10, unitPrice: 12.5 },
      { name: 'Bolt', delta: 10, unitPrice: 0.05 },
      { name: 'Drill', delta: 100, unitPrice: 9, reorderPoint: 200 },
      { name: 'Elbow', delta: 0 },
    );
    const first = await get(browser, '/inventory');
    const byStock = await get(browser, headOf(first, 'On hand'));
    expect(rowsOf(byStock)).to.deep.equal(['Drill', 'Bolt', 'Clamp', 'Anvil', 'Elbow']);
    expect(textOf(byStock)).to.contain('1–5 of 5');
    expect(await rows(browser, headOf(byStock, 'On hand'))).to.deep.equal([
      'Elbow',
      'Anvil',
      'Bolt',
      'Clamp',
      'Drill',
    ]);
    const byPrice = await get(browser, headOf(byStock, 'Unit price'));
    expect(rowsOf(byPrice)).to.deep.equal(['Clamp', 'Drill', 'Bolt', 'Anvil', 'Elbow']);
    expect(await rows(browser, headOf(byPrice, 'Unit price'))).to.deep.equal([
      'Bolt',
      'Drill',
      'Clamp',
      'Anvil',
      'Elbow',
    ]);
    expect(await rows(browser, '/inventory?low=1&order=onHand')).to.deep.equal(['Drill', 'Elbow']);
    expect(await rows(browser, '/inventory?q=l&order=unitPrice')).to.deep.equal([
      'Clamp',
      'Drill',
      'Bolt',
      'Anvil',
      'Elbow',
    ]);
    const names = Array.from({ length: 60 }, (_, at) => `Z ${String(at).padStart(2, '0')}`);
    await receive(company, ...names.map(name => ({ name, delta: 0 })));
    const pages = await walk(browser, '/inventory?order=unitPrice', 'next');
    expect(pages.flatMap(page => page.rows)).to.deep.equal([
      'Clamp',
      'Drill',
      'Bolt',
      'Anvil',
      'Elbow',
      ...names,
    ]);
    expect(pages.at(-1)?.text).to.contain('51–65 of 65');
  });

  it('by price is for those who see prices, also by its address', async () => {
    const { company } = await arrange();
    const { browser } = await signedIn(stack(), company.companyId, { role: 'warehouse' });
    await receive(
      company,
      { name: 'Anvil', delta: 1, unitPrice: 1 },
      { name: 'Bolt', delta: 2, unitPrice: 2 },
    );
    const page = await get(browser, '/inventory?order=unitPrice');
    expect(rowsOf(page)).to.deep.equal(['Anvil', 'Bolt']);
    expect(page.text).to.not.contain('unitPrice').and.not.contain('Unit price');
    expect(await rows(browser, '/inventory?order=unitPrice-smallest')).to.deep.equal([
      'Anvil',
      'Bolt',
    ]);
    expect(await rows(browser, headOf(page, 'On hand'))).to.deep.equal(['Bolt', 'Anvil']);
  });
});
