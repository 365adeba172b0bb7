// Three days of work, each from sign-in to sign-out: a member who scans goods at the counter, a
// warehouse user with a delivery, and an accountant at the end of the month.
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Role } from '../../src/users/roles.js';
import {
  checkPage,
  closePage,
  expectValue,
  openPage,
  requireChromium,
  scan,
} from '../support/browser.js';
import { makeUser, PASSWORD } from '../support/dashboard.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { credit, issue, pay } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

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

  it('at the counter: goods are scanned, the invoice waits as a draft and is issued', async () => {
    const company = await makeCompany(stack());
    await receive(
      company,
      { name: 'Ball valve', sku: 'BV-1', delta: 20, unitPrice: 7.84 },
      { name: 'Hose', sku: 'HS-6', delta: 10, unitPrice: 3.4 },
    );
    const page = await signIn(company, 'member');
    await openArea(page, 'Invoices');
    await page.getByRole('link', { name: 'New invoice' }).first().click();
    await page.getByLabel('Customer', { exact: true }).fill('Harbour Office');
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
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved.').waitFor();
    expect((await company.get('/invoices')).body, 'not issued').to.deep.equal([]);
    await openArea(page, 'Invoices');
    await page.getByRole('link', { name: 'Drafts (1)' }).click();
    await page.getByRole('link', { name: 'D-1' }).click();
    await expectValue(line(page, 1).getByLabel('Quantity'), '2');
    await line(page, 1).getByLabel('Quantity').fill('3');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/u);
    await checkPage(page);
    expect(await page.locator('main').innerText()).to.contain('$26.92');
    expect(await onHand(company)).to.deep.equal({ 'Ball valve': 17, Hose: 9 });
    await page.goto('/invoices/drafts');
    await page.getByText('No drafts').waitFor();
    await signOut(page);
  });

  it('in the warehouse: a delivery is received, found and corrected', async () => {
    const company = await makeCompany(stack());
    const item = { delta: 2, reorderPoint: 5, unitCost: 4.25, unitPrice: 7.5 };
    await receive(company, { name: 'Ball valve', sku: 'BV-1', ...item });
    const page = await signIn(company, 'warehouse');
    const text = () => page.locator('body').innerText();
    expect(await text())
      .to.contain('Ball valve')
      .and.not.match(/\$|Invoices|Payments/u);
    await page.getByRole('link', { name: 'Receive a delivery' }).click();
    await page.getByLabel('Delivery note').fill('DN-4711');
    await line(page, 1).getByLabel('Item').fill('bv-1');
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
    await page.getByLabel('Quantity').fill('10');
    await page.getByRole('button', { name: 'Correct delivery' }).click();
    await page.getByRole('table', { name: 'Corrections of the delivery' }).waitFor();
    await checkPage(page);
    expect(await text()).not.to.match(/\$|4\.25|7\.5/u);
    expect(await onHand(company)).to.deep.equal({ 'Ball valve': 12 });
    await page.goto('/invoices');
    await page.getByText('You don’t have access to this page.').waitFor();
    await signOut(page);
  });

  it('at the end of the month: tax is checked and an order found', async () => {
    const company = await makeCompany(stack());
    const date = new Date().toISOString().slice(0, 8).concat('01');
    const items = [{ name: 'Service', qty: 1, price: 200, taxRate: 10 }];
    const request = { date, items, orderReference: 'PO-1359', customerName: 'Brücke & Söhne' };
    const invoice = await issue(company, request);
    await pay(company, 20, [invoice], { date });
    await credit(company, invoice, { date, items: [{ line: 1, amount: 50 }] });
    const page = await signIn(company, 'readonly');
    await openArea(page, 'Invoices');
    expect(await page.getByRole('link', { name: 'New invoice' }).count()).to.equal(0);
    await page.getByRole('link', { name: 'Tax report' }).click();
    const total = page.getByRole('row').filter({ hasText: 'Total' }).last();
    const figures = (await total.innerText()).match(/-?\$[\d.,]+|−\$[\d.,]+/gu);
    expect(figures?.slice(-2)).to.deep.equal(['$150.00', '$15.00']);
    await checkPage(page);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export' }).first().click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file).to.contain('150').and.contain('15');
    await page.keyboard.press('/');
    await page.keyboard.type('po-1359');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'INV-000001' }).first().click();
    await page.getByRole('heading', { name: /INV-000001/u }).waitFor();
    const main = await page.locator('main').innerText();
    // 220 invoiced, 20 paid, 55 credited.
    expect(main).to.contain('$145.00').and.not.contain('Record payment');
    await page.goto('/search?q=brucke');
    await page.getByRole('link', { name: 'INV-000001' }).first().waitFor();
    await signOut(page);
  });
});
