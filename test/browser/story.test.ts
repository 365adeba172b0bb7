// A new company from sign-up to the first invoice of its shop, and the end of the shop's key.

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { checkPage, closePage, openPage, requireChromium } from '../support/browser.js';
import { registerSecret } from '../support/canary.js';
import { send } from '../support/client.js';
import { today } from '../support/days.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const INVOICES = '/api/external/invoices';

describeMode('postgres', 'a new company', stack => {
  before(function () {
    requireChromium(this);
  });

  it('signs up, imports stock, creates a key, sees its invoice, and revokes it', async () => {
    const page = await openPage(stack().baseUrl, null);
    const figure = (label: string) =>
      page.locator('.tile').filter({ hasText: label }).locator('.tile-value');
    await page.goto('/sign-up');
    await page.getByLabel('Company name').fill('Quay & Sons');
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByLabel('E-mail address').fill(`${uuidv7()}@example.org`);
    await page.getByLabel('Password').fill('a pair of dry boots');
    await page.getByRole('button', { name: 'Create company' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await checkPage(page);

    await page.goto('/inventory/import');
    const buffer = Buffer.from('name,count,reorderPoint,unitCost\nPump,12,10,20\nHose,40,5,1.5\n');
    await page
      .getByLabel('CSV or Excel file')
      .setInputFiles({ name: 'stock.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Show preview' }).click();
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('All 2 rows were imported.').waitFor();

    await page.goto('/integrations/api-access/new');
    await page.getByLabel('Name').fill('Till');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const key = (await page.getByRole('group', { name: 'API key' }).textContent()) ?? '';
    registerSecret(key);
    const json = {
      customerName: 'Harbour Office',
      date: today(),
      items: [{ name: 'Pump', qty: 3, price: 35.5 }],
    };
    const created = await send(stack().baseUrl, 'POST', INVOICES, { key, json });
    expect([created.status, created.body.number, created.body.total]).to.deep.equal([
      201,
      'INV-000001',
      106.5,
    ]);

    await page.goto('/invoices');
    await page.getByRole('link', { name: 'INV-000001' }).click();
    await page.getByRole('heading', { name: 'INV-000001' }).waitFor();
    expect(
      await page.getByRole('table', { name: 'Stock movements of the invoice' }).innerText(),
    ).to.match(/Pump\s+−3/u);
    await checkPage(page);
    await page.getByRole('link', { name: 'Pump' }).first().click();
    await page.getByRole('heading', { name: 'Pump' }).waitFor();
    expect(await page.getByRole('list', { name: /movements/iu }).innerText()).to.contain(
      'INV-000001',
    );
    await until('the summary has it', async () => {
      const { body } = await send(stack().baseUrl, 'GET', '/api/external/summary', { key });
      return body.invoices.count === 1 && body.inventory.low === 1;
    });
    await page.goto('/');
    expect(await figure('Net sales this month, excluding tax').innerText()).to.equal('€106.50');
    expect(await figure('Stock value').innerText()).to.equal('€240.00');
    expect(await page.locator('main').innerText()).to.contain('Harbour Office');

    await page.goto('/integrations/api-access');
    await page.getByRole('link', { name: 'Till' }).click();
    await page.getByLabel('Enter the key’s name to confirm: Till').fill('Till');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('revoked').first().waitFor();
    await until('the key is refused', async () => {
      const { status, body } = await send(stack().baseUrl, 'GET', INVOICES, { key });
      return status === 401 && body.code === 'revoked_api_key';
    });
    await closePage(page);
  });
});
