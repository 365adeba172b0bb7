// CSV: what is written is read again as it was, and runs in no spreadsheet; what cannot be read is
// told by its line.
import { expect } from 'chai';
import fc from 'fast-check';
import { Problem } from '../../../src/platform/errors.js';
import {
  BOM,
  CSV_FORMATS,
  csvLine,
  readCsv,
  unshielded,
} from '../../../src/platform/values/csv.js';

const read = async (text: string | Buffer, maxRows = 100) =>
  (await readCsv(Buffer.from(text as string), maxRows)).map(({ cells }) => cells);

const refusal = async (text: string | Buffer, maxRows?: number): Promise<string> => {
  try {
    await read(text, maxRows);
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
  return 'was read';
};

describe('CSV', () => {
  it('reads any text back as it was written, and writes no cell as a formula', async () => {
    const text = fc.stringMatching(/^['=+@|＝｜﹣\-\t a"",;\r\n]{0,6}$/u);
    const texts = fc.array(text, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(...CSV_FORMATS), async (cells, format) => {
        const header = csvLine(['first', ...cells.map(() => 'x')], format);
        const [, row = []] = await read(`${BOM}${header}${csvLine([...cells, 'end'], format)}`);
        expect(row.filter(cell => /^\s*[=+\-@|＝｜﹣]|^[\t\r\n]/u.test(cell))).to.deep.equal([]);
        expect(row.map(unshielded)).to.deep.equal([...cells, 'end']);
      }),
      { numRuns: 300 },
    );
  });

  it('writes cells as they were read, with at most one apostrophe before a formula', () => {
    const cells = ['=1+1', "'=1+1", '-5', '-5,25', '-5-cmd', "it's"].map(asRead => ({ asRead }));
    expect(csvLine(cells, 'comma')).to.equal(`"'=1+1","'=1+1","-5","-5,25","'-5-cmd","it's"\r\n`);
  });

  const fullWidth = ['＝', '＋', '－', '＠', '｜'];
  for (const start of ['|', ' =', '\u00a0@', '﹦', ...fullWidth, '\t', '\r', '\n'])
    it(`writes an apostrophe before ${JSON.stringify(start)} that imports remove`, async () => {
      const cell = `${start}cmd`;
      for (const written of [cell, { asRead: cell }]) {
        const [[first = ''] = []] = await read(csvLine([written, 'end'], 'comma'));
        expect(first).to.equal(`'${cell}`);
        expect(unshielded(first)).to.equal(cell);
      }
    });

  it('accepts any delimiter and line end, skips empty rows and reports line numbers', async () => {
    expect(await read('a;b,c;d\r\n1;2,5;3\n\n;;\r"x;\ny";;')).to.deep.equal([
      ['a', 'b,c', 'd'],
      ['1', '2,5', '3'],
      ['x;\ny', '', ''],
    ]);
    expect(await read('a\tb\n1,2\t3')).to.deep.equal([
      ['a', 'b'],
      ['1,2', '3'],
    ]);
    const rows = await readCsv(Buffer.from('a,b\n"1\n2",3\n4,5'), 10);
    expect(rows.map(({ line }) => line)).to.deep.equal([1, 3, 4]);
  });

  it('is refused with its line number if unreadable, and if it has too many rows', async () => {
    expect(await refusal('a,b\n1,"2\n3,4')).to.contain('Line 3');
    expect(await refusal('a,b\n1,x"2\n3,4')).to.contain('Line 2');
    expect(await refusal(`a,b\n${'x'.repeat(70_000)}`)).to.contain('too long');
    expect(await refusal(Buffer.from([0x61, 0x2c, 0xe4, 0x0a]))).to.contain('UTF-8');
    expect(await refusal('a,b\n\0')).to.contain('isn’t a CSV file');
    expect(await refusal('a\n1\n2\n3', 2)).to.contain('more than 2 rows');
    expect(await refusal('a\n1\n2', 2)).to.equal('was read');
  });
});
