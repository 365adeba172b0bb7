// Receiving a delivery: many items in one adjustment, typed or pasted, reviewed before it is sent.

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { formatDay } from '../../src/dashboard/kit/ui/format.js';
import { stockWrites } from '../../src/inventory/adjust.js';
import { Stock } from '../../src/inventory/stock.js';
import type { Response } from '../support/client.js';
import { type Browser, formErrors, makeSignedIn, signedIn } from '../support/dashboard.js';
import { dayFromToday, today } from '../support/days.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { linkOf, textOf } from '../support/html.js';
import { lockCompany } from '../support/neighbours.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { addWaitingJob } from '../support/waiting-job.js';

const FORM = '/inventory/receive';
const LIST = '/inventory/deliveries';

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
  const arrange = () => makeSignedIn(stack());
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
      pasted: 'Item code\tItem\tQty\tCost\n\tpump\t1,5\t2,25\np-1\tPumpe\t2\t\nX-1\tNew\t3\t',
    });
    expect(inputsOf(review)).to.include({
      'items.1.item': 'pump',
      'items.1.quantity': '1.5',
      'items.1.unitCost': '2.25',
      'items.1.itemId': id,
      'items.2.item': 'p-1',
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
    browser.waitsForWrites = false;
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
    const [id] = await receive(company, { name: 'Pump', sku: 'P-1', delta: 5, unit: 'pc' });
    await receive(other, { name: 'Pump of others', delta: 1 });
    const { body } = await browser.get('/inventory/suggestions?q=p-1', {
      headers: { accept: 'application/json' },
    });
    expect(body).to.deep.equal([
      { id, name: 'Pump', sku: 'P-1', unit: 'pc', onHand: '5', unitPrice: null },
    ]);
  });

  it('finds an item by its SKU in any case, and creates none beside it', async () => {
    const { company, browser } = await arrange();
    await receive(company, { name: 'Ball valve', sku: 'HS-017', delta: 1 });
    const review = await post(browser, {
      'items.0.item': ' hs-017',
      'items.0.quantity': '2',
      pasted: 'Hs-017\t3',
    });
    expect(textOf(review)).to.contain('Ball valve HS-017').and.not.contain('New item');
    await browser.post(FORM, FORM, { ...inputsOf(review), do: 'send' });
    expect(await stock(company)).to.deep.equal(['Ball valve 6 null']);
    const early = await post(browser, { 'items.0.item': 'hs-018', 'items.0.quantity': '2' });
    expect(textOf(early)).to.contain('hs-018 New item');
    await receive(company, { name: 'Elbow', sku: 'HS-018', delta: 1 });
    const fields = { ...inputsOf(early), do: 'send' };
    for (const sent of [1, 2])
      expect((await browser.post(FORM, FORM, fields)).status, `time ${sent}`).to.equal(303);
    expect(await stock(company)).to.deep.equal(['Ball valve 6 null', 'Elbow 3 null']);
  });
});

describeMode('postgres', 'the list of deliveries', stack => {
  const arrange = async (options: Parameters<typeof makeCompany>[1] = {}) => {
    const company = await makeCompany(stack(), options);
    const { browser, user } = await signedIn(stack(), company.companyId, { role: 'member' });
    return { company, browser, email: user.email };
  };
  const deliver = async (company: TestCompany, reference: string | null, ...items: object[]) => {
    const named = reference === null ? {} : { reference };
    const body = { reason: 'received', ...named, items };
    const response = await company.post('/inventory/adjustments', body);
    expect(response.status, response.text).to.equal(201);
    return response.body as { id: string; movements: { itemId: string }[] };
  };
  const find = async (browser: Browser, query: string) => {
    const { status, text } = await browser.get(`${LIST}${query}`);
    expect(status).to.equal(200);
    return [...text.matchAll(/class="row-link"[^>]*>([^<]+)</gu)].map(([, label]) => label);
  };
  const correctPath = (id: string) => `${LIST}/${id}/correct`;
  /** The form of the page as it is, with other quantities for the first items. */
  const correction = async (browser: Browser, id: string, ...quantities: string[]) => {
    const page = await browser.get(correctPath(id));
    const changed = quantities.map((quantity, index) => [`items.${index}.quantity`, quantity]);
    return { ...inputsOf(page), ...Object.fromEntries(changed) };
  };
  const send = (browser: Browser, id: string, fields: Record<string, string>) =>
    browser.post(correctPath(id), correctPath(id), fields);
  const onHand = async (company: TestCompany) =>
    (await company.get('/inventory')).body.map(
      ({ name, onHand: quantity }: { name: string; onHand: number }) => `${name} ${quantity}`,
    );

  it('shows what was received, newest first, page by page', async () => {
    const { company, browser } = await arrange();
    for (let count = 1; count <= 51; count += 1)
      await deliver(company, `DN-${count}`, { name: 'Pump', delta: count, unit: 'pc' });
    await deliver(company, null, { name: 'Pump', delta: 2 }, { name: 'Hose', delta: 3, unit: 'm' });
    const page = await browser.get(LIST);
    expect(textOf(page).replaceAll('\u00a0', ' ')).to.match(
      /No delivery note .*API key “.*” 2 items DN-51 .* 1 item 51 pc DN-50 /u,
    );
    const next = linkOf(page, 'next');
    expect(await find(browser, next.replaceAll('&amp;', '&').slice(LIST.length))).to.deep.equal([
      'DN-2',
      'DN-1',
    ]);
  });

  it('has no opening stock, no new details and no other adjustments', async () => {
    const { company, browser } = await arrange();
    expect((await browser.get(LIST)).text).to.contain('No deliveries yet');
    const path = '/inventory/new';
    const key = randomUUID();
    const added = await browser.post(path, path, { key, name: 'Valve', delta: '3' });
    expect(added.status).to.equal(303);
    await deliver(company, 'details', { name: 'Valve', delta: 0, unitCost: 1 });
    const counted = { reason: 'count', reference: 'count', items: [{ name: 'Valve', count: 9 }] };
    await company.post('/inventory/adjustments', counted);
    expect(await find(browser, '')).to.deep.equal([]);
    await deliver(company, 'DN-1', { name: 'Valve', delta: 1, expectedOnHand: 9 });
    expect(await find(browser, '')).to.deep.equal(['DN-1']);
  });

  it('is searched by note, number, item and SKU in any case, in the own company only', async () => {
    const { company, browser } = await arrange();
    const { company: other } = await arrange();
    await deliver(other, 'DN-4711', { name: 'Brücke', sku: 'HS-1', delta: 1 });
    await deliver(company, 'DN-4711', { name: 'Brücke', sku: 'HS-1', delta: 1 });
    await company.post('/inventory/adjustments', {
      ...{ reason: 'received', reference: '100%_', note: 'From Müller' },
      items: [
        { sku: 'HS-1', delta: 1 },
        { name: 'Hose', delta: 1 },
      ],
    });
    for (const [q, found] of [
      ['dn-47', ['DN-4711']],
      ['BRÜCKE hs-1', ['100%_', 'DN-4711']],
      ['hose', ['100%_']],
      ['müller  hose', ['100%_']],
      ['%', ['100%_']],
      ['1_', []],
      ['nothing', []],
    ] as const)
      expect(await find(browser, `?${new URLSearchParams({ q })}`), q).to.deep.equal(found);
  });

  it('finds deliveries of an earlier release by their number', async () => {
    const { company, browser } = await arrange();
    const [id] = await receive(company, { name: 'Pump', delta: 0 });
    await stack().sql(
      `INSERT INTO adjustments (company_id, id, submission_id, reason, reference, movements,
         stock_version, created_at)
       VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'received', 'DN-Old', $2, 0,
         now() - interval '1 day')`,
      [
        company.companyId,
        JSON.stringify([{ itemId: id, name: 'Pump', delta: 1, onHandBefore: 0, onHandAfter: 1 }]),
      ],
    );
    expect(await find(browser, '?q=dn-old')).to.deep.equal(['DN-Old']);
    await stack().sql('ALTER TABLE adjustments DISABLE TRIGGER append_only');
    await stack().sql('DELETE FROM adjustments WHERE company_id = $1', [company.companyId]);
    await stack().sql('ALTER TABLE adjustments ENABLE TRIGGER append_only');
  });

  it('leads to a delivery with its items, costs and stock, for its own company only', async () => {
    const { company, browser } = await arrange();
    const { browser: stranger } = await arrange();
    await receive(company, { name: 'Pump', sku: 'P-1', unit: 'pc', delta: 5 });
    const { id, movements } = await deliver(
      company,
      'DN <1>',
      { sku: 'p-1', delta: 2.5, unitCost: 3.4 },
      { name: 'Hose', delta: 4 },
      { name: 'PUMP', delta: 1 },
    );
    const page = await browser.get(`${LIST}/${id}`);
    expect(page.text).to.contain('DN &lt;1>').and.contain(`/inventory/${movements[0]?.itemId}`);
    expect(textOf(page).replaceAll('\u00a0', ' '))
      .to.contain('Pump P-1 3.5 pc $3.40 8.5 pc Hose 4 4')
      .and.not.contain('Corrections');
    const item = await browser.get(`/inventory/${movements[0]?.itemId}`);
    expect(item.text).to.contain(`href="${LIST}/${id}"`);
    for (const path of [`${LIST}/${id}`, correctPath(id), `${LIST}/x`])
      expect((await stranger.get(path)).status, path).to.equal(404);
    const lost = { reason: 'lost', items: [{ name: 'Hose', delta: -1 }] };
    const { body: other } = await company.post('/inventory/adjustments', lost);
    expect((await browser.get(`${LIST}/${other.id}`)).status).to.equal(404);
  });

  it('corrects a delivery, and shows by whom, once for a double click', async () => {
    const { company, browser, email } = await arrange();
    const { id } = await deliver(
      company,
      'DN-7',
      { name: 'Pump', delta: 10, unitCost: 2 },
      { name: 'Hose', delta: 4 },
      { name: 'Valve', delta: 1 },
    );
    const fields = { ...(await correction(browser, id, '8,5', '0')), note: 'Miscounted' };
    const sent = await Promise.all([1, 2].map(() => send(browser, id, fields)));
    expect(sent.map(({ status, headers }) => [status, headers.location])).to.deep.equal([
      [303, `${LIST}/${id}`],
      [303, `${LIST}/${id}`],
    ]);
    expect((await send(browser, id, fields)).status, 'and later').to.equal(303);
    expect(await onHand(company)).to.deep.equal(['Hose 0', 'Pump 8.5', 'Valve 1']);
    const page = await browser.get(`${LIST}/${id}`);
    expect(textOf(page))
      .to.contain('Delivery corrected.')
      .and.match(/Pump 10 8\.5 \$2\.00 10 Hose 4 0 4 Valve 1 1 1/u)
      .and.match(new RegExp(`${email} Pump −1\\.5 Hose −4 Miscounted`, 'u'));
    expect(await find(browser, '?corrected=1')).to.deep.equal(['DN-7']);
    const booked = await stack().sql(
      `SELECT reason, reference, note, created_by ->> 'name' AS name FROM adjustments
       WHERE company_id = $1 AND corrects = $2`,
      [company.companyId, id],
    );
    expect(booked).to.deep.equal([
      { reason: 'correction', reference: 'DN-7', note: 'Miscounted', name: email },
    ]);
    // A second correction starts from the first one.
    await send(browser, id, await correction(browser, id, '9'));
    expect(await onHand(company)).to.deep.equal(['Hose 0', 'Pump 9', 'Valve 1']);
  });

  it('applies one of two corrections that start from the same figures', async () => {
    const { company, browser } = await arrange();
    const { id } = await deliver(company, 'DN-8', { name: 'Pump', delta: 10 });
    const stale = await correction(browser, id, '7');
    const forms = await Promise.all(['8', '9'].map(each => correction(browser, id, each)));
    const release = await lockCompany(stack(), company.companyId);
    browser.waitsForWrites = false;
    const sending = Promise.all(forms.map(fields => send(browser, id, fields)));
    const answers = await sending.finally(release);
    for (const { headers, status } of answers) {
      expect(status).to.equal(303);
      await until('the correction is settled', async () => {
        const page = await browser.get(String(headers.location));
        return page.status === 303;
      });
    }
    const jobs = answers.map(({ headers }) => String(headers.location));
    const ends = await Promise.all(jobs.map(path => browser.get(path)));
    const refused = ends.flatMap(({ headers }) =>
      String(headers.location).includes('?job=') ? [String(headers.location)] : [],
    );
    expect(refused).to.have.length(1);
    const form = await browser.get(String(refused[0]));
    expect(form.text).to.contain('This delivery was corrected in the meantime.');
    expect((await onHand(company)).join()).to.be.oneOf(['Pump 8', 'Pump 9']);
    browser.waitsForWrites = true;
    const late = await send(browser, id, stale);
    expect(late.status).to.equal(422);
    expect(late.text).to.contain('This delivery was corrected in the meantime.');
    expect(inputsOf(form), 'the current quantity').to.include({ after: '1' });
  });

  it('refuses a correction with lines that the form does not have', async () => {
    const { company, browser } = await arrange();
    const { id } = await deliver(company, 'DN-9', { name: 'Hose', delta: 4 });
    for (const name of ['items.new.quantity', 'items.x', 'items.99999.quantity', 'items.9']) {
      const fields = { ...(await correction(browser, id, '3')), [name]: '1' };
      expect((await send(browser, id, fields)).status, name).to.equal(422);
    }
    expect(await onHand(company)).to.deep.equal(['Hose 4']);
  });

  it('refuses a correction that takes more than is on hand, and changes nothing', async () => {
    const { company, browser } = await arrange();
    const { id } = await deliver(
      company,
      'DN-9',
      { name: 'Hose', delta: 4 },
      { name: 'Pump', delta: 10 },
    );
    const sold = { reason: 'lost', items: [{ name: 'Pump', delta: -7 }] };
    await company.post('/inventory/adjustments', sold);
    const refused = await send(browser, id, await correction(browser, id, '5', '2'));
    expect(refused.status).to.equal(422);
    expect(formErrors(refused)).to.include({
      'items-1-quantity': 'Only 3 on hand, so the quantity must be at least 7.',
    });
    expect(inputsOf(refused)).to.include({ 'items.0.quantity': '5', 'items.1.quantity': '2' });
    expect(await onHand(company)).to.deep.equal(['Hose 4', 'Pump 3']);
    expect((await send(browser, id, await correction(browser, id, '4', '7'))).status).to.equal(303);
    expect(await onHand(company)).to.deep.equal(['Hose 4', 'Pump 0']);

    const job = await addWaitingJob(stack(), company, 'inventory.adjust', {
      ...{ reason: 'correction', reference: 'DN-9', corrects: { id, after: 1 } },
      items: [{ itemId: inputsOf(refused)['items.1.itemId'], delta: -1 }],
    });
    await job.release();
    const { headers } = await browser.get(`/inventory/jobs/${job.id}?made=correction`);
    expect(headers.location).to.equal(`${correctPath(id)}?job=${job.id}`);
    const form = await browser.get(String(headers.location));
    expect(formErrors(form)).to.include({
      'items-1-quantity': 'Only 0 on hand, so the quantity must be at least 7.',
    });
    expect(inputsOf(form)).to.include({ 'items.1.quantity': '6' });

    const { company: lender, browser: debtor } = await arrange({ allowNegativeStock: true });
    const owed = await deliver(lender, 'DN', { name: 'Pump', delta: 10 });
    await lender.post('/inventory/adjustments', sold);
    await send(debtor, owed.id, await correction(debtor, owed.id, '0'));
    expect(await onHand(lender)).to.deep.equal(['Pump -7']);
  });

  it('refuses quantities that are missing, negative or not numbers, and other items', async () => {
    const { company, browser } = await arrange();
    const { id } = await deliver(
      company,
      'DN',
      { name: 'Hose', delta: 4 },
      { name: 'Pump', delta: 10 },
      { name: 'Tape', delta: 1 },
    );
    const own = await correction(browser, id, '', '-1', 'many');
    expect(formErrors(await send(browser, id, own))).to.include({
      'items-0-quantity': 'Required.',
      'items-1-quantity': 'Must be at least 0.',
      'items-2-quantity': 'Enter a number, such as 12.50.',
    });
    const same = await send(browser, id, await correction(browser, id));
    expect([same.status, same.text.includes('Nothing differs.')]).to.deep.equal([422, true]);
    const [foreign = ''] = await receive(company, { name: 'Other', delta: 1 });
    for (const fields of [
      { ...own, 'items.0.itemId': foreign, 'items.0.quantity': '1' },
      { ...own, 'items.0.itemId': '', 'items.0.quantity': '' },
      { ...own, after: 'x' },
    ])
      expect((await send(browser, id, fields)).status).to.equal(422);
    expect(await onHand(company)).to.deep.equal(['Hose 4', 'Other 1', 'Pump 10', 'Tape 1']);
  });

  it('leaves an archived item of a delivery alone', async () => {
    const { company, browser } = await arrange();
    const { id, movements } = await deliver(
      company,
      'DN',
      { name: 'Hose', delta: 4 },
      { name: 'Pump', delta: 10 },
    );
    const before = await correction(browser, id, '3');
    const lost = { reason: 'lost', items: [{ name: 'Hose', delta: -4 }] };
    await company.post('/inventory/adjustments', lost);
    await company.patch(`/inventory/${movements[0]?.itemId}`, { archived: true });
    const refused = await send(browser, id, before);
    expect(refused.status).to.equal(422);
    expect(refused.text).to.contain('Check the highlighted fields.');
    expect((await send(browser, id, await correction(browser, id, '4', '9'))).status).to.equal(303);
    expect(await onHand(company)).to.deep.equal(['Pump 9']);
  });
});

describeMode('postgres', 'the supplier and the day of arrival of a delivery', stack => {
  const arrange = async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pump', delta: 5 });
    const { browser } = await signedIn(stack(), company.companyId, { role: 'warehouse' });
    return { company, browser };
  };
  const shown = (page: Response) => textOf(page).replaceAll('\u00a0', ' ');
  const line = { 'items.0.item': 'Pump', 'items.0.quantity': '2' };
  const post = (browser: Browser, fields: Record<string, string>) =>
    browser.post(FORM, FORM, { key: randomUUID(), ...line, ...fields });

  it('are asked for, reviewed, shown, found, corrected and in the file of movements', async () => {
    const { company, browser } = await arrange();
    expect(inputsOf(await browser.get(FORM))).to.include({ arrivedOn: today() });
    const [arrivedOn, corrected] = [dayFromToday(-10), dayFromToday(-11)];
    const [arrived, earlier] = [formatDay(arrivedOn), formatDay(corrected)];
    const head = { reference: 'DN 1', supplier: 'Müller Supply', arrivedOn };
    const review = await post(browser, head);
    expect(shown(review)).to.contain(`Supplier Müller Supply Arrived ${arrived}`);
    const fields = { ...inputsOf(review), do: 'send' };
    expect((await browser.post(FORM, FORM, fields)).status).to.equal(303);
    await post(browser, { reference: 'DN 2' }).then(other =>
      browser.post(FORM, FORM, { ...inputsOf(other), do: 'send' }),
    );
    const found = await browser.get(`${LIST}?q=m%C3%BCller`);
    expect(shown(found)).to.contain(`DN 1 Müller Supply ${arrived}`);
    expect(found.text).not.to.contain('>DN 2<');
    const path = /href="(\/inventory\/deliveries\/[0-9a-f-]{36})"/u.exec(found.text)?.[1] ?? '';
    expect(shown(await browser.get(path))).to.contain(`Supplier Müller Supply Arrived ${arrived}`);

    const correct = async (changes: Record<string, string>) => {
      const page = await browser.get(`${path}/correct`);
      return browser.post(`${path}/correct`, `${path}/correct`, { ...inputsOf(page), ...changes });
    };
    expect(shown(await correct({}))).to.contain('Nothing differs.');
    const changed = { supplier: 'Meier', arrivedOn: corrected, note: 'Mixed up' };
    expect((await correct(changed)).status).to.equal(303);
    expect(shown(await browser.get(path)))
      .to.contain(`Supplier Meier Arrived ${earlier}`)
      .and.contain(`Supplier: Meier Arrived: ${earlier} Mixed up`);
    // The search finds a delivery as it was booked.
    expect(shown(await browser.get(`${LIST}?q=m%C3%BCller`))).to.contain(`DN 1 Meier ${earlier}`);
    expect(formErrors(await correct({ arrivedOn: '' }))).to.include({ arrivedOn: 'Required.' });
    expect((await correct({ supplier: '', 'items.0.quantity': '3' })).status).to.equal(303);
    expect(shown(await browser.get(path)))
      .to.contain('No supplier')
      .and.not.match(/Supplier Mei/u);
    expect((await company.get('/inventory')).body[0].onHand).to.equal(10);

    const { text } = await browser.get('/inventory/movements.csv');
    expect(text)
      .to.match(/"Created by","Supplier","Arrived"\r?\n/u)
      .and.match(new RegExp(`"DN 1".*"${corrected}"\\r?\\n`, 'u'));
  });

  it('asks about a day that is probably mistyped', async () => {
    const { browser } = await arrange();
    const wrong = await post(browser, { arrivedOn: '2062-11-19' });
    expect(wrong.status).to.equal(422);
    expect(formErrors(wrong).arrivedOn).to.contain('Is that right?');
    const asked = { arrivedOn: '2062-11-19', 'confirm.arrivedOn': '2062-11-19' };
    const review = await post(browser, asked);
    expect(formErrors(review)).to.deep.equal({});
    expect(shown(review)).to.contain('Arrived Nov 19, 2062');
    const sent = await browser.post(FORM, FORM, { ...inputsOf(review), do: 'send' });
    expect(sent.status).to.equal(303);
    const invalid = await post(browser, { arrivedOn: '2026-02-30' });
    expect(formErrors(invalid)).to.have.property('arrivedOn');
  });
});

describe('two corrections of a delivery in one batch', () => {
  it('are not both planned on the same figures', () => {
    const [companyId, id, itemId] = [randomUUID(), randomUUID(), randomUUID()];
    const item = { companyId, id: itemId, sku: null, skuKey: null, name: 'Pump', nameKey: 'pump' };
    const locked = {
      stock: new Stock([{ ...item, onHand: 100_000n }]),
      companies: new Map<string, never>(),
      corrections: new Map<string, number>(),
      sheets: new Map<string, number>(),
    };
    const plan = (after: number) =>
      stockWrites.plan(
        {
          ...{ companyId, submissionId: randomUUID(), createdBy: null, resultId: randomUUID() },
          payload: {
            ...{ reason: 'correction', corrects: { id, after } },
            items: [{ itemId, delta: -1 }],
          },
        },
        locked,
      );
    expect(plan(0)).to.have.property('plan');
    expect(plan(0)).to.have.nested.property('refusal.code', 'stock_conflict');
    expect(plan(1)).to.have.property('plan');
    expect(locked.stock.byId(companyId, itemId)?.onHand).to.equal(80_000n);
  });
});
