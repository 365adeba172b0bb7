// Undoing an adjustment: its changes are taken back, and later movements stay.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Browser, signedIn } from '../support/dashboard.js';
import { makeCompany, receive, stockOf, type TestCompany } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'undoing an adjustment', stack => {
  const arrange = async () => {
    const company = await makeCompany(stack());
    const [pump = '', hose = ''] = await receive(
      company,
      { name: 'Pump', delta: 10 },
      { name: 'Hose', delta: 4 },
    );
    const { browser } = await signedIn(stack(), company.companyId, { role: 'warehouse' });
    return { company, browser, pump, hose };
  };
  const adjust = async (company: TestCompany, reason: string, ...items: object[]) => {
    const body = { reason, reference: 'A-1', items };
    const response = await company.post('/inventory/adjustments', body);
    expect(response.status, response.text).to.equal(201);
    return `/inventory/adjustments/${response.body.id}/undo`;
  };
  const undo = (browser: Browser, path: string, fields: Record<string, string> = {}) =>
    browser.post(path, path, { key: randomUUID(), ...fields });

  it('books the opposite once, after a page that shows it', async () => {
    const { company, browser, pump } = await arrange();
    const path = await adjust(company, 'count', { name: 'Pump', count: 3 });
    await receive(company, { name: 'Pump', delta: 2 });
    expect((await browser.get(`/inventory/${pump}`)).text).to.contain(`href="${path}"`);
    const page = textOf(await browser.get(path)).replaceAll('\u00a0', ' ');
    expect(page)
      .to.contain('Counted')
      .and.match(/Pump .?7 5 → 12/u);
    const key = randomUUID();
    const sent = await Promise.all(
      [1, 2].map(() => undo(browser, path, { key, note: 'Wrong shelf' })),
    );
    for (const { status, headers } of sent)
      expect([status, headers.location]).to.deep.equal([303, `/inventory/${pump}`]);
    expect(await stockOf(company)).to.deep.equal(['Hose 4', 'Pump 12']);
    const item = textOf(await browser.get(`/inventory/${pump}`));
    expect(item).to.contain('Adjustment undone.').and.contain('Undone').and.contain('Wrong shelf');

    const again = await undo(browser, path);
    expect([again.status, textOf(again).includes('was already undone.')]).to.deep.equal([
      422,
      true,
    ]);
    expect(await stockOf(company)).to.deep.equal(['Hose 4', 'Pump 12']);
  });

  it('takes back all items of an adjustment, or none', async () => {
    const { company, browser, pump, hose } = await arrange();
    const path = await adjust(
      company,
      'transfer',
      { name: 'Pump', delta: 5 },
      { name: 'Hose', delta: -1 },
      { name: 'Pump', delta: 1 },
    );
    await adjust(company, 'damaged', { name: 'Pump', delta: -13 });
    const refused = await undo(browser, path);
    expect(refused.status).to.equal(422);
    expect(textOf(refused)).to.contain('Pump has 3 on hand, so the 6 that were added can’t');
    expect(await stockOf(company)).to.deep.equal(['Hose 3', 'Pump 3']);
    await receive(company, { name: 'Pump', delta: 3 });
    expect((await undo(browser, path)).headers.location).to.equal('/inventory');
    expect(await stockOf(company)).to.deep.equal(['Hose 4', 'Pump 0']);
    for (const id of [pump, hose])
      expect(textOf(await browser.get(`/inventory/${id}`))).to.contain('Undone');
  });

  it('is for adjustments alone: not for deliveries, undone ones, or other companies', async () => {
    const { company, browser, pump } = await arrange();
    const delivery = await adjust(company, 'received', { name: 'Pump', delta: 1 });
    const path = await adjust(company, 'lost', { name: 'Pump', delta: -1 });
    const { browser: stranger } = await arrange();
    const { browser: reader } = await signedIn(stack(), company.companyId, { role: 'readonly' });
    expect((await browser.get(delivery)).status).to.equal(404);
    expect((await stranger.get(path)).status).to.equal(404);
    expect((await undo(stranger, path)).status).to.equal(404);
    expect((await reader.get(path)).status).to.equal(403);
    expect((await reader.get(`/inventory/${pump}`)).text).not.to.contain(path);
    await undo(browser, path);
    const [row] = await stack().sql(
      'SELECT id FROM adjustments WHERE company_id = $1 AND corrects IS NOT NULL',
      [company.companyId],
    );
    expect((await browser.get(`/inventory/adjustments/${row?.id}/undo`)).status).to.equal(404);
  });

  it('names an archived item', async () => {
    const { company, browser, hose } = await arrange();
    const path = await adjust(company, 'lost', { name: 'Hose', delta: -4 });
    await company.patch(`/inventory/${hose}`, { archived: true });
    const refused = await undo(browser, path);
    expect([refused.status, textOf(refused).includes('Hose is archived')]).to.deep.equal([
      422,
      true,
    ]);
  });
});
