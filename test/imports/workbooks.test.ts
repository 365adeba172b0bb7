// Excel workbooks: the first sheet is read like a text file; what is too large, damaged or none is
// refused before it takes memory.
import { expect } from 'chai';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { FORMAT } from '../../src/inventory/imports/columns.js';
import { type AnyFormat, fileRefusal, readFileRows } from '../support/import-files.js';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A cell of a sheet: a number, a text, or XML of its own. */
type Cell = number | string | { readonly xml: string };

const columnOf = (index: number) => String.fromCharCode(65 + index);

function sheetOf(rows: readonly (readonly Cell[])[]): string {
  const cellOf = (cell: Cell, place: string) => {
    if (typeof cell === 'object') return cell.xml.replace('<c', `<c r="${place}"`);
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
    return `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  };
  const lines = rows.map((cells, at) => {
    const xml = cells.map((cell, index) => cellOf(cell, `${columnOf(index)}${at + 1}`));
    return `<row r="${at + 1}">${xml.join('')}</row>`;
  });
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
}

/** A workbook with these sheets. */
function workbook(sheets: readonly string[], further: Zippable = {}): Buffer {
  const ids = sheets.map((_, index) => index + 1);
  const list = ids.map(id => `<sheet name="S${id}" sheetId="${id}" r:id="rId${id}"/>`);
  const relations = ids.map(
    id =>
      `<Relationship Id="rId${id}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${id}.xml"/>`,
  );
  const parts: Zippable = {
    'xl/workbook.xml': strToU8(
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">` +
        `<sheets>${list.join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `${HEAD}<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`,
    ),
    ...further,
  };
  for (const [index, xml] of sheets.entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] = strToU8(xml);
  return Buffer.from(zipSync(parts));
}

const read = (bytes: Buffer) => readFileRows(FORMAT as AnyFormat, bytes);
const refusal = (bytes: Buffer) => fileRefusal(FORMAT as AnyFormat, bytes);

describe('an Excel workbook', () => {
  const header = ['Name', 'SKU', 'Quantity', 'Price'];

  it('has the rows of its first sheet, with numbers that leave no doubt', async () => {
    const other = sheetOf([['x'], ['y']]);
    const { rows, doubt, reading } = await read(
      workbook([
        sheetOf([
          header,
          ['Pump', 4006381333931, 1.125, 1250],
          [],
          ['Müller &amp; 19" rack', '00123', 0.30000000000000004, '$1,234.50'],
        ]),
        other,
      ]),
    );
    expect(doubt).to.equal(null);
    expect(reading).to.deep.equal({ encoding: null, separator: null, sample: null });
    expect(rows.map(({ line, entry }) => [line, entry])).to.deep.equal([
      [2, { name: 'Pump', sku: '4006381333931', count: 1.125, unitPrice: 1250 }],
      [4, { name: 'Müller & 19" rack', sku: '00123', count: 0.3, unitPrice: 1234.5 }],
    ]);
  });

  it('asks about an amount in a text that could mean two', async () => {
    const { doubt } = await read(workbook([sheetOf([header, ['Pump', 'P', 1.5, '1,250']])]));
    expect(doubt).to.equal('1,250');
  });

  it('has rows refused whose codes have lost digits, or that have errors', async () => {
    const error = { xml: '<c t="e"><v>#N/A</v></c>' };
    const { rows } = await read(
      workbook([sheetOf([header, ['A', 4006381333931123, 1, 1], ['B', error, 1, 1]])]),
    );
    expect(rows.map(({ errors = [] }) => errors.join())).to.satisfy(
      ([lost, wrong]: string[]) =>
        lost?.startsWith('sku “4.00638E+15”: a spreadsheet has shortened') &&
        wrong?.startsWith('sku “#N/A”: this is an error of a spreadsheet'),
    );
  });

  it('is refused if it is too large when it is unpacked, without unpacking it', async () => {
    const zeros = new Uint8Array(80 * 1024 * 1024);
    const bomb = workbook([sheetOf([header])], { 'xl/sharedStrings.xml': zeros });
    expect(bomb.length).to.be.below(200_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusal(bomb)).to.contain('too large when it is unpacked');
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(zeros.length / 2);
  });

  it('is refused if the size that it states is too small', async () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => [`Item ${at}`, `${at}`, at, at]);
    const bytes = workbook([sheetOf([header, ...rows])]);
    // The central directory and the local header both state the size.
    const name = Buffer.from('xl/worksheets/sheet1.xml');
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
      const isCentral = bytes.readUInt32LE(at - 46) === 0x02014b50;
      bytes.writeUInt32LE(100, isCentral ? at - 22 : at - 8);
    }
    expect(await refusal(bytes)).to.contain('can’t be read');
  });

  it('is refused if parts that are not packed take more than they state', async () => {
    const zeros = new Uint8Array(1024 * 1024);
    const parts = Array.from({ length: 60 }, (_, at) => [`part${100 + at}.xml`, zeros] as const);
    const whole = Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }));
    // Each entry of the central directory leads to the first part, the only one that is left.
    const directory = whole.subarray(whole.readUInt32LE(whole.length - 6));
    const start = whole.indexOf('PK\x03\x04', 1);
    for (let at = directory.indexOf('PK\x01\x02'); at >= 0; ) {
      directory.writeUInt32LE(0, at + 24);
      directory.writeUInt32LE(0, at + 42);
      at = directory.indexOf('PK\x01\x02', at + 1);
    }
    directory.writeUInt32LE(start, directory.length - 6);
    const bomb = Buffer.concat([whole.subarray(0, start), directory]);
    expect(bomb.length).to.be.below(1.1 * zeros.length);
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusal(bomb)).to.contain('too large when it is unpacked');
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(zeros.length * 50);
  });

  it('is refused if a cell or a row is at a place that no sheet has', async () => {
    const cellAt = (place: string) => `<row r="2"><c r="${place}"><v>1</v></c></row>`;
    const places = ['ZZZZ2', 'A1048577', 'A1e7', '&#90;&#90;&#90;&#90;2', 'zzz2', "A'2"];
    const rows = [...places.map(cellAt), '<row r="2000000"></row>', '<row x:r="Infinity"></row>'];
    for (const row of rows) {
      const sheet = sheetOf([header]).replace('</sheetData>', `${row}</sheetData>`);
      expect(await refusal(workbook([sheet])), row).to.contain('can’t be read');
    }
    const last = sheetOf([header, ['A', 'B', 1, 1]]).replaceAll('2"', '300"');
    expect((await read(workbook([last]))).rows).to.have.length(1);
  });

  it('is refused with more than 20,000 rows, and if it cannot be read', async () => {
    const many = Array.from({ length: 20_001 }, () => ['A', 'B']);
    expect(await refusal(workbook([sheetOf([header, ...many])]))).to.contain(
      'more than 20000 rows',
    );
    const old = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const noSheet = Buffer.from(zipSync({ 'a.xml': strToU8('<a/>') }));
    const cut = workbook([sheetOf([header])]).subarray(0, 300);
    for (const bytes of [old, noSheet, cut])
      expect(await refusal(bytes)).to.contain('This workbook can’t be read.');
  });
});
