// The layout of the invoice form and of lists in a real browser: nothing overlaps or is cut off,
// from a phone to a wide screen, even with amounts of 15 digits.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  checkPage,
  checkWidth,
  closePage,
  openPage,
  requireChromium,
  savePicture,
  setDisplay,
  WIDE,
} from '../support/browser.js';
import { makeSession, makeUser } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { findBrokenLayout, WIDTHS } from '../support/layout.js';
import { describeMode } from '../support/suite.js';

/** Room for a name of about twenty characters. */
const MIN_ITEM_WIDTH = 220;
/** 99,999,998,765.43 in IDR, and 99,999,998,765.432 in KWD. */
const LARGE_LINES = [
  { name: 'Machine', qty: 1000, price: 99_999_998.7654 },
  { name: 'Freight', qty: 1, price: 0.03 },
];

/** Pairs of the form's controls and texts that overlap. Runs in the page. */
const OVERLAPS = `(() => {
  const parts = [...document.querySelectorAll(
    '.lines :is(label, input, .line-amount > *, button, .error)')];
  const boxOf = part => {
    if (part.matches('input, button')) return part.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(part);
    return range.getBoundingClientRect();
  };
  const boxes = parts
    .filter(part => part.checkVisibility() && part.getBoundingClientRect().width > 1)
    .map(part => ({ part, box: boxOf(part) }));
  const named = part => part.name || part.textContent || part.className;
  return boxes.flatMap(({ part, box }, index) => boxes.slice(index + 1)
    .filter(other => !part.contains(other.part) && !other.part.contains(part)
      && box.left < other.box.right - 1 && other.box.left < box.right - 1
      && box.top < other.box.bottom - 1 && other.box.top < box.bottom - 1)
    .map(other => named(part) + ' / ' + named(other.part)));
})()`;

/** The figures that are wider than the box that shows them. Runs in the page. */
const CUT_FIGURES = `[...document.querySelectorAll('main .figure')]
  .filter(figure => figure.checkVisibility())
  .filter(figure => {
    const range = document.createRange();
    range.selectNodeContents(figure);
    const text = range.getBoundingClientRect();
    let box = figure.parentElement;
    for (; box && box !== document.documentElement; box = box.parentElement) {
      const { left, right } = box.getBoundingClientRect();
      if (text.left < left - 1 || text.right > right + 1) return true;
    }
    return text.right > innerWidth;
  })
  .map(figure => figure.textContent)`;

describeMode('postgres', 'layouts in a browser', stack => {
  before(function () {
    requireChromium(this);
  });

  const arrange = async (options: Parameters<typeof makeCompany>[1] = {}) => {
    const company = await makeCompany(stack(), options);
    const { userId } = await makeUser(stack(), company.companyId);
    const session = await makeSession(stack(), company.companyId, userId);
    return { company, page: await openPage(stack().baseUrl, session) };
  };
  const atEachWidth = async (page: Page, check: (width: number) => Promise<void>) => {
    for (const width of WIDTHS) {
      await setDisplay(page, { ...WIDE, width });
      await check(width);
    }
  };

  it('the form for a new invoice is usable at every width', async () => {
    const { page } = await arrange();
    await page.goto('/invoices/new');
    for (let count = 1; count < 3; count += 1)
      await page.getByRole('button', { name: 'Add line', exact: true }).click();
    await page.getByRole('button', { name: 'Create invoice' }).last().click();
    await page.getByText('Add at least one line.').waitFor();
    for (const [index, name] of ['A pump with a long name', 'Hose', 'Freight'].entries()) {
      if (index > 0) await page.getByRole('button', { name: 'Add line', exact: true }).click();
      await page.locator('.line').nth(index).getByLabel('Item').fill(name);
      await page.locator('.line').nth(index).getByLabel('Quantity').fill('1000');
      await page.locator('.line').nth(index).getByLabel('Unit price').fill('99999.99');
    }
    await atEachWidth(page, async width => {
      const widths = await page
        .locator('.line input[name$=".name"]')
        .evaluateAll(inputs => inputs.map(input => input.getBoundingClientRect().width));
      expect(Math.min(...widths), `the item field at ${width}`).to.be.at.least(MIN_ITEM_WIDTH);
      expect(await page.evaluate(OVERLAPS), `overlaps at ${width}`).to.deep.equal([]);
      await checkWidth(page);
      await savePicture(page, { ...WIDE, width });
    });
    await closePage(page);
  });

  const showsWhole = async (page: Page, path: string, amounts: RegExp) => {
    await page.goto(path);
    await atEachWidth(page, async width => {
      expect(await page.locator('main').innerText(), `${path} at ${width}`).to.match(amounts);
      expect(await page.evaluate(CUT_FIGURES), `${path} at ${width}`).to.deep.equal([]);
      await checkWidth(page);
      await savePicture(page, { ...WIDE, width });
    });
  };

  for (const [currency, amount] of [
    ['IDR', /IDR\s99,999,998,765\.43/u],
    ['KWD', /KWD\s99,999,998,765\.430/u],
  ] as const) {
    it(`an amount of 15 digits in ${currency} is shown whole`, async () => {
      const { company, page } = await arrange({ currency });
      const { body } = await company.post('/invoices', invoiceRequest({ items: LARGE_LINES }));
      await showsWhole(page, '/invoices', amount);
      await showsWhole(page, `/invoices/${body.id}`, amount);
      await atEachWidth(page, async width => {
        expect(await findBrokenLayout(page), `at ${width}`).to.deep.equal([]);
      });
      await showsWhole(page, `/invoices/${body.id}/print`, amount);
      await showsWhole(page, `/invoices/new?copy=${body.id}`, amount);
      await closePage(page);
    });
  }

  const addStock = (company: TestCompany) =>
    receive(
      company,
      { name: 'Pump', sku: 'P-1', delta: 50, unitPrice: 135.2, unit: 'pc' },
      { name: 'Valve', delta: 0, reorderPoint: 5 },
    );

  it('the whole row of a list is a link, without JavaScript', async () => {
    const { company } = await arrange();
    await addStock(company);
    const { body } = await company.post('/invoices', invoiceRequest({ reference: 'PO-1' }));
    const { userId } = await makeUser(stack(), company.companyId);
    const session = await makeSession(stack(), company.companyId, userId);
    const display = { ...WIDE, javaScriptEnabled: false };
    const page = await openPage(stack().baseUrl, session, display);
    for (const width of [1280, 360]) {
      await setDisplay(page, { ...display, width });
      await page.goto('/invoices');
      await page.getByText('$18.50').first().click({ force: true });
      await page.waitForURL(`**/invoices/${body.id}`);
      await page.goto('/inventory');
      await page.getByText('Low stock').or(page.getByText('Out of stock')).last().click({
        force: true,
      });
      await page.getByRole('heading', { name: 'Valve' }).waitFor();
    }
    await closePage(page);
  });

  it('a row has two lines on a phone, without empty fields', async () => {
    const { company, page } = await arrange();
    await company.post('/invoices', invoiceRequest({ reference: 'PO-1' }));
    await company.post('/invoices', invoiceRequest());
    await setDisplay(page, { ...WIDE, width: 360 });
    await page.goto('/invoices');
    const rows = page.locator('.list tbody tr');
    const heights = await rows.evaluateAll(all => all.map(row => row.clientHeight));
    expect(Math.max(...heights)).to.be.below(72);
    expect(await rows.first().innerText()).to.not.contain('–');
    await closePage(page);
  });

  it('a balance of a statement stands at the right of its label on a phone', async () => {
    const { company, page } = await arrange();
    await company.post('/invoices', invoiceRequest({ customerName: 'Quay' }));
    await setDisplay(page, { ...WIDE, width: 320 });
    await page.goto('/customers/name?name=Quay');
    const balance = page.locator('.statement-balance').last();
    const [label, amount] = await balance.evaluate(line =>
      [...line.children].map(part => part.getBoundingClientRect()),
    );
    expect(amount?.left).to.be.greaterThan(label?.right ?? 0);
    await closePage(page);
  });

  it('a new form starts at the customer, and an item brings its price as $135.20', async () => {
    const { company, page } = await arrange();
    await addStock(company);
    await page.goto('/invoices/new');
    expect(await page.locator('.line').count()).to.equal(1);
    await page.keyboard.type('Typed at once');
    expect(await page.getByLabel('Customer', { exact: true }).inputValue()).to.equal(
      'Typed at once',
    );
    const price = page.getByLabel('Unit price');
    expect(await price.getAttribute('inputmode')).to.equal('decimal');
    await page.getByLabel('Item').fill('pum');
    await page.getByRole('listbox').getByRole('option').first().click();
    expect(await price.inputValue()).to.equal('135.20');
    await price.fill('18,5');
    expect(await page.locator('[data-total]').textContent()).to.equal('$18.50');
    await page.getByRole('button', { name: 'Add line', exact: true }).click();
    await page.getByRole('button', { name: 'Remove line 2' }).click();
    expect(await page.locator('.line').count()).to.equal(1);
    await closePage(page);
  });

  it("an invoice's link is copied, its job is collapsed, and it can be duplicated", async () => {
    const { company, page } = await arrange();
    const { body } = await company.post('/invoices', invoiceRequest());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/invoices/${body.id}`);
    const menu = page.locator('summary', { hasText: 'More actions' });
    await menu.click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).to.equal(`${stack().baseUrl}/invoices/${body.id}`);
    expect(await page.getByText('Request', { exact: true }).isVisible()).to.equal(false);
    await page.getByText('Job details').click();
    expect(await page.getByText('Request', { exact: true }).isVisible()).to.equal(true);
    // A click beside the menu has closed it.
    await menu.click();
    await page.getByRole('link', { name: 'Duplicate' }).focus();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('link', { name: 'Duplicate' }).isVisible()).to.equal(false);
    await page.keyboard.press('Enter');
    await checkPage(page);
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByRole('button', { name: 'Create invoice' }).last().click();
    await page.getByText('Invoice INV-000002 created.').waitFor();
    await closePage(page);
  });
});
