// Undoing an import within a day: what it restores, and what keeps an import from being undone.
import { expect } from 'chai';
import { type Browser, signedIn } from '../support/dashboard.js';
import {
  changeCompany,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { textOf } from '../support/html.js';
import { importFile, startUndo, undoImport, untilImported } from '../support/imports.js';
import { lockCompany } from '../support/neighbours.js';
import { runScript, until } from '../support/processes.js';
import { runRetention } from '../support/retention.js';
import { describeMode } from '../support/suite.js';

const PUMP = {
  ...{ name: 'Pump', sku: 'P-1', delta: 5, unit: 'pc' },
  ...{ reorderPoint: 2, unitCost: 2, unitPrice: 3.4 },
};

describeMode('postgres', 'undoing an import', stack => {
  const arrange = async (options: Parameters<typeof makeCompany>[1] = {}) => {
    const company = await makeCompany(stack(), options);
    const { browser, user } = await signedIn(stack(), company.companyId, { role: 'member' });
    return { company, browser, email: user.email };
  };
  /** Imports a file and returns the path of the import's page. */
  const imported = async (
    browser: Browser,
    content: string,
    fields: Record<string, string> = {},
  ) => {
    const { headers, text } = await importFile(browser, { content, name: 'prices.csv' }, fields);
    const path = String(headers.location);
    expect(headers.location, text).to.match(/^\/inventory\/imports\//u);
    await untilImported(browser, path);
    return path;
  };
  const items = async (company: TestCompany) =>
    (await company.get('/inventory')).body.map((item: Record<string, unknown>) =>
      ['name', 'onHand', 'reorderPoint', 'unitCost', 'unitPrice', 'unit']
        .map(field => item[field])
        .join(' '),
    );

  it('restores details and stock and archives new items, once for two clicks', async () => {
    const { company, browser, email } = await arrange();
    const [pumpId] = await receive(company, PUMP, { name: 'Hose', delta: 4 });
    const before = await items(company);
    const path = await imported(
      browser,
      [
        'sku,name,count,reorderPoint,unitCost,unitPrice,unit',
        ...['p-1,,9,7,2.5,,box', ',Hose,4,,1,1,m', ',Valve,3,1,,5,', 'P-1,,8,,,4,'],
      ].join('\n'),
    );
    expect(await items(company)).to.deep.equal([
      'Hose 4 0 1 1 m',
      'Pump 8 7 2.5 4 box',
      'Valve 3 1  5 ',
    ]);
    expect((await browser.get(path)).text).to.contain('Undo this import');
    const clicks = await Promise.all([1, 2].map(() => startUndo(browser, path)));
    expect(clicks.map(({ status }) => status)).to.deep.equal([303, 303]);
    await untilImported(browser, path);
    const page = await browser.get(path);
    expect(textOf(page)).to.contain(`Undone by ${email}`).and.not.contain('Undo import');
    expect(await items(company)).to.deep.equal(before);
    const archived = await company.get('/inventory?archived=1');
    expect(archived.body).to.have.length(1);
    expect(archived.body[0]).to.include({ name: 'Valve', onHand: 0 });
    expect((await startUndo(browser, path)).status, 'and later').to.equal(303);
    expect(await items(company)).to.deep.equal(before);

    const history = await browser.get(`/inventory/${pumpId}`);
    expect(textOf(history)).to.match(
      /Corrected · prices\.csv −4 .* Import undone 5 .*Counted · prices\.csv .* 9 /u,
    );
    expect(history.text).to.contain(`<a href="${path}">prices.csv</a>`);
    // The name is free again.
    await receive(company, { name: 'Valve', delta: 1 });
    // Other tests of this database break the books of their companies on purpose.
    const { stdout } = runScript('src/commands/verify.js', [], stack().env);
    expect(stdout).to.contain('"checked"').and.not.contain(company.companyId);
  });

  it('is refused as a whole if an item has changed since, with the reason', async () => {
    const { company, browser } = await arrange();
    const names = ['Counted', 'Edited', 'Imported', 'Renamed', 'Same', 'Sold'];
    const ids = await receive(company, ...names.map(name => ({ name, delta: 5, unitPrice: 1 })));
    const id = (name: string) => ids[names.indexOf(name)];
    const rows = [...names.map(name => `${name},2,6`), 'Added,2,0'];
    const path = await imported(browser, ['name,unitPrice,count', ...rows].join('\n'));
    const sale = invoiceRequest({ items: [{ name: 'Sold', qty: 1, price: 2 }] });
    expect((await company.post('/invoices', sale)).status).to.equal(201);
    const count = { reason: 'count', items: [{ name: 'Counted', count: 6 }] };
    await company.post('/inventory/adjustments', count);
    await company.patch(`/inventory/${id('Edited')}`, { unitPrice: 3 });
    await company.patch(`/inventory/${id('Edited')}`, { unitPrice: 2 });
    await company.patch(`/inventory/${id('Renamed')}`, { name: 'New name' });
    await imported(browser, 'name,unitCost\nImported,1');
    const { body: found } = await company.get('/inventory?name=Added');
    await company.patch(`/inventory/${found[0].id}`, { archived: true });
    const before = await items(company);

    const page = await undoImport(browser, path);
    expect(textOf(page).replaceAll(' :', ':')).to.contain(
      'Nothing was undone: 6 items changed since the import. Added: Archived Counted: Counted ' +
        'Edited: Edited Imported: Edited New name: Edited Sold: Sold',
    );
    expect(page.text).to.contain('All 7 rows were imported.').and.not.contain('Undo import');
    expect(await items(company)).to.deep.equal(before);
  });

  it('names at most ten items that have changed', async () => {
    const { company, browser } = await arrange();
    const names = Array.from({ length: 12 }, (_, at) => `Item ${10 + at}`);
    await receive(company, ...names.map(name => ({ name, delta: 1 })));
    const file = ['name,unitCost', ...names.map(name => `${name},1`)].join('\n');
    const path = await imported(browser, file);
    await receive(company, ...names.map(name => ({ name, delta: 1 })));
    const page = await undoImport(browser, path);
    expect(textOf(page)).to.match(/12 items changed .* Item 19 : Received And 2 more\./u);
  });

  it('is refused if an item changed between two steps of the import', async () => {
    const { company, browser } = await arrange();
    await receive(company, { name: 'Pump', delta: 5 });
    const path = await imported(browser, 'name,delta\nPump,1');
    await company.post('/inventory/adjustments', {
      ...{ reason: 'lost', items: [{ name: 'Pump', delta: -1 }] },
    });
    // Another row of the import waits, as if its second step came after that.
    await stack().sql(
      `WITH rows AS (
         INSERT INTO import_rows (company_id, import_id, position, line, cells, entry)
         SELECT company_id, id, 2, 3, '[]', '{"name":"Pump","delta":1}' FROM imports
         WHERE company_id = $1
       )
       UPDATE imports SET status = 'queued', rows_total = 2, finished_at = NULL, run_at = now()
       WHERE company_id = $1`,
      [company.companyId],
    );
    await untilImported(browser, path);
    expect(textOf(await undoImport(browser, path))).to.contain('1 item changed since the import.');
    expect(await items(company)).to.deep.equal(['Pump 6 0   ']);
  });

  it('is not possible before the import ends, after a day, or of an earlier release', async () => {
    const { company, browser } = await arrange();
    const { browser: stranger } = await arrange();
    await receive(company, { name: 'Pump', delta: 5 });
    const path = await imported(browser, 'name,delta\nPump,1');
    expect((await stranger.post(path, `${path}/undo`, {})).status).to.equal(404);
    const set = (columns: string) =>
      stack().sql(`UPDATE imports SET ${columns} WHERE company_id = $1`, [company.companyId]);
    const isOffered = async () => (await browser.get(path)).text.includes('Undo import');
    const stays = async () => {
      expect(await isOffered()).to.equal(false);
      expect((await startUndo(browser, path)).status).to.equal(303);
      expect(await items(company)).to.deep.equal(['Pump 6 0   ']);
    };
    await set("status = 'queued', run_at = 'infinity', finished_at = NULL");
    await stays();
    await set("status = 'done', run_at = NULL, finished_at = now(), rows_recorded = 0");
    await stays();
    await set("rows_recorded = 1, undo_until = now() - interval '1 s'");
    await stays();
    await set("undo_until = now() + interval '1 h'");
    expect(await isOffered()).to.equal(true);
    await undoImport(browser, path);
    expect(await items(company)).to.deep.equal(['Pump 5 0   ']);
  });

  it('and a sale of the same item never both apply to the same stock', async () => {
    const { company, browser } = await arrange();
    await receive(company, { name: 'Pump', delta: 5 });
    const path = await imported(browser, 'name,count\nPump,9');
    const release = await lockCompany(stack(), company.companyId);
    const sale = invoiceRequest({ items: [{ name: 'Pump', qty: 2, price: 2 }] });
    const selling = company.post('/invoices', sale);
    await startUndo(browser, path).finally(release);
    await untilImported(browser, path);
    const page = await browser.get(path);
    expect((await selling).status).to.be.oneOf([201, 202]);
    await until('the sale is booked', async () => {
      const { body } = await company.get('/inventory');
      return [7, 3].includes(body[0].onHand);
    });
    const isUndone = textOf(page).includes('Undone by');
    expect(await items(company)).to.deep.equal([`Pump ${isUndone ? 3 : 7} 0   `]);
  });

  it('never leaves stock below zero that may not be negative', async () => {
    const { company, browser } = await arrange({ allowNegativeStock: true });
    await receive(company, { name: 'Pump', delta: 1 });
    await company.post('/inventory/adjustments', {
      ...{ reason: 'lost', items: [{ name: 'Pump', delta: -3 }] },
    });
    const path = await imported(browser, 'name,count\nPump,4');
    const allow = (isAllowed: boolean) =>
      changeCompany(stack(), company, { allowNegativeStock: isAllowed });
    await allow(false);
    expect(textOf(await undoImport(browser, path))).to.contain(
      'Nothing was undone: the stock of 1 item would fall below zero. Pump : Not enough stock',
    );
    expect(await items(company)).to.deep.equal(['Pump 4 0   ']);
    await allow(true);
    await undoImport(browser, path);
    expect(await items(company)).to.deep.equal(['Pump -2 0   ']);
  });

  it('corrects the deliveries that the import received', async () => {
    const { browser } = await arrange();
    const path = await imported(browser, 'name,delta\nPump,3\nHose,2\nPump,1');
    const list = await browser.get('/inventory/deliveries');
    const [, delivery = ''] = /class="row-link" href="([^"]+)">prices\.csv/u.exec(list.text) ?? [];
    await undoImport(browser, path);
    expect(textOf(await browser.get(delivery))).to.match(
      /Pump 4 0 4 Hose 2 0 2 .* Pump −1 Hose −2 Pump −3 Import undone/u,
    );
  });

  it('undoes 5,000 rows at once', async () => {
    const { company, browser } = await arrange();
    const rows = Array.from({ length: 5_000 }, (_, at) => `Item ${at},1,1.25`);
    await imported(browser, ['name,count,unitCost', ...rows].join('\n'), { allOrNothing: 'true' });
    const more = Array.from({ length: 5_000 }, (_, at) => `Item ${at},3,1.5`);
    const path = await imported(browser, ['name,count,unitCost', ...more].join('\n'));
    expect(textOf(await undoImport(browser, path))).to.contain('Undone by');
    const [figures] = await stack().sql(
      `SELECT item_count::int AS items, stock_value::float AS value,
         (SELECT sum(on_hand)::int FROM items WHERE company_id = $1) AS "onHand",
         (SELECT sum(delta)::int FROM movements WHERE company_id = $1) AS moved
       FROM companies
       WHERE id = $1`,
      [company.companyId],
    );
    expect(figures).to.deep.equal({ items: 5_000, value: 6_250, onHand: 5_000, moved: 5_000 });
  });

  it('is forgotten after its day', async () => {
    const { company, browser } = await arrange();
    const path = await imported(browser, 'name,count\nPump,9');
    const changes = () =>
      stack().sql('SELECT FROM import_changes WHERE company_id = $1', [company.companyId]);
    await runRetention(stack());
    expect(await changes()).to.have.length(1);
    await stack().sql(
      "UPDATE imports SET undo_until = now() - interval '1 s' WHERE company_id = $1",
      [company.companyId],
    );
    await runRetention(stack());
    expect(await changes()).to.have.length(0);
    expect((await browser.get(path)).text).to.contain('The row was imported.');
  });
});
