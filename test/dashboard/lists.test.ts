// Lists of the dashboard: their sums, orders and columns, the invoices of a customer, and files
// that read like the pages that they come from.
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { type Browser, makeSignedIn } from '../support/dashboard.js';
import { receive, type TestCompany } from '../support/factories.js';
import { linkOf, textOf } from '../support/html.js';
import { credit, issue, pay } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const SCOPES = [
  ...['invoices:read', 'invoices:write', 'payments:read', 'payments:write', 'credits:write'],
  ...['inventory:read', 'inventory:write'],
  ...['customers:read', 'customers:write'],
];

describeMode('postgres', 'a list of the dashboard', stack => {
  const arrange = () => makeSignedIn(stack(), { scopes: SCOPES, role: 'owner' });
  /** The texts of the first cells of the list, in their order. */
  const rowsOf = (text: string) =>
    [...text.matchAll(/class="row-link" href="[^"]+">(.*?)<\/a>/gu)].map(([, name = '']) =>
      name.replace(/<span class="row-detail">.*/u, '').replaceAll(/<[^>]*>/gu, ''),
    );
  const of = (customerName: string, price: number, more: object = {}) => ({
    customerName,
    date: '2026-09-01',
    items: [{ name: 'Advice', qty: 1, price }],
    ...more,
  });
  const fill = async (company: TestCompany) => {
    const castle = await makeCustomer(company, { name: 'Castle', creditLimit: 100 });
    await makeCustomer(company, { name: 'Abbey', creditLimit: 900 });
    await makeCustomer(company, { name: 'Mill', phone: '+1 409 555-0142' });
    const first = await issue(
      company,
      of('Castle', 150, { dueDate: '2026-10-20', orderReference: 'PO-1358', reference: 'SO-1' }),
    );
    const second = await issue(company, of('Castle', 20, { dueDate: '2026-10-01' }));
    await issue(company, of('Abbey', 300, { dueDate: '2099-01-01' }));
    await issue(company, of('Stranger', 7, { dueDate: '2026-10-10' }));
    const paid = await issue(company, of('Castle', 5, { dueDate: '2026-10-02' }));
    await pay(company, 5, [paid]);
    return { castle, first, second };
  };
  const page = async (browser: Browser, path: string) => {
    const { status, text } = await browser.get(path);
    expect(status, path).to.equal(200);
    return text;
  };

  it('of customers counts, adds up and sorts, and shows what its tabs select by', async () => {
    const { company, browser } = await arrange();
    await fill(company);
    const all = await browser.get('/customers');
    expect(rowsOf(all.text)).to.deep.equal(['Abbey', 'Castle', 'Mill']);
    expect(textOf(all)).to.contain('1–3 of 3').and.contain('Outstanding $470.00');
    expect(textOf(all)).to.contain('Overdue $170.00').and.contain('Credit limit');
    const sorted = await page(browser, '/customers?sort=outstanding');
    expect(rowsOf(sorted)).to.deep.equal(['Abbey', 'Castle', 'Mill']);
    const byOverdue = await page(browser, '/customers?sort=overdue');
    expect(rowsOf(byOverdue)).to.deep.equal(['Castle', 'Abbey', 'Mill']);
    const overdue = await browser.get('/customers?overdue=1');
    expect(rowsOf(overdue.text)).to.deep.equal(['Castle']);
    const over = await browser.get('/customers?overLimit=1');
    expect(rowsOf(over.text)).to.deep.equal(['Castle']);
    expect(textOf(over)).to.contain('Over by').and.contain('$70.00');
    const found = await page(browser, '/customers?q=555+0142');
    expect(rowsOf(found)).to.deep.equal(['Mill']);
    const file = await browser.get('/customers/export.csv?overdue=1');
    expect(file.text.split('\r\n').filter(Boolean)).to.have.length(2);
  });

  it('of overdue invoices begins with the oldest debt, and counts its days', async () => {
    const { company, browser } = await arrange();
    await fill(company);
    const overdue = await browser.get('/invoices?overdue=1');
    expect(rowsOf(overdue.text)).to.deep.equal(['INV-000002', 'INV-000004', 'INV-000001']);
    expect(textOf(overdue)).to.match(/\d+ days/u);
    const newest = await page(browser, '/invoices?overdue=1&order=newest');
    expect(rowsOf(newest)).to.deep.equal(['INV-000004', 'INV-000002', 'INV-000001']);
  });

  it('of invoices shows the order number and marks what a search found', async () => {
    const { company, browser } = await arrange();
    await fill(company);
    expect(textOf(await browser.get('/invoices'))).to.contain('Order PO-1358');
    const found = await page(browser, '/invoices?q=castle+po-13');
    expect(rowsOf(found)).to.deep.equal(['INV-000001']);
    expect(found).to.contain('<mark>Castle</mark>').and.contain('<mark>PO-13</mark>58');
    const everywhere = await page(browser, '/search?q=po-1358');
    expect(everywhere).to.contain('<mark>PO-1358</mark>');
  });

  it('of the invoices of a customer has all of them, with the filters', async () => {
    const { company, browser } = await arrange();
    const { castle } = await fill(company);
    const path = `/customers/${castle.id}?show=invoices`;
    expect(rowsOf(await page(browser, path))).to.deep.equal([
      ...['INV-000005', 'INV-000002', 'INV-000001'],
    ]);
    const paid = await page(browser, `${path}&status=paid`);
    expect(rowsOf(paid)).to.deep.equal(['INV-000005']);
    expect(paid).to.contain(`name="show" value="invoices"`);
    expect(rowsOf(await page(browser, `${path}&q=po-1358`))).to.deep.equal(['INV-000001']);
    expect(rowsOf(await page(browser, `${path}&q=stranger`))).to.deep.equal([]);
    const named = await page(browser, '/customers/name?name=Stranger&show=invoices');
    expect(rowsOf(named)).to.deep.equal(['INV-000004']);
  });

  it('of payments, credit notes and items is turned around, page by page', async () => {
    const { company, browser } = await arrange();
    const names = Array.from(
      { length: 51 },
      (_, index) => `Item ${String(index).padStart(2, '0')}`,
    );
    await receive(company, ...names.map(name => ({ name, delta: 1 })));
    const walk = async (path: string) => {
      const rows: string[] = [];
      for (let next = path; next !== ''; ) {
        const { text } = await browser.get(next);
        rows.push(...rowsOf(text));
        next = linkOf({ text }, 'next');
      }
      return rows;
    };
    expect(await walk('/inventory')).to.deep.equal(names);
    expect(await walk('/inventory?order=last')).to.deep.equal(names.toReversed());
    expect(textOf(await browser.get('/inventory?order=last'))).to.contain('1–50 of 51');
    const invoice = await issue(company, of('Castle', 900));
    for (const day of ['01', '02', '03'])
      await pay(company, 10, [invoice], { date: `2026-09-${day}`, reference: `T-${day}` });
    for (const day of ['04', '05'])
      await credit(company, invoice, { date: `2026-09-${day}`, items: [{ line: 1, amount: 1 }] });
    const daysOf = (text: string) =>
      [...text.matchAll(/class="row-day" datetime="2026-09-(\d\d)"/gu)].map(([, day]) => day);
    const days = async (path: string) => daysOf(await page(browser, path));
    expect(await days('/payments')).to.deep.equal(['03', '02', '01']);
    expect(await days('/payments?order=oldest')).to.deep.equal(['01', '02', '03']);
    expect(await days('/credit-notes?order=oldest')).to.deep.equal(['04', '05']);
    expect(await page(browser, '/payments')).to.contain('href="/payments?order=oldest"');
    const found = await page(browser, '/payments?q=T-0&order=oldest');
    expect(daysOf(found), 'a search has one order').to.deep.equal(['03', '02', '01']);
  });

  it('of receivables has a total, and links from each age to its invoices', async () => {
    const { company, browser } = await arrange();
    const { castle } = await fill(company);
    const all = await browser.get('/receivables');
    expect(all.text).to.match(/<tfoot[\s\S]*Total[\s\S]*<\/tfoot>/u);
    const age = new RegExp(`/customers/${castle.id}\\?show=invoices&amp;overdue=(\\w+)`, 'u');
    const href = age.exec(all.text)?.[0]?.replace('&amp;', '&');
    expect(rowsOf(await page(browser, String(href)))).to.not.deep.equal([]);
    const over = await browser.get('/receivables?overLimit=1');
    expect(textOf(over)).to.contain('Over by').and.contain('$70.00');
  });

  it('has files with words and the period in their names', async () => {
    const { company, browser } = await arrange();
    const { castle } = await fill(company);
    const fileOf = async (path: string) => {
      const { status, text, headers }: Json = await browser.get(path);
      expect(status, path).to.equal(200);
      const name = /filename="?([^";]+)/u.exec(String(headers['content-disposition']))?.[1];
      return { name, lines: text.replace('\ufeff', '').split('\r\n') as string[] };
    };
    const days = 'from=2026-09-01&to=2026-09-30';
    const statement = await fileOf(`/customers/${castle.id}/statement.csv?${days}`);
    expect(statement.lines[0]).to.equal(
      '"Date","Document","Number","Reference","PO number","Due date","Debit","Credit","Balance"',
    );
    expect(statement.lines[1]).to.contain('"Opening balance"');
    expect(statement.lines[2]).to.contain('"Invoice","INV-000001","SO-1","PO-1358"');
    const open = await fileOf(`/customers/${castle.id}/open-items.csv?to=2026-09-30`);
    expect(open.lines[0]).to.match(/^"Document","Number","Date","Due date"/u);
    const receivables = await fileOf('/receivables/export.csv?to=2026-09-30');
    expect(receivables.name).to.equal('receivables-until-2026-09-30.csv');
    expect(receivables.lines[0]).to.match(/^"Customer","Number","Credit limit","On hold"/u);
    const invoices = await fileOf(`/invoices/export.csv?${days}`);
    expect(invoices.name).to.equal('invoices-2026-09-01-2026-09-30.csv');
    expect(invoices.lines[1]).to.match(/"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"/u);
    const lines: Json = await company.get(`/statements?customerId=${castle.id}&${days}`);
    expect(lines.body.entries[0].orderReference).to.equal('PO-1358');
    const csv = await company.get(`/statements?customerId=${castle.id}&${days}&format=csv`);
    expect(csv.text.replaceAll('"', '')).to.contain(
      'date,type,id,number,reference,dueDate,debit,credit,balance\r\n',
    );
  });
});
