// The story of two invoices in a real browser: sold with tax and terms, overdue, paid in part,
// credited for goods that came back, paid, and due again after the bank took the money back; the
// other one was a mistake. Every figure on the pages is that of the API.

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { formatMoney } from '../../src/dashboard/kit/ui/format.js';
import {
  checkPage,
  closePage,
  expectValue,
  holdScript,
  openPage,
  requireChromium,
} from '../support/browser.js';
import type { Json } from '../support/client.js';
import { makeSession, makeUser } from '../support/dashboard.js';
import { dayFromToday } from '../support/days.js';
import { changeCompany, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { expectSoundBooks, issue, read } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const TERMS_DAYS = 30;

function money(amount: number): string {
  return formatMoney(String(amount), 'EUR');
}

describeMode('postgres', 'the money of an invoice in a browser', stack => {
  let company: TestCompany;
  let email: string;
  let page: Page;

  before(async function () {
    requireChromium(this);
    company = await makeCompany(stack(), { currency: 'EUR' });
    await changeCompany(stack(), company, { termsDays: TERMS_DAYS, defaultTaxRate: 19 });
    await receive(company, { name: 'Garden pump', delta: 10, sku: 'P-1' });
    const user = await makeUser(stack(), company.companyId, { role: 'member' });
    email = user.email;
    page = await openPage(
      stack().baseUrl,
      await makeSession(stack(), company.companyId, user.userId),
    );
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click();
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
  const told = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();
  const text = () => page.locator('main').innerText();

  /** Opens the invoice, compares its figures with the API's and returns the API's invoice. */
  const expectInvoice = async (id: string, status: string): Promise<Json> => {
    await page.goto(`/invoices/${id}`);
    const invoice = await read(company, `/invoices/${id}`);
    const { total, amountPaid, amountCredited, amountDue } = invoice;
    const head = page.locator('.invoice-top');
    expect(await head.locator('.figure').allInnerTexts()).to.deep.equal(
      status === 'Void' ? [] : [money(amountDue)],
    );
    expect(await head.locator('.badge').innerText()).to.equal(status);
    const settled = [
      [`Paid`, amountPaid],
      [`Credited`, amountCredited],
    ].filter(([, amount]) => amount > 0);
    const sums = (await page.locator('.invoice-totals').innerText()).replaceAll('\n', ' ');
    expect(sums.slice(sums.indexOf('Total ')).replaceAll(/\s+/gu, ' ')).to.equal(
      [
        `Total ${money(total)}`,
        ...settled.map(([label, amount]) => `${label} −${money(amount)}`),
        ...(settled.length === 0 ? [] : [`Amount due ${money(amountDue)}`]),
      ].join(' '),
    );
    const entries = await read(company, `/invoices/${id}/entries`);
    const changes = page
      .getByRole('list', { name: 'Activity' })
      .locator('.movement-change')
      .allInnerTexts();
    expect((await changes).slice(1)).to.deep.equal(
      entries.map(({ amount }: Json) => `${amount > 0 ? '+' : ''}${money(amount)}`),
    );
    return invoice;
  };

  it('allocates an amount that is typed before the page has loaded its script', async () => {
    const { number } = await issue(company, { customerName: 'Early Bird' });
    const load = await holdScript(page, 'payment-form');
    await page.goto('/payments/new?customer=Early+Bird', { waitUntil: 'commit' });
    await page.getByLabel('Amount received').fill('0.75');
    await load();
    await expectValue(page.getByLabel(`Amount for ${number}`), '0.75');
  });

  it('follows a sale to its end', async () => {
    await page.goto('/invoices/new');
    await page.getByLabel('Customer', { exact: true }).fill('Bright & Sons');
    await page.getByLabel('Invoice date').fill(dayFromToday(-TERMS_DAYS - 30));
    const line = page.getByRole('group', { name: 'Line 1', exact: true });
    await line.getByLabel('Item').fill('Garden pump');
    await line.getByLabel('Quantity').fill('3');
    await line.getByLabel('Unit price').fill('120.50');
    await press('Create invoice');
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/u);
    const id = page.url().split('/').at(-1) ?? '';
    const sold = await expectInvoice(id, 'Overdue');
    expect([sold.total, sold.taxTotal, sold.dueDate]).to.deep.equal([
      430.19,
      68.69,
      dayFromToday(-30),
    ]);
    const later = await issue(company, { customerName: 'Bright & Sons', date: dayFromToday(-1) });

    // Three clicks from the invoice: the amount that is due is there already.
    await follow('Record payment');
    expect(await page.getByLabel('Amount received').inputValue()).to.equal('430.19');
    expect(await page.getByLabel(`Amount for ${sold.number}`).inputValue()).to.equal('430.19');
    await page.getByLabel('Amount received').fill('200');
    await expectValue(page.getByLabel(`Amount for ${sold.number}`), '200.00');
    await press('Record payment');
    await told('Payment of €200.00 from Bright & Sons recorded.');
    expect((await expectInvoice(id, 'Overdue')).amountDue).to.equal(230.19);

    await follow('Credit note');
    const pumps = page.getByRole('group', { name: 'Line 1: Garden pump' });
    expect(await pumps.innerText()).to.contain('3 of 3 can be credited (€361.50)');
    await pumps.getByLabel('Or amount').fill('1000');
    await press('Create credit note');
    await page.getByText('You can credit at most €361.50.').waitFor();
    await checkPage(page);
    await pumps.getByLabel('Or amount').fill('');
    await pumps.getByLabel('Quantity').fill('1');
    const total = '€143.40';
    await page.getByText(`Total credit ${total}`).waitFor();
    await press('Create credit note');
    await told('Credit note CN-000001 created.');
    const [note] = await read(company, '/credit-notes');
    expect([money(note.total), note.items[0].restocked]).to.deep.equal([total, true]);
    for (const figure of [note.subtotal, note.taxTotal, note.total])
      expect(await text()).to.contain(money(figure));
    await checkPage(page);
    const { amountDue } = await expectInvoice(id, 'Overdue');
    expect(amountDue).to.equal(86.79);
    await page.goto(`/inventory/${sold.items[0].itemId}`);
    const [movement = ''] = await page
      .getByRole('list', { name: /movements/iu })
      .getByRole('listitem')
      .allInnerTexts();
    expect(movement).to.contain('Credited · CN-000001').and.contain(email).and.contain('+1');
    await follow('CN-000001');
    await page.getByRole('heading', { name: 'CN-000001' }).waitFor();

    // More than is due: the rest goes to the customer's next invoice, and what is left is shown.
    await page.goto('/payments');
    await follow('Record payment');
    await follow('Bright & Sons');
    await page.getByLabel('Amount received').fill('300');
    await expectValue(page.getByLabel(`Amount for ${sold.number}`), '86.79');
    await expectValue(page.getByLabel(`Amount for ${later.number}`), '119.00');
    await page.getByLabel(`Amount for ${later.number}`).fill('');
    expect(await page.locator('[data-remainder]').innerText()).to.equal('€213.21');
    await checkPage(page);
    await press('Record payment');
    await told('Payment of €300.00 from Bright & Sons recorded.');
    const [payment] = await read(company, '/payments?limit=1');
    expect(payment.unallocated).to.equal(213.21);
    for (const figure of [payment.amount, payment.unallocated, payment.allocations[0].amount])
      expect(await text()).to.contain(money(figure));
    await checkPage(page);
    expect((await expectInvoice(id, 'Paid')).amountDue).to.equal(0);

    await page.goto(`/payments/${payment.id}`);
    await follow('Reverse');
    await page.getByLabel('Reason').fill('Returned by the bank');
    await press('Reverse payment');
    await told('Payment reversed. Its invoices are due again.');
    expect(await text())
      .to.contain('Returned by the bank')
      .and.contain(email);
    expect((await expectInvoice(id, 'Overdue')).amountDue).to.equal(amountDue);

    const open = await expectInvoice(later.id, 'Open');
    await page.locator('summary', { hasText: 'More actions' }).click();
    await follow('Void');
    await press('Void invoice');
    await page.getByText(`Type the invoice’s number: ${open.number}`).waitFor();
    await checkPage(page);
    await page.getByLabel('to confirm').fill(open.number);
    await press('Void invoice');
    await told(`Invoice ${open.number} voided. Credit note CN-000002 created.`);
    const gone = await expectInvoice(later.id, 'Void');
    expect([gone.amountCredited, gone.amountDue]).to.deep.equal([gone.total, 0]);
    for (const name of ['Void', 'Credit note', 'Record payment'])
      expect(await page.getByRole('link', { name, exact: true }).count(), name).to.equal(0);
    await expectSoundBooks(stack(), company.companyId);
    await closePage(page);
  });
});
