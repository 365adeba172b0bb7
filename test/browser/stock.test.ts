// Stock in a real browser: adjusting one item, on a phone and without JavaScript, and receiving a
// delivery by keyboard, on a phone and from a pasted list.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  checkPage,
  checkWidth,
  closePage,
  type Display,
  openPage,
  requireChromium,
  setDisplay,
  WIDE,
} from '../support/browser.js';
import { makeSession, makeUser } from '../support/dashboard.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const PHONE: Display = { width: 360, height: 740, colorScheme: 'dark' };

describeMode('postgres', 'stock in a browser', stack => {
  let company: TestCompany;
  let session: string;

  before(async function () {
    requireChromium(this);
    company = await makeCompany(stack());
    const { userId } = await makeUser(stack(), company.companyId, { role: 'member' });
    session = await makeSession(stack(), company.companyId, userId);
  });

  const open = (display?: Display) => openPage(stack().baseUrl, session, display);
  const openItem = async (name: string, display?: Display) => {
    const [id = ''] = await receive(company, { name, delta: 5, unit: 'pc' });
    const page = await open(display);
    await page.goto(`/inventory/${id}`);
    return { page, id };
  };
  /** Axe-core needs scripts. */
  const check = (page: Page, javaScriptEnabled: boolean) =>
    javaScriptEnabled ? checkPage(page) : checkWidth(page);
  const line = (page: Page, number: number) =>
    page.getByRole('group', { name: `Line ${number}`, exact: true });
  const review = (page: Page) => page.getByRole('button', { name: 'Review delivery' }).last();
  const onHand = async (name: string) =>
    (await company.get(`/inventory?name=${encodeURIComponent(name)}`)).body[0]?.onHand;

  it('is adjusted with the reasons of the chosen action, even without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const name = `Adjusted ${javaScriptEnabled ? 'with' : 'without'} scripts`;
      const { page, id } = await openItem(name, { ...PHONE, javaScriptEnabled });
      const reason = page.getByLabel('Reason').filter({ visible: true });
      expect(await reason.locator('option').first().innerText()).to.equal('Received from supplier');
      await page.getByText('Set count', { exact: true }).click();
      expect(await reason.count(), 'one list at a time').to.equal(1);
      expect(await reason.locator('option').allInnerTexts()).to.deep.equal([
        'Stock count',
        'Correction',
      ]);
      await check(page, javaScriptEnabled);
      await page.getByLabel('Quantity').fill('4');
      await page.getByRole('button', { name: 'Adjust stock' }).click();
      await page.getByText(`Stock of ${name} updated: 4 pc on hand.`).waitFor();
      await page.getByText('Remove', { exact: true }).click();
      await page.getByLabel('Quantity').fill('1');
      await page.getByRole('button', { name: 'Adjust stock' }).click();
      await page.getByText('Required.').waitFor();
      await reason.selectOption('Damaged');
      await page.getByRole('button', { name: 'Adjust stock' }).click();
      await page.getByText(`Stock of ${name} updated: 3 pc on hand.`).waitFor();
      const { body } = await company.get(`/inventory/${id}/movements`);
      expect(body.map(({ kind }: { kind: string }) => kind)).to.deep.equal([
        'damaged',
        'count',
        'received',
      ]);
      await closePage(page);
    }
  });

  it('on a phone has the quantity and the form first, and shows a refusal at once', async () => {
    const { page } = await openItem('Phone pump', PHONE);
    const top = async (text: string) =>
      (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? 0;
    expect(await top('On hand')).to.be.below(await top('Adjust stock'));
    expect(await top('Adjust stock')).to.be.below(400);
    expect(await top('On hand over time')).to.be.above(await top('Adjust stock'));
    await page.getByText('Remove', { exact: true }).click();
    await page.getByLabel('Reason').filter({ visible: true }).selectOption('Lost');
    await page.getByLabel('Quantity').fill('9999');
    await page.getByRole('button', { name: 'Adjust stock' }).click();
    const error = page.getByText('Only 5 on hand.');
    await error.waitFor();
    await page.waitForFunction('document.activeElement?.name === "quantity"');
    const box = await error.boundingBox();
    expect(box?.y, 'the error is in view').to.be.within(0, 720);
    expect(await page.title()).to.match(/^Error: Phone pump/u);
    await checkPage(page);
    await closePage(page);
  });

  it('is received by keyboard alone, with suggestions and a new item', async () => {
    await receive(company, { name: 'Keyboard valve', sku: 'KV-1', delta: 2, unit: 'pc' });
    const page = await open();
    await page.goto('/inventory');
    await page.getByRole('link', { name: 'Receive a delivery' }).press('Enter');
    await page.waitForURL('**/inventory/receive');
    await page.getByLabel('Delivery note').focus();
    await page.keyboard.type('DN 77');
    await line(page, 1).getByLabel('Item').focus();
    await page.keyboard.type('kv-');
    await page.getByRole('option', { name: /Keyboard valve/u }).waitFor();
    await checkPage(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await line(page, 1).getByText('2 pc on hand', { exact: true }).isVisible()).to.equal(
      true,
    );
    // The quantity has the focus.
    await page.keyboard.type('10');
    await page.keyboard.press('Tab');
    await page.keyboard.type('3.50');
    await line(page, 2).getByLabel('Item').fill('To be removed');
    await line(page, 2).getByRole('button', { name: 'Remove line 2' }).press('Enter');
    await page.keyboard.type('Keyboard hose');
    await line(page, 2).getByLabel('Quantity').fill('4');
    await page.getByRole('button', { name: 'Add line', exact: true }).press('Enter');
    await page.keyboard.type('kv-1');
    await line(page, 3).getByLabel('Quantity').fill('zero');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Enter a number').waitFor();
    await checkPage(page);
    // The refused line is not known to be that of the item, so its text is as it was typed.
    await line(page, 3).getByLabel('Quantity').fill('1');
    await line(page, 3).getByLabel('Item').fill('KV-1');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Review delivery' }).waitFor();
    const table = await page.getByRole('table', { name: 'Lines of the delivery' }).innerText();
    expect(table.replaceAll(/\s+/gu, ' '))
      .to.match(/Keyboard valve KV-1 10 pc 2 → 12 \$3\.50/u)
      .and.match(/Keyboard hose New item 4 0 → 4/u)
      .and.match(/Keyboard valve KV-1 1 pc 12 → 13 –/u);
    await page.getByText('1 item is new').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Receive delivery' }).press('Enter');
    await page.getByText('Delivery DN 77 received: 2 items.').waitFor();
    expect([await onHand('Keyboard valve'), await onHand('Keyboard hose')]).to.deep.equal([13, 4]);
    await closePage(page);
  });

  it('is received on a phone from a pasted list, even without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const name = `Pasted ${javaScriptEnabled}`;
      await receive(company, { name, delta: 1 });
      const page = await open({ ...PHONE, javaScriptEnabled });
      await page.goto('/inventory/receive');
      await check(page, javaScriptEnabled);
      await page.getByText('Paste from a spreadsheet').click();
      await page.getByLabel('Copied cells').fill(`${name}\t1.250\n`);
      await review(page).click();
      await page.getByText('can mean two numbers').waitFor();
      await check(page, javaScriptEnabled);
      await page.getByLabel('Decimal separator').selectOption('Comma (12,5)');
      await review(page).click();
      await page.getByText('1 → 1,251').waitFor();
      await check(page, javaScriptEnabled);
      await page.getByRole('button', { name: 'Edit' }).click();
      await line(page, 1).getByLabel('Quantity').fill('2');
      await review(page).click();
      await page.getByText('1 → 3').waitFor();
      await page.getByRole('button', { name: 'Receive delivery' }).click();
      await page.getByText(`Delivery received: ${name}.`).waitFor();
      expect(await onHand(name)).to.equal(3);
      await closePage(page);
    }
  });

  it('has forms for items and deliveries that fit every width', async () => {
    const { page, id } = await openItem('A very_long_name_of_an_item_that_has_to_wrap_somewhere');
    for (const path of [`/inventory/${id}`, '/inventory/new', '/inventory/receive']) {
      for (const width of [320, 820, 1024, 1600]) {
        await setDisplay(page, { ...WIDE, width });
        await page.goto(path);
        const [inner = 0, overflow] = (await page.evaluate(
          `[innerWidth, document.documentElement.scrollWidth - innerWidth]`,
        )) as number[];
        expect(overflow, `${path} at ${inner}`).to.be.at.most(0);
      }
    }
    await closePage(page);
  });
});
