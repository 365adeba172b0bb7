// Importing stock from CSV: accepted files, valid and rejected rows, retention and access.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import { type Browser, formErrors, makeSignedIn } from '../support/dashboard.js';
import { changeCompany, invoiceRequest, receive, stockOf } from '../support/factories.js';
import { importFile, untilImported, uploadFile } from '../support/imports.js';
import { until } from '../support/processes.js';
import { runRetention } from '../support/retention.js';
import { describeMode, inBothModes } from '../support/suite.js';

/** Uploads the file and waits until its import ends. */
async function importAll(
  browser: Browser,
  content: string | Buffer,
  fields: Record<string, string> = {},
) {
  const { key = randomUUID(), ...start } = fields;
  const sent = await importFile(browser, { content, key }, start);
  if (sent.status !== 303) throw new Error(`not accepted: ${JSON.stringify(formErrors(sent))}`);
  const path = sent.headers.location ?? '';
  const progress = await untilImported(browser, path);
  const page = await browser.get(path);
  const refused = [...page.text.matchAll(/<div>(Line \d+)<\/div>.*?Problem"><div>(.*?)<\/div>/gsu)];
  return {
    path,
    progress,
    page,
    refused: refused.map(([, line, problem]) => `${line} ${problem}`),
  };
}

inBothModes('an import of stock', stack => {
  it('imports every row once, in the order of the file', async () => {
    const { company, browser } = await makeSignedIn(stack());
    await receive(company, { name: 'Item 7', delta: 1, unitCost: 3 });
    const rows = Array.from(
      { length: 1_200 },
      (_, at) => `Item ${at},${at % 7},${at % 3 ? '' : '1.25'}`,
    );
    const file = ['Name,On hand,Unit cost', ...rows, 'ITEM  7,70,'].join('\n');
    const key = randomUUID();
    const [{ progress }] = await Promise.all([
      importAll(browser, file, { key }),
      importFile(browser, { content: file, key }),
    ]);
    expect(progress).to.include({ status: 'done', value: 1_201, max: 1_201 });
    expect(progress.sentence).to.equal('All 1,201 rows were imported.');
    const [figures] = await stack().sql(
      `SELECT count(*)::int AS items, sum(on_hand)::float AS "onHand",
         count(unit_cost)::int AS costs
       FROM items
       WHERE company_id = $1`,
      [company.companyId],
    );
    const sum = rows.reduce((total, _, at) => total + (at % 7), 0);
    expect(figures).to.deep.equal({ items: 1_200, onHand: sum + 70, costs: 400 + 1 });
    expect((await company.get('/inventory?name=item+7')).body[0]).to.include({
      onHand: 70,
      unitCost: 3,
    });
    const imports = await stack().sql('SELECT 1 FROM imports WHERE company_id = $1', [
      company.companyId,
    ]);
    const left = await stack().sql('SELECT 1 FROM import_rows WHERE company_id = $1', [
      company.companyId,
    ]);
    expect([imports.length, left.length]).to.deep.equal([1, 0]);
    await until(
      'the summary shows it',
      async () => (await company.get('/summary')).body.inventory.items === 1_200,
    );
  });

  it('imports valid rows and lists the others, to correct and upload again', async () => {
    const { company, browser } = await makeSignedIn(stack());
    await receive(company, { name: 'Pump', sku: 'P-1', delta: 5 }, { name: 'Hose', delta: 5 });
    const file = [
      'sku;name;Change;Unit price;Colour',
      'P-1;;-2;9.5;red',
      ';Hose;-6;;',
      ';;1;;',
      ';Valve;1,5;;',
      ';Valve;two;-1;',
      'P-9;;1;;',
      'P-9;Pump;1;;',
      `;${'x'.repeat(256)};1;;`,
      '',
      ';Valve;1;;;;too many',
      ';"New\nvalve";1;;',
      ';Gasket;4;;',
    ].join('\r\n');
    const { progress, refused, page, path } = await importAll(browser, file, { decimals: '.' });
    expect(progress).to.include({ status: 'done', max: 11 });
    expect(refused).to.deep.equal([
      'Line 3 delta “-6”: Hose: 6 requested, 5 available.',
      'Line 4 name: Required.',
      'Line 5 delta “1,5”: Must be a number such as 1234.5.',
      'Line 6 delta “two”: Must be a number such as 1234.5. unitPrice “-1”: Must be at least 0.',
      'Line 7 sku “P-9”: No item has this SKU. Add a name to create one.',
      'Line 8 sku “P-9”: No item has this SKU, but an item with this name has another SKU or none.',
      `Line 9 name “${'x'.repeat(40)}…”: Must be at most 255 characters.`,
      'Line 11 This row has more values than columns. ' +
        'A value may contain the separator without quotes.',
      'Line 13 name “New valve”: Must not contain control characters or invalid Unicode.',
    ]);
    expect(page.text)
      .to.contain('2 of 11 rows were imported, 9 were rejected.')
      .and.contain('Ignored columns: Colour');
    expect(await stockOf(company)).to.deep.equal(['Gasket 4', 'Hose 5', 'Pump 3']);
    const taken = await stack().sql(
      'SELECT kind FROM movements WHERE company_id = $1 AND delta < 0',
      [company.companyId],
    );
    expect(taken, 'stock that leaves was not received').to.deep.equal([{ kind: 'correction' }]);
    const { text } = await browser.get(`${path}/left.csv`);
    expect(text.split('\r\n').slice(0, 2)).to.deep.equal([
      '\ufeff"Line","Problem","sku","name","Change","Unit price","Colour"',
      '3,"delta “-6”: Hose: 6 requested, 5 available.",,"Hose","-6",,',
    ]);
    const again = await importAll(browser, text.replace('"-6"', '"-5"'), { decimals: '.' });
    expect(again.progress).to.include({
      status: 'done',
      sentence: '1 of 9 rows were imported, 8 were rejected.',
    });
    expect(await stockOf(company)).to.deep.equal(['Gasket 4', 'Hose 0', 'Pump 3']);
  });

  it('imports all rows or none with "All or nothing"', async () => {
    const { company, browser } = await makeSignedIn(stack());
    const [id = ''] = await receive(company, { name: 'Pump', delta: 5 });
    const rows = Array.from({ length: 600 }, (_, at) => `Item ${at},1`);
    const all = { allOrNothing: 'true' };
    const typed = await importAll(browser, ['name,delta', ...rows, 'Pump,x'].join('\n'), all);
    expect(typed.progress).to.include({ status: 'refused', value: 1, max: 601 });
    const short = await importAll(
      browser,
      ['name,delta', ...rows, 'Pump,-6', 'Pump,1', 'Pump,-7'].join('\n'),
      all,
    );
    expect(short.progress.sentence).to.equal('2 of 603 rows have errors, so nothing was imported.');
    expect(short.refused).to.have.length(2);
    expect(
      (await company.get('/inventory')).body.map((item: { id: string }) => item.id),
    ).to.deep.equal([id]);
    const left = await browser.get(`${short.path}/left.csv`);
    expect(left.text.trim().split('\r\n')).to.have.length(604);
    const good = await importAll(browser, ['name,delta', ...rows, 'Pump,-5'].join('\n'), all);
    expect(good.progress).to.include({ status: 'done', sentence: 'All 601 rows were imported.' });
    const [{ movements } = { movements: 0 }] = await stack().sql<{ movements: number }>(
      'SELECT count(*)::int AS movements FROM movements WHERE company_id = $1',
      [company.companyId],
    );
    expect(movements).to.equal(602);
    expect((await company.get('/inventory?name=pump')).body[0].onHand).to.equal(0);
  });
});

describeMode('postgres', 'an imported file', stack => {
  it('can be an export, with names that look like formulas', async () => {
    const { company, browser } = await makeSignedIn(stack());
    const names = ['=SUM(A1)', "'=quoted", "'plain", '-5', 'Pipe; 2", cut', 'Ærø'];
    await receive(
      company,
      ...names.map((name, at) => ({
        name,
        sku: `+${at}`,
        delta: at - 0.5 + 1,
        unitCost: 0.1234,
        unit: '@',
        reorderPoint: at,
      })),
    );
    const items = async (of: typeof company) =>
      (await of.get('/inventory')).body.map(
        ({ id: _id, updatedAt: _at, ...item }: Record<string, unknown>) => item,
      );
    const { text } = await browser.get('/inventory/export.csv');
    await importAll(browser, text);
    const headings = 'name,sku,count,unit,reorderPoint,unitCost,unitPrice,expectedOnHand';
    await changeCompany(stack(), company, { csvFormat: 'semicolon' });
    const semicolons = (await browser.get('/inventory/export.csv')).text;
    expect(semicolons).to.contain(`"'+0";0,5;"'@";0;0,1234;`);
    const files = [text, semicolons, text.replace(/^.*/u, headings)];
    for (const file of files) {
      const other = await makeSignedIn(stack());
      await importAll(other.browser, file);
      expect(await items(other.company)).to.deep.equal(await items(company));
    }
    expect((await items(company)).map(({ name }: { name: string }) => name)).to.deep.equal(
      [...names].sort(),
    );
  });

  it('has decimal commas if its user says so, with points between thousands', async () => {
    const { company, browser } = await makeSignedIn(stack());
    const { refused } = await importAll(
      browser,
      'name\tstock\nA\t1,5\nB\t1.234\nC\t1.234,5\nD\t-0\nE\t7\nF\t1.2',
      {
        decimals: ',',
      },
    );
    expect(refused).to.deep.equal(['Line 7 count “1.2”: Must be a number such as 1234,5.']);
    const { body } = await company.get('/inventory');
    expect(body.map(({ onHand }: { onHand: number }) => onHand)).to.deep.equal([
      ...[1.5, 1234, 1234.5, 0, 7],
    ]);
    const point = await importAll(browser, 'name,count\nA,"1,5"\nB,-1\nC,2', { decimals: '.' });
    expect(point.refused).to.deep.equal([
      'Line 2 count “1,5”: Must be a number such as 1234.5.',
      'Line 3 count “-1”: Must be at least 0.',
    ]);
  });

  it('is refused with an error at its field if it is not a table of stock', async () => {
    const { company, browser } = await makeSignedIn(stack());
    const refusals: [string | Buffer, string][] = [
      ['', 'has no rows'],
      ['name,count\n', 'has no rows'],
      ['Colour\nA', 'A name or sku column is required. Columns found: “Colour” (not recognized).'],
      ['name,\nA,red', 'no column with stock or details to import. Columns found: “name”'],
      ['name,count\n"A,1', 'quotation mark'],
      [Buffer.from('name,count\n\0,1'), 'isn’t a text file'],
      [`name,count\n${'A,1\n'.repeat(20_001)}`, 'more than 20000 rows'],
      [`name,count\n${'A,1\n'.repeat(1_400_000)}`, 'larger than 5 MB'],
    ];
    for (const [content, sentence] of refusals) {
      const sent = await uploadFile(browser, { content });
      expect([sent.status, formErrors(sent).file]).to.satisfy(
        ([status, error]: [number, string]) => status === 422 && error.includes(sentence),
        `${sentence}: ${sent.status} ${formErrors(sent).file}`,
      );
      expect(sent.text).to.contain('Correct the problem, then choose the file again.');
    }
    const none = await browser.upload('/inventory/import', '/inventory/import', {}, null);
    expect(formErrors(none).file).to.equal('Choose a file.');
    expect(
      (await stack().sql('SELECT 1 FROM imports WHERE company_id = $1', [company.companyId]))
        .length,
    ).to.equal(0);
  });

  it('must come from a signed-in user, as a form with a valid token', async () => {
    const { browser } = await makeSignedIn(stack());
    const file = { name: 'a.csv', content: 'name,count\nA,1' };
    const upload = (fields: Record<string, string>, headers = {}) =>
      browser.upload('/inventory/import', '/inventory/import', fields, file, { headers });
    expect((await upload({ token: 'forged' })).status).to.equal(403);
    expect((await upload({}, { origin: 'http://elsewhere.example' })).status).to.equal(403);
    expect((await upload({}, { 'content-type': 'text/csv' })).status).to.equal(415);
    expect(
      (await upload({}, { 'content-type': 'multipart/form-data; boundary=other' })).status,
    ).to.equal(400);
    browser.cookies.delete('session');
    expect((await upload({})).headers.location).to.equal('/sign-in');
  });

  it('is visible to its own company only', async () => {
    const { browser } = await makeSignedIn(stack());
    const { browser: stranger } = await makeSignedIn(stack());
    const { path } = await importAll(browser, 'name,count\nA,1\nB,x');
    for (const part of ['', '/progress', '/left.csv']) {
      expect((await stranger.get(path + part)).status, part).to.equal(404);
      expect((await browser.get(path + part)).status, part).to.equal(200);
    }
    expect((await stranger.get('/inventory/import')).text).to.not.contain('stock.csv');
    expect((await browser.get('/inventory/import')).text).to.contain('stock.csv');
  });

  it('stops after several failed attempts, and its other rows can be downloaded', async () => {
    const { company, browser } = await makeSignedIn(stack());
    const { path } = await importAll(browser, 'name,count\nA,1\nB,2');
    // No file can produce this row: its count is not a number.
    await stack().sql(
      `WITH rows AS (
         INSERT INTO import_rows (company_id, import_id, position, line, cells, entry)
         SELECT company_id, id, 3, 4, '["C","3"]', '{"name":"C","count":"three"}'
         FROM imports
         WHERE company_id = $1)
       UPDATE imports
       SET status = 'queued', rows_total = 3, finished_at = NULL, run_at = now(), attempts = 4
       WHERE company_id = $1`,
      [company.companyId],
    );
    await until(
      'it stops',
      async () => (await browser.get(`${path}/progress`)).body.status === 'failed',
    );
    expect((await browser.get(path)).text).to.contain(
      '2 of 3 rows were imported, then something went wrong on our side',
    );
    expect((await browser.get(`${path}/left.csv`)).text).to.contain(
      '4,"Not imported.","C","3"\r\n',
    );
    expect((await company.get('/inventory')).body).to.have.length(2);
    const { events } = (await company.get('/events?types=import.finished')).body;
    const ends = events.map(({ data }: Json) => [data.status, data.rowsDone, data.rowsTotal]);
    expect(ends).to.deep.equal([
      ['done', 2, 2],
      ['failed', 2, 3],
    ]);
  });

  it('is deleted after 30 days with its rejected rows, a preview after one day', async () => {
    const { company, browser } = await makeSignedIn(stack());
    const { path } = await importAll(browser, 'name,count\nA,x\nB,1');
    const sent = await uploadFile(browser, { content: 'name,count\nA,1' });
    const preview = sent.headers.location ?? '';
    const age = (hours: number) =>
      stack().sql(
        "UPDATE imports SET finished_at = now() - $2 * interval '1 hour' WHERE company_id = $1",
        [company.companyId, hours],
      );
    await age(23);
    await runRetention(stack());
    expect((await browser.get(preview)).status).to.equal(200);
    await age(29 * 24);
    await runRetention(stack());
    expect((await browser.get(preview)).status).to.equal(404);
    expect((await browser.get(path)).status).to.equal(200);
    await age(31 * 24);
    await runRetention(stack());
    expect((await browser.get(path)).status).to.equal(404);
    const left = await stack().sql('SELECT 1 FROM import_rows WHERE company_id = $1', [
      company.companyId,
    ]);
    expect(left.length).to.equal(0);
  });

  it('does not block invoices for the same items', async () => {
    const { company, browser } = await makeSignedIn(stack());
    const names = Array.from({ length: 300 }, (_, at) => `Item ${at}`);
    await importAll(browser, ['name,delta', ...names.map(name => `${name},100`)].join('\n'));
    const file = [
      'name,delta',
      ...Array.from({ length: 800 }, (_, at) => `${names[(at * 7) % 300]},1`),
    ].join('\n');
    const invoices = Array.from({ length: 20 }, (_, at) => {
      const items = [at, at + 50, at + 100].map(of => ({ name: names[of], qty: 1, price: 1 }));
      return company.post('/invoices', invoiceRequest({ items }));
    });
    const [, ...answers] = await Promise.all([importAll(browser, file), ...invoices]);
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 201));
    const [{ sum } = { sum: 0 }] = await stack().sql<{ sum: number }>(
      'SELECT sum(on_hand)::float AS sum FROM items WHERE company_id = $1',
      [company.companyId],
    );
    expect(sum).to.equal(300 * 100 + 800 - 20 * 3);
  });
});
