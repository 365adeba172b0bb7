// The numbers of an imported file: their decimal separator, proven by the cells or else asked,
// marks between groups, and the company's currency.

import { expect } from 'chai';
import { detectDecimalMark, readNumber } from '../../src/imports/file/numbers.js';
import type { DecimalMark } from '../../src/platform/values/csv.js';

const detect = (cells: string[], separator = ',') => {
  const { decimalMark, doubt } = detectDecimalMark(cells, separator, 'USD');
  return `${decimalMark} ${doubt ?? 'without a doubt'}`;
};

describe('the decimal separator of a file', () => {
  it('is the one that its numbers prove', () => {
    expect(detect(['7', ' 12,5 ', '1,250'])).to.equal(', without a doubt');
    expect(detect(['7', '-12.5', '1.250'], ';')).to.equal('. without a doubt');
    expect(detect(['0.125'])).to.equal('. without a doubt');
    expect(detect(['1.234,5'])).to.equal(', without a doubt');
    expect(detect(['1,234,567'])).to.equal('. without a doubt');
    expect(detect(['$1,234.50', '1,250'])).to.equal('. without a doubt');
    for (const group of [' ', "'", '’', '\u00a0', '\u202f'])
      expect(detect([`1${group}234,567`]), group).to.equal(', without a doubt');
  });

  it('is the comma in a file with semicolons, if no number has one', () => {
    expect(detect(['7', 'x.y', '', '1 234'], ';')).to.equal(', without a doubt');
    expect(detect(['7', "1'234"], '\t')).to.equal('. without a doubt');
  });

  it('is in doubt if a number means two things, or numbers contradict each other', () => {
    expect(detect(['7', '1.250'], ';')).to.equal(', 1.250');
    expect(detect(['-1,250'])).to.equal('. -1,250');
    expect(detect(['$1,250'])).to.equal('. $1,250');
    expect(detect(['1,5', '1.5'])).to.equal('. 1,5');
    expect(detect(['1,5', '1.5', '2.5'])).to.equal('. without a doubt');
    expect(detect(['1,5', '1.5', '2.5', '1,250'])).to.equal('. 1,250');
  });
});

describe('a number of a file', () => {
  const read = (text: string, decimalMark: DecimalMark, currency: string | null = 'USD') =>
    readNumber(text, { decimalMark, currency });

  for (const [mark, other] of [
    ['.', ','],
    [',', '.'],
  ] as const) {
    it(`has groups of three and the decimal separator ${mark}`, () => {
      const groups = [other, ' ', "'", '’', '\u00a0', '\u202f', '\u2009'];
      for (const group of groups) {
        expect(read(`1${group}250`, mark), group).to.equal(1250);
        expect(read(`-1${group}234${group}567${mark}5`, mark), group).to.equal(-1234567.5);
        expect(read(`−1${group}250`, mark), group).to.equal(-1250);
        for (const text of [`1${group}25`, `12${group}5${mark}5`, `0${group}125`, `1${group}2345`])
          expect(read(text, mark), text).to.equal(text);
      }
      for (const text of [`1${other}234 567`, `1${mark}5${mark}5`, '1e5', 'x', '--5', '5-', ''])
        expect(read(text, mark), text).to.equal(text);
      expect(read(`1${mark}250`, mark)).to.equal(1.25);
      expect(read(`0${mark}125`, mark)).to.equal(0.125);
      expect(read('1250', mark)).to.equal(1250);
      expect(read(`\u200e1${other}250\u200b`, mark)).to.equal(1250);
    });
  }

  it('may have the sign or the code of the own currency, before or after it', () => {
    for (const text of ['$1,234.50', '$ 1,234.50', '1,234.50 $', 'USD 1,234.50', '1,234.50USD'])
      expect(read(text, '.'), text).to.equal(1234.5);
    for (const text of ['-$5', '$-5', '−5 $', 'US$ -5']) expect(read(text, '.'), text).to.equal(-5);
    for (const [currency, texts] of [
      ['EUR', ['€ 5', '5€', '5 EUR']],
      ['CHF', ['CHF 5', 'Fr. 5', '5 SFr.']],
      ['GBP', ['£5', '5 gbp']],
      ['SEK', ['5 kr', 'SEK 5']],
    ] as const)
      for (const text of texts) expect(read(text, ',', currency), text).to.equal(5);
  });

  it('has no other currency, and none if it is no amount', () => {
    for (const text of ['€5', '5 EUR', '£5', 'CA$5', '5 CAD', '$5 CAD', 'A$5'])
      expect(read(text, '.'), text).to.equal(text);
    expect(read('$5', '.', 'EUR')).to.equal('$5');
    expect(read('$5', '.', null)).to.equal('$5');
  });
});
