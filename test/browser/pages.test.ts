// The pages in a real browser: no rule of axe-core broken in light and dark, narrow and wide; by keyboard alone; without
// scripts. A new page is added to the lists below.
import { expect } from 'chai';
import { checkPage, closePage, LOOKS, openPage, requireChromium, WIDE } from '../support/browser.js';
import { makeSession, makeUser, PASSWORD } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

/** Every page that is looked at without being signed in, and every one that is. */
const SIGNED_OUT = ['/sign-in', '/sign-up', '/nothing-here'];
const SIGNED_IN = ['/', '/account', '/invoices', '/invoices/new'];

describeMode('postgres', 'in a browser', stack => {
  let company: TestCompany;
  let email: string;
  let userId: string;

  before(async function () {
    this.timeout(30_000);
    requireChromium(this);
    company = await makeCompany(stack());
    ({ email, userId } = await makeUser(stack(), company.companyId, { operator: true }));
    await receive(
      company,
      { name: 'Pump', delta: 3, reorderPoint: 5, unitCost: 2 },
      { name: 'A very long name of an item that has to wrap somewhere', delta: 0 },
    );
    const date = new Date().toISOString().slice(0, 10);
    await company.post('/invoices', invoiceRequest({ date }));
    await until('the summary shows it', async () => (await company.get('/summary')).body.invoices.count === 1);
  });

  for (const look of LOOKS) {
    it(`pages break no rule at ${look.width} px, ${look.colorScheme}`, async function () {
      this.timeout(30_000);
      const stranger = await openPage(stack().baseUrl, null, look);
      for (const path of SIGNED_OUT) {
        await stranger.goto(path);
        await checkPage(stranger);
      }
      await closePage(stranger);
      const person = await openPage(stack().baseUrl, await makeSession(stack(), company.companyId, userId), look);
      for (const path of SIGNED_IN) {
        await person.goto(path);
        await checkPage(person);
      }
      await closePage(person);
    });
  }

  it('somebody signs in and out by keyboard alone, errors are read with their field', async () => {
    const page = await openPage(stack().baseUrl, null);
    await page.goto('/');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).to.equal('Skip to the content');
    await page.getByLabel('E-mail address').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.error');
    await checkPage(page);
    const field = page.getByLabel('E-mail address');
    const describedBy = (await field.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`#${describedBy}`).textContent()).to.equal('Fill this in.');
    await field.focus();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stack().baseUrl}/`);
    await page.getByRole('button', { name: 'Sign out' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in');
    await closePage(page);
  });

  it('the overview draws its chart, from figures that are there to read', async () => {
    const page = await openPage(stack().baseUrl, await makeSession(stack(), company.companyId, userId));
    await page.goto('/');
    await page.waitForSelector('.chart canvas');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    expect(await navigation.locator('[aria-current=page]').textContent()).to.equal('Overview');
    await page.getByText('Figures by day').click();
    expect(await page.getByRole('table', { name: 'Invoiced by day' }).isVisible()).to.equal(true);
    await checkPage(page);
    await closePage(page);
  });

  it('without scripts somebody signs in, reads the figures and signs out', async () => {
    const page = await openPage(stack().baseUrl, null, { ...WIDE, javaScriptEnabled: false });
    await page.goto('/account');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/account');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Figures by day').click();
    expect(await page.getByRole('table', { name: 'Invoiced by day' }).isVisible()).to.equal(true);
    expect(await page.locator('.chart').isVisible()).to.equal(false);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await closePage(page);
  });
});
