// Typed input survives a reload and a closed tab. It is offered again only as long as it was not
// submitted, and only to the person who typed it.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  checkPage,
  closePage,
  expectValue,
  holdRequests,
  holdScript,
  NARROW_AND_DARK,
  openPage,
  requireChromium,
  setDisplay,
  WIDE,
} from '../support/browser.js';
import { makeCustomer } from '../support/customers.js';
import { makeSession, makeUser } from '../support/dashboard.js';
import { dayFromToday } from '../support/days.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { issue } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const FORM = '/invoices/new';

describeMode('postgres', 'what is typed into a form', stack => {
  let company: TestCompany;
  let session: string;
  let itemId: string;

  before(async function () {
    requireChromium(this);
    company = await makeCompany(stack());
    [itemId = ''] = await receive(company, { name: 'Pump', delta: 50, sku: 'P-1', unitPrice: 10 });
    session = await startSession();
  });

  const startSession = async () => {
    const { userId } = await makeUser(stack(), company.companyId);
    return makeSession(stack(), company.companyId, userId);
  };
  const open = () => openPage(stack().baseUrl, session);
  const line = (page: Page, number: number) =>
    page.getByRole('group', { name: `Line ${number}`, exact: true });
  const restore = (page: Page) => page.getByRole('button', { name: 'Restore' });
  const stored = async (page: Page) =>
    (await page.evaluate('JSON.stringify({ ...sessionStorage })')) as string;
  const isEmpty = (page: Page) =>
    until('the tab has no copy', async () => (await stored(page)) === '{}');
  const noOffer = async (page: Page) => {
    await page.waitForLoadState('load');
    expect(await page.locator('.restore-offer').count()).to.equal(0);
  };
  const fillInvoice = async (page: Page) => {
    await page.getByLabel('Customer', { exact: true }).fill('Half & Half');
    for (const [number, name] of ['Pump', 'Removed', 'Delivery'].entries()) {
      if (number > 0) await page.getByRole('button', { name: 'Add line', exact: true }).click();
      await line(page, number + 1)
        .getByLabel('Item')
        .fill(name);
      await line(page, number + 1)
        .getByLabel('Quantity')
        .fill('2');
      await line(page, number + 1)
        .getByLabel('Unit price')
        .fill('3.5');
    }
    await line(page, 2).getByRole('button', { name: 'Remove line 2' }).click();
    await page.locator('.invoice-more > summary').click();
    await page.getByLabel('Note').fill('First\nSecond');
  };

  it('is offered after a reload, with its lines, and again until it is discarded', async () => {
    const page = await open();
    await page.goto(FORM);
    await fillInvoice(page);
    const key = await page.locator('input[name=key]').inputValue();
    await page.reload();
    await restore(page).waitFor();
    await checkPage(page);
    await setDisplay(page, NARROW_AND_DARK);
    await checkPage(page, true);
    await setDisplay(page, WIDE);
    expect(await stored(page)).to.not.contain(
      await page.locator('input[name=token]').first().inputValue(),
    );
    await restore(page).click();
    expect(await page.getByLabel('Customer', { exact: true }).inputValue()).to.equal('Half & Half');
    expect(await page.getByRole('group', { name: /^Line \d/u }).count()).to.equal(2);
    expect(await line(page, 2).getByLabel('Item').inputValue()).to.equal('Delivery');
    expect(await page.getByLabel('Note').inputValue()).to.equal('First\nSecond');
    expect(await page.getByLabel('Note').isVisible()).to.equal(true);
    expect(await page.locator('[data-total]').textContent()).to.equal('$14.00');
    expect(await page.getByRole('listbox').count(), 'no suggestions are open').to.equal(0);
    // The same form: if it had been submitted after all, it would not be written twice.
    expect(await page.locator('input[name=key]').inputValue()).to.equal(key);
    await page.goto('/invoices');
    await page.goto(FORM);
    await page.getByRole('button', { name: 'Discard' }).click();
    await isEmpty(page);
    await page.reload();
    await noOffer(page);
    await closePage(page);
  });

  it('is not offered again once it was submitted, but after a refusal', async () => {
    const page = await open();
    await page.goto(FORM);
    await page.getByLabel('Customer', { exact: true }).fill('Once');
    await line(page, 1).getByLabel('Item').fill('Pump');
    await line(page, 1).getByLabel('Quantity').fill('1000');
    await line(page, 1).getByLabel('Unit price').fill('1');
    await page.getByRole('button', { name: 'Create invoice' }).click();
    await page.getByText('Only 50 on hand.').waitFor();
    await noOffer(page);
    await page.goto('/invoices');
    await page.goto(FORM);
    await restore(page).click();
    await line(page, 1).getByLabel('Quantity').fill('1');
    await page.getByRole('button', { name: 'Create invoice' }).click();
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/u);
    await isEmpty(page);
    await page.goto(FORM);
    await noOffer(page);
    expect(await page.getByLabel('Customer', { exact: true }).inputValue()).to.equal('');
    // The form of the page before is not kept either, though the browser may show it again.
    await page.getByLabel('Customer', { exact: true }).fill('Cancelled');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.goto(FORM);
    await noOffer(page);
    await closePage(page);
  });

  it('is not offered again after a page that shows a link or a key once', async () => {
    const page = await open();
    for (const [path, button] of [
      ['/settings/members', 'Create invitation link'],
      ['/integrations/api-access/new', 'Create API key'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('textbox', { name: 'Name' }).fill('Web shop');
      await page.getByRole('button', { name: button }).click();
      await page.getByText('see it again').waitFor();
      await isEmpty(page);
    }
    await closePage(page);
  });

  it('is offered if the response to the form never arrived, and is written once', async () => {
    const page = await open();
    await page.goto(FORM);
    await page.getByLabel('Customer', { exact: true }).fill('Lost response');
    await line(page, 1).getByLabel('Item').fill('Delivery');
    await line(page, 1).getByLabel('Quantity').fill('1');
    await line(page, 1).getByLabel('Unit price').fill('9');
    await page.route(`**${FORM}`, async route => {
      if (route.request().method() !== 'POST') return route.fallback();
      await route.fetch({ maxRedirects: 0 });
      await route.abort();
    });
    await page.getByRole('button', { name: 'Create invoice' }).click();
    const count = async () => {
      const { body } = await company.get('/invoices?customerName=Lost%20response');
      return body.length;
    };
    await until('the invoice is there', async () => (await count()) === 1);
    await page.unrouteAll();
    // The message of the redirect, which did not arrive either.
    await page.context().clearCookies({ name: 'flash' });
    await page.goto(FORM);
    await restore(page).click();
    await page.getByRole('button', { name: 'Create invoice' }).click();
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/u);
    expect(await count()).to.equal(1);
    await closePage(page);
  });

  it('can be sent again after the person stopped the browser, and is kept until then', async () => {
    const page = await open();
    await page.goto('/customers/new');
    await page.locator('main input[name=name]').fill('Stopped & Sons');
    const button = page.getByRole('button', { name: 'Add customer' });
    const answer = await holdRequests(page, '**/customers/new');
    const sent = page.waitForRequest(request => request.method() === 'POST');
    // A click would wait for the answer.
    await page.evaluate(`setTimeout(() => {
      document.querySelector('main form[method=post]').requestSubmit();
    }) && null`);
    await sent;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.stopLoading');
    await until('it is kept', async () => /isSent\W+false/u.test(await stored(page)));
    await answer();
    await button.click();
    await page.getByText('Stopped & Sons added.').waitFor();
    await isEmpty(page);
    await devtools.detach();
    await closePage(page);
  });

  it('survives scripts that load late', async () => {
    const page = await open();
    const loadKeeper = await holdScript(page, 'page');
    await page.goto(FORM, { waitUntil: 'commit' });
    await page.getByLabel('Customer', { exact: true }).fill('Typed early');
    await loadKeeper();
    await until('it is stored', async () => (await stored(page)).includes('Typed early'));
    await page.getByRole('button', { name: 'Add line', exact: true }).click();
    await line(page, 2).getByLabel('Item').fill('Second line');
    const loadForm = await holdScript(page, 'invoice-form');
    await page.reload({ waitUntil: 'commit' });
    await restore(page).click();
    await expectValue(page.getByLabel('Customer', { exact: true }), 'Typed early');
    await loadForm();
    await expectValue(line(page, 2).getByLabel('Item'), 'Second line');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await closePage(page);
  });

  it('tells, once restored, what it told while it was typed', async () => {
    await makeCustomer(company, { name: 'Quay', number: 'K-7', termsDays: 10, creditLimit: 5 });
    await receive(company, { name: 'Valve', delta: 50, sku: 'V-1', unitPrice: 10 });
    const page = await open();
    await page.goto(FORM);
    const customer = page.getByLabel('Customer', { exact: true });
    const told = async () => {
      await page.getByText('$5.00 credit left of $5.00', { exact: true }).waitFor();
      await page.getByText('over the limit of $5.00').waitFor();
      await line(page, 1).getByText('50 on hand – 1 short').waitFor();
      await line(page, 2).getByText('Not a stock item').waitFor();
      expect(await page.locator('input[name=dueDate]').inputValue()).to.equal(dayFromToday(10));
    };
    await customer.fill('Quay');
    await line(page, 1).getByLabel('Item').fill('V-1');
    await page.keyboard.press('Tab');
    await expectValue(line(page, 1).getByLabel('SKU'), 'V-1');
    await line(page, 1).getByLabel('Quantity').fill('51');
    await page.getByRole('button', { name: 'Add line', exact: true }).click();
    await line(page, 2).getByLabel('Item').fill('Delivery');
    await page.keyboard.press('Tab');
    await told();
    await page.reload();
    await restore(page).click();
    await told();
    await page.getByLabel('Invoice date').fill(dayFromToday(1));
    expect(await page.locator('input[name=dueDate]').inputValue()).to.equal(dayFromToday(11));
    await page.getByRole('link', { name: 'Cancel' }).click();
    await closePage(page);
  });

  it('is kept for deliveries, payments, credits, items, stock and settings', async () => {
    const page = await open();
    const { id } = await issue(company);
    const forms: [path: string, field: string, value: string][] = [
      [`/payments/new?invoice=${id}`, 'amount', '12.5'],
      [`/invoices/${id}/credit`, 'note', 'Damaged'],
      ['/inventory/new', 'name', 'Half an item'],
      [`/inventory/${itemId}`, 'quantity', '7'],
      ['/settings', 'name', 'Half a name'],
    ];
    for (const [path, field, value] of forms) {
      await page.goto(path);
      const control = page.locator(`:is(input, textarea)[name=${field}]`);
      await control.fill(value);
      await page.reload();
      await restore(page).click();
      expect(await control.inputValue(), path).to.equal(value);
    }
    await page.goto('/inventory/receive');
    await page.getByRole('button', { name: 'Add line', exact: true }).click();
    await line(page, 2).getByLabel('Item').fill('Pump');
    await line(page, 2).getByLabel('Quantity').fill('3');
    await page.getByRole('button', { name: 'Review delivery' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await page.goto('/inventory/receive');
    await restore(page).click();
    expect(await line(page, 2).getByLabel('Quantity').inputValue()).to.equal('3');
    await page.getByRole('button', { name: 'Review delivery' }).click();
    await page.locator('main form button').first().click();
    await page
      .getByText(/received|updated/iu)
      .first()
      .waitFor();
    await page.waitForLoadState();
    await page.goto('/inventory/receive');
    await noOffer(page);
    await closePage(page);
  });

  it('is never shown to another person, and never includes a password', async () => {
    const page = await open();
    await page.goto('/account');
    for (const field of await page.locator('input[type=password]').all())
      await field.fill('a secret password');
    await page.goto(FORM);
    await page.getByLabel('Customer', { exact: true }).fill('Private');
    await page.goto('/invoices');
    expect(await stored(page))
      .to.contain('Private')
      .and.not.contain('secret');
    const other = { name: 'session', value: await startSession(), url: stack().baseUrl };
    await page.context().addCookies([other]);
    await page.goto(FORM);
    await noOffer(page);
    expect(await stored(page)).to.equal('{}');
    await closePage(page);
  });
});
