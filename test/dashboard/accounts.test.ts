// A customer's account in the dashboard, of a record and of a plain name, and the receivables of
// all customers.
import { expect } from 'chai';
import type { Role } from '../../src/users/roles.js';
import { makeCustomer } from '../support/customers.js';
import { type Browser, makeSignedIn, signedIn } from '../support/dashboard.js';
import { makeCompany } from '../support/factories.js';
import { rowsOf, textOf, unescapeHtml } from '../support/html.js';
import { credit, issue, pay } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const items = (price: number) => [{ name: 'Advice', qty: 1, price }];

/** The texts of the rows of the page at the path. */
async function rowsAt(browser: Browser, path: string): Promise<string[]> {
  const page = await browser.get(path);
  expect(page.status, path).to.equal(200);
  return rowsOf(page);
}

describeMode('postgres', 'the account of a customer', stack => {
  const arrange = (role: Role = 'member') => makeSignedIn(stack(), { role });
  /** Two names of one record, with invoices, a payment and a credit note. */
  const arrangeAccount = async () => {
    const { company, browser } = await arrange();
    const terms = { creditLimit: 500, email: 'q@b.example' };
    const { id } = await makeCustomer(company, { name: 'Quay', aliases: ['Pier'], ...terms });
    const january = { date: '2026-01-05', dueDate: '2026-01-20' };
    const first = await issue(company, { ...january, customerName: 'Quay', items: items(100) });
    await issue(company, {
      ...january,
      date: '2026-02-05',
      dueDate: '2026-03-01',
      customerName: 'pier',
      items: items(250),
    });
    await pay(company, 40, [first], { customerName: 'Quay', date: '2026-01-10' });
    await pay(company, 30, [], { customerName: 'Pier', date: '2026-02-10', reference: 'Advance' });
    await credit(company, first, { date: '2026-02-11', items: [{ line: 1, amount: 10 }] });
    await company.patch(`/customers/${id}`, { hold: true });
    return { company, browser, id, first };
  };

  it('shows what is owed by all of its names, and the credit that is left', async () => {
    const { browser, id } = await arrangeAccount();
    const page = textOf(await browser.get(`/customers/${id}`));
    expect(page).to.contain('Quay On hold C-00001').and.contain('On hold');
    expect(page).to.contain('Outstanding now $300.00 $300.00 overdue Unallocated now $30.00');
    expect(page).to.contain('Credit left now $230.00 of a limit of $500.00');
  });

  it('has a statement with the balance after each line of the period', async () => {
    const { browser, id, first } = await arrangeAccount();
    const path = `/customers/${id}?from=2026-01-06&to=2026-02-10`;
    expect(await rowsAt(browser, path)).to.deep.equal([
      'Payment Jan 10 , 2026 − $40.00 $60.00',
      'Invoice INV-000002 Feb 5 , 2026 Mar 1 , 2026 $250.00 $310.00',
      'Payment Feb 10 , 2026 Advance − $30.00 $280.00',
    ]);
    const { text } = await browser.get(path);
    expect(textOf({ text }))
      .to.contain('Opening balance Jan 6, 2026 $100.00')
      .and.contain('Closing balance Feb 10, 2026 $280.00');
    const all = await browser.get(`/customers/${id}?from=2026-01-01`);
    expect(all.text).to.contain(`href="/invoices/${first.id}"`);
    expect((await browser.get(`/customers/${id}?from=2026-03-01&to=2026-02-01`)).status).to.equal(
      400,
    );
  });

  it('has open items, payments and details', async () => {
    const { browser, id } = await arrangeAccount();
    const open = await browser.get(`/customers/${id}?show=open&to=2026-02-20`);
    expect(await rowsAt(browser, `/customers/${id}?show=open&to=2026-02-20`)).to.deep.equal([
      'INV-000001 Jan 5 , 2026 Jan 20 , 2026 31 days $100.00 $50.00',
      'INV-000002 Feb 5 , 2026 Mar 1 , 2026 $250.00 $250.00',
      'Payment Feb 10 , 2026 $30.00 Allocate',
    ]);
    expect(textOf(open)).to.contain(
      'Not due yet $250.00 1–30 days overdue $0.00 31–60 days overdue $50.00',
    );
    const payments = await rowsAt(browser, `/customers/${id}?show=payments`);
    expect(payments).to.have.length(2);
    expect(payments[0]).to.contain('Feb 10').and.contain('Unallocated').and.contain('$30.00');
    expect(textOf(await browser.get(`/customers/${id}?show=details`))).to.contain('q@b.example');
  });

  it('keeps the chosen days in its other sections', async () => {
    const { browser, id } = await arrangeAccount();
    const { text } = await browser.get(`/customers/${id}?from=2026-01-01&to=2026-01-31`);
    for (const show of ['open', 'invoices', 'payments', 'details'])
      expect(unescapeHtml(text)).to.contain(
        `href="/customers/${id}?show=${show}&from=2026-01-01&to=2026-01-31"`,
      );
    const open = await browser.get(`/customers/${id}?show=open&from=2026-01-01&to=2026-01-31`);
    expect(unescapeHtml(open.text)).to.contain(
      `href="/customers/${id}?from=2026-01-01&to=2026-01-31"`,
    );
    expect((await browser.get(`/customers/${id}?from=2100-01-01`)).status).to.equal(200);
    const unchosen = await browser.get(`/customers/${id}?show=open`);
    expect(unchosen.text).to.contain(`href="/customers/${id}"`).and.not.contain('from=');
  });

  it('has a file and a page to print, of the statement and of the open items', async () => {
    const { browser, id } = await arrangeAccount();
    const days = 'from=2026-01-06&to=2026-02-10';
    const file = await browser.get(`/customers/${id}/statement.csv?${days}`);
    expect(file.headers['content-type']).to.contain('text/csv');
    expect(file.headers['content-disposition']).to.contain('statement-C-00001-2026-01-06');
    const lines = file.text.trim().split('\r\n');
    expect(lines[1]).to.equal('"2026-01-06","Opening balance",,,,,,,100');
    expect(lines.at(-1)).to.equal('"2026-02-10","Closing balance",,,,,,,280');
    const open = await browser.get(`/customers/${id}/open-items.csv?to=2026-02-20`);
    expect(open.text.trim().split('\r\n')).to.have.length(4);
    const paper = textOf(await browser.get(`/customers/${id}/print?${days}`));
    expect(paper).to.contain('Statement of account').and.contain('Closing balance $280.00');
    const openPaper = textOf(await browser.get(`/customers/${id}/print?show=open&to=2026-02-20`));
    expect(openPaper).to.contain('Open items').and.contain('Balance $270.00');
  });

  it('exists for a name without a record, and leads to the record once there is one', async () => {
    const { company, browser } = await arrange();
    const invoice = await issue(company, { customerName: 'Pier & Co', items: items(70) });
    const path = `/customers/name?${new URLSearchParams({ name: 'pier & co' })}`;
    const page = await browser.get(path);
    expect(textOf(page))
      .to.contain('Pier &amp; Co Not saved as a customer.')
      .and.contain('Outstanding now $70.00')
      .and.contain('Save as customer');
    expect((await browser.get('/customers/name?name=unknown')).status).to.equal(404);
    expect((await browser.get('/customers/name')).status).to.equal(404);
    const { text } = await browser.get(`/invoices/${invoice.id}`);
    expect(unescapeHtml(text)).to.contain('href="/customers/name?name=Pier+%26+Co"');
    for (const show of ['open', 'payments'])
      expect((await browser.get(`${path}&show=${show}`)).status).to.equal(200);
    const { id } = await makeCustomer(company, { name: 'Pier & Co' });
    expect((await browser.get(`${path}&show=open`)).headers.location).to.equal(
      `/customers/${id}?show=open`,
    );
    const other = await makeCustomer(company, { name: 'Quay' });
    await company.post(`/customers/${other.id}/merge`, { customerId: id });
    expect((await browser.get(`/customers/${id}/print?show=open`)).headers.location).to.equal(
      `/customers/${other.id}/print?show=open`,
    );
  });

  it('offers the invoices of all its names to a payment', async () => {
    const { company, browser } = await arrange();
    for (const customerName of ['Quay', 'Pier', 'Buoy'])
      await issue(company, { customerName, items: items(10) });
    await makeCustomer(company, { name: 'Quay', aliases: ['Pier'] });
    expect(await rowsAt(browser, '/payments/new')).to.have.deep.members([
      'Quay 2 open invoices $20.00',
      'Buoy 1 open invoice $10.00',
    ]);
    const page = await browser.get('/payments/new?customer=Pier');
    expect(textOf(page)).to.contain('INV-000001').and.contain('INV-000002');
    expect(textOf(page)).to.not.contain('INV-000003');
    const { id } = await pay(company, 5, [], { customerName: 'Pier' });
    const allocate = textOf(await browser.get(`/payments/${id}/allocate`));
    expect(allocate).to.contain('INV-000001').and.contain('INV-000002');
    expect(allocate).to.not.contain('INV-000003');
  });

  it('of another company is not found', async () => {
    const { browser } = await arrange('owner');
    const other = await makeCompany(stack());
    const { id } = await makeCustomer(other, { name: 'Quay' });
    await issue(other, { customerName: 'Pier' });
    for (const page of ['', '/statement.csv', '/open-items.csv', '/print']) {
      expect((await browser.get(`/customers/${id}${page}`)).status).to.equal(404);
      expect((await browser.get(`/customers/name${page}?name=Pier`)).status).to.equal(404);
    }
  });

  it('is read, exported and printed by read only, without a way to change it', async () => {
    const { company, browser } = await arrange('readonly');
    const { id } = await makeCustomer(company, { name: 'Quay' });
    await issue(company, { customerName: 'Quay' });
    await pay(company, 5, [], { customerName: 'Quay' });
    const { text } = await browser.get(`/customers/${id}?show=open`);
    expect(text).to.contain(`${id}/history`);
    expect(text).to.not.match(/\/edit|\/merge|\/new|Allocate/u);
    expect((await browser.get(`/customers/${id}/print`)).status).to.equal(200);
  });
});

describeMode('postgres', 'receivables in the dashboard', stack => {
  it('show what each customer owes by age, with totals and a file', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId, { role: 'readonly' });
    const { id } = await makeCustomer(company, {
      name: 'Quay',
      aliases: ['Pier'],
      creditLimit: 50,
    });
    const january = { date: '2026-01-01', dueDate: '2026-01-20' };
    await issue(company, { ...january, customerName: 'Quay', items: items(100) });
    await issue(company, {
      ...january,
      customerName: 'Pier',
      dueDate: '2026-02-25',
      items: items(20),
    });
    await issue(company, {
      ...january,
      customerName: 'Buoy',
      dueDate: '2099-01-01',
      items: items(7),
    });
    const day = '/receivables?to=2026-03-01';
    const page = await browser.get(day);
    expect(textOf(page)).to.contain('Outstanding $127.00 Overdue $120.00 Unallocated $0.00');
    expect(await rowsAt(browser, day)).to.deep.equal([
      'Quay Over limit $20.00 $100.00 $120.00 overdue $120.00',
      'Buoy $7.00 $7.00',
      'Total $7.00 $20.00 $100.00 $0.00 $0.00 $120.00 overdue $0.00 unallocated $127.00',
    ]);
    expect(unescapeHtml(page.text))
      .to.contain(`href="/customers/${id}?show=open&to=2026-03-01"`)
      .and.contain('href="/customers/name?name=Buoy&show=open&to=2026-03-01"');
    // One customer, and the total.
    expect(await rowsAt(browser, `${day}&overdue=1`)).to.have.length(2);
    expect(await rowsAt(browser, '/receivables?overLimit=1')).to.have.length(2);
    expect((await rowsAt(browser, '/receivables?sort=name'))[0]).to.contain('Buoy');
    const byDate = textOf(await browser.get(`${day}&basis=date`));
    expect(byDate).to.contain('Not due yet $0.00').and.contain('31–60 days overdue $127.00');
    const file = await browser.get('/receivables/export.csv?overdue=1');
    expect(file.text.trim().split('\r\n')).to.have.length(2);
    expect((await browser.get('/receivables?to=soon')).status).to.equal(400);
  });
});
