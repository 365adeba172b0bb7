// Lists that are pasted into the form for a delivery, as spreadsheets copy them.
import { expect } from 'chai';
import { readPastedList } from '../../src/inventory/imports/pasted-list.js';
import { Problem } from '../../src/platform/errors.js';

/** The lines as texts, or the field and sentence of the refusal. */
const read = async (text: string, mark: '.' | ',' | null = null, maxLines = 250) => {
  try {
    const options = { decimalMark: mark, maxLines, currency: 'EUR' };
    const lines = readPastedList(text, options);
    return lines.map(({ item, sku, quantity, unitCost }) =>
      [item, ...(sku === null ? [] : [`(${sku})`]), quantity, unitCost].join(' | '),
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [first] = error.details.errors ?? [];
    return `${first?.pointer} ${first?.detail}`;
  }
};

describe('a pasted list', () => {
  it('has an item, quantity and cost per line, with any separator', async () => {
    for (const mark of ['\t', ';', ',', ', ', '|'])
      expect(await read(`Pump${mark}5${mark}2.50\n\nP-1${mark}1`)).to.deep.equal([
        'Pump | 5 | 2.5',
        'P-1 | 1 | ',
      ]);
    expect(await read('Pump')).to.deep.equal(['Pump |  | ']);
    expect(await read('Valve 1/2"\t5\n"Big" pump\t1\n"Two\nlines"\t3')).to.deep.equal([
      'Valve 1/2" | 5 | ',
      '"Big" pump | 1 | ',
      'Two\nlines | 3 | ',
    ]);
  });

  it('takes no time that grows faster than the list', async () => {
    const startedAt = performance.now();
    expect(await read(`sep=,${','.repeat(30)}x`)).to.have.length(1);
    const line = `Pump\t${"'".repeat(40_000)}\t1`;
    expect(await read(line)).to.equal('/pasted Line 1: a value has more than 1,000 characters.');
    const lines = Array.from(
      { length: 250 },
      () => `Pump\t${"'".repeat(1_000)}\t1${' '.repeat(900)}x`,
    );
    expect(await read(lines.join('\n'))).to.have.length(250);
    expect(performance.now() - startedAt).to.be.below(5_000);
  });

  it('may start with the names of its columns, which decide their order', async () => {
    expect(await read('Qty;Cost price;Item\n5;2.5;Pump')).to.deep.equal(['Pump | 5 | 2.5']);
    expect(await read('Item code\tItem\tReceived\nP-1\tPump\t5\n\tHose\t1')).to.deep.equal([
      'Pump | (P-1) | 5 | ',
      'Hose | 1 | ',
    ]);
    expect(await read('sku,qty\nP-1,5')).to.deep.equal(['P-1 | 5 | ']);
    expect(await read('Stock\t5'), 'an item that is called like a column').to.deep.equal([
      'Stock | 5 | ',
    ]);
  });

  it('has a decimal point or comma, and asks if both would be possible', async () => {
    expect(await read('Pump\t1,5\t1.250,25')).to.deep.equal(['Pump | 1.5 | 1250.25']);
    expect(await read('Pump;1250')).to.deep.equal(['Pump | 1250 | ']);
    expect(await read('Pump\t1.250')).to.equal(
      '/decimals “1.250” can mean two numbers. Choose how decimals are written.',
    );
    expect(await read('Pump\t1.250', '.')).to.deep.equal(['Pump | 1.25 | ']);
    expect(await read('Pump\t1.250', ',')).to.deep.equal(['Pump | 1250 | ']);
    expect(await read('Pump\t3,5\nHose\t1.25', ',')).to.equal(
      '/pasted Line 2: “1.25” has no decimal comma.',
    );
    expect(await read('Pump\t1.25', ',')).to.equal('/pasted Line 1: “1.25” has no decimal comma.');
    expect(await read('Pump\t1,250\t€ 3,5\nHose\t1 250\t1.250,00 EUR')).to.deep.equal([
      'Pump | 1.25 | 3.5',
      'Hose | 1250 | 1250',
    ]);
    expect(await read('Pump\t1,250\t$3.50\nHose\t1,250\t3.5')).to.deep.equal([
      'Pump | 1250 | $3.50',
      'Hose | 1250 | 3.5',
    ]);
    expect(await read('Pump\tabc\t€', ','), 'refused at its line later').to.deep.equal([
      'Pump | abc | €',
    ]);
  });

  it('may name its separator, and marks texts as a spreadsheet does', async () => {
    for (const first of ['sep=;', '"sep=;"', '\ufeffSEP=;;;', 'sep=;\r'])
      expect(await read(`${first}\nItem code;Qty\n="00123";5`), first).to.deep.equal([
        '00123 | 5 | ',
      ]);
    expect(await read("'00123\t5\n't Hoekje\t1")).to.deep.equal([
      '00123 | 5 | ',
      "'t Hoekje | 1 | ",
    ]);
    expect(await read('Pump, blue\t1,5\nHose, red\t2,5')).to.deep.equal([
      'Pump, blue | 1.5 | ',
      'Hose, red | 2.5 | ',
    ]);
  });

  it('is refused with what a spreadsheet has changed', async () => {
    expect(await read('Pump\t5\n4,00638E+12\t1')).to.equal(
      '/pasted Line 2: item “4,00638E+12”: a spreadsheet has shortened this number. ' +
        'Format the column as text and export again.',
    );
    expect(await read('Item\tItem code\tQty\nPump\t#N/A\t1')).to.contain('Line 2: sku “#N/A”: ');
  });

  it('has a limit, besides its column names', async () => {
    expect(await read('item;qty\nPump;1\nHose;2', null, 2)).to.have.length(2);
    for (const text of ['A;1\nB;2\nC;3', 'A;1\nB;2\nC;3\nD;4\nE;5'])
      expect(await read(text, null, 2)).to.match(/^\/pasted A delivery has at most 2 lines,/u);
  });
});
