// Invoices in a real browser: created by keyboard, without JavaScript and while the queue waits,
// and printed on both paper sizes.

import { expect } from 'chai';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { formatDay } from '../../src/dashboard/kit/ui/format.js';
import {
  checkPage,
  closePage,
  type Display,
  expectFocus,
  expectValue,
  holdRequests,
  holdScript,
  openPage,
  requireChromium,
  scan,
  WIDE,
} from '../support/browser.js';
import { makeSession, makeUser } from '../support/dashboard.js';
import { dayFromToday } from '../support/days.js';
import {
  changeCompany,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { pdfPages } from '../support/pdf.js';
import { describeMode } from '../support/suite.js';

const DARK_PHONE: Display = { width: 360, colorScheme: 'dark' };

describeMode('postgres', 'invoices in a browser', stack => {
  let company: TestCompany;
  let session: string;

  before(async function () {
    requireChromium(this);
    company = await makeCompany(stack(), { currency: 'KWD' });
    await receive(
      company,
      { name: 'Pump', delta: 50, sku: 'P-1', unitPrice: 10.0005, unit: 'pc' },
      { name: 'Garden pump', delta: 2 },
      { name: 'Hose', delta: 5 },
    );
    const { userId } = await makeUser(stack(), company.companyId, { role: 'member' });
    session = await makeSession(stack(), company.companyId, userId);
  });

  const open = (display?: Display) => openPage(stack().baseUrl, session, display);
  const line = (page: Page, number: number) =>
    page.getByRole('group', { name: `Line ${number}`, exact: true });
  const type = async (page: Page, number: number, name: string, qty: string, price: string) => {
    await line(page, number).getByLabel('Item').fill(name);
    await line(page, number).getByLabel('Quantity').fill(qty);
    await line(page, number).getByLabel('Unit price').fill(price);
  };
  /** Shows the discount and the tax of a line. */
  const expand = (page: Page, number: number) => line(page, number).locator('summary').click();
  /** Locks the company, like a worker that hangs, until released. */
  const holdCompany = async () => {
    const client = new pg.Client({ connectionString: stack().databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE', [
      company.companyId,
    ]);
    return () => client.end();
  };

  it('take the terms and the tax of a customer that is chosen, until they are edited', async () => {
    await company.post('/customers', {
      ...{ name: 'Quay', number: 'K-7', termsDays: 10, creditLimit: 50 },
      tax: { rate: 7 },
    });
    const page = await open();
    await page.goto('/invoices/new');
    const customer = page.getByLabel('Customer', { exact: true });
    const [due, tax] = ['dueDate', 'items.0.taxRate'].map(name =>
      page.locator(`input[name="${name}"]`),
    );
    await page.locator('input[name=date]').fill(dayFromToday(-30));
    await customer.focus();
    await page.keyboard.type('k-7');
    await page.getByRole('option', { name: 'Quay' }).click();
    await page.getByRole('link', { name: 'K-7' }).waitFor();
    await checkPage(page);
    expect(await customer.inputValue()).to.equal('Quay');
    expect([await due?.inputValue(), await tax?.inputValue()]).to.deep.equal([
      dayFromToday(-20),
      '7',
    ]);
    await type(page, 1, 'Advice', '1', '10');
    await page.locator('[data-total]', { hasText: '10.700' }).waitFor();
    await customer.fill('Buoy');
    await customer.blur();
    await page.getByRole('link', { name: 'K-7' }).waitFor({ state: 'hidden' });
    expect([await due?.inputValue(), await tax?.inputValue()]).to.deep.equal(['', '']);
    await customer.fill('Quay');
    await customer.blur();
    await page.getByRole('link', { name: 'K-7' }).waitFor();
    await page.getByRole('button', { name: 'Create invoice' }).click();
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}/u);
    const [invoice] = (await company.get('/invoices?customerName=Quay')).body;
    expect([invoice.dueDate, invoice.total]).to.deep.equal([dayFromToday(-20), 10.7]);
    await closePage(page);
  });

  it('are created by keyboard alone, with item suggestions and a live total', async () => {
    const page = await open();
    await page.goto('/invoices/new');
    await page.getByLabel('Customer', { exact: true }).focus();
    await page.keyboard.type('Keyboard & Sons');
    await line(page, 1).getByLabel('Item').focus();
    await page.keyboard.type('pum');
    await page.getByRole('listbox').getByRole('option').nth(1).waitFor();
    await checkPage(page);
    const combobox = line(page, 1).getByRole('combobox');
    expect(await combobox.getAttribute('aria-expanded')).to.equal('true');
    await page.keyboard.press('ArrowDown');
    const active = await combobox.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).textContent()).to.equal(
      'Pump P-1 · 50 pc on hand · KWD\u00a010.0005',
    );
    await page.keyboard.press('Enter');
    expect(await line(page, 1).getByLabel('SKU').inputValue()).to.equal('P-1');
    expect(await line(page, 1).getByText('50 pc on hand', { exact: true }).isVisible()).to.equal(
      true,
    );
    // The quantity has the focus and is selected. 3 × 10.0005 is 30.0015: half a fils rounds up.
    await page.keyboard.type('3');
    const addLine = page.getByRole('button', { name: 'Add line', exact: true });
    await addLine.press('Enter');
    await type(page, 2, 'To be removed', '1', '1');
    await addLine.press('Enter');
    await type(page, 3, 'Service', '0.5', '0.001');
    expect(await page.locator('[data-total]').textContent()).to.equal('KWD\u00a031.003');
    await line(page, 2).getByRole('button', { name: 'Remove line 2' }).press('Enter');
    expect(await page.getByRole('group', { name: /^Line \d/u }).count()).to.equal(2);
    await addLine.press('Enter');
    await page.keyboard.type('Typed where the focus went');
    await line(page, 3).getByLabel('Quantity').fill('1000000');
    await line(page, 3).getByLabel('Unit price').fill('0.0005');
    const total = await page.locator('[data-total]').textContent();
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/u);
    expect(await page.locator('.invoice-total .figure').textContent()).to.equal(total);
    expect(total).to.equal('KWD\u00a0530.003');
    await checkPage(page);
    const [invoice] = (await company.get('/invoices')).body;
    expect(invoice.items.map(({ name }: { name: string }) => name)).to.deep.equal([
      'Pump',
      'Service',
      'Typed where the focus went',
    ]);
    await closePage(page);
  });

  it('are created without JavaScript', async () => {
    const page = await open({ ...WIDE, javaScriptEnabled: false });
    await page.goto('/invoices/new');
    await page.getByLabel('Customer', { exact: true }).fill('Plain & Simple');
    await type(page, 1, 'Service', '2', '4');
    await page.getByRole('button', { name: 'Add lines' }).click();
    expect(await line(page, 1).getByLabel('Item').inputValue()).to.equal('Service');
    // Enter sends nothing.
    await type(page, 6, ' p-1 ', '1', '0.5');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create invoice' }).click();
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/u);
    expect(await page.locator('.invoice-total .figure').textContent()).to.equal('KWD\u00a08.500');
    const [invoice] = (await company.get('/invoices')).body;
    const [service, pump] = invoice.items;
    expect([service.itemId, pump.name, pump.sku]).to.deep.equal([null, 'Pump', 'P-1']);
    expect(pump.itemId).to.be.a('string');
    await closePage(page);
  });

  it('fill in the item that a name or SKU means, and say what is none', async () => {
    const page = await open();
    await page.goto('/invoices/new');
    const lookedUp: (string | null)[] = [];
    page.on('request', request => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/invoices/items' && searchParams.has('named'))
        lookedUp.push(searchParams.get('named'));
    });
    const valuesOf = async (number: number) =>
      Promise.all(
        ['Item', 'SKU', 'Quantity', 'Unit price'].map(label =>
          line(page, number).getByLabel(label).inputValue(),
        ),
      );
    await line(page, 1).getByLabel('Item').fill('p-1');
    await page.keyboard.press('Tab');
    await line(page, 1)
      .getByText(/^\d+ pc on hand$/u)
      .waitFor();
    expect(await valuesOf(1)).to.deep.equal(['Pump', 'P-1', '1', '10.0005']);
    await line(page, 1).getByLabel('Unit price').press('Enter');
    expect(await page.locator(':focus').getAttribute('name')).to.equal('items.1.name');
    await page.keyboard.type('Gardn pump');
    await page.keyboard.press('Tab');
    await line(page, 2).getByText('Not a stock item – will only be billed.').waitFor();
    await checkPage(page);
    // A price that was typed stays.
    await line(page, 2).getByLabel('Unit price').fill('7');
    await line(page, 2).getByLabel('Item').fill('PUMP');
    await page.keyboard.press('Tab');
    await line(page, 2)
      .getByText(/^\d+ pc on hand$/u)
      .waitFor();
    expect(await valuesOf(2)).to.deep.equal(['Pump', 'P-1', '1', '7']);
    // A SKU in its own field decides alone.
    await line(page, 2).getByLabel('Unit price').press('Enter');
    await line(page, 3).getByLabel('SKU').fill('OTHER');
    await line(page, 3).getByLabel('Item').fill('Pump');
    await page.keyboard.press('Tab');
    expect(await valuesOf(3)).to.deep.equal(['Pump', 'OTHER', '', '']);
    await line(page, 3).getByRole('button', { name: 'Remove line 3' }).click();
    // Enter takes the first suggestion, or goes on.
    await line(page, 2).getByLabel('Unit price').press('Enter');
    await page.keyboard.type('arden', { delay: 80 });
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await expectValue(line(page, 3).getByLabel('Item'), 'Garden pump');
    expect(lookedUp).to.deep.equal(['p-1', 'Gardn pump', 'PUMP', 'OTHER', 'arden']);
    expect(new URL(page.url()).pathname, 'not created').to.equal('/invoices/new');
    await closePage(page);
  });

  it('let the person type over what a late answer fills in', async () => {
    const page = await open();
    await page.goto('/invoices/new');
    const answer = await holdRequests(page, '**/invoices/items?named=*');
    await line(page, 1).getByLabel('Item').fill('Pump');
    await line(page, 1).getByLabel('Quantity').fill('2');
    await line(page, 1).getByLabel('Unit price').focus();
    await answer();
    await expectValue(line(page, 1).getByLabel('Unit price'), '10.0005');
    await page.keyboard.type('3.5');
    expect(await line(page, 1).getByLabel('Unit price').inputValue()).to.equal('3.5');
    await page.locator('[data-total]', { hasText: '7.000' }).waitFor();
    await closePage(page);
  });

  it('get one line per scanned item, and the number of its scans', async () => {
    const page = await open();
    await page.goto('/invoices/new');
    await line(page, 1).getByLabel('Item').focus();
    await scan(page, 'P-1');
    await line(page, 2).waitFor();
    await scan(page, 'P-1');
    await expectValue(line(page, 1).getByLabel('Quantity'), '2');
    expect(await page.locator(':focus').getAttribute('name')).to.equal('items.1.name');
    expect(await page.locator(':focus').inputValue()).to.equal('');
    await scan(page, 'unknown-1');
    await line(page, 2).getByText('Not a stock item').waitFor();
    await line(page, 3).waitFor();
    await scan(page, 'P-1');
    await expectValue(line(page, 1).getByLabel('Quantity'), '3');
    expect(await line(page, 2).getByLabel('Item').inputValue()).to.equal('unknown-1');
    expect(new URL(page.url()).pathname, 'not created').to.equal('/invoices/new');
    await closePage(page);
  });

  it('have no tax on lines of another type than the standard one', async () => {
    const page = await open();
    await page.goto('/invoices/new');
    await expand(page, 1);
    const [rate, type] = [line(page, 1).getByLabel('Tax %'), line(page, 1).getByLabel('Tax type')];
    await rate.fill('19');
    await type.selectOption({ label: 'Exempt' });
    expect([await rate.inputValue(), await rate.isEditable()]).to.deep.equal(['0', false]);
    expect(await page.getByLabel('Exemption reason').isVisible(), 'is required now').to.equal(true);
    await type.selectOption('');
    expect([await rate.inputValue(), await rate.isEditable()]).to.deep.equal(['19', true]);
    await closePage(page);
  });

  it('have one row per line, and Tab skips the fields that most lines leave alone', async () => {
    const page = await open({ ...WIDE, width: 1024 });
    await page.goto('/invoices/new');
    for (let number = 1; number <= 13; number += 1) {
      if (number > 1) await page.getByRole('button', { name: 'Add line', exact: true }).click();
      await type(page, number, `Service ${number}`, '1', '1');
    }
    const boxes = await Promise.all(
      ['Item', 'SKU', 'Quantity', 'Unit price'].map(label =>
        line(page, 2).getByLabel(label).boundingBox(),
      ),
    );
    expect(new Set(boxes.map(box => box?.y)).size, 'rows').to.equal(1);
    const height = () => page.evaluate('document.documentElement.scrollHeight');
    expect(await height()).to.be.below(1_700);
    await line(page, 1).getByLabel('Unit price').focus();
    await page.keyboard.press('Tab');
    await expectFocus(line(page, 2).getByLabel('Item'));
    await page.keyboard.press('Shift+Tab');
    await expectFocus(line(page, 1).getByRole('button', { name: 'Remove line 1' }));
    await page.keyboard.press('Shift+Tab');
    await expectFocus(line(page, 1).locator('summary'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expectFocus(line(page, 1).getByLabel('Discount'));
    await line(page, 1).getByLabel('Unit price').press('Tab');
    await expectFocus(line(page, 1).locator('summary'));
    await closePage(page);
  });

  it('have tax and discounts on demand, and a due date that follows the terms', async () => {
    const { companyId } = company;
    await changeCompany(stack(), { companyId }, { termsDays: 30 });
    const page = await open(DARK_PHONE);
    await page.goto('/invoices/new');
    const [date, due] = [page.getByLabel('Invoice date'), page.getByLabel('Due date')];
    expect(await due.isVisible()).to.equal(false);
    const load = await holdScript(page, 'invoice-form');
    await page.goto('/invoices/new', { waitUntil: 'commit' });
    await date.fill(dayFromToday(2));
    await load();
    await expectValue(due, dayFromToday(32));
    await date.fill(dayFromToday(6));
    expect(await due.inputValue()).to.equal(dayFromToday(36));
    await page.locator('.invoice-more > summary').click();
    const chosen = dayFromToday(25);
    await due.fill(chosen);
    await date.fill(dayFromToday(7));
    expect(await due.inputValue(), 'entered by hand').to.equal(chosen);
    await page.getByLabel('Customer', { exact: true }).fill('Extra & Sons');
    await type(page, 1, 'Service', '3', '10');
    const discount = line(page, 1).getByLabel('Discount');
    expect(await discount.isVisible()).to.equal(false);
    await expand(page, 1);
    await discount.fill('12.5%');
    await line(page, 1).getByLabel('Tax %').fill('19');
    await page.getByRole('button', { name: 'Add line', exact: true }).click();
    expect(await line(page, 2).getByLabel('Tax %').inputValue(), 'as above').to.equal('19');
    await type(page, 2, 'Delivery', '1', '5');
    await page.getByLabel('Invoice discount').fill('2');
    const totals = await page.locator('[data-sums] > div').allTextContents();
    expect(totals).to.deep.equal([
      'ItemsKWD\u00a031.250',
      'Discount−KWD\u00a02.000',
      'SubtotalKWD\u00a029.250',
      'Tax (19% of KWD\u00a029.250)KWD\u00a05.558',
    ]);
    await checkPage(page);
    await page.getByRole('button', { name: 'Create invoice' }).click();
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/u);
    expect(await page.locator('.invoice-total .figure').textContent()).to.equal('KWD\u00a034.808');
    expect(await page.getByText(formatDay(chosen)).count()).to.equal(1);
    expect(await page.locator('.invoice-totals > dl > div').allTextContents()).to.include.members(
      totals,
    );
    await checkPage(page);
    await changeCompany(stack(), { companyId }, { termsDays: null });
    await closePage(page);
  });

  it('say that they wait, and return with the errors and the input if refused', async () => {
    const page = await open(DARK_PHONE);
    const release = await holdCompany();
    try {
      await page.goto('/invoices/new');
      await page.getByLabel('Customer', { exact: true }).fill('Patient Ltd');
      await type(page, 1, 'Garden pump', '3', '20');
      await page.getByRole('button', { name: 'Create invoice' }).click();
      await page.waitForURL(/\/invoices\/jobs\//u);
      await page.getByText('can leave this page').waitFor();
      await checkPage(page);
    } finally {
      await release();
    }
    await page.getByText('Only 2 on hand.').waitFor();
    expect(await page.getByLabel('Customer', { exact: true }).inputValue()).to.equal('Patient Ltd');
    await checkPage(page);
    await line(page, 1).getByLabel('Quantity').fill('2');
    await page.getByRole('button', { name: 'Create invoice' }).click();
    await page.getByText(/Invoice INV-\d+ created/u).waitFor();
    await checkPage(page);
    await closePage(page);
  });

  it('print on A4 and Letter, with the table head on every sheet and without buttons', async () => {
    const items = Array.from({ length: 64 }, (_, index) => ({
      name: `Service ${index + 1}`,
      qty: 1,
      price: 1.5,
    }));
    const { body } = await company.post('/invoices', invoiceRequest({ items }));
    const page = await open(DARK_PHONE);
    await page.goto(`/invoices/${body.id}/print`);
    await checkPage(page);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).to.equal(true);
    for (const format of ['A4', 'Letter']) {
      const sheets = pdfPages(await page.pdf({ format }));
      // The number of lines per sheet depends on the machine's fonts.
      expect(sheets.length, format).to.be.within(2, 3);
      for (const [index, sheet] of sheets.entries()) {
        expect(sheet, `${format} ${index + 1}`).to.contain('ItemQuantityUnit priceAmount');
        expect(sheet)
          .to.contain(`${index + 1} / ${sheets.length}`)
          .and.not.match(/Print|Back to/u);
      }
      expect(sheets[0])
        .to.contain(`Test companyInvoice ${body.number}`)
        .and.contain('Bright & Sons');
      expect(sheets.at(-1)).to.match(/Service 64.*TotalKWD.96\.000/u);
      const lines = sheets.join(' ').match(/Service \d+/gu);
      expect(lines?.length, 'each line once').to.equal(64);
    }
    await closePage(page);
  });
});
