// Three days of work, each from sign-in to sign-out: a clerk who sells, corrects and takes money, a
// warehouse user with a delivery and a count, and an owner at the end of the month, whose figures
// are recomputed from the API.
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { formatMoney } from '../../src/dashboard/kit/ui/format.js';
import { readCsvRows } from '../../src/platform/values/csv-reader.js';
import type { Role } from '../../src/users/roles.js';
import {
  checkPage,
  closePage,
  expectValue,
  openPage,
  requireChromium,
  scan,
} from '../support/browser.js';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { makeUser, PASSWORD } from '../support/dashboard.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { credit, issue, pay, read } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const SCOPES = [
  ...['invoices:read', 'invoices:write', 'inventory:read', 'inventory:write'],
  ...['payments:read', 'payments:write', 'credits:write', 'customers:read', 'customers:write'],
];

/** The sum of a member, in cents. */
function centsOf(rows: readonly Json[], member: string): number {
  return rows.reduce((sum: number, row) => sum + Math.round(row[member] * 100), 0);
}

function dollars(cents: number): string {
  return formatMoney(String(cents / 100), 'USD');
}

describeMode('postgres', 'a working day', stack => {
  before(function () {
    requireChromium(this);
  });

  const signIn = async ({ companyId }: TestCompany, role: Role): Promise<Page> => {
    const { email } = await makeUser(stack(), companyId, { role });
    const page = await openPage(stack().baseUrl, null);
    await page.goto('/sign-in');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return page;
  };
  const signOut = async (page: Page) => {
    await page.locator('summary').filter({ hasText: '@example.org' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/inventory');
    expect(new URL(page.url()).pathname).to.equal('/sign-in');
    await closePage(page);
  };
  const openArea = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
  const line = (page: Page, number: number) =>
    page.getByRole('group', { name: `Line ${number}`, exact: true });
  const onHand = async (company: TestCompany) => {
    const { body } = await company.get('/inventory');
    return Object.fromEntries(
      body.map(({ name, onHand }: { name: string; onHand: number }) => [name, onHand]),
    );
  };

  const told = (page: Page, text: string | RegExp) =>
    page.getByRole('status').getByText(text).first().waitFor();
  const follow = (page: Page, name: string) =>
    page.getByRole('link', { name, exact: true }).first().click();
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).last().click();
  const mainOf = (page: Page) => page.locator('main').innerText();

  it('of a clerk: a sale above the limit, its correction, and one payment for all', async () => {
    const company = await makeCompany(stack(), { scopes: SCOPES });
    await receive(
      company,
      { name: 'Ball valve', sku: 'BV-1', delta: 30, unitPrice: 7.84 },
      { name: 'Hose', sku: 'HS-6', delta: 10, unitPrice: 3.4 },
    );
    const customerName = 'Brücke Installation';
    await makeCustomer(company, { name: customerName, number: 'K-24', creditLimit: 300 });
    const items = [{ name: 'Service', qty: 1, price: 80 }];
    const [first, second] = [
      await issue(company, { customerName, items, orderReference: 'PO-1357' }),
      await issue(company, { customerName, items, orderReference: 'PO-1358' }),
    ];
    const page = await signIn(company, 'member');
    await openArea(page, 'Invoices');
    await page.getByRole('link', { name: 'New invoice' }).first().click();
    await page.waitForURL('**/invoices/new');
    await page.getByLabel('Customer', { exact: true }).fill('k-24');
    await page.keyboard.press('Tab');
    await expectValue(page.getByLabel('Customer', { exact: true }), customerName);
    await page.getByText('$140.00 credit left of $300.00').first().waitFor();
    await line(page, 1).getByLabel('Item').focus();
    for (const [scanned, last] of [
      ['bv-1', 2],
      ['HS-6', 3],
      ['BV-1', 3],
    ] as const) {
      await scan(page, scanned);
      await line(page, last).waitFor();
    }
    await expectValue(line(page, 1).getByLabel('Quantity'), '2');
    await expectValue(line(page, 2).getByLabel('Item'), 'Hose');
    await press(page, 'Save draft');
    await told(page, 'Draft saved.');
    expect(await read(company, '/invoices'), 'not issued').to.have.length(2);
    await openArea(page, 'Invoices');
    await follow(page, 'Drafts (1)');
    await follow(page, 'D-1');
    await expectValue(line(page, 1).getByLabel('Quantity'), '2');
    await line(page, 1).getByLabel('Quantity').fill('20');
    await page.getByText('$20.20 over the limit of $300.00').first().waitFor();
    await checkPage(page);
    await page.locator('summary', { hasText: 'More Due date' }).click();
    await page.getByLabel('Customer’s PO number').fill('PO-1359');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/u);
    await page
      .getByText(/\$20\.20 over/u)
      .first()
      .waitFor();
    const third = await read(company, `/invoices/${page.url().split('/').at(-1)}`);
    expect([third.total, third.orderReference]).to.deep.equal([160.2, 'PO-1359']);
    expect(await onHand(company)).to.deep.equal({ 'Ball valve': 10, Hose: 9 });
    await follow(page, 'Credit note');
    const hose = page.getByRole('group', { name: 'Line 2: Hose' });
    await hose.getByLabel('Quantity').fill('1');
    // Without the script that shows the total, the form would come back with it.
    await page.getByText('Total credit $3.40').waitFor();
    await press(page, 'Create credit note');
    await told(page, 'Credit note CN-000001 created.');
    expect((await onHand(company)).Hose).to.equal(10);
    await openArea(page, 'Payments');
    await follow(page, 'Record payment');
    await follow(page, customerName);
    await page.getByLabel('Amount received').fill('316,80');
    for (const [{ number }, amount] of [
      [first, '80.00'],
      [second, '80.00'],
      [third, '156.80'],
    ] as const)
      await expectValue(page.getByLabel(`Amount for ${number}`), amount);
    await checkPage(page);
    await press(page, 'Record payment');
    await told(page, `Payment of $316.80 from ${customerName} recorded.`);
    const all = await read(company, '/invoices');
    expect(all.map(({ status }: Json) => status)).to.deep.equal(['paid', 'paid', 'paid']);
    await openArea(page, 'Customers');
    await follow(page, customerName);
    const statement = page.getByRole('table', { name: `Statement of ${customerName}` });
    for (const order of ['PO-1357', 'PO-1358', 'PO-1359'])
      expect(await statement.innerText()).to.contain(order);
    await checkPage(page);
    await page.getByRole('link', { name: 'Print' }).click();
    await page.getByText('PO-1359').first().waitFor();
    expect(await page.locator('body').innerText()).to.contain('$0.00');
    await page.goBack();
    await signOut(page);
  });

  it('in a warehouse: a delivery is scanned, and a count is booked and undone', async () => {
    const company = await makeCompany(stack());
    const item = { delta: 2, reorderPoint: 5, unitCost: 4.25, unitPrice: 7.5 };
    await receive(
      company,
      { name: 'Ball valve', sku: 'BV-1', ...item },
      { name: 'Hose', sku: 'HS-6', ...item },
    );
    const page = await signIn(company, 'warehouse');
    const text = () => page.locator('body').innerText();
    expect(await text())
      .to.contain('Ball valve')
      .and.not.match(/\$|Invoices|Payments/u);
    await page.getByRole('link', { name: 'Receive a delivery' }).click();
    await page.getByLabel('Delivery note').fill('DN-4711');
    await line(page, 1).getByLabel('Item').focus();
    for (const [scanned, quantity] of [
      ['bv-1', '1'],
      ['HS-6', '1'],
      ['BV-1', '2'],
    ] as const) {
      await scan(page, scanned);
      const own = line(page, scanned === 'HS-6' ? 2 : 1).getByLabel('Quantity');
      await expectValue(own, quantity);
    }
    await line(page, 1).getByLabel('Quantity').fill('12');
    expect(await text()).not.to.contain('Unit cost');
    await page.getByRole('button', { name: 'Review delivery' }).last().click();
    await page.locator('main button[name="do"]').first().click();
    await page.waitForURL(url => !url.pathname.startsWith('/inventory/receive'));
    // It may be a job that waits.
    await until('it is in stock', async () => (await onHand(company))['Ball valve'] === 14);
    await openArea(page, 'Inventory');
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.locator('main input[type="search"]').fill('dn-47');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'DN-4711' }).click();
    await page.getByRole('link', { name: 'Correct' }).click();
    await page.getByLabel('Quantity').first().fill('10');
    await page.getByRole('button', { name: 'Correct delivery' }).click();
    await page.getByRole('table', { name: 'Corrections of the delivery' }).waitFor();
    await checkPage(page);
    expect(await text()).not.to.match(/\$|4\.25|7\.5/u);
    expect(await onHand(company)).to.deep.equal({ 'Ball valve': 12, Hose: 3 });

    await follow(page, 'Counts');
    await page.getByLabel('Name').fill('Shelf 3');
    await press(page, 'Start count');
    for (const [sku, name, counted] of [
      ['bv-1', 'Ball valve', '11'],
      ['HS-6', 'Hose', '3'],
    ] as const) {
      await page.getByLabel('Item', { exact: true }).focus();
      await scan(page, sku);
      await page.getByLabel('Quantity').and(page.locator(':focus')).waitFor();
      await page.getByLabel('Quantity').fill(counted);
      await press(page, 'Save');
      await told(page, `Saved: ${name}, ${counted}.`);
    }
    await follow(page, 'Review count');
    expect(await mainOf(page))
      .to.contain('12 → 11')
      .and.contain('1 differ');
    await checkPage(page);
    await press(page, 'Book count');
    await told(page, 'Count booked: 2 items, 1 changed.');
    expect(await onHand(company)).to.deep.equal({ 'Ball valve': 11, Hose: 3 });
    await openArea(page, 'Inventory');
    await follow(page, 'Ball valve');
    await follow(page, 'Undo');
    await press(page, 'Undo adjustment');
    await told(page, 'Adjustment undone.');
    expect(await onHand(company)).to.deep.equal({ 'Ball valve': 12, Hose: 3 });
    await page.goto('/invoices');
    await page.getByText('You don’t have access to this page.').waitFor();
    await signOut(page);
  });

  it('of an owner: the figures of the month are those of the API', async () => {
    const company = await makeCompany(stack(), { scopes: SCOPES });
    const date = new Date().toISOString().slice(0, 8).concat('01');
    const on = (customerName: string, price: number, more: object = {}) =>
      issue(company, {
        ...{ date, customerName, ...more },
        items: [{ name: 'Service', qty: 1, price, taxRate: 10 }],
      });
    const paid = await on('Brücke & Söhne', 200, { orderReference: 'PO-1359' });
    await on('Adler Heating', 99.99);
    await on('Castle', 1234.56, { dueDate: date });
    await pay(company, 20, [paid], { date });
    await pay(company, 55.5, [], { date, customerName: 'Adler Heating' });
    await credit(company, paid, { date, items: [{ line: 1, amount: 50 }] });
    const [invoices, notes, payments]: Json[][] = await Promise.all(
      ['/invoices', '/credit-notes', '/payments'].map(path => read(company, path)),
    );
    const sumOf = (member: string) =>
      centsOf(invoices ?? [], member) - centsOf(notes ?? [], member);
    const [net, tax] = [sumOf('subtotal'), sumOf('taxTotal')];
    const due = centsOf(invoices ?? [], 'amountDue');
    const unallocated = centsOf([...(payments ?? []), ...(notes ?? [])], 'unallocated');
    const { totals } = await read(company, '/receivables');
    expect([totals.outstanding, totals.unallocated]).to.deep.equal([due / 100, unallocated / 100]);

    const page = await signIn(company, 'owner');
    const sales = page.getByRole('region', { name: /^Net sales/u }).locator('.tile-figure');
    // A sweep adds what is new to the figures of the month.
    await until('the overview has all of the month', async () => {
      await page.reload();
      return (await sales.innerText()).includes(dollars(net));
    });
    const overview = await mainOf(page);
    for (const figure of [due, centsOf(payments ?? [], 'amount'), unallocated])
      expect(overview).to.contain(dollars(figure));
    expect(overview).to.contain(`${dollars(tax)} tax`);
    await checkPage(page);
    await openArea(page, 'Invoices');
    const invoiceFile = await download(page, 'Invoices as CSV');
    expect(sumOfColumn(invoiceFile, 'Total')).to.equal(centsOf(invoices ?? [], 'total'));
    expect(sumOfColumn(invoiceFile, 'Due')).to.equal(due);
    await page.getByRole('link', { name: 'Tax report' }).click();
    const total = page.getByRole('row').filter({ hasText: 'Total' }).last();
    const figures = (await total.innerText()).match(/[-−]?\$[\d.,]+/gu);
    expect(figures?.slice(-2)).to.deep.equal([net, tax].map(dollars));
    await checkPage(page);
    const taxFile = await download(page, 'Export');
    const whole = [taxFile[0] ?? [], taxFile.at(-1) ?? []];
    expect(sumOfColumn(whole, 'Net sales')).to.equal(net);
    expect(sumOfColumn(whole, 'Tax due')).to.equal(tax);
    await openArea(page, 'Customers');
    await follow(page, 'Receivables');
    const tiles = await page.locator('.stats').innerText();
    for (const figure of [due, unallocated]) expect(tiles).to.contain(dollars(figure));
    const sums = await page.locator('tfoot').innerText();
    for (const figure of [due, unallocated]) expect(sums).to.contain(dollars(figure));
    await checkPage(page);
    const receivables = await download(page, 'CSV');
    expect(sumOfColumn(receivables, 'Outstanding')).to.equal(due);
    expect(sumOfColumn(receivables, 'Unallocated')).to.equal(unallocated);
    await page.keyboard.press('/');
    await page.keyboard.type('po-1359');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'INV-000001' }).first().click();
    await page.getByRole('heading', { name: /INV-000001/u }).waitFor();
    // 220 invoiced, 20 paid, 55 credited.
    expect(await mainOf(page)).to.contain('$145.00');
    await signOut(page);
  });
});

/** Follows a link to a file, and returns its rows of cells. */
async function download(page: Page, name: string): Promise<string[][]> {
  const menu = page.locator('summary', { hasText: 'Export' });
  if ((await menu.count()) > 0) await menu.first().click();
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name, exact: true }).first().click();
  const file = await readFile(await (await started).path(), 'utf8');
  return readCsvRows(file.replace('\ufeff', ''), { separator: ',', maxRows: 1_000 }).map(
    ({ cells }) => [...cells],
  );
}

/** The sum of a column, in cents. */
function sumOfColumn([head = [], ...rows]: string[][], column: string): number {
  const index = head.indexOf(column);
  expect(index, `${column} of ${head}`).to.be.above(-1);
  return rows.reduce((sum, cells) => sum + Math.round(Number(cells[index]) * 100), 0);
}
