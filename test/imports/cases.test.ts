// Files that other programs were seen to write (cases/), and rows that meet in one record: what the
// preview says is what the import does.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeCustomer } from '../support/customers.js';
import { signedIn } from '../support/dashboard.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { cellsOf, textOf } from '../support/html.js';
import { untilImported } from '../support/imports.js';
import { ROOT } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const caseOf = (name: string) => readFileSync(join(ROOT, 'test/imports/cases', `${name}.csv`));

describeMode('postgres', 'a file of another program', stack => {
  const arrange = async (currency = 'USD') => {
    const company = await makeCompany(stack(), { currency });
    const { browser } = await signedIn(stack(), company.companyId);
    /** Uploads, previews and imports a file. Returns what the pages say. */
    const run = async (form: string, content: string | Buffer, format = {}) => {
      const file = { name: 'file.csv', content };
      const uploaded = await browser.upload(form, form, { key: randomUUID() }, file);
      expect(uploaded.status, textOf(uploaded)).to.equal(303);
      const path = String(uploaded.headers.location);
      const isRead = Object.keys(format).length === 0;
      const reread = isRead ? null : await browser.post(path, `${path}/format`, format);
      const preview = await browser.get(path);
      const figures = Object.fromEntries(
        [...preview.text.matchAll(/<dt>([^<]+)<\/dt><dd>([^<]+)<\/dd>/gu)].map(each => [
          ...[each[1], Number(each[2])],
        ]),
      );
      const rows = (caption: string) => cellsOf(preview, caption).map(cells => cells.join('|'));
      const started = await browser.post(path, `${path}/start`, {});
      await untilImported(browser, path);
      const result = textOf(await browser.get(path));
      return { figures, rows, rejected: rows('Rejected rows'), reread, started, result };
    };
    return { company, run };
  };
  const stock = async (company: TestCompany) =>
    (await company.get('/inventory')).body.map(
      ({ name, sku, onHand, unitPrice }: Record<string, unknown>) =>
        [name, sku, onHand, unitPrice].join('|'),
    );
  const STOCK = '/inventory/import';

  it('has rows with shortened codes refused', async () => {
    const { company, run } = await arrange();
    const { rejected, figures } = await run(STOCK, caseOf('shortened-codes'));
    const problem =
      'sku “4.00638E+12”: a spreadsheet has shortened this number. ' +
      'Format the column as text and export again.';
    expect(rejected).to.deep.equal([
      `Line 2|LED lamp 4 W · 4.00638E+12 · 4|${problem}`,
      `Line 3|LED lamp 6 W · 4.00638E+12 · 6|${problem}`,
    ]);
    expect(figures).to.include({ 'New items': 0, 'Rejected rows': 2 });
    expect(await stock(company)).to.deep.equal([]);
  });

  it('has a row refused whose SKU has another name in an earlier one', async () => {
    const { company, run } = await arrange();
    const { rejected, figures, rows, result } = await run(STOCK, caseOf('one-sku-two-names'));
    expect(rejected[0]).to.contain('sku “R-2”: Line 2 has this SKU as “Rope red 10 m”.');
    expect(rows('Items on several lines')).to.deep.equal(['R-2|2, 3']);
    expect(figures).to.include({ 'New items': 1, 'Changed items': 0, 'Rejected rows': 1 });
    expect(result).to.contain('1 of 2 rows were imported, 1 was rejected.');
    expect(await stock(company)).to.deep.equal(['Rope red 10 m|R-2|10|']);
  });

  it('is read with what its lines say about separators, numbers and texts', async () => {
    const { company, run } = await arrange();
    await receive(company, { name: 'Hex nut M5', sku: '00123', delta: 1 });
    await run(STOCK, caseOf('sep-line'));
    await run(STOCK, caseOf('text-as-formula'));
    await run(STOCK, caseOf('thousands'));
    await run(STOCK, caseOf('commas-in-headings'));
    await run(STOCK, caseOf('inch-mark'));
    expect(await stock(company)).to.deep.equal([
      ...['Bolt|B-1|5|', 'Hex bolt M8|HB-8|10|0.25', 'Hex nut M5|00123|9|', 'Nut|N-1|4|'],
      ...['Panel 19" rack|R-19|2|', 'Pipe|P-2|10|3.4', 'Screw 4x40||10|0.25'],
      'Sump pump|P-1|1250|1234.5',
    ]);
  });

  it('is decoded and divided again as its user says, if that is possible', async () => {
    const { company, run } = await arrange();
    const refused = async (content: Buffer, format: Record<string, string>, sentence: string) => {
      const { reread } = await run(STOCK, content, format);
      expect(reread?.status).to.equal(422);
      expect(reread && textOf(reread)).to.contain(sentence);
    };
    const latin = Buffer.from('name;count\nMüller;1', 'latin1');
    await refused(latin, { encoding: 'utf-8' }, 'The file is not encoded as UTF-8.');
    await refused(latin, { separator: '|' }, 'A name or sku column is required.');
    expect(await stock(company), 'the preview as it was').to.deep.equal(['Müller||1|']);
    await run(STOCK, Buffer.from('name;count\nÄ;2'), { encoding: 'windows-1252' });
    expect(await stock(company)).to.deep.equal(['Müller||1|', 'Ã„||2|']);
  });

  it('counts in its preview what the rows do after one another', async () => {
    const { company, run } = await arrange();
    await receive(company, { name: 'Pump', sku: 'P-1', delta: 1 });
    const { figures, rejected, result } = await run(
      STOCK,
      [
        ...['sku,name,delta', 'P-1,,5', ',pump,-6', ',PUMP,-1', 'R-1,Rope,2', 'R-1,,1', ',rope,1'],
        ...['R-9,Rope,1', ',Hose,1', 'H-1,Hose,1'],
      ].join('\n'),
    );
    expect(figures).to.deep.include({ 'New items': 2, 'Changed items': 1, 'Rejected rows': 3 });
    expect(rejected.map(row => row.split('|')[0])).to.deep.equal(['Line 4', 'Line 8', 'Line 10']);
    expect(result).to.contain('6 of 9 rows were imported, 3 were rejected.');
    expect(await stock(company)).to.deep.equal(['Hose||1|', 'Pump|P-1|0|', 'Rope|R-1|4|']);
  });

  it('has no row about a customer that contradicts an earlier one', async () => {
    const { company, run } = await arrange();
    await makeCustomer(company, { name: 'A', number: 'N-1', externalId: 'x-1', aliases: ['Ay'] });
    const { figures, rejected, rows, result } = await run(
      '/customers/import',
      [
        ...['externalId,number,name,phone', 'x-1,,A2,1', ',N-1,B,2', ',,AY,3', ',N-5,C,1'],
        ...[',n-5,D,2', ',N-6,c,3', ',,C,4', 'x-7,,E,1', 'X-7,,F,2', ',,C,4'],
      ].join('\n'),
    );
    const problems = rejected
      .map(row => row.split('|'))
      .map(([line, , problem]) => [line, problem]);
    expect(problems).to.deep.equal([
      ['Line 3', 'number “N-1”: Line 2 has this number as “A2”.'],
      ['Line 6', 'number “n-5”: Line 5 has this number as “C”.'],
      ['Line 7', 'name “c”: Line 5 has this name with the number “N-5”.'],
      ...problems.slice(3),
    ]);
    const { 'New customers': added, 'Rows with changes': changed } = figures;
    const { 'Unchanged rows': same, 'Rejected rows': refused } = figures;
    expect(result).to.contain(
      `${added} added, ${changed} changed, ${same} unchanged, ${refused} rejected.`,
    );
    expect([changed, same]).to.deep.equal([3, 1]);
    expect(rows('Customers on several lines')).to.deep.include('A2|2, 3, 4');
    const { body } = await company.get('/customers?name=A2');
    expect(body[0]).to.include({ number: 'N-1', phone: '3' });
  });
});
