// Tasks in a real browser that span several pages: by keyboard alone, without JavaScript, and while
// workers are stopped. page-matrix.test.ts checks each page by itself.

import { expect } from 'chai';
import {
  checkPage,
  checkQuiet,
  closePage,
  expectFocus,
  openPage,
  requireChromium,
  WIDE,
} from '../support/browser.js';
import { makeSession, makeUser, PASSWORD } from '../support/dashboard.js';
import { today } from '../support/days.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { issue } from '../support/ledger.js';
import { lockCompany } from '../support/neighbours.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

/** The table of the overview's chart. */
const TABLE = 'Net sales since the start, excluding tax, by day';

describeMode('postgres', 'the dashboard in a browser', stack => {
  let company: TestCompany;
  let email: string;
  let token: string;

  before(async function () {
    requireChromium(this);
    company = await makeCompany(stack());
    const user = await makeUser(stack(), company.companyId, { operator: true });
    email = user.email;
    token = await makeSession(stack(), company.companyId, user.userId);
    await receive(company, { name: 'Pump', delta: 4 });
    const date = today();
    await issue(company, { date });
    await until(
      'the summary has the invoice',
      async () => (await company.get('/summary')).body.invoices.count === 1,
    );
  });

  it('signing in and out works by keyboard, and errors are read with their field', async () => {
    const page = await openPage(stack().baseUrl, null);
    await page.goto('/nothing-here');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).to.equal('Skip to the content');
    await page.goto('/');
    const field = page.getByLabel('E-mail address');
    await expectFocus(field);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.error');
    await checkPage(page);
    await expectFocus(field);
    const describedBy = (await field.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`#${describedBy}`).textContent()).to.equal('Required.');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stack().baseUrl}/`);
    await page.locator('summary').filter({ hasText: email }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).to.equal('Account');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in');
    await closePage(page);
  });

  it('sign-up starts with the time zone of the browser, and its currency', async () => {
    const page = await openPage(stack().baseUrl, null);
    const devtools = await page.context().newCDPSession(page);
    for (const [timezoneId, zone, currency] of [
      ['Asia/Calcutta', 'Asia/Kolkata', 'INR'],
      ['Europe/Kyiv', 'Europe/Kyiv', 'UAH'],
      ['Europe/Berlin', 'Europe/Berlin', 'EUR'],
      ['Africa/Lusaka', 'Africa/Lusaka', 'USD'],
      ['', null, null],
    ] as const) {
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId });
      await page.goto('/sign-up');
      if (zone === null) continue;
      expect(await page.getByLabel('Time zone').inputValue()).to.equal(zone);
      expect(await page.getByLabel('Currency').inputValue()).to.equal(currency);
    }
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' });
    await page.goto('/sign-up');
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByLabel('Company name').fill('Weak & Sons');
    await page.getByLabel('E-mail address').fill('weak@example.com');
    await page.getByLabel('Password', { exact: true }).fill('password123');
    await page.getByRole('button', { name: 'Create company' }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByLabel('Time zone').inputValue(), 'chosen').to.equal('UTC');
    await devtools.detach();
    await closePage(page);
  });

  it('settings keep the time zone of the company, wherever the browser is', async () => {
    const page = await openPage(stack().baseUrl, token);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' });
    await page.goto('/settings');
    const zone = page.getByLabel('Time zone');
    expect(await zone.inputValue()).to.equal('UTC');
    await devtools.detach();
    await closePage(page);
  });

  it('the overview draws its chart from a table that can be read', async () => {
    const page = await openPage(stack().baseUrl, token);
    await page.goto('/');
    await page.waitForSelector('.chart canvas');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    expect(await navigation.locator('[aria-current=page]').textContent()).to.equal('Overview');
    await page.getByText('Show as table').click();
    expect(await page.getByRole('table', { name: TABLE }).isVisible()).to.equal(true);
    await checkPage(page);
    await closePage(page);
  });

  it('a new key can be copied, and its scopes appear for custom permissions', async () => {
    const page = await openPage(stack().baseUrl, token);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/integrations/api-access');
    await page.getByRole('link', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('Web shop');
    const scopes = page.getByRole('group', { name: 'Scopes' });
    expect(await scopes.isVisible()).to.equal(false);
    await page.getByRole('radio', { name: 'Custom', exact: true }).check();
    expect(await scopes.getByRole('checkbox', { checked: true }).count()).to.equal(5);
    await page.getByLabel('payments:write').check();
    await checkPage(page);
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'Copy API key' }).click();
    await page.getByRole('button', { name: 'Copied API key' }).waitFor();
    const key = await page.getByRole('group', { name: 'API key' }).textContent();
    expect(await page.evaluate('navigator.clipboard.readText()'))
      .to.equal(key)
      .and.match(/^tpk_/u);
    await checkPage(page);
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Web shop' }).click();
    await page.waitForURL('**/api-access/*-*');
    await checkPage(page);
    await closePage(page);
  });

  it('the queue board shows its queues with files of this host only', async () => {
    const page = await openPage(stack().baseUrl, token);
    await page.goto('/admin/queues');
    for (const queue of ['invoices', 'stock', 'scheduled']) {
      await page.getByRole('link', { name: queue }).first().waitFor();
    }
    await page.getByRole('link', { name: 'scheduled' }).first().click();
    await page.getByText('repeat:delete-old-jobs').first().waitFor();
    const tops = await page
      .locator('[class^="statusTabs-"] a')
      .evaluateAll(tabs => tabs.map(tab => (tab as HTMLElement).offsetTop));
    expect(tops).to.have.length(8);
    expect(new Set(tops).size, 'the rows of tabs').to.equal(1);
    expect(await page.getByRole('link', { name: /^\d+\.\d+\.\d+$/u }).count()).to.equal(0);
    checkQuiet(page);
    await page.getByRole('link', { name: '← Tradepost' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await closePage(page);
  });

  it('signing in, reading the figures and signing out work without JavaScript', async () => {
    const page = await openPage(stack().baseUrl, null, { ...WIDE, javaScriptEnabled: false });
    await page.goto('/account');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/account');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Show as table').click();
    expect(await page.getByRole('table', { name: TABLE }).isVisible()).to.equal(true);
    expect(await page.locator('.chart').isVisible()).to.equal(false);
    await page.locator('summary').filter({ hasText: email }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await closePage(page);
  });

  it('input survives the end of the session, and its write shows that it waits', async () => {
    const page = await openPage(stack().baseUrl, token, { width: 360, colorScheme: 'dark' });
    await page.goto('/inventory/new');
    await page.getByLabel('Name').fill('Hose "5 m" & more');
    await page.getByLabel('Opening stock').fill('7');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Add item' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await checkPage(page);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Hose "5 m" & more').waitFor();
    await checkPage(page);
    const release = await lockCompany(stack(), company.companyId);
    try {
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.getByText('You can leave this page.').waitFor();
      await checkPage(page);
    } finally {
      await release();
    }
    await page.getByText('Hose "5 m" & more added.').waitFor();
    await closePage(page);
  });

  it('an import shows its progress and its result without a manual reload', async () => {
    const page = await openPage(stack().baseUrl, token);
    await page.goto('/inventory/import');
    const buffer = Buffer.from(`name,count\n${'Many,1\n'.repeat(400)}Many,?\n`);
    await page
      .getByLabel('CSV or Excel file')
      .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer });
    const release = await lockCompany(stack(), company.companyId);
    try {
      await page.getByRole('button', { name: 'Show preview' }).click();
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByText('1 of 401 rows processed.').waitFor();
      expect(await page.getByRole('progressbar').getAttribute('value')).to.equal('1');
      await checkPage(page);
    } finally {
      await release();
    }
    await page.getByText('400 of 401 rows were imported, 1 was rejected.').waitFor();
    expect(await page.getByRole('table', { name: 'Rejected rows' }).innerText()).to.contain(
      'Line 402',
    );
    await closePage(page);
  });

  it('adjusting stock and following an import work without JavaScript', async () => {
    const page = await openPage(stack().baseUrl, token, { ...WIDE, javaScriptEnabled: false });
    await page.goto('/inventory?q=pump');
    await page.getByRole('link', { name: 'Pump' }).click();
    await page.getByLabel('Quantity').fill('2');
    await page.getByRole('button', { name: 'Adjust stock' }).click();
    await page.getByText('Stock of Pump updated: 6 on hand.').waitFor();
    await page.goto('/inventory/import');
    const buffer = Buffer.from('name,count\nPump,4');
    await page
      .getByLabel('CSV or Excel file')
      .setInputFiles({ name: 'one.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Show preview' }).click();
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('The row was imported.').waitFor();
    await closePage(page);
  });
});
