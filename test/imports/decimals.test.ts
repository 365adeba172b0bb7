// The decimal separator of an imported file: proven by its cells, else asked.
import { expect } from 'chai';
import { detectDecimalMark } from '../../src/imports/decimals.js';

const detect = (cells: string[], delimiter = ',') => {
  const { decimalMark, doubt } = detectDecimalMark(cells, delimiter);
  return `${decimalMark} ${doubt ?? 'without a doubt'}`;
};

describe('the decimal separator of a file', () => {
  it('is the one that its numbers prove', () => {
    expect(detect(['7', ' 12,5 ', '1,250'])).to.equal(', without a doubt');
    expect(detect(['7', '-12.5', '1.250'], ';')).to.equal('. without a doubt');
    expect(detect(['0.125'])).to.equal('. without a doubt');
    expect(detect(['1.234,5'])).to.equal(', without a doubt');
    expect(detect(['1,234,567'])).to.equal('. without a doubt');
  });

  it('is the comma in a file with semicolons, if no number has one', () => {
    expect(detect(['7', 'x.y', ''], ';')).to.equal(', without a doubt');
    expect(detect(['7'], '\t')).to.equal('. without a doubt');
  });

  it('is in doubt if a number means two things, or numbers contradict each other', () => {
    expect(detect(['7', '1.250'], ';')).to.equal(', 1.250');
    expect(detect(['-1,250'])).to.equal('. -1,250');
    expect(detect(['1,5', '1.5'])).to.equal('. 1,5');
    expect(detect(['1,5', '1.5', '2.5'])).to.equal('. without a doubt');
  });
});
