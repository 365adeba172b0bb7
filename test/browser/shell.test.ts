// The frame of the pages in a real browser: navigation, messages, and the focus after a refusal.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  checkPage,
  closePage,
  expectFocus,
  openPage,
  requireChromium,
  setDisplay,
  WIDE,
} from '../support/browser.js';
import { makeSession, makeUser } from '../support/dashboard.js';
import { makeCompany, receive } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const PHONE = { width: 360, height: 740, colorScheme: 'light' } as const;

describeMode('postgres', 'the frame of the pages', stack => {
  let token: string;
  let itemPage: string;

  before(async function () {
    requireChromium(this);
    const company = await makeCompany(stack());
    const { userId } = await makeUser(stack(), company.companyId, { operator: true });
    token = await makeSession(stack(), company.companyId, userId);
    const [itemId] = await receive(company, { name: 'Pump', delta: 3 });
    itemPage = `/inventory/${itemId}`;
  });

  const isInView = (page: Page) =>
    page.evaluate(`(() => {
      const { top, bottom } = document.activeElement.getBoundingClientRect();
      const bar = document.querySelector('.nav-bar').getBoundingClientRect();
      return top >= 0 && bottom <= bar.top;
    })()`);

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? '' : ', without JavaScript';

    it(`a refused form far down a page is in view on a phone${how}`, async () => {
      const page = await openPage(stack().baseUrl, token, { ...PHONE, javaScriptEnabled });
      const refuse = async (button: string) => {
        await page.getByRole('button', { name: button }).click();
        await page.waitForURL('**/inventory/*/*');
        expect(await page.title()).to.match(/^Error: /u);
        expect(await isInView(page), await page.locator(':focus').innerHTML()).to.equal(true);
      };
      await page.goto(itemPage);
      await page.getByLabel('Quantity').fill('-9');
      await refuse('Adjust stock');
      expect(await page.locator(':focus').getAttribute('aria-invalid')).to.equal('true');
      await page.goto(itemPage);
      await page.getByText('Edit name and details').click();
      await page.getByLabel('Reorder point').fill('many');
      await refuse('Save');
      await expectFocus(page.getByLabel('Reorder point'));
      await closePage(page);
    });

    it(`a message ${javaScriptEnabled ? 'leaves after some seconds' : 'stays'}${how}`, async () => {
      const page = await openPage(stack().baseUrl, token, { ...WIDE, javaScriptEnabled });
      await page.goto('/settings');
      await page.getByRole('button', { name: 'Save' }).click();
      const message = page.getByRole('status');
      expect(await message.textContent()).to.equal('Settings saved.');
      expect(await message.isVisible()).to.equal(true);
      // Skips the time that it stays.
      await page.evaluate('document.getAnimations().forEach(animation => animation.finish())');
      expect(await message.isVisible()).to.equal(!javaScriptEnabled);
      await closePage(page);
    });
  }

  it('the current entry of the navigation is visible on a phone', async () => {
    const page = await openPage(stack().baseUrl, token, PHONE);
    const bar = page.locator('.nav-bar');
    const expectCurrent = async (path: string, label: string) => {
      await page.goto(path);
      const current = bar.locator('.nav-entry[aria-current]:visible');
      expect(await current.allTextContents(), path).to.deep.equal([label]);
      const { x = -1, width = 0 } = (await current.boundingBox()) ?? {};
      expect(x >= 0 && x + width <= PHONE.width, `${label} at ${x}`).to.equal(true);
    };
    await expectCurrent('/', 'Overview');
    await expectCurrent(itemPage, 'Inventory');
    await expectCurrent('/credit-notes', 'Invoices');
    await expectCurrent('/settings/members', 'More, Settings');
    await expectCurrent('/integrations/api-access/new', 'More, Integrations');
    const tabs = page.getByRole('navigation', { name: 'Integrations' });
    expect(await tabs.locator('[aria-current]').innerText()).to.equal('API access');
    await expectCurrent('/admin/companies', 'More, Companies');
    await expectCurrent('/account', 'More, Account');
    await closePage(page);
  });

  it('the search is reached by / and Ctrl K outside of a field, and left by Escape', async () => {
    const page = await openPage(stack().baseUrl, token, WIDE);
    await page.goto('/invoices');
    const field = page.getByLabel('Search everything');
    for (const key of ['/', 'Control+k', 'Meta+k']) {
      await page.keyboard.press(key);
      await expectFocus(field);
      await page.keyboard.press('Escape');
      expect(await page.evaluate('document.activeElement === document.body')).to.equal(true);
    }
    await page.goto('/inventory');
    const list = page.getByLabel('Name or SKU');
    await list.click();
    await page.keyboard.press('/');
    expect(await list.inputValue()).to.equal('/');
    await setDisplay(page, PHONE);
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await page.waitForURL('**/search');
    await page.keyboard.type('pump');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Pump' }).click();
    await page.waitForURL(`**${itemPage}`);
    await closePage(page);
  });

  it('the menu opens other pages, and closes with Escape or a click beside it', async () => {
    const page = await openPage(stack().baseUrl, token, PHONE);
    await page.goto('/invoices');
    const more = page.locator('summary').filter({ hasText: 'More' });
    const account = page.getByRole('link', { name: 'Account' });
    await more.click();
    await checkPage(page);
    await page.keyboard.press('Escape');
    await expectFocus(more);
    expect(await account.isVisible()).to.equal(false);
    await more.click();
    await page.mouse.click(100, 200);
    expect(await account.isVisible()).to.equal(false);
    await more.click();
    await page.getByRole('link', { name: 'Failed jobs' }).click();
    await page.waitForURL('**/admin/jobs');
    await closePage(page);
  });

  for (const display of [PHONE, WIDE])
    it(`API access is in the area Integrations (${display.width} px)`, async () => {
      const page = await openPage(stack().baseUrl, token, display);
      await page.goto('/');
      if (display === PHONE) await page.locator('summary').filter({ hasText: 'More' }).click();
      await page.getByRole('link', { name: 'Integrations' }).filter({ visible: true }).click();
      const tabs = page.getByRole('navigation', { name: 'Integrations' });
      await tabs.getByRole('link', { name: 'API access' }).click();
      await page.getByRole('heading', { name: 'API access', level: 1 }).waitFor();
      await page.goto('/integrations');
      expect(new URL(page.url()).pathname).to.equal('/integrations/api-access');
      await closePage(page);
    });
});
