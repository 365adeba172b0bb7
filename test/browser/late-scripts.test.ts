// Pages whose scripts arrive late, as on a slow network: what a person has typed, chosen and left
// by then counts as if the scripts had been there.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  closePage,
  expectFocus,
  expectValue,
  holdRequests,
  openPage,
  requireChromium,
} from '../support/browser.js';
import { makeCustomer } from '../support/customers.js';
import { makeSession, makeUser } from '../support/dashboard.js';
import { dayFromToday } from '../support/days.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { issue } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'pages with late scripts', stack => {
  let company: TestCompany;
  let session: string;

  before(async function () {
    requireChromium(this);
    company = await makeCompany(stack());
    await receive(company, { name: 'Pump', delta: 2, sku: 'P-1', unitPrice: 10, unit: 'pc' });
    await makeCustomer(company, { name: 'Quay', number: 'K-7', termsDays: 10, creditLimit: 5 });
    const { userId } = await makeUser(stack(), company.companyId);
    session = await makeSession(stack(), company.companyId, userId);
  });

  /** Opens a page without its scripts, which the result's function loads. */
  const openEarly = async (path: string, token: string | null = session) => {
    const page = await openPage(stack().baseUrl, token);
    const load = await holdRequests(page, '**/*.js*');
    await page.goto(path, { waitUntil: 'commit' });
    return { page, load };
  };
  const line = (page: Page, number: number) =>
    page.getByRole('group', { name: `Line ${number}`, exact: true });
  const customerOf = (page: Page) => page.getByLabel('Customer', { exact: true });

  it('suggest for the text of the field that the person is in', async () => {
    const { page, load } = await openEarly('/invoices/new');
    await customerOf(page).pressSequentially('qua');
    await load();
    await page.getByRole('option', { name: 'Quay' }).waitFor();
    await expectFocus(customerOf(page));
    await closePage(page);
  });

  it('read the customer and the items of the fields that the person has left', async () => {
    const { page, load } = await openEarly('/invoices/new');
    await customerOf(page).fill('k-7');
    await line(page, 1).getByLabel('Item').fill('p-1');
    await line(page, 1).getByLabel('Quantity').fill('3');
    await load();
    await expectValue(customerOf(page), 'Quay');
    await expectValue(line(page, 1).getByLabel('Item'), 'Pump');
    await expectValue(line(page, 1).getByLabel('Unit price'), '10.00');
    expect(await line(page, 1).getByLabel('Quantity').inputValue()).to.equal('3');
    await line(page, 1).getByText('2 pc on hand – 1 short').waitFor();
    await page.getByText('$25.00 over the limit of $5.00').waitFor();
    await expectValue(page.locator('input[name=dueDate]'), dayFromToday(10));
    await closePage(page);
  });

  it('keep the amounts that were typed beside the invoices of a payment', async () => {
    const customerName = 'Two Bills';
    const items = [{ name: 'Work', qty: 1, price: 80 }];
    const [first, second] = [
      await issue(company, { customerName, items, date: dayFromToday(-2) }),
      await issue(company, { customerName, items, date: dayFromToday(0) }),
    ];
    const { page, load } = await openEarly('/payments/new?customer=Two+Bills');
    await page.getByLabel('Amount received').fill('50');
    await page.getByLabel(`Amount for ${second.number}`).fill('50');
    await load();
    await page.waitForLoadState();
    await expectValue(page.locator('[data-remainder-field]'), '0');
    expect(await page.getByLabel(`Amount for ${second.number}`).inputValue()).to.equal('50');
    expect(await page.getByLabel(`Amount for ${first.number}`).inputValue()).to.equal('');
    await page.getByLabel('Amount received').fill('60');
    expect(await page.getByLabel(`Amount for ${second.number}`).inputValue()).to.equal('50');
    await closePage(page);
  });

  it('keep the currency and the time zone that a new company has chosen', async () => {
    const { page, load } = await openEarly('/sign-up', null);
    await page.getByLabel('Currency').selectOption('JPY');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await load();
    await page.waitForLoadState();
    expect(await page.getByLabel('Currency').inputValue()).to.equal('JPY');
    expect(await page.getByLabel('Time zone').inputValue()).to.equal('Asia/Tokyo');
    await closePage(page);
  });
});
