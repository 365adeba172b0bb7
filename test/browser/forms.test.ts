// Typing and scanning into forms in a real browser: a customer by its number, a limit and the stock
// while a line is typed, and Enter, which never books.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  checkPage,
  closePage,
  type Display,
  expectFocus,
  expectValue,
  openPage,
  requireChromium,
  scan,
  WIDE,
} from '../support/browser.js';
import { makeCustomer } from '../support/customers.js';
import { makeSession, makeUser } from '../support/dashboard.js';
import { changeCompany, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { issue, pay } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const NO_SCRIPTS: Display = { ...WIDE, javaScriptEnabled: false };

describeMode('postgres', 'the forms in a browser', stack => {
  let company: TestCompany;
  let session: string;
  let itemId: string;

  before(async function () {
    requireChromium(this);
    company = await makeCompany(stack());
    [itemId = ''] = await receive(
      company,
      { name: 'Pump', delta: 2, sku: 'P-1', unitPrice: 10, unit: 'pc' },
      { name: 'Hose', delta: 5, sku: 'H-1' },
    );
    await makeCustomer(company, {
      ...{ name: 'Quay', number: 'K-7', aliases: ['Pier'], termsDays: 10, creditLimit: 50 },
    });
    await makeCustomer(company, { name: 'Adler Heating', hold: true });
    const { userId } = await makeUser(stack(), company.companyId, { role: 'member' });
    session = await makeSession(stack(), company.companyId, userId);
  });

  const open = async (path: string, display?: Display) => {
    const page = await openPage(stack().baseUrl, session, display);
    await page.goto(path);
    return page;
  };
  const line = (page: Page, number: number) =>
    page.getByRole('group', { name: `Line ${number}`, exact: true });
  const customerOf = (page: Page) => page.getByLabel('Customer', { exact: true });
  const noteOf = (page: Page, text: string) =>
    page.locator('[data-customer-note]', { hasText: text });
  const count = async (path: string) => (await company.get(path)).body.length;

  it('take a number of a customer, and point out a name that is nearly known', async () => {
    const page = await open('/invoices/new');
    await customerOf(page).fill('k-7');
    await page.keyboard.press('Tab');
    await expectValue(customerOf(page), 'Quay');
    await noteOf(page, '$50.00 credit left of $50.00').waitFor();
    await customerOf(page).fill('PIER');
    await page.keyboard.press('Tab');
    await expectValue(customerOf(page), 'Quay');
    await customerOf(page).fill('Adler Heatng');
    await page.keyboard.press('Tab');
    await noteOf(page, 'New name: company terms, no credit limit. Did you mean').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Adler Heating' }).click();
    await expectValue(customerOf(page), 'Adler Heating');
    await noteOf(page, 'On hold: invoices are refused').waitFor();
    await checkPage(page);
    await closePage(page);
  });

  it('close the list of customers after the choice, and go on to the next field', async () => {
    for (const choose of ['key', 'pointer']) {
      const page = await open('/invoices/new');
      await customerOf(page).focus();
      await page.keyboard.type('qua');
      await page.getByRole('option', { name: 'Quay' }).waitFor();
      if (choose === 'key') {
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      } else await page.getByRole('option', { name: 'Quay' }).click();
      await expectFocus(page.locator('input[name=date]'));
      await noteOf(page, 'credit left of').waitFor();
      // An opened list would have come by the time of the answer to another search.
      expect(await page.locator('[role=listbox]:visible').count()).to.equal(0);
      await page.keyboard.press('Enter');
      await expectFocus(line(page, 1).getByLabel('Item'));
      await closePage(page);
    }
  });

  it('say what a limit and the stock mean while the line is typed', async () => {
    const page = await open('/invoices/new?customer=K-7');
    await line(page, 1).getByLabel('Item').fill('p-1');
    await page.keyboard.press('Tab');
    await line(page, 1).getByText('2 pc on hand', { exact: true }).waitFor();
    await line(page, 1).getByLabel('Quantity').fill('12');
    const short = line(page, 1).getByText('2 pc on hand – 10 short');
    await short.waitFor();
    expect(await short.getAttribute('class')).to.contain('bad');
    const over = page.getByText('$70.00 over the limit of $50.00');
    await over.waitFor();
    expect(await over.getAttribute('class')).to.contain('warn');
    await checkPage(page);
    await line(page, 1).getByLabel('Quantity').fill('1');
    await over.waitFor({ state: 'hidden' });
    // Two lines of one item take it together.
    await line(page, 1).getByLabel('Unit price').press('Enter');
    await line(page, 2).getByLabel('Item').fill('Pump');
    await page.keyboard.press('Tab');
    await line(page, 2).getByLabel('Quantity').fill('2');
    await line(page, 1).getByText('2 pc on hand – 1 short').waitFor();
    await closePage(page);
  });

  it('receive a delivery by scanner alone', async () => {
    const page = await open('/inventory/receive');
    await line(page, 1).getByLabel('Item').focus();
    await scan(page, 'P-1');
    await expectValue(line(page, 1).getByLabel('Item'), 'Pump');
    await expectFocus(line(page, 2).getByLabel('Item'));
    await scan(page, 'H-1');
    await expectValue(line(page, 2).getByLabel('Item'), 'Hose');
    await expectFocus(line(page, 3).getByLabel('Item'));
    await scan(page, 'P-1');
    await expectValue(line(page, 1).getByLabel('Quantity'), '2');
    await expectFocus(line(page, 3).getByLabel('Item'));
    await scan(page, 'NEW-9');
    await page.getByText('A new item, which will be added to your inventory.').waitFor();
    await line(page, 4).waitFor();
    await line(page, 3).getByLabel('Quantity').fill('1');
    await checkPage(page);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Review delivery' }).waitFor();
    const table = await page.getByRole('table', { name: 'Lines of the delivery' }).innerText();
    expect(table.replaceAll(/\s+/gu, ' ')).to.match(/Pump P-1 2 pc .*Hose H-1 1 .*NEW-9/u);
    await closePage(page);
  });

  it('have no amount for a doubtful 1.250, and fill in prices that are not doubtful', async () => {
    const other = await makeCompany(stack(), { currency: 'KWD' });
    await changeCompany(stack(), other, { csvFormat: 'semicolon' });
    await receive(other, { name: 'Valve', sku: 'V-1', delta: 9, unitPrice: 1.25 });
    const { userId } = await makeUser(stack(), other.companyId, { role: 'member' });
    const page = await openPage(
      stack().baseUrl,
      await makeSession(stack(), other.companyId, userId),
    );
    await page.goto('/invoices/new');
    await customerOf(page).fill('Quay');
    await line(page, 1).getByLabel('Item').focus();
    await scan(page, 'v-1');
    await expectValue(line(page, 1).getByLabel('Unit price'), '1.2500');
    const total = page.locator('[data-total]');
    expect(await total.innerText()).to.match(/1\.250$/u);
    await line(page, 1).getByLabel('Quantity').fill('1.250');
    expect(await total.innerText()).to.equal('–');
    await line(page, 1).getByLabel('Quantity').fill('1,25');
    expect(await total.innerText()).to.match(/1\.563$/u);
    await closePage(page);
  });

  it('never book by Enter, and book by Ctrl and Enter', async () => {
    const page = await open(`/inventory/${itemId}`);
    const form = page.getByRole('form', { name: 'Adjust the stock of Pump' });
    await form.getByLabel('Set count').check();
    await form.getByLabel('Quantity').fill('9');
    await page.keyboard.press('Enter');
    await expectFocus(form.locator('.reason:visible select'));
    expect((await company.get('/inventory?sku=P-1')).body[0].onHand).to.equal(2);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Stock of Pump updated').waitFor();
    await closePage(page);
  });

  it('never book by Enter without scripts', async () => {
    const invoice = await issue(company, { customerName: 'Mole' });
    const payment = await pay(company, 10, [], { customerName: 'Mole' });
    const before = [await count('/invoices'), await count('/payments')];
    const fields = {
      '/invoices/new': 'customerName',
      '/inventory/receive': 'items.0.item',
      '/inventory/new': 'sku',
      '/payments/new?customer=Mole': 'amount',
      [`/invoices/${invoice.id}/credit`]: 'reference',
      [`/payments/${payment.id}/refund`]: 'amount',
      [`/inventory/${itemId}`]: 'quantity',
    };
    for (const [path, name] of Object.entries(fields)) {
      const page = await open(path, NO_SCRIPTS);
      const field = page.locator(`input[name="${name}"]`).first();
      await field.fill('1');
      await field.press('Enter');
      // The browser sends a form before it handles a later key.
      await field.press('End');
      expect(new URL(page.url()).pathname + new URL(page.url()).search, path).to.equal(path);
      expect(await page.locator('[role=alert]').count(), path).to.equal(0);
      await closePage(page);
    }
    expect([await count('/invoices'), await count('/payments')]).to.deep.equal(before);
  });
});
