// The inventory pages: searching, one item with its history, adjustments, new items, CSV export.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Response } from '../support/client.js';
import { type Browser, formErrors, makeSignedIn } from '../support/dashboard.js';
import {
  type CompanyOptions,
  invoiceRequest,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { linkOf, textOf } from '../support/html.js';
import { describeMode } from '../support/suite.js';

const namesIn = ({ text }: Response) =>
  [...text.matchAll(/<a class="row-link" href="\/inventory\/[0-9a-f-]{36}">([^<]+)<\/a>/gu)].map(
    ([, name]) => name,
  );

const hiddenIn = ({ text }: Response, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`, 'u').exec(text)?.[1];

describeMode('postgres', 'the inventory', stack => {
  const arrange = (options: CompanyOptions = {}) => makeSignedIn(stack(), options);

  it('says what to do first if there are no items', async () => {
    const { browser } = await arrange();
    const { status, text } = await browser.get('/inventory');
    expect(status).to.equal(200);
    expect(text)
      .to.contain('Add your first items')
      .and.contain('href="/inventory/new"')
      .and.contain('href="/inventory/import"');
    expect(text.match(/class="button" /gu), 'one primary action').to.have.length(1);
  });

  it('lists items with their stock status, and finds them by name or SKU', async () => {
    const { company, browser } = await arrange();
    await receive(
      company,
      { name: 'Water pump', sku: 'WP-1', delta: 9, reorderPoint: 2 },
      { name: 'Pump seal 50% wool', delta: 1, reorderPoint: 5 },
      { name: 'Hose', sku: 'HO_2', delta: 0 },
    );
    expect(namesIn(await browser.get('/inventory'))).to.deep.equal([
      'Hose',
      'Pump seal 50% wool',
      'Water pump',
    ]);
    const found = async (query: string) => namesIn(await browser.get(`/inventory?${query}`));
    expect(await found('low=1')).to.deep.equal(['Hose', 'Pump seal 50% wool']);
    expect(await found('out=1')).to.deep.equal(['Hose']);
    expect(await found('q=PUMP+wat')).to.deep.equal(['Water pump']);
    expect(await found('q=p-1')).to.deep.equal(['Water pump']);
    expect(await found('q=50%25')).to.deep.equal(['Pump seal 50% wool']);
    expect(await found('q=_')).to.deep.equal(['Hose']);
    expect(await found('q=pump&low=1')).to.deep.equal(['Pump seal 50% wool']);
    expect((await browser.get('/inventory')).text).to.contain('class="badge plain">In stock');
    const { text } = await browser.get('/inventory?low=1');
    expect(text)
      .to.contain('>Out of stock</span>')
      .and.contain('>Low stock</span>')
      .and.not.contain('>In stock<');
  });

  it('has stable pages while items are added, and refuses the cursor of another list', async () => {
    const { company, browser } = await arrange();
    const items = Array.from({ length: 60 }, (_, at) => ({
      name: `Item ${String(at).padStart(2, '0')}`,
      delta: 1,
    }));
    const [id] = await receive(company, ...items);
    const first = await browser.get('/inventory');
    await receive(company, { name: 'Item 001', delta: 1 });
    const next = linkOf(first, 'next');
    const second = await browser.get(next);
    expect(textOf(first)).to.contain('1–50 of 60');
    expect(textOf(second)).to.contain('52–61 of 61');
    expect([...namesIn(first), ...namesIn(second)]).to.deep.equal(items.map(({ name }) => name));
    expect(second.text).to.contain('First page').and.not.contain('rel="next"');
    const cursor = new URL(next, stack().baseUrl).searchParams.get('cursor') ?? '';
    expect((await browser.get(`/inventory/${id}?cursor=${cursor}`)).status).to.equal(400);
    const { browser: other } = await arrange();
    expect((await other.get(next)).status).to.equal(400);
  });

  it("shows an item's movements with their sources, and its stock over time", async () => {
    const { company, browser } = await arrange({ currency: 'EUR' });
    const [id = ''] = await receive(company, {
      name: 'Pipe',
      sku: 'P',
      delta: 10,
      unit: 'm',
      unitCost: 1.2345,
    });
    await company.post('/inventory/adjustments', {
      reason: 'damaged',
      reference: 'DN <7>',
      note: 'Rain',
      items: [{ itemId: id, delta: -1.5 }],
    });
    const sale = await company.post(
      '/invoices',
      invoiceRequest({ items: [{ name: 'pipe', qty: 2, price: 3 }] }),
    );
    const { text } = await browser.get(`/inventory/${id}`);
    const rows = [...text.matchAll(/<li><p class="movement-kind">(.*?)<\/li>/gu)].map(([, row]) =>
      textOf({ text: row ?? '' })
        .replaceAll('\u00a0', ' ')
        .replaceAll(/\s*(·)\s*/gu, ' $1 '),
    );
    const when = '[A-Z][a-z]{2} \\d+, \\d{4}, \\d+:\\d\\d.[AP]M';
    for (const [at, row] of [
      `Sold · ${sale.body.number} −2 ${when} · API key “Test key” 6.5 m on hand after`,
      `Damaged · DN &lt;7> · Undo −1.5 ${when} · API key “Test key” Rain 8.5 m on hand after`,
      `Received · Delivery \\+10 ${when} · API key “Test key” 10 m on hand after`,
    ].entries())
      expect(rows[at]?.trim()).to.match(new RegExp(`^${row}$`, 'u'));
    expect(
      [...text.matchAll(/<td class="end" data-value="([^"]+)"/gu)].map(([, value]) => value),
    ).to.deep.equal([...['10', '8.5', '6.5'], '6.5']);
    expect(text).to.contain('€1.2345');
  });

  it('samples a long history to as many points as a screen can show', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Bolt', delta: 1 });
    for (let round = 0; round < 2; round += 1) {
      const items = Array.from({ length: 250 }, () => ({ itemId: id, delta: 1 }));
      await company.post('/inventory/adjustments', { reason: 'received', items });
    }
    const { text } = await browser.get(`/inventory/${id}`);
    const points = [...text.matchAll(/<td class="end" data-value="([^"]+)"/gu)].map(([, value]) =>
      Number(value),
    );
    expect(points.length).to.be.within(300, 366);
    expect([points[0], points.at(-1)]).to.deep.equal([1, 501]);
    expect(points).to.deep.equal([...points].sort((a, b) => a - b));
    expect(text).to.contain('rel="next"');
  });

  /** The lists of reasons as the page has them, with one chosen where there is no default. */
  const REASONS = { addReason: 'received', takeReason: 'lost', countReason: 'count' };

  const adjust = async (browser: Browser, id: string, fields: Record<string, string>) => {
    const page = await browser.get(`/inventory/${id}`);
    const hidden = {
      key: hiddenIn(page, 'key') ?? '',
      expectedOnHand: hiddenIn(page, 'expectedOnHand') ?? '',
    };
    return browser.post(`/inventory/${id}`, `/inventory/${id}/adjust`, {
      ...hidden,
      ...REASONS,
      ...fields,
    });
  };

  const onHand = async (company: TestCompany, name: string) =>
    (await company.get(`/inventory?name=${encodeURIComponent(name)}`)).body[0].onHand;

  it('adds, removes and sets stock, once however often the form is sent', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Pump', delta: 10 });
    const added = await adjust(browser, id, { how: 'add', quantity: '2.5' });
    expect([added.status, added.headers.location]).to.deep.equal([303, `/inventory/${id}`]);
    expect((await browser.get(`/inventory/${id}`)).text).to.contain(
      'Stock of Pump updated: 12.5 on hand.',
    );
    await adjust(browser, id, { how: 'take', quantity: '3', note: 'a\nb' });
    expect(await onHand(company, 'Pump')).to.equal(9.5);
    const page = await browser.get(`/inventory/${id}`);
    const fields = {
      key: hiddenIn(page, 'key') ?? '',
      expectedOnHand: '9.5',
      how: 'take',
      quantity: '1',
      ...REASONS,
    };
    const sent = await Promise.all(
      [1, 2].map(() => browser.post('/inventory', `/inventory/${id}/adjust`, fields)),
    );
    expect([...sent.map(({ status }) => status), await onHand(company, 'Pump')]).to.deep.equal([
      303, 303, 8.5,
    ]);
    await adjust(browser, id, { how: 'count', quantity: '4' });
    expect(await onHand(company, 'Pump')).to.equal(4);
  });

  it('books each action with a reason of its own, and refuses others', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Pump', delta: 10 });
    const page = await browser.get(`/inventory/${id}`);
    const listed = (list: string) => {
      const [, options = ''] = page.text.split(`name="${list}"`);
      const [own = ''] = options.split('</select>');
      return [...own.matchAll(/<option value(?:="([^"]*)")?/gu)].map(([, value = '']) => value);
    };
    expect(listed('addReason')[0]).to.equal('received');
    expect(listed('takeReason')[0], 'no default').to.equal('');
    expect(listed('takeReason')).to.include.members(['damaged', 'lost', 'theft']);
    expect(listed('countReason')).to.deep.equal(['count', 'correction']);

    // As a browser sends an untouched form: with the first reason of each list.
    const untouched = { addReason: 'received', takeReason: '', countReason: 'count' };
    const kinds = async () =>
      (await company.get(`/inventory/${id}/movements`)).body.map(
        ({ kind, delta }: { kind: string; delta: number }) => `${kind} ${delta}`,
      );
    await adjust(browser, id, { ...untouched, how: 'count', quantity: '5' });
    await adjust(browser, id, { ...untouched, how: 'add', quantity: '1' });
    const refused = await adjust(browser, id, { ...untouched, how: 'take', quantity: '3' });
    expect([refused.status, formErrors(refused).takeReason]).to.deep.equal([422, 'Required.']);
    const wrong = await adjust(browser, id, { how: 'take', quantity: '3', takeReason: 'received' });
    expect(formErrors(wrong)).to.have.property('takeReason');
    await adjust(browser, id, { how: 'take', quantity: '3', takeReason: 'damaged' });
    expect(await kinds()).to.deep.equal(['damaged -3', 'received 1', 'count -5', 'received 10']);
  });

  it('never overwrites a newer change or goes below zero, and preserves the input', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Pump', delta: 3 });
    const stale = await adjust(browser, id, {
      how: 'count',
      quantity: '1',
      expectedOnHand: '5',
      note: 'counted twice',
    });
    expect(stale.status).to.equal(422);
    expect(formErrors(stale)['']).to.contain('Stock of Pump changed to 3 in the meantime.');
    expect(hiddenIn(stale, 'expectedOnHand')).to.equal('3');
    expect(stale.text).to.contain('counted twice');
    const short = await adjust(browser, id, { how: 'take', quantity: '4' });
    expect(formErrors(short).quantity).to.equal('Only 3 on hand.');
    expect(
      formErrors(await adjust(browser, id, { how: 'take', quantity: '-1' })).quantity,
    ).to.equal('Must be at least 0.');
    expect(
      formErrors(await adjust(browser, id, { how: 'add', quantity: '1.23456' })),
    ).to.have.property('quantity');
    expect(formErrors(await adjust(browser, id, { how: 'add', quantity: '' })).quantity).to.equal(
      'Required.',
    );
    expect(await onHand(company, 'Pump')).to.equal(3);
  });

  it('changes details without a movement, and refreshes the summary', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Pump', delta: 3, unitCost: 5, unit: 'pc' });
    const page = `/inventory/${id}`;
    const version = async () =>
      (
        await stack().sql<{ v: string }>('SELECT stock_version AS v FROM companies WHERE id = $1', [
          company.companyId,
        ])
      )[0]?.v;
    const before = Number(await version());
    const changed = await browser.post(page, `${page}/details`, {
      name: 'Pump',
      reorderPoint: '4',
      unitPrice: '9.9999',
      unit: '',
    });
    expect(changed.status).to.equal(303);
    const [item] = (await company.get('/inventory')).body;
    expect(item).to.include({
      reorderPoint: 4,
      low: true,
      unitCost: null,
      unitPrice: 9.9999,
      unit: null,
      onHand: 3,
    });
    expect(Number(await version())).to.equal(before + 1);
    const wrong = await browser.post(page, `${page}/details`, {
      reorderPoint: '-1',
      unitCost: 'dear',
    });
    expect(formErrors(wrong)).to.include({
      reorderPoint: 'Must be at least 0.',
      unitCost: 'Enter a number, such as 12.50.',
    });
    await receive(company, { name: 'Hose', delta: 1 });
    const taken = { name: ' HOSE', reorderPoint: '-1' };
    expect(formErrors(await browser.post(page, `${page}/details`, taken))).to.include({
      name: 'Another item has this name.',
      reorderPoint: 'Must be at least 0.',
    });
  });

  it('creates a new item once, and never changes an existing one', async () => {
    const { company, browser } = await arrange();
    const key = randomUUID();
    const fields = {
      key,
      name: 'Pump',
      sku: 'P-1',
      delta: '7',
      reorderPoint: '2',
      unitCost: '3.5',
    };
    const created = await browser.post('/inventory/new', '/inventory/new', fields);
    expect([
      created.status,
      (await browser.post('/inventory/new', '/inventory/new', fields)).headers.location,
    ]).to.deep.equal([303, created.headers.location]);
    const [item] = (await company.get('/inventory')).body;
    expect(item).to.include({
      name: 'Pump',
      sku: 'P-1',
      onHand: 7,
      reorderPoint: 2,
      unitCost: 3.5,
      unitPrice: null,
    });
    const again = { ...fields, key: randomUUID(), sku: '' };
    expect(
      formErrors(await browser.post('/inventory/new', '/inventory/new', again)).name,
    ).to.contain('already');
    const sku = { ...fields, key: randomUUID(), name: 'Other' };
    expect(formErrors(await browser.post('/inventory/new', '/inventory/new', sku)).sku).to.contain(
      'already',
    );
    const form = await browser.get('/inventory/new');
    expect(form.text).to.match(/<input[^>]* name="name"[^>]* autofocus/u);
    const several = { ...sku, key: randomUUID(), name: '', unitCost: 'x' };
    const errors = formErrors(await browser.post('/inventory/new', '/inventory/new', several));
    expect(Object.keys(errors)).to.have.members(['', 'name', 'sku', 'unitCost']);
    expect(await onHand(company, 'Pump')).to.equal(7);
    const empty = await browser.post('/inventory/new', '/inventory/new', {
      key: randomUUID(),
      delta: 'x',
      unit: 'crate',
    });
    expect(formErrors(empty)).to.include({
      name: 'Required.',
      delta: 'Enter a number, such as 12.50.',
    });
    expect(empty.text).to.contain('value="crate"');
    const debtor = await arrange({ allowNegativeStock: true });
    const negative = { key: randomUUID(), name: 'Pump', delta: '-1' };
    const owed = await debtor.browser.post('/inventory/new', '/inventory/new', negative);
    expect(formErrors(owed).delta, 'nothing is received').to.equal('Must be at least 0.');
  });

  it("hides other companies' items", async () => {
    const { company } = await arrange();
    const { browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Secret pump', delta: 3 });
    const missing = await browser.get(`/inventory/${randomUUID()}`);
    const other = await browser.get(`/inventory/${id}`);
    expect([missing.status, other.status]).to.deep.equal([404, 404]);
    const plain = ({ text }: Response) => text.replaceAll(/name="token" value="[^"]+"/gu, '');
    expect(plain(other)).to.equal(plain(missing));
    const fields = {
      how: 'add',
      quantity: '1',
      ...REASONS,
      expectedOnHand: '3',
      key: randomUUID(),
    };
    expect(
      (await browser.post('/inventory/new', `/inventory/${id}/adjust`, fields)).status,
    ).to.equal(404);
    expect(
      (await browser.post('/inventory/new', `/inventory/${id}/details`, { reorderPoint: '1' }))
        .status,
    ).to.equal(404);
    expect((await browser.get('/inventory/export.csv')).text).to.not.contain('Secret');
  });

  it('exports all items as CSV without executable formulas', async () => {
    const { company, browser } = await arrange();
    await receive(
      company,
      { name: '=HYPERLINK("http://x")', delta: 2, unitCost: 0.5 },
      { name: 'Pipe, 2"', sku: '-1', delta: 0, reorderPoint: 3, unit: 'm' },
    );
    const { status, headers, text } = await browser.get('/inventory/export.csv');
    expect([status, headers['content-type'], headers['cache-control']]).to.deep.equal([
      200,
      'text/csv; charset=utf-8; header=present',
      'no-store',
    ]);
    expect(headers['content-disposition']).to.match(
      /^attachment; filename="inventory-\d{4}-\d{2}-\d{2}\.csv"$/u,
    );
    expect(text).to.equal(
      '\ufeff"Name","SKU","Count","Unit","Reorder point","Unit cost","Unit price",' +
        '"Expected on hand"\r\n' +
        '"\'=HYPERLINK(""http://x"")",,2,,0,0.5,,2\r\n' +
        '"Pipe, 2""","\'-1",0,"m",3,,,0\r\n',
    );
  });
});
