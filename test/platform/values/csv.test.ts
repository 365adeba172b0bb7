// CSV: what is written is read again as it was, and runs in no spreadsheet; what cannot be read is
// told by its line.
import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { Problem } from '../../../src/platform/errors.js';
import { CSV_FORMATS, csvLine, csvLineSql, unmarked } from '../../../src/platform/values/csv.js';
import { readCsvRows } from '../../../src/platform/values/csv-reader.js';
import { suiteServerUrl } from '../../support/suite.js';

const read = (text: string, separator = ',', maxRows = 100) =>
  readCsvRows(text, { separator, maxRows }).map(({ cells }) => cells);

const refusal = (text: string, maxRows?: number): string => {
  try {
    read(text, ',', maxRows);
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
  return 'was read';
};

const LINES = 'Lines 4 to 5 were read as one value.';
const TWICE = 'Inside quotes, write a quotation mark twice.';

describe('CSV', () => {
  it('reads any text back as it was written, and writes no cell as a formula', () => {
    const text = fc.stringMatching(/^['=+@|＝｜﹣\-\t a5"",;\r\n]{0,6}$/u);
    const texts = fc.array(text, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.constantFrom(...CSV_FORMATS), (cells, format) => {
        const separator = format === 'comma' ? ',' : ';';
        const [row = []] = read(csvLine([...cells, 'end'], format), separator);
        expect(row.filter(cell => /^\s*[=+\-@|＝｜﹣]|^[\t\r\n]/u.test(cell))).to.deep.equal([]);
        expect(row.map(unmarked)).to.deep.equal([...cells, 'end']);
      }),
      { numRuns: 500, examples: [[["' '5", "'5", "''5", " '5", "' =1"], 'comma']] },
    );
  });

  it('writes cells as they were read, with at most one apostrophe before a formula', () => {
    const cells = ['=1+1', "'=1+1", '-5', '-5,25', '-5-cmd', "it's"].map(asRead => ({ asRead }));
    expect(csvLine(cells, 'comma')).to.equal(`"'=1+1","'=1+1","-5","-5,25","'-5-cmd","it's"\r\n`);
  });

  const fullWidth = ['＝', '＋', '－', '＠', '｜'];
  for (const start of ['|', ' =', '\u00a0@', '﹦', ...fullWidth, '\t', '\r', '\n'])
    it(`writes an apostrophe before ${JSON.stringify(start)} that imports remove`, () => {
      const cell = `${start}cmd`;
      for (const written of [cell, { asRead: cell }]) {
        const [[first = ''] = []] = read(csvLine([written, 'end'], 'comma'));
        expect(first).to.equal(`'${cell}`);
        expect(unmarked(first)).to.equal(cell);
      }
    });

  for (const mark of [',', ';', '\t', '|', '^']) {
    const lines = (...rows: string[]) => rows.join('\n').replaceAll(',', mark);

    it(`reads rows divided by ${JSON.stringify(mark)}, with any line end, and counts lines`, () => {
      const text = 'a,b,c\r\n1,2.5,3\n\n,,\r"x/\ny",,\n"1\r2", "3" ,4';
      const options = { separator: mark, maxRows: 9 };
      const rows = readCsvRows(text.replaceAll(',', mark), options);
      expect(rows.map(({ cells }) => cells)).to.deep.equal([
        ['a', 'b', 'c'],
        ['1', '2.5', '3'],
        ['x/\ny', '', ''],
        ['1\r2', '3', '4'],
      ]);
      expect(rows.map(({ line }) => line)).to.deep.equal([1, 2, 6, 8]);
    });

    it(`takes a quotation mark in a value for a character, with ${JSON.stringify(mark)}`, () => {
      const text = lines('Panel 19" rack,R-19,2', ' "Pipe 2"" x" ,1/2",3"', '="00123",x="1",""');
      expect(read(text, mark)).to.deep.equal([
        ['Panel 19" rack', 'R-19', '2'],
        ['Pipe 2" x', '1/2"', '3"'],
        ['="00123"', 'x="1"', ''],
      ]);
      expect(read(`="1${mark}2"${mark}="A"&B1`, mark)).to.deep.equal([[`="1${mark}2"`, '="A"&B1']]);
    });

    it(`refuses only the rows that it cannot read, divided by ${JSON.stringify(mark)}`, () => {
      const text = lines('a,b', '"Panel 19" rack",R-19', 'c,d', '"e\nf" g,"h', 'i,j');
      const rows = readCsvRows(text, { separator: mark, maxRows: 9 });
      expect(rows.map(({ line, problem }) => [line, problem])).to.deep.equal([
        [1, undefined],
        [2, `Text follows a closing quotation mark. ${TWICE}`],
        [3, undefined],
        [5, `Text follows a closing quotation mark. ${LINES} ${TWICE}`],
        [6, undefined],
      ]);
      expect(rows[1]?.cells).to.deep.equal(['"Panel 19" rack"', 'R-19']);
    });
  }
  it('looks for a formula in a time that grows with the text', () => {
    const startedAt = performance.now();
    for (const text of ["'".repeat(100_000), `${"'".repeat(50_000)}${' '.repeat(50_000)}x`])
      expect(unmarked(text)).to.equal(text);
    expect(performance.now() - startedAt).to.be.below(1_000);
  });

  it('removes the marks of a text, quoted or not', () => {
    const marked = ['="00123"', '"=""00123"""', "'00123", `"'00123"`, " '00123", ' ="00123" '];
    for (const cell of marked)
      expect(read(cell).flat().map(unmarked), cell).to.deep.equal(['00123']);
    for (const cell of ["'t Hoekje", "''t", 'a="1"', '=1', "O'5"])
      expect(unmarked(cell), cell).to.equal(cell);
    expect([`="a""b"`, '=""', "'-5"].map(unmarked)).to.deep.equal(['a"b', '', '-5']);
  });

  it('is refused if a quotation mark is never closed, and if it has too many rows', () => {
    expect(refusal('a,b\n1,"2\n3,4')).to.equal('Line 2: a quotation mark is never closed.');
    expect(refusal(`a,b\n1,"2\n${'3,4\n'.repeat(20_000)}x"`)).to.contain('Line 2: a quotation');
    expect(refusal('a\n1\n2\n3', 2)).to.contain('more than 2 rows');
    expect(refusal('a\n1\n2', 2)).to.equal('was read');
    const [, long, last] = readCsvRows(`a,b\n${'x'.repeat(70_000)}\n1,2`, {
      ...{ separator: ',', maxRows: 9 },
    });
    expect([long?.problem, last?.problem]).to.deep.equal(['The row is too long.', undefined]);
  });
});

describe('CSV that Postgres writes', () => {
  it('is what the product writes, whatever the text', async () => {
    const server = await suiteServerUrl();
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    const anyText = fc.stringMatching(/^['=@｜﹣\-\t a5"\r\n\u00a0\u2003\u3000\u2028٣]{1,5}$/u);
    const texts = fc.sample(anyText, 2_000);
    try {
      for (const format of CSV_FORMATS) {
        const { rows } = await client.query<{ line: string }>(
          `SELECT ${csvLineSql([{ text: 'each' }], format)} AS line
           FROM unnest($1::text[]) WITH ORDINALITY AS texts (each, position)
           ORDER BY position`,
          [texts],
        );
        expect(rows.map(({ line }) => line)).to.deep.equal(
          texts.map(text => csvLine([text], format)),
        );
      }
    } finally {
      await client.end();
    }
  });
});
