// Count sheets: items are saved as they are counted, and booked at once after a review.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { stockWrites } from '../../src/inventory/adjust.js';
import { Stock } from '../../src/inventory/stock.js';
import { type Browser, formErrors, signedIn } from '../support/dashboard.js';
import { makeCompany, receive, stockOf, type TestCompany } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { describeMode } from '../support/suite.js';

const COUNTS = '/inventory/counts';

describeMode('postgres', 'a count sheet', stack => {
  const arrange = async () => {
    const company = await makeCompany(stack());
    const ids = await receive(
      company,
      { name: 'Pump', sku: 'P-1', delta: 10, unit: 'pc' },
      { name: 'Hose', sku: 'H-1', delta: 4 },
      { name: 'Tape', delta: 1 },
    );
    const { browser } = await signedIn(stack(), company.companyId, { role: 'warehouse' });
    return { company, browser, ids, path: await start(browser) };
  };
  const start = async (browser: Browser, key = randomUUID()): Promise<string> => {
    const fields = { key, name: 'Shelf 1' };
    const { status, headers } = await browser.post(COUNTS, COUNTS, fields);
    expect(status).to.equal(303);
    return String(headers.location);
  };
  const count = (browser: Browser, path: string, fields: Record<string, string>) =>
    browser.post(path, path, { key: randomUUID(), ...fields });
  const counted = async (browser: Browser, path: string) => {
    const text = textOf(await browser.get(path)).replaceAll('\u00a0', ' ');
    return /Remove (.*)$/u.exec(text)?.[1] ?? '';
  };
  const figures = async (browser: Browser, path: string) => {
    const review = await browser.get(`${path}/review`);
    expect(review.status).to.equal(200);
    return { text: textOf(review).replaceAll('\u00a0', ' '), fields: fieldsOf(review) };
  };
  const book = async (browser: Browser, path: string, fields: unknown) =>
    browser.post(`${path}/review`, `${path}/review`, fields as Record<string, string>);
  const sell = (company: TestCompany, name: string, qty: number) =>
    company.post('/invoices', {
      customerName: 'Bright & Sons',
      date: '2026-11-20',
      items: [{ name, qty, price: 1 }],
    });

  it('is started once, saved item by item, and booked with what moved meanwhile', async () => {
    const { company, browser, path } = await arrange();
    const key = randomUUID();
    expect(await start(browser, key)).to.equal(await start(browser, key));
    const saved = await count(browser, path, { item: ' p-1 ', quantity: '8' });
    expect([saved.status, saved.headers.location]).to.deep.equal([303, path]);
    await count(browser, path, { item: 'hose', quantity: '5,5' });
    await count(browser, path, { item: 'Tape', quantity: '1' });
    expect(await stockOf(company), 'nothing is booked').to.deep.equal([
      'Hose 4',
      'Pump 10',
      'Tape 1',
    ]);
    expect(await counted(browser, path)).to.match(/^Tape 1 .* Hose H-1 5\.5 .* Pump P-1 8 pc /u);
    expect(textOf(await browser.get(COUNTS))).to.match(/Shelf 1 .* 3 items/u);

    await sell(company, 'Pump', 3);
    const { text, fields } = await figures(browser, path);
    expect(text)
      .to.contain('3 items 2 differ from stock.')
      .and.match(/Hose H-1 5\.5 – 4 → 5\.5 Pump P-1 8 pc −?-?3 7 → 5 Tape 1 – 1/u);
    const sent = await Promise.all([1, 2].map(() => book(browser, path, fields)));
    for (const { status, headers } of sent)
      expect([status, headers.location]).to.deep.equal([303, COUNTS]);
    expect((await browser.get(COUNTS)).text).to.contain('Count booked: 3 items, 2 changed.');
    expect(await stockOf(company)).to.deep.equal(['Hose 5.5', 'Pump 5', 'Tape 1']);
    expect((await browser.get(path)).status, 'the sheet is gone').to.equal(404);
    const booked = await stack().sql(
      `SELECT reference, json_array_length(movements) AS items
       FROM adjustments
       WHERE company_id = $1 AND reason = 'count'`,
      [company.companyId],
    );
    expect(booked).to.deep.equal([{ reference: 'Shelf 1', items: 3 }]);
  });

  it('asks for the quantity after a scan, and before an item is counted twice', async () => {
    const { browser, path } = await arrange();
    const scanned = await count(browser, path, { item: 'P-1' });
    expect(scanned.status).to.equal(422);
    expect(formErrors(scanned)).to.include({ quantity: 'Required.' }).and.not.have.property('item');
    expect(fieldsOf(scanned)).to.include({ item: 'P-1' });
    const unknown = await count(browser, path, { item: 'P-9', quantity: '1' });
    expect(formErrors(unknown)).to.include({ item: 'No item has this name or SKU.' });
    const negative = await count(browser, path, { item: 'P-1', quantity: '-1' });
    expect(formErrors(negative)).to.include({ quantity: 'Must be at least 0.' });

    const key = randomUUID();
    for (const time of [1, 2])
      expect(
        (await count(browser, path, { key, item: 'P-1', quantity: '8' })).status,
        `time ${time}`,
      ).to.equal(303);
    const again = await count(browser, path, { item: 'pump', quantity: '2' });
    expect(again.status).to.equal(422);
    expect(textOf(again)).to.contain('Pump is already counted: 8. Add to it, or replace it?');
    await count(browser, path, { item: 'pump', quantity: '2', do: 'add' });
    expect(await counted(browser, path)).to.match(/^Pump P-1 10 pc/u);
    await count(browser, path, { item: 'pump', quantity: '7', do: 'replace' });
    expect(await counted(browser, path)).to.match(/^Pump P-1 7 pc/u);
  });

  it('counts each scan as one if asked to', async () => {
    const { browser, path } = await arrange();
    for (const item of ['P-1', 'P-1', 'H-1', 'p-1']) {
      const { headers } = await count(browser, path, { item, each: 'true' });
      expect(headers.location).to.equal(`${path}?each=true`);
    }
    expect((await browser.get(`${path}?each=true`)).text).to.match(/name="each"[^>]* checked/u);
    expect(await counted(browser, path)).to.match(/^Pump P-1 3 pc .* Hose H-1 1 /u);
  });

  it('lets an item be removed, and be deleted as a whole', async () => {
    const { company, browser, ids, path } = await arrange();
    await count(browser, path, { item: 'Pump', quantity: '8' });
    await count(browser, path, { item: 'Hose', quantity: '8' });
    await browser.post(path, `${path}/remove/${ids[0]}`, {});
    expect(await counted(browser, path))
      .to.match(/^Hose/u)
      .and.not.contain('Pump');
    const page = `${path}/delete`;
    expect(textOf(await browser.get(page))).to.contain('1 counted item will be lost.');
    expect((await browser.post(page, page, {})).headers.location).to.equal(COUNTS);
    expect((await browser.get(path)).status).to.equal(404);
    expect(await stockOf(company)).to.deep.equal(['Hose 4', 'Pump 10', 'Tape 1']);
  });

  it('books only the figures that the review showed', async () => {
    const { company, browser, ids, path } = await arrange();
    await count(browser, path, { item: 'Pump', quantity: '8' });
    const early = await figures(browser, path);
    await sell(company, 'Pump', 1);
    const moved = await book(browser, path, early.fields);
    expect(moved.status).to.equal(422);
    expect(textOf(moved)).to.contain('Stock moved in the meantime.').and.contain('9 → 7');
    const outdated = fieldsOf(moved);
    await count(browser, path, { item: 'Hose', quantity: '4' });
    const changed = await book(browser, path, outdated);
    expect(textOf(changed)).to.contain('This count sheet changed in the meantime.');

    const lost = { reason: 'lost', items: [{ name: 'Hose', delta: -4 }] };
    await company.post('/inventory/adjustments', lost);
    await company.patch(`/inventory/${ids[1]}`, { archived: true });
    const { text, fields } = await figures(browser, path);
    expect(text).to.contain('Hose Archived');
    const archived = await book(browser, path, fields);
    expect(textOf(archived)).to.contain('Archived in the meantime: Hose.');
    await browser.post(path, `${path}/remove/${ids[1]}`, {});
    const last = await figures(browser, path);
    expect((await book(browser, path, last.fields)).status).to.equal(303);
    expect(await stockOf(company)).to.deep.equal(['Pump 7', 'Tape 1']);
    const closed = await book(browser, path, { ...last.fields, key: randomUUID() });
    expect([closed.status, textOf(closed).includes('This count is closed')]).to.deep.equal([
      422,
      true,
    ]);
  });

  it('belongs to its company, and is not for those who change no stock', async () => {
    const { company, browser, path } = await arrange();
    const { browser: stranger } = await arrange();
    const { browser: reader } = await signedIn(stack(), company.companyId, { role: 'readonly' });
    for (const page of [path, `${path}/review`, `${path}/delete`]) {
      expect((await stranger.get(page)).status, page).to.equal(404);
      expect((await reader.get(page)).status, page).to.equal(403);
    }
    const foreign = await count(stranger, COUNTS, { name: 'Mine' });
    expect(foreign.status).to.equal(303);
    expect(textOf(await browser.get(COUNTS))).not.to.contain('Mine');
  });
});

describe('two bookings of a count sheet in one batch', () => {
  it('are not both planned', () => {
    const [companyId, id, itemId] = [randomUUID(), randomUUID(), randomUUID()];
    const item = { companyId, id: itemId, sku: null, skuKey: null, name: 'Pump', nameKey: 'pump' };
    const locked = {
      stock: new Stock([{ ...item, onHand: 100_000n }]),
      companies: new Map<string, never>(),
      corrections: new Map<string, number>(),
      sheets: new Map([[`${companyId} ${id}`, 3]]),
    };
    const plan = (version: number) =>
      stockWrites.plan(
        {
          ...{ companyId, submissionId: randomUUID(), createdBy: null, resultId: randomUUID() },
          payload: {
            ...{ reason: 'count', countSheet: { id, version } },
            items: [{ itemId, count: 8 }],
          },
        },
        locked,
      );
    expect(plan(2)).to.have.nested.property('refusal.code', 'stock_conflict');
    expect(plan(3)).to.have.property('plan');
    expect(plan(3)).to.have.nested.property('refusal.code', 'stock_conflict');
  });
});
