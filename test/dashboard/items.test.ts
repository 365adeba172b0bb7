// The item page's forms for renaming, archiving and restoring, and the list of archived items.
import { expect } from 'chai';
import { formErrors, makeSignedIn } from '../support/dashboard.js';
import { receive } from '../support/factories.js';
import { flashOf } from '../support/html.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'an item in the dashboard', stack => {
  const arrange = () => makeSignedIn(stack());

  it('gets another name and SKU, and shows them', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Pump', sku: 'P', delta: 3 });
    const page = `/inventory/${id}`;
    const fields = { name: 'Water pump', sku: 'WP', reorderPoint: '0' };
    expect((await browser.post(page, `${page}/details`, fields)).status).to.equal(303);
    const updated = await browser.get(page);
    expect(flashOf(updated)).to.equal('Water pump updated.');
    expect(updated.text).to.contain('<h1>Water pump').and.contain('WP');
    expect((await company.get('/inventory?name=pump')).body[0].sku).to.equal('WP');
  });

  it('says at the field which name or SKU is in use', async () => {
    const { company, browser } = await arrange();
    const [, id = ''] = await receive(
      company,
      { name: 'Pump', sku: 'P', delta: 3 },
      { name: 'Hose', delta: 3 },
    );
    const page = `/inventory/${id}`;
    const save = (fields: Record<string, string>) =>
      browser.post(page, `${page}/details`, { reorderPoint: '0', ...fields });
    const named = await save({ name: 'pump' });
    expect(named.status).to.equal(422);
    expect(formErrors(named)).to.include({ name: 'Another item has this name.' });
    expect(named.text).to.contain('value="pump"');
    expect(formErrors(await save({ name: 'Hose', sku: 'P' }))).to.include({
      sku: 'Another item has this SKU.',
    });
    expect(formErrors(await save({ name: ' ' }))).to.include({ name: 'Required.' });
  });

  it('is archived without stock, listed as archived, and restored', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Pump', delta: 1 });
    const page = `/inventory/${id}`;
    expect((await browser.get(page)).text)
      .to.contain('You can archive an item once its stock is 0.')
      .and.not.contain('Archive item');
    const early = await browser.post(page, `${page}/archive`, {});
    expect(early.status).to.equal(422);
    expect(early.text).to.contain(
      'Pump has 1 on hand. Only an item with 0 on hand can be archived.',
    );

    const items = [{ itemId: id, delta: -1 }];
    await company.post('/inventory/adjustments', { reason: 'lost', items });
    expect((await browser.get(page)).text).to.contain('Archive item');
    expect((await browser.post(page, `${page}/archive`, {})).status).to.equal(303);
    const archived = await browser.get(page);
    expect(flashOf(archived)).to.equal('Pump archived.');
    expect(archived.text)
      .to.contain('>Archived</span>')
      .and.contain('Restore item')
      .and.not.contain('Adjust stock</button>');
    const list = (await browser.get('/inventory')).text;
    expect(list).to.contain('All items are archived<').and.not.contain(`href="${page}"`);
    expect((await browser.get('/inventory?archived=1')).text).to.contain(`href="${page}"`);

    expect((await browser.post(page, `${page}/restore`, {})).status).to.equal(303);
    expect(flashOf(await browser.get(page))).to.equal('Pump restored.');
    expect((await browser.get('/inventory?archived=1')).text).to.contain('No item is archived<');
    expect((await browser.get('/inventory')).text).to.contain(`href="${page}"`);
  });

  it('says why it cannot be restored: another item has its name', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Pump', delta: 0 });
    const page = `/inventory/${id}`;
    await browser.post(page, `${page}/archive`, {});
    await receive(company, { name: 'Pump', delta: 1 });
    const refused = await browser.post(page, `${page}/restore`, {});
    expect(refused.status).to.equal(422);
    expect(refused.text).to.contain('Another item has this name.');
    const fields = { name: 'Old pump', reorderPoint: '0' };
    expect((await browser.post(page, `${page}/details`, fields)).status).to.equal(303);
    expect((await browser.post(page, `${page}/restore`, {})).status).to.equal(303);
  });
});
