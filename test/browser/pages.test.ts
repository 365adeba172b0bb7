// The pages in a real browser: accessibility in light and dark, narrow and wide, by keyboard alone
// and without JavaScript. Add new pages to the lists below.
import { expect } from 'chai';
import {
  checkPage,
  checkQuiet,
  closePage,
  DISPLAYS,
  expectFocus,
  openPage,
  requireChromium,
  savePicture,
  setDisplay,
  WIDE,
} from '../support/browser.js';
import { Browser, makeSession, makeUser, PASSWORD } from '../support/dashboard.js';
import {
  addKey,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { importFile, uploadFile } from '../support/imports.js';
import { findBrokenLayout, WIDTHS } from '../support/layout.js';
import { credit, issue, pay } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const SIGNED_OUT = [
  '/sign-in',
  '/sign-up',
  '/nothing-here',
  '/invitations/nothing-here',
  '/reset-password/nothing-here',
];
const SIGNED_IN = [
  '/',
  '/account',
  '/invoices',
  '/invoices?overdue=1',
  '/invoices/new',
  '/payments',
  '/payments/new',
  '/credit-notes',
  '/inventory',
  '/inventory?archived=1',
  '/inventory/new',
  '/inventory/receive',
  '/inventory/import',
  '/integrations/api-access',
  '/integrations/api-access/new',
  '/settings',
  '/settings/members',
  '/admin/jobs?show=all',
  '/admin/companies',
];

describeMode('postgres', 'the dashboard in a browser', stack => {
  let company: TestCompany;
  let email: string;
  let userId: string;
  /** The pages of one item, import, invoice, payment, credit note and key. */
  let pagesOfOne: string[];

  before(async function () {
    requireChromium(this);
    company = await makeCompany(stack());
    ({ email, userId } = await makeUser(stack(), company.companyId, { operator: true }));
    const [itemId] = await receive(
      company,
      { name: 'Pump', delta: 3, reorderPoint: 5, unitCost: 2 },
      { name: 'A very long name of an item that has to wrap somewhere', delta: 0 },
    );
    const date = new Date().toISOString().slice(0, 10);
    // One word of 90 characters, as a long name of a customer and of a company.
    const customerName = 'Unbroken'.repeat(11);
    const wide = await company.post('/invoices', invoiceRequest({ date, customerName }));
    await stack().sql('UPDATE companies SET name = $2 WHERE id = $1', [
      company.companyId,
      customerName,
    ]);
    const invoice = await company.post('/invoices', invoiceRequest({ date }));
    const paid = await pay(company, 20, [invoice.body]);
    // With taxes, discounts and entries, which a company may leave unused.
    const items = [
      { name: 'Service', qty: 2, price: 1000, taxRate: 19, discount: { percent: 12.5 } },
      { name: 'Training', qty: 1, price: 10, taxRate: 0, taxCategory: 'AE' },
    ];
    const discount = { amount: 5, reason: customerName };
    const dueDate = '2026-01-02';
    const late = { date: '2026-01-01', dueDate, items, discount, note: customerName };
    const extended = await issue(company, late);
    await pay(company, 20, [extended]);
    const credited = await credit(company, extended, { items: [{ line: 1, amount: 1 }] });
    const key = await addKey(stack(), company.companyId);
    const colleague = await makeUser(stack(), company.companyId, { role: 'member' });
    const person = new Browser(
      stack().baseUrl,
      await makeSession(stack(), company.companyId, userId),
    );
    const file = {
      name: 'stock.csv',
      content: 'name,count,color\nPump,4,\nA very_long_name_that_does_not_wrap_by_itself,x,red',
    };
    const preview = await uploadFile(person, file);
    const sent = await importFile(person, file);
    pagesOfOne = [
      `/inventory/${itemId}`,
      String(preview.headers.location),
      String(sent.headers.location),
      `/invoices/${invoice.body.id}`,
      `/invoices/${invoice.body.id}/print`,
      `/invoices/${extended.id}/credit`,
      `/invoices/${wide.body.id}/void`,
      `/payments/new?invoice=${wide.body.id}`,
      `/payments/${paid.id}`,
      `/payments/${paid.id}/allocate`,
      `/payments/${paid.id}/refund`,
      `/payments/${paid.id}/reverse`,
      `/credit-notes/${credited.id}`,
      `/credit-notes/${credited.id}/print`,
      `/invoices/${extended.id}`,
      `/invoices/${extended.id}/print`,
      `/invoices/new?copy=${extended.id}`,
      `/integrations/api-access/${key.keyId}`,
      `/settings/members/${userId}`,
      `/settings/members/${colleague.userId}`,
    ];
    await until(
      'the summary shows it',
      async () => (await company.get('/summary')).body.invoices.count === 2,
    );
  });

  const checkOnDisplays = async (token: string | null, paths: readonly string[]) => {
    const page = await openPage(stack().baseUrl, token);
    let displays = DISPLAYS;
    for (const [index, path] of paths.entries()) {
      await page.goto(path);
      for (const display of displays) {
        await setDisplay(page, display);
        // Only the frame of all pages has elements that not every display shows.
        await checkPage(page, index > 0 && display !== displays[0]);
        await savePicture(page, display);
      }
      displays = displays.toReversed();
    }
    await closePage(page);
  };

  it('pages without a session are accessible, wide and light, narrow and dark', () =>
    checkOnDisplays(null, SIGNED_OUT));

  it('pages with a session are accessible, wide and light, narrow and dark', async () => {
    const token = await makeSession(stack(), company.companyId, userId);
    await checkOnDisplays(token, [...SIGNED_IN, ...pagesOfOne]);
  });

  it('no page is broken at any width', async () => {
    const page = await openPage(
      stack().baseUrl,
      await makeSession(stack(), company.companyId, userId),
    );
    const found: string[] = [];
    for (const path of [...SIGNED_IN, ...pagesOfOne]) {
      await page.goto(path);
      for (const width of WIDTHS) {
        await setDisplay(page, { ...WIDE, width });
        for (const broken of await findBrokenLayout(page))
          found.push(`${path} ${width}: ${broken}`);
      }
    }
    expect(found).to.deep.equal([]);
    await closePage(page);
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

  it('sign-up starts with the time zone of the browser, even under its former name', async () => {
    const page = await openPage(stack().baseUrl, null);
    const devtools = await page.context().newCDPSession(page);
    for (const [timezoneId, zone] of [
      ['Asia/Calcutta', 'Asia/Kolkata'],
      ['Europe/Kyiv', 'Europe/Kyiv'],
      ['', null],
    ] as const) {
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId });
      await page.goto('/sign-up');
      if (zone) expect(await page.getByLabel('Time zone').inputValue()).to.equal(zone);
    }
    await devtools.detach();
    await closePage(page);
  });

  it('the overview draws its chart from a table that can be read', async () => {
    const page = await openPage(
      stack().baseUrl,
      await makeSession(stack(), company.companyId, userId),
    );
    await page.goto('/');
    await page.waitForSelector('.chart canvas');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    expect(await navigation.locator('[aria-current=page]').textContent()).to.equal('Overview');
    await page.getByText('Show as table').click();
    expect(await page.getByRole('table', { name: 'Invoiced by day' }).isVisible()).to.equal(true);
    await checkPage(page);
    await closePage(page);
  });

  it('a new key can be copied, and its scopes appear for custom permissions', async () => {
    const page = await openPage(
      stack().baseUrl,
      await makeSession(stack(), company.companyId, userId),
    );
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/integrations/api-access');
    await page.getByRole('link', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('Web shop');
    const scopes = page.getByRole('group', { name: 'Scopes' });
    expect(await scopes.isVisible()).to.equal(false);
    await page.getByLabel('Custom').check();
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
    const page = await openPage(
      stack().baseUrl,
      await makeSession(stack(), company.companyId, userId),
    );
    await page.goto('/admin/queues');
    for (const queue of ['invoices', 'stock', 'scheduled']) {
      await page.getByRole('link', { name: queue }).first().waitFor();
    }
    await page.getByRole('link', { name: 'scheduled' }).first().click();
    await page.getByText('repeat:delete-old-jobs').first().waitFor();
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
    expect(await page.getByRole('table', { name: 'Invoiced by day' }).isVisible()).to.equal(true);
    expect(await page.locator('.chart').isVisible()).to.equal(false);
    await page.locator('summary').filter({ hasText: email }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await closePage(page);
  });

  it('input survives the end of the session, and its write shows that it waits', async () => {
    const token = await makeSession(stack(), company.companyId, userId);
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
    process.kill(stack().worker.pid, 'SIGSTOP');
    try {
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.getByText('You can leave this page.').waitFor();
      await checkPage(page);
    } finally {
      process.kill(stack().worker.pid, 'SIGCONT');
    }
    await page.getByText('Hose "5 m" & more added.').waitFor();
    await closePage(page);
  });

  it('an import shows its progress and its result without a manual reload', async () => {
    const page = await openPage(
      stack().baseUrl,
      await makeSession(stack(), company.companyId, userId),
    );
    await page.goto('/inventory/import');
    const buffer = Buffer.from(`name,count\n${'Many,1\n'.repeat(400)}Many,?\n`);
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer });
    process.kill(stack().worker.pid, 'SIGSTOP');
    try {
      await page.getByRole('button', { name: 'Show preview' }).click();
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByText('1 of 401 rows processed.').waitFor();
      expect(await page.getByRole('progressbar').getAttribute('value')).to.equal('1');
      await checkPage(page);
    } finally {
      process.kill(stack().worker.pid, 'SIGCONT');
    }
    await page.getByText('400 of 401 rows were imported, 1 was rejected.').waitFor();
    expect(await page.getByRole('table', { name: 'Rejected rows' }).innerText()).to.contain(
      'Line 402',
    );
    await closePage(page);
  });

  it('adjusting stock and following an import work without JavaScript', async () => {
    const token = await makeSession(stack(), company.companyId, userId);
    const page = await openPage(stack().baseUrl, token, { ...WIDE, javaScriptEnabled: false });
    await page.goto('/inventory?q=pump');
    await page.getByRole('link', { name: 'Pump' }).click();
    await page.getByLabel('Quantity').fill('2');
    await page.getByRole('button', { name: 'Adjust stock' }).click();
    await page.getByText('Stock of Pump updated: 6 on hand.').waitFor();
    await page.goto('/inventory/import');
    const buffer = Buffer.from('name,count\nPump,4');
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'one.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Show preview' }).click();
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('The row was imported.').waitFor();
    await closePage(page);
  });
});
