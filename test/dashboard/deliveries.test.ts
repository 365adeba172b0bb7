// Receiving a delivery: many items in one adjustment, typed or pasted, reviewed before it is sent.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Response } from '../support/client.js';
import { type Browser, formErrors, signedIn } from '../support/dashboard.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { lockCompany } from '../support/neighbours.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { addWaitingJob } from '../support/waiting-job.js';

const FORM = '/inventory/receive';

/** The values of the hidden and the other inputs of a page, as its form would send them. */
const inputsOf = ({ text }: Response) =>
  Object.fromEntries(
    [...text.matchAll(/<input (?=[^>]*name="([^"]+)")(?=[^>]*value="([^"]*)")[^>]*>/gu)].flatMap(
      ([, name = '', value = '']) =>
        name === 'token' || name.startsWith('generated.') ? [] : [[name, unescaped(value)]],
    ),
  );
const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describeMode('postgres', 'a delivery', stack => {
  const arrange = async (options: Parameters<typeof makeCompany>[1] = {}) => {
    const company = await makeCompany(stack(), options);
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    return { company, browser };
  };
  const post = (browser: Browser, fields: Record<string, string>) =>
    browser.post(FORM, FORM, { key: randomUUID(), ...fields });
  const stock = async (company: TestCompany) =>
    (await company.get('/inventory')).body.map(
      ({ name, onHand, unitCost }: { name: string; onHand: number; unitCost: number | null }) =>
        `${name} ${onHand} ${unitCost}`,
    );

  it('is reviewed, then received as one adjustment with its reference', async () => {
    const { company, browser } = await arrange();
    const [id] = await receive(
      company,
      { name: 'Pump', sku: 'P-1', delta: 5, unitCost: 2, unit: 'pc' },
      { name: 'Hose', delta: 1 },
    );
    const review = await post(browser, {
      reference: 'DN "7"',
      'items.0.item': 'P-1',
      'items.0.quantity': '2.5',
      'items.0.unitCost': '3',
      'items.4.item': ' hose ',
      'items.4.quantity': '4',
      'items.7.item': 'Valve',
      'items.7.quantity': '1',
      'items.9.item': 'valve',
      'items.9.quantity': '2',
    });
    expect(review.status).to.equal(200);
    expect(textOf(review).replaceAll('\u00a0', ' '))
      .to.contain('Nothing has been received yet.')
      .and.contain('1 item is new')
      .and.match(/Pump P-1 2\.5 pc 5 → 7\.5 \$3\.00 was \$2\.00 Hose 4 1 → 5 – Valve New item 1/u)
      .and.match(/0 → 1 – valve New item 2 1 → 3/u);
    expect(await stock(company), 'nothing is booked').to.deep.equal(['Hose 1 null', 'Pump 5 2']);

    const fields = { ...inputsOf(review), do: 'send' };
    expect(fields).to.include({ 'items.0.itemId': id, 'items.2.item': 'Valve' });
    const sent = await Promise.all([1, 2].map(() => browser.post(FORM, FORM, fields)));
    expect(sent.map(({ status, headers }) => [status, headers.location])).to.deep.equal([
      [303, '/inventory'],
      [303, '/inventory'],
    ]);
    expect((await browser.get('/inventory')).text).to.contain(
      'Delivery DN &quot;7&quot; received: 3 items.',
    );
    expect(await stock(company)).to.deep.equal(['Hose 5 null', 'Pump 7.5 3', 'Valve 3 null']);
    const adjustments = await stack().sql(
      `SELECT reason, reference, json_array_length(movements) AS lines
       FROM adjustments
       WHERE company_id = $1 AND reference IS NOT NULL`,
      [company.companyId],
    );
    expect(adjustments).to.deep.equal([{ reason: 'received', reference: 'DN "7"', lines: 4 }]);
  });

  it('can be edited after the review, with all that was typed', async () => {
    const { browser } = await arrange();
    const line = { 'items.3.item': 'Pump & Co', 'items.3.quantity': '2' };
    const review = await post(browser, { reference: 'DN', ...line });
    const form = await browser.post(FORM, FORM, { ...inputsOf(review), do: 'edit' });
    expect([form.status, formErrors(form)]).to.deep.equal([200, {}]);
    expect(inputsOf(form)).to.include({
      reference: 'DN',
      'items.0.item': 'Pump & Co',
      'items.0.quantity': '2',
      key: inputsOf(review).key,
    });
    const more = await post(browser, { ...line, do: 'add-lines' });
    expect(more.text).to.contain('name="items.9.item"').and.contain('value="Pump &amp; Co"');
  });

  it('can be pasted, after typed lines, by name, former name or SKU', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Pump', sku: 'P-1', delta: 5 });
    await company.patch(`/inventory/${id}`, { name: 'Water pump' });
    const review = await post(browser, {
      'items.0.item': 'Hose',
      'items.0.quantity': '1',
      pasted: 'Item code\tItem\tQty\tCost\n\tpump\t1,5\t2,25\nP-1\tPumpe\t2\t\nX-1\tNew\t3\t',
    });
    expect(inputsOf(review)).to.include({
      'items.1.item': 'pump',
      'items.1.quantity': '1.5',
      'items.1.unitCost': '2.25',
      'items.1.itemId': id,
      'items.2.item': 'P-1',
      'items.2.itemId': id,
      'items.3.item': 'New',
    });
    expect(textOf(review)).to.contain('2 items are new').and.contain('6.5 → 8.5');
  });

  it('shows refusals at their lines, and the pasted list with its own', async () => {
    const { browser } = await arrange();
    const wrong = await post(browser, {
      'items.1.item': 'Pump',
      'items.1.quantity': '-1',
      pasted: 'Hose\tmany\n\t5\nValve\t1\t-2\nBolt\t1.00001',
    });
    expect(wrong.status).to.equal(422);
    expect(formErrors(wrong)).to.include({
      'items-0-quantity': 'Must be greater than 0.',
      'items-1-quantity': 'Enter a number, such as 12.50.',
      'items-2-item': 'Required.',
      'items-3-unitCost': 'Must be at least 0.',
      'items-4-quantity': 'Must have at most 4 decimals.',
    });
    expect(inputsOf(wrong)).to.include({ 'items.1.item': 'Hose', 'items.1.quantity': 'many' });
    expect(wrong.text, 'the list became lines').to.contain('rows="6"></textarea>');

    const doubt = await post(browser, { 'items.0.item': 'A', pasted: 'Pump;1.250' });
    expect(formErrors(doubt).decimals).to.contain('“1.250” can mean two numbers.');
    expect(doubt.text).to.contain('>Pump;1.250</textarea>').and.contain('disclosure" open>');
    expect(inputsOf(doubt)).to.include({ 'items.0.item': 'A' });
    const chosen = await post(browser, { pasted: 'Pump;1.250', decimals: ',' });
    expect(textOf(chosen)).to.contain('0 → 1,250');

    const empty = await post(browser, {});
    expect([empty.status, empty.text.includes('Add at least one line.')]).to.deep.equal([
      422,
      true,
    ]);
  });

  it('has at most 250 lines, and says so beyond', async () => {
    const { company, browser } = await arrange();
    const list = (lines: number) =>
      Array.from({ length: lines }, (_, at) => `Item ${at + 1}\t1\t2`).join('\n');
    const tooLong = await post(browser, { pasted: list(251) });
    expect(tooLong.status).to.equal(422);
    expect(formErrors(tooLong).pasted).to.contain('A delivery has at most 250 lines');
    expect(tooLong.text, 'the list is still there').to.contain('Item 251');
    const typed = { 'items.0.item': 'Pump', 'items.0.quantity': '1' };
    const both = await post(browser, { ...typed, pasted: list(250) });
    expect(both.text).to.contain('A delivery has at most 250 lines, and this one has 251.');
    const review = await post(browser, { pasted: list(250) });
    expect(review.status).to.equal(200);
    const sent = await browser.post(FORM, FORM, { ...inputsOf(review), do: 'send' });
    expect(sent.status).to.equal(303);
    expect((await company.get('/inventory')).body).to.have.length(250);
  });

  it('leaves out no line if an item is archived after the review: nothing is booked', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Pump', delta: 0 });
    const review = await post(browser, {
      'items.0.item': 'Hose',
      'items.0.quantity': '1',
      'items.1.item': 'Pump',
      'items.1.quantity': '2',
    });
    await company.patch(`/inventory/${id}`, { archived: true });
    const refused = await browser.post(FORM, FORM, { ...inputsOf(review), do: 'send' });
    expect([refused.status, formErrors(refused)['items-1-item']]).to.deep.equal([
      422,
      'This item is no longer in use.',
    ]);
    expect(inputsOf(refused)).to.include({ 'items.1.item': 'Pump', 'items.1.quantity': '2' });
    expect(await stock(company)).to.deep.equal([]);
    // Reviewed once more, the name is that of a new item.
    const again = await browser.post(FORM, FORM, inputsOf(refused));
    expect(textOf(again)).to.contain('2 items are new');
  });

  it('has a page while it waits, which leads back to the form if it is refused', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Pump', delta: 0 });
    const review = await post(browser, { 'items.0.item': 'Pump', 'items.0.quantity': '3' });
    const release = await lockCompany(stack(), company.companyId);
    const sent = await browser
      .post(FORM, FORM, { ...inputsOf(review), do: 'send' })
      .finally(release);
    const path = String(sent.headers.location);
    expect(path).to.match(/^\/inventory\/jobs\/[0-9a-f-]{36}\?made=delivery$/u);
    await until('it is received', async () => (await browser.get(path)).status === 303);
    expect((await browser.get('/inventory')).text).to.contain('Delivery received: Pump.');

    const job = await addWaitingJob(stack(), company, 'inventory.adjust', {
      reason: 'received',
      reference: 'DN 8',
      items: [
        { itemId: id, delta: 4, unitCost: 1.5 },
        { itemId: randomUUID(), delta: 1 },
      ],
    });
    const waiting = await browser.get(`/inventory/jobs/${job.id}?made=delivery`);
    expect(textOf(waiting)).to.contain('Receiving the delivery DN 8');
    await job.release();
    const { headers } = await browser.get(`/inventory/jobs/${job.id}?made=delivery`);
    expect(headers.location).to.equal(`${FORM}?job=${job.id}`);
    const form = await browser.get(String(headers.location));
    expect(formErrors(form)).to.include({ 'items-1-item': 'This item is no longer in use.' });
    expect(inputsOf(form)).to.include({
      reference: 'DN 8',
      'items.0.item': 'Pump',
      'items.0.quantity': '4',
      'items.0.unitCost': '1.5',
    });
  });

  it('starts with the item that a link names, of its own company', async () => {
    const { company, browser } = await arrange();
    const { browser: stranger } = await arrange();
    const [id] = await receive(company, { name: 'Pump', delta: 5 });
    expect(inputsOf(await browser.get(`${FORM}?item=${id}`))).to.include({
      'items.0.item': 'Pump',
    });
    for (const query of [`item=${id}`, 'item=x'])
      expect((await stranger.get(`${FORM}?${query}`)).status).to.equal(404);
  });

  it('suggests the items of its own company', async () => {
    const { company, browser } = await arrange();
    const { company: other } = await arrange();
    await receive(company, { name: 'Pump', sku: 'P-1', delta: 5, unit: 'pc' });
    await receive(other, { name: 'Pump of others', delta: 1 });
    const { body } = await browser.get('/inventory/suggestions?q=p-1', {
      headers: { accept: 'application/json' },
    });
    expect(body).to.deep.equal([
      { name: 'Pump', sku: 'P-1', unit: 'pc', onHand: '5', unitPrice: null },
    ]);
  });
});
