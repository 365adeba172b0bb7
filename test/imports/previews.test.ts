// The preview of an import: what it shows, what starts the import, and what an export protects.
import { expect } from 'chai';
import type { Response } from '../support/client.js';
import { type Browser, signedIn } from '../support/dashboard.js';
import { makeCompany, receive, stockOf } from '../support/factories.js';
import { cellsOf } from '../support/html.js';
import { startImport, untilImported, uploadFile } from '../support/imports.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

/** The figures at the top of a preview, by their labels. */
const figures = ({ text }: Response) =>
  Object.fromEntries(
    [...text.matchAll(/<dt>([^<]+)<\/dt><dd>([^<]+)<\/dd>/gu)].map(([, label, value]) => [
      label,
      Number(value),
    ]),
  );

/** The button that starts an import. */
const IMPORT = />Import \d+ rows?<\/button>/u;

/** The rows of a table as texts, cells divided by |. */
const joinedRows = (page: Response, caption: string) =>
  cellsOf(page, caption).map(cells => cells.join('|'));

describeMode('postgres', 'the preview of an import', stack => {
  const arrange = async (...items: Parameters<typeof receive>[1][]) => {
    const company = await makeCompany(stack());
    if (items.length > 0) await receive(company, ...items);
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    return { company, browser };
  };
  const preview = async (browser: Browser, content: string) => {
    const { headers } = await uploadFile(browser, { content });
    const path = headers.location ?? '';
    return { path, page: await browser.get(path) };
  };
  /** Starts a preview, waits until its import is over and returns its page. */
  const finish = async (browser: Browser, path: string, fields: Record<string, string> = {}) => {
    expect((await startImport(browser, path, fields)).status).to.equal(303);
    await untilImported(browser, path);
    return browser.get(path);
  };

  it('shows rows as they were read and what would change, and imports nothing', async () => {
    const { company, browser } = await arrange({ name: 'Pump', sku: 'P-1', delta: 5 });
    const file = 'sku,Item,In stock,Min stock,Cost price\nP-1,,7.5,2,\n,Hose,4,,abc\n,Valve,1,,3';
    const { page, path } = await preview(browser, `${file}\nP-9,,1,,`);
    expect(figures(page)).to.deep.equal({
      'New items': 1,
      'Changed items': 1,
      'Rejected rows': 2,
    });
    expect(joinedRows(page, 'First rows')).to.deep.equal([
      'Pump · P-1|2|5 → 7.5|0 → 2||Changes item',
      'Hose · 4 · abc|3||||Rejected',
      'Valve|4|1||$3.00|New item',
      'P-9 · 1|5||||Rejected',
    ]);
    expect(joinedRows(page, 'Rejected rows')).to.deep.equal([
      'Line 3|Hose · 4 · abc|unitCost “abc”: Must be a number such as 1234.5.',
      'Line 5|P-9 · 1|sku “P-9”: No item has this SKU. Add a name to create one.',
    ]);
    expect(page.text).to.contain('Nothing is imported yet');
    expect(await stockOf(company)).to.deep.equal(['Pump 5']);
    const done = await finish(browser, path);
    expect(done.text).to.contain('2 of 4 rows were imported, 2 were rejected.');
    expect(done.text).to.contain('Partly imported').and.not.contain('>Done<');
    expect(await stockOf(company)).to.deep.equal(['Pump 7.5', 'Valve 1']);
  });

  it('does not look like a success if no row was imported', async () => {
    const { browser } = await arrange();
    const { path } = await preview(browser, 'sku,count\nA,1\nB,2');
    const { text } = await finish(browser, path);
    expect(text).to.contain('Nothing was imported: 2 of 2 rows were rejected.');
    expect(text).to.contain('class="badge bad">Nothing imported').and.not.contain('>Done<');
    const bad = await preview(browser, 'sku,count\nA,x');
    expect(bad.page.text).to.contain('Every row has an error.').and.not.match(IMPORT);
    expect((await startImport(browser, bad.path)).status).to.equal(422);
  });

  it('asks for the decimal separator if the file leaves it in doubt', async () => {
    const { company, browser } = await arrange();
    const { page, path } = await preview(browser, 'name;count\nA;1.250');
    expect(page.text).to.contain('The file is not clear, for example “1.250”.');
    expect(page.text).to.not.match(IMPORT);
    expect((await startImport(browser, path)).status).to.equal(422);
    const choose = (decimals: string) => browser.post(path, `${path}/format`, { decimals });
    await choose(',');
    expect(joinedRows(await browser.get(path), 'First rows')).to.deep.equal(['A|2|1,250|New item']);
    await choose('.');
    expect(joinedRows(await browser.get(path), 'First rows')).to.deep.equal(['A|2|1.25|New item']);
    await finish(browser, path);
    expect(await stockOf(company)).to.deep.equal(['A 1.25']);
    const clear = await preview(browser, 'name;count\nA;12,5');
    expect(clear.page.text)
      .to.match(/value="," selected/u)
      .and.match(IMPORT);
  });

  it('shows prices and costs before and after the import as money, with the change', async () => {
    const { browser } = await arrange(
      { name: 'Pump', sku: 'P-1', delta: 5, unitCost: 2, unitPrice: 3.4, unit: 'pc' },
      { name: 'Hose', delta: 1, unitPrice: 0 },
    );
    const rows = ['p-1,,2.5,3.06,box', 'P-1,,2,3.4,pc', ',Hose,1,1,', ',New,0.125,3,m'];
    const file = ['sku,name,cost,price,unit', ...rows];
    const { page } = await preview(browser, file.join('\n'));
    expect(joinedRows(page, 'First rows')).to.deep.equal([
      'Pump · p-1|2|$2.00 → $2.50 +25.0%|$3.40 → $3.06 −10.0%|pc → box|Changes item',
      'Pump · P-1|3|$2.50 → $2.00 −20.0%|$3.06 → $3.40 +11.1%|box → pc|Changes item',
      'Hose|4|$1.00|$0.00 → $1.00||Changes item',
      'New|5|$0.125|$3.00|m|New item',
    ]);
  });

  it('takes the name from a description, unless the file has a column for the name', async () => {
    const { company, browser } = await arrange();
    for (const heading of ['Description', 'Bezeichnung', 'ITEM DESCRIPTION']) {
      const { page } = await preview(browser, `sku,${heading},count\nA-1,Pump,1`);
      expect(joinedRows(page, 'First rows'), heading).to.deep.equal(['Pump · A-1|2|1|New item']);
      expect(page.text).to.not.contain('Ignored columns');
    }
    const { page, path } = await preview(browser, 'Description,Item,count\nBlue,Pump,1');
    expect(page.text).to.contain(
      'Ignored columns: Description. ' + 'Another column has the same meaning as “Description”.',
    );
    await finish(browser, path);
    expect(await stockOf(company)).to.deep.equal(['Pump 1']);
  });

  it('lets its user choose the columns that the headings do not tell', async () => {
    const { company, browser } = await arrange({ name: 'Pump', sku: 'P-1', delta: 5 });
    const files: [string, string][] = [
      ['Objekt,Wert\nP-1,3', 'Choose the column with the name or the SKU of the items.'],
      ['sku,Wert\nP-1,3', 'Choose at least one column with stock, prices or other details.'],
      ['name,count,delta\nA,1,2', 'Choose either the counted stock or the change in stock'],
      ['Description,Bezeichnung,count\nPump,Pumpe,1', 'more than one column for name'],
    ];
    for (const [content, sentence] of files) {
      const { page, path } = await preview(browser, content);
      expect(page.text).to.contain(sentence).and.not.match(IMPORT);
      expect((await startImport(browser, path)).status, content).to.equal(422);
    }
    const { path } = await preview(browser, 'Objekt;Text;Wert;Farbe\nP-1;Pumpe;3,5;rot\nX;Neu;1;');
    const choose = (columns: Record<string, string>) =>
      browser.post(
        path,
        `${path}/columns`,
        Object.fromEntries(Object.entries(columns).map(([name, at]) => [`columns.${name}`, at])),
      );
    for (const [columns, sentence] of [
      [{ sku: '0', name: '0', unitPrice: '2' }, '“Objekt” is chosen twice.'],
      [{ sku: '0', name: '' }, 'Choose at least one column'],
      [{ unitPrice: '2', name: '4', sku: '-1' }, 'Choose the column with the name or the SKU'],
    ] as const) {
      const refused = await choose(columns);
      expect([refused.status, refused.text.includes(sentence)], sentence).to.deep.equal([
        422,
        true,
      ]);
    }
    expect((await choose({ sku: '0', name: '1', unitPrice: '2' })).status).to.equal(303);
    const page = await browser.get(path);
    expect(joinedRows(page, 'First rows')).to.deep.equal([
      'Pump (“Pumpe” in the file) · P-1|2|$3.50|Changes item',
      'Neu · X|3|$1.00|New item',
    ]);
    expect(page.text).to.contain('Ignored columns: Farbe.');
    // The other decimal separator reads the same columns.
    await browser.post(path, `${path}/format`, { decimals: '.' });
    expect(joinedRows(await browser.get(path), 'Rejected rows')).to.have.length(1);
    await choose({ sku: '0', unitPrice: '2' });
    await finish(browser, path);
    const [item] = (await company.get('/inventory')).body;
    expect(item).to.include({ sku: 'P-1', name: 'Pump', unitPrice: 3.5, onHand: 5 });
    const late = await choose({ sku: '0', unitPrice: '3' });
    expect(late.status, 'without effect once it is started').to.equal(303);
    const { browser: stranger } = await arrange();
    expect((await stranger.post(path, `${path}/columns`, {})).status).to.equal(404);
  });

  it('imports a price list without changing stock', async () => {
    const { company, browser } = await arrange({ name: 'Pump', sku: 'P-1', delta: 5, unitCost: 2 });
    const movements = () =>
      stack().sql('SELECT 1 FROM movements WHERE company_id = $1', [company.companyId]);
    const list = await preview(browser, 'sku,Price,Cost\nP-1,9.5,3');
    expect((await finish(browser, list.path)).text).to.contain('The row was imported.');
    const empty = await preview(browser, 'sku,name,count,Price\nP-1,,,10\n,Hose,,2');
    await finish(browser, empty.path);
    const { body } = await company.get('/inventory');
    expect(body[0]).to.include({ name: 'Hose', onHand: 0, unitPrice: 2 });
    expect(body[1]).to.include({ name: 'Pump', onHand: 5, unitCost: 3, unitPrice: 10 });
    expect(await movements()).to.have.length(1);
    await until(
      'the summary shows the value at the new cost',
      async () => (await company.get('/summary')).body.inventory.value === 15,
    );
  });

  it('of an edited export leaves out rows whose stock changed since, unless chosen', async () => {
    const names = ['Edited', 'Moved', 'Sold'];
    const { company, browser } = await arrange(...names.map(name => ({ name, delta: 10 })));
    const { text } = await browser.get('/inventory/export.csv');
    expect(text).to.contain('"Unit price","Expected on hand"');
    await receive(company, { name: 'Moved', delta: -2 }, { name: 'Sold', delta: -3 });
    // The count of the item that was sold is as it was exported.
    const edited = text.replace(/("Edited",,)10/u, '$112').replace(/("Moved",,)10/u, '$111');
    const { page, path } = await preview(browser, edited);
    expect(figures(page)).to.include({ 'Changed items': 2, 'Stock changed since export': 1 });
    expect(joinedRows(page, 'Stock changed since the export')).to.deep.equal(['Moved|3|10|8|11']);
    const left = await finish(browser, path);
    expect(left.text).to.contain('expectedOnHand “10”: Stock changed. Moved has 8 on hand.');
    expect(await stockOf(company)).to.deep.equal(['Edited 12', 'Moved 8', 'Sold 7']);
    const again = await preview(browser, edited.replace(/("Edited",,)12/u, '$110'));
    await finish(browser, again.path, { ignoresExpected: 'true' });
    expect(await stockOf(company)).to.deep.equal(['Edited 12', 'Moved 11', 'Sold 7']);
  });

  it('reports items on several lines', async () => {
    const { browser } = await arrange({ name: 'Pump', sku: 'P-1', delta: 5 });
    const { page } = await preview(browser, 'sku,name,count\nP-1,,100\n,PUMP,7\n,Hose,1\n,hose,2');
    expect(joinedRows(page, 'Items on several lines')).to.deep.equal(['P-1|2, 3', 'Hose|4, 5']);
  });

  it('finds an item by a former name until another item has it', async () => {
    const { company, browser } = await arrange({ name: 'Pump', sku: 'P-1', delta: 5 });
    const [pump] = (await company.get('/inventory')).body;
    await company.patch(`/inventory/${pump.id}`, { name: 'Water pump' });
    const file = 'name,count\npump,4\nWATER PUMP,3';
    const { page, path } = await preview(browser, file);
    expect(figures(page)).to.deep.equal({
      'New items': 0,
      'Changed items': 1,
      'Rejected rows': 0,
    });
    expect(joinedRows(page, 'First rows')).to.deep.equal([
      'Water pump (“pump” in the file)|2|5 → 4|Changes item',
      'Water pump|3|4 → 3|Changes item',
    ]);
    expect(joinedRows(page, 'Items on several lines')).to.deep.equal(['pump|2, 3']);
    await finish(browser, path);
    expect(await stockOf(company)).to.deep.equal(['Water pump 3']);
    await receive(company, { name: 'Hose', delta: 1 });
    const [hose] = (await company.get('/inventory?name=hose')).body;
    await company.patch(`/inventory/${hose.id}`, { name: 'Pump' });
    const taken = await preview(browser, file);
    expect(joinedRows(taken.page, 'First rows')[0]).to.equal('Pump|2|1 → 4|Changes item');
  });

  it('does not find archived items, by name or by SKU', async () => {
    const { company, browser } = await arrange({ name: 'Gauge', sku: 'G-1', delta: 0 });
    const [gauge] = (await company.get('/inventory')).body;
    await company.patch(`/inventory/${gauge.id}`, { archived: true });
    const { page, path } = await preview(browser, 'sku,name,count\nG-1,,3\n,gauge,4');
    const both = await preview(browser, 'sku,name,count\nG-1,Gauge,5');
    expect(joinedRows(both.page, 'First rows')).to.deep.equal(['Gauge · G-1|2|5|New item']);
    expect(joinedRows(page, 'First rows')).to.deep.equal([
      'G-1 · 3|2||Rejected',
      'gauge|3|4|New item',
    ]);
    expect(joinedRows(page, 'Rejected rows')[0]).to.equal(
      'Line 2|G-1 · 3|sku “G-1”: No item has this SKU. Add a name to create one.',
    );
    await finish(browser, path);
    const [old] = (await company.get('/inventory?archived=1')).body;
    expect([old.id, old.onHand]).to.deep.equal([gauge.id, 0]);
  });

  it('starts once, is kept for a day and is visible to its own company only', async () => {
    const { company, browser } = await arrange();
    const stranger = await arrange();
    const { path } = await preview(browser, 'name,delta\nA,1');
    for (const form of ['start', 'format', 'columns']) {
      const page = '/inventory/import';
      expect((await stranger.browser.post(page, `${path}/${form}`, {})).status).to.equal(404);
    }
    await finish(browser, path);
    await finish(browser, path);
    expect(await stockOf(company)).to.deep.equal(['A 1']);
    for (let at = 0; at < 7; at += 1) await preview(browser, `name,delta\nB,${at}`);
    const rows = await stack().sql<{ status: string }>(
      'SELECT status FROM imports WHERE company_id = $1 ORDER BY status',
      [company.companyId],
    );
    expect(rows.map(row => row.status)).to.deep.equal(['done', ...Array(5).fill('preview')]);
  });

  it('is preceded by a page that lists the accepted column names', async () => {
    const { browser } = await arrange();
    const { text } = await browser.get('/inventory/import');
    for (const name of ['quantity on hand', 'in stock', 'min stock', 'cost price'])
      expect(text).to.contain(name);
  });
});
