// The page of a stock job: shown while it waits, then it leads to the item, or back to the form
// with the errors and the input.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Response } from '../support/client.js';
import { formErrors, signedIn } from '../support/dashboard.js';
import { makeCompany, receive } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { lockCompany } from '../support/neighbours.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { addWaitingJob } from '../support/waiting-job.js';

const checked = ({ text }: Response, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)" checked`, 'u').exec(text)?.[1];

const chosen = ({ text }: Response, name: string) =>
  new RegExp(
    `name="${name}".*?<option (?:value="([^"]+)" selected|selected value="([^"]+)")`,
    'su',
  ).exec(text)?.[1];

describeMode('postgres', 'a stock job', stack => {
  const arrange = async () => {
    const company = await makeCompany(stack());
    const [itemId = ''] = await receive(company, { name: 'Pump', delta: 3, unit: 'pc' });
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    const queue = async (request: Record<string, unknown>, query = '') => {
      const job = await addWaitingJob(stack(), company, 'inventory.adjust', request);
      const path = `/inventory/jobs/${job.id}${query}`;
      const release = async () => {
        await job.release();
        return browser.get(path);
      };
      return { ...job, path, release };
    };
    const names = async () =>
      (await company.get('/inventory')).body.map(({ name }: { name: string }) => name);
    return { company, itemId, browser, queue, names };
  };
  const newItem = (entry: Record<string, unknown>) => ({
    reason: 'received',
    items: [{ ...entry, expectedOnHand: 0 }],
  });

  it('is where a form leads if its write waits, for an adjustment and for a new item', async () => {
    const { company, itemId, browser, names } = await arrange();
    const adjustment = {
      key: uuidv7(),
      how: 'add',
      quantity: '1',
      addReason: 'received',
      expectedOnHand: '3',
    };
    const item = { key: uuidv7(), name: 'Hose', delta: '2' };
    const release = await lockCompany(stack(), company.companyId);
    browser.waitsForWrites = false;
    const sent = await Promise.all([
      browser.post('/inventory/new', `/inventory/${itemId}/adjust`, adjustment),
      browser.post('/inventory/new', '/inventory/new', item),
    ]).finally(release);
    const [adjusting, making] = sent.map(({ headers }) => String(headers.location)) as [
      string,
      string,
    ];
    expect(adjusting).to.match(/^\/inventory\/jobs\/[0-9a-f-]{36}$/u);
    expect(making).to.match(/^\/inventory\/jobs\/[0-9a-f-]{36}\?made=item$/u);
    await until('both are written', async () => (await browser.get(making)).status === 303);
    await until('both are written', async () => (await browser.get(adjusting)).status === 303);
    expect(await names()).to.have.members(['Pump', 'Hose']);
  });

  it('is shown while it waits, refreshes by itself, and then leads to the item', async () => {
    const { itemId, browser, queue } = await arrange();
    const items = [{ itemId, delta: -1.5, expectedOnHand: 3 }];
    const { path, release } = await queue({ reason: 'lost', items });
    const page = await browser.get(path);
    expect(page.status).to.equal(200);
    expect(textOf(page))
      .to.contain('Updating stock Pump')
      .and.contain('can leave this page')
      .and.contain('waiting-1');
    expect(page.text).to.contain('<noscript><meta http-equiv="refresh" content="2"/></noscript>');
    expect(page.text).to.contain('data-state="queued"').and.contain('wait.js');
    const { status, headers } = await release();
    expect([status, headers.location]).to.deep.equal([303, `/inventory/${itemId}`]);
    expect(textOf(await browser.get(`/inventory/${itemId}`))).to.contain(
      'Stock of Pump updated: 1.5 pc on hand.',
    );
  });

  it('leads to a new item and says that it was added', async () => {
    const { browser, queue } = await arrange();
    const { path, release } = await queue(newItem({ name: 'Hose & Co', delta: 2 }), '?made=item');
    expect(textOf(await browser.get(path))).to.contain('Adding the item Hose &amp; Co');
    const { headers } = await release();
    expect(textOf(await browser.get(String(headers.location)))).to.contain('Hose &amp; Co added.');
  });

  it('leads back to the item if it is refused, with the form as submitted', async () => {
    const { itemId, browser, queue, company } = await arrange();
    const texts = { reference: 'DN "7"', note: 'Rain\n<b>' };
    const items = [{ itemId, delta: -4.5, expectedOnHand: 3 }];
    const { id, release } = await queue({ reason: 'damaged', ...texts, items });
    const { headers } = await release();
    expect(headers.location).to.equal(`/inventory/${itemId}?job=${id}`);
    const page = await browser.get(String(headers.location));
    expect(formErrors(page)).to.include({ quantity: 'Only 3 on hand.' });
    expect(page.text)
      .to.contain('value="4.5"')
      .and.contain('value="DN &quot;7&quot;"')
      .and.contain('Rain\n&lt;b>');
    expect([checked(page, 'how'), chosen(page, 'takeReason')]).to.deep.equal(['take', 'damaged']);
    expect((await company.get('/inventory')).body[0].onHand).to.equal(3);
  });

  it('shows the current stock after a conflict, which the form then expects', async () => {
    const { itemId, browser, queue, company } = await arrange();
    const items = [{ itemId, count: 10, expectedOnHand: 2 }];
    const { release } = await queue({ reason: 'count', items });
    const { headers } = await release();
    await receive(company, { name: 'Pump', delta: 4 });
    const page = await browser.get(String(headers.location));
    expect(formErrors(page)['']).to.contain('Stock of Pump changed to 7 in the meantime.');
    expect(page.text).to.contain('name="expectedOnHand" value="7"').and.contain('value="10"');
    expect(checked(page, 'how')).to.equal('count');
  });

  it('leads back to the form of a new item if its name was taken in the meantime', async () => {
    const { company, browser, queue, names } = await arrange();
    const entry = { name: 'pump', sku: 'P-9', delta: 7, unitCost: 1.25, unit: 'crate' };
    const { id, release } = await queue(newItem(entry), '?made=item');
    const { headers } = await release();
    expect(headers.location).to.equal(`/inventory/new?job=${id}`);
    const page = await browser.get(String(headers.location));
    expect(formErrors(page).name).to.contain('You already have an item with this name.');
    for (const typed of ['pump', 'P-9', '7', '1.25', 'crate'])
      expect(page.text).to.contain(`value="${typed}"`);
    await receive(company, { name: 'Hose', sku: 'H-1', delta: 1 });
    const other = await (
      await queue(newItem({ name: 'Other', sku: 'H-1', delta: 1 }), '?made=item')
    ).release();
    expect(formErrors(await browser.get(String(other.headers.location))).sku).to.contain(
      'You already have an item with this SKU.',
    );
    expect(await names()).to.have.members(['Pump', 'Hose']);
  });

  it('lists the errors of an API request that no form can show', async () => {
    const { itemId, browser, queue } = await arrange();
    const items = [
      { itemId, delta: 1 },
      { name: 'Pump', delta: -9 },
    ];
    const { path, release } = await queue({ reason: 'correction', items });
    expect((await browser.get(path)).status).to.equal(200);
    const page = await release();
    expect(page.status).to.equal(200);
    expect(textOf(page))
      .to.contain('Nothing was written.')
      .and.contain('/items/1/delta Pump: 9 requested, 4 available.');
    expect(page.text).to.contain('data-state="failed"');
  });

  it('says that it failed on our side and must not be submitted again unasked', async () => {
    const { itemId, browser, queue } = await arrange();
    const { id, path, fail } = await queue({
      reason: 'lost',
      items: [{ itemId, delta: -1, expectedOnHand: 3 }],
    });
    await fail();
    const page = await browser.get(path);
    expect(textOf(page))
      .to.contain('went wrong on our side')
      .and.contain('waiting-1')
      .and.contain('saved twice');
    expect(page.text).to.contain(`href="/inventory/${itemId}?job=${id}"`);
  });

  it('is not found for another company, item or form', async () => {
    const { company, itemId, browser, queue } = await arrange();
    const [otherItem] = await receive(company, { name: 'Hose', delta: 1 });
    const { id, path, release } = await queue({
      reason: 'lost',
      items: [{ itemId, delta: -9, expectedOnHand: 3 }],
    });
    const { browser: stranger } = await arrange();
    expect((await stranger.get(path)).status).to.equal(404);
    expect(
      (await browser.get(`/inventory/${itemId}?job=${id}`)).status,
      'not refused yet',
    ).to.equal(404);
    await release();
    for (const wrong of [
      `/inventory/${otherItem}?job=${id}`,
      `/inventory/new?job=${id}`,
      `/invoices/jobs/${id}`,
    ]) {
      expect((await browser.get(wrong)).status, wrong).to.equal(404);
    }
    for (const missing of [path, `/inventory/new?job=${id}`, `/inventory/${itemId}?job=${id}`]) {
      expect((await stranger.get(missing)).status, missing).to.equal(404);
    }
    expect((await browser.get('/inventory/jobs/no-id')).status).to.equal(404);
  });
});
