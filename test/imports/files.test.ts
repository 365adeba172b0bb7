// How files are read, whatever their kind: encodings, separators, marks, and what spreadsheets have
// changed in them.
import { expect } from 'chai';
import { FORMAT as CUSTOMERS } from '../../src/customer-records/imports/columns.js';
import { damageOf } from '../../src/imports/file/damage.js';
import type { ReadOptions } from '../../src/imports/file/read-file.js';
import { FORMAT as STOCK } from '../../src/inventory/imports/columns.js';
import { type AnyFormat, fileRefusal, readFileRows } from '../support/import-files.js';

/** Each kind with a column of texts that people read, of codes and of amounts. */
const KINDS = [
  { kind: 'stock', format: STOCK as AnyFormat, columns: ['name', 'sku', 'unitPrice'] },
  { kind: 'customers', format: CUSTOMERS as AnyFormat, columns: ['name', 'number', 'creditLimit'] },
] as const;

for (const { kind, format, columns } of KINDS) {
  const [name, code, amount] = columns;
  const values = async (content: string | Buffer, options: Partial<ReadOptions> = {}) =>
    (await readFileRows(format, content, options)).rows.map(({ entry, errors }) =>
      entry ? columns.map(column => entry[column]) : (errors ?? []),
    );

  describe(`a file of ${kind}`, () => {
    it('is divided by what fits most of its rows and known headings', async () => {
      for (const mark of [',', ';', '\t', '|']) {
        const other = mark === ',' ? ';' : ',';
        const lines = [
          [name, code, amount, `Notes (a${other} b${other} c${other} d)`],
          ['Bolt', 'B-1', '0.5', `x${other} y`],
          [`Nut${other} hex`, 'N-1', '2.5', ''],
        ];
        const content = lines.map(cells => cells.join(mark)).join('\n');
        const { rows, reading } = await readFileRows(format, content);
        expect(reading.separator, mark).to.equal(mark);
        expect(
          rows.map(({ entry }) => entry?.[code]),
          mark,
        ).to.deep.equal(['B-1', 'N-1']);
      }
      const { reading } = await readFileRows(format, `X;Y;Z, a, b\n1;2;3,5\n4;5;6,5`);
      expect(reading.separator, 'without a known heading').to.equal(';');
      const single = await readFileRows(CUSTOMERS as AnyFormat, 'name\nBolt, long\nNut, hex');
      expect(single.header).to.deep.equal(['name']);
    });

    it('is divided by its headings, however many lines a value has', async () => {
      const lines = Array.from({ length: 150 }, (_, at) => `line ${at}; ${'x'.repeat(400)}`);
      const content = `"${columns.join('","')}","Notes"\n"A","A-1",5,"${lines.join('\n')}"`;
      const { rows, reading } = await readFileRows(format, content, {});
      expect(reading.separator).to.equal(',');
      expect(rows.length).to.equal(1);
    });

    it('is divided by what its user chooses', async () => {
      const content = `${name};${code}|${amount}\nBolt;B-1|5`;
      const chosen = await readFileRows(format, content, { separator: '|' });
      expect(chosen.header).to.deep.equal([`${name};${code}`, amount]);
    });

    it('may name its separator in a first line', async () => {
      for (const mark of [',', ';', '\t', '|', '^', ':'])
        for (const line of [
          `sep=${mark}`,
          `"sep=${mark}"`,
          `SEP=${mark}${mark}${mark}`,
          `\ufeffsep=${mark}`,
        ]) {
          const content = `${line}\r\n${columns.join(mark)}\r\n${['A', 'A-1'].join(mark)}`;
          const { rows, reading } = await readFileRows(format, `${content}${mark}`);
          expect([rows[0]?.line, rows[0]?.entry?.[code]], line).to.deep.equal([3, 'A-1']);
          expect(reading.separator).to.equal(mark);
        }
      const { rows } = await readFileRows(format, `sep=\\t\n${name}\t${code}\t${amount}\nA\tA-1`);
      expect(rows[0]?.entry?.[code]).to.equal('A-1');
    });

    it('is decoded by its byte order mark, or by what its bytes can be', async () => {
      const text = `${name},${code},${amount}\nMüller – 5 €,M-1,1.5`;
      const utf16 = Buffer.from(text, 'utf16le');
      const latin = Buffer.from(text.replace('–', '\x96').replace('€', '\x80'), 'latin1');
      for (const [bytes, encoding] of [
        [Buffer.from(text), 'utf-8'],
        [Buffer.from(`\ufeff${text}`), 'utf-8'],
        [latin, 'windows-1252'],
        [Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
        [Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16be'],
        [utf16, 'utf-16le'],
        [Buffer.from(utf16).swap16(), 'utf-16be'],
      ] as const) {
        const { reading, rows } = await readFileRows(format, bytes);
        expect(reading.encoding).to.equal(encoding);
        expect(reading.sample, encoding).to.equal('Müller – 5 €,M-1,1.5');
        expect(rows[0]?.entry?.[name], encoding).to.equal('Müller – 5 €');
      }
      const wrong = await readFileRows(format, Buffer.from(text), { encoding: 'windows-1252' });
      expect(wrong.reading.sample).to.contain('MÃ¼ller');
      expect((await readFileRows(format, `${name},${code}\nA,1`)).reading.sample).to.equal(null);
      expect(await fileRefusal(format, latin, { encoding: 'utf-8' })).to.contain(
        'not encoded as UTF-8',
      );
    });

    it('is refused if it is not a text', async () => {
      for (const bytes of [
        Buffer.from(`${name}\n\0`),
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x1f]),
      ])
        expect(await fileRefusal(format, bytes)).to.contain('isn’t a text file');
    });

    it('has texts with the marks that keep a spreadsheet from changing them', async () => {
      for (const cell of ['="00123"', '"=""00123"""', "'00123", `"'00123"`, '"00123"'])
        expect(await values(`${name},${code},${amount}\nA,${cell}`), cell).to.deep.equal([
          ['A', '00123', undefined],
        ]);
      for (const cell of ['="12.5"', "'12.5", '"=""12.5"""'])
        expect(await values(`${name},${code},${amount}\n'5 A,B,${cell}`), cell).to.deep.equal([
          ['5 A', 'B', 12.5],
        ]);
      expect(await values(`${name},${code},${amount}\n't Hoekje,=""`)).to.deep.equal([
        ["'t Hoekje", undefined, undefined],
      ]);
    });

    it('has rows that a spreadsheet has damaged, which are refused', async () => {
      const shortened = 'a spreadsheet has shortened this number. ';
      for (const cell of ['4.00638E+12', '"4,00638E+12"', '4E+12\u200b', '="4.00638e+12"']) {
        const [errors] = await values(`${name},${code},${amount}\nA,${cell}`);
        expect(errors, cell).to.have.length(1);
        expect(errors?.[0], cell).to.match(new RegExp(`^${code} “4.*”: ${shortened}Format`, 'u'));
        const [named] = await values(`${name},${code},${amount}\n${cell},A`);
        expect(named?.[0], cell).to.contain(shortened);
      }
      for (const cell of ['#N/A', '#REF!', '#VALUE!', '#NAME?', '########', '#NV', '#BEZUG!'])
        for (const row of [`A,${cell}`, `${cell},A`]) {
          const [errors] = await values(`${name},${code},${amount}\n${row}`);
          expect(errors?.[0], row).to.contain(`“${cell}”: this is an error of a spreadsheet`);
        }
      const real = ['2E10', '12E3', '1E5', 'E+12', '4E+1', '#12', 'C#', '#1 grade'];
      const read = await values(
        `${name},${code},${amount}\n${real.map(each => `N${each},${each}`).join('\n')}`,
      );
      expect(read.map(([, each]) => each)).to.deep.equal(real);
    });

    it('has amounts as people write them, once the decimal separator is known', async () => {
      const file = (...cells: string[]) =>
        [`${name};${code};${amount}`, ...cells.map((cell, at) => `N${at};C${at};${cell}`)].join(
          '\n',
        );
      const amounts = async (content: string, options: Partial<ReadOptions> = {}) =>
        (await values(content, options)).map(row => row[2] ?? row[0]);
      expect(await amounts(file('1,250', '$1,234.50', '3.40', '1 250', "USD 1'250"))).to.deep.equal(
        [...[1250, 1234.5, 3.4, 1250, 1250]],
      );
      expect(await amounts(file('1.250', '1.234,50 $', '3,40'))).to.deep.equal([1250, 1234.5, 3.4]);
      expect((await readFileRows(format, file('1,250'))).doubt).to.equal('1,250');
      expect(await amounts(file('1,250'), { decimalMark: '.' })).to.deep.equal([1250]);
      expect(await amounts(file('1,250'), { decimalMark: ',' })).to.deep.equal([1.25]);
      for (const cell of ['€5.50', '5.50 CAD', '1,25', '12,50.5'])
        expect(String(await amounts(file(cell, '3.40', '4.5'))), cell).to.contain(`“${cell}”`);
    });

    it('goes on after a row that cannot be read', async () => {
      const lines = [columns.join(), 'Bolt,B-1', '"Panel 19" rack",R-1', 'Pipe 2",N-1', '"A",B-2'];
      const content = lines.join('\n');
      const { rows, rowsRefused } = await readFileRows(format, content);
      expect(rowsRefused).to.equal(1);
      expect(rows.map(({ line, entry }) => [line, entry?.[name]])).to.deep.equal([
        [2, 'Bolt'],
        [3, undefined],
        [4, 'Pipe 2"'],
        [5, 'A'],
      ]);
      expect(
        await fileRefusal(format, `${name},${code},${amount}\nBolt,B-1\n"Panel,R-1\nNut,N-1`),
      ).to.contain('Line 3: a quotation mark is never closed.');
    });
  });
}

describe('a damaged cell', () => {
  it('has an error in the language of its spreadsheet', () => {
    for (const cell of [
      '#N/D',
      '#WERT!',
      '#NOM?',
      '#VALEUR!',
      '#¡VALOR!',
      '#¿NOMBRE?',
      '#DIV/0!',
      'Err:502',
    ])
      expect(damageOf(cell), cell).to.contain('error of a spreadsheet');
    for (const cell of ['#', '##', '#Hello!', '# 5', 'N/A', 'Error: 502'])
      expect(damageOf(cell), cell).to.equal(null);
  });
});
