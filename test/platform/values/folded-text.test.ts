// Texts without case and accents, the pattern that finds them in match keys, and typed amounts.
import { expect } from 'chai';
import fc from 'fast-check';
import { accentPattern, foldText } from '../../../src/platform/values/folded-text.js';
import { matchKey } from '../../../src/platform/values/text.js';
import { amountReadings } from '../../../src/platform/values/typed-amount.js';

describe('foldText', () => {
  it('removes case and accents', () => {
    const folded = (...texts: string[]) => texts.map(foldText);
    expect(folded('Brücke', 'STRAẞE', 'Crème', 'łódź', 'Œuvre', 'Þór')).to.deep.equal([
      ...['brucke', 'strasse', 'creme', 'lodz', 'oeuvre', 'thor'],
    ]);
    expect(folded('Ёлка', 'ὅς', 'x\u0302', 'がぎ', 'कि')).to.deep.equal([
      ...['елка', 'οσ', 'x', 'がぎ', 'कि'],
    ]);
    expect(foldText(' \u0301 '), 'nothing but an accent').to.equal('\u0301');
  });

  it('has a pattern that finds a folded text in the keys whose folded form contains it', () => {
    const letter = fc.constantFrom(
      ...'aeehostAEHß æÆœþÞüÜéńłøđıςσΣй[]\\^-.*x\u0301\u0323㎏'.split(''),
    );
    const text = (maxLength: number) =>
      fc.array(letter, { minLength: 1, maxLength }).map(letters => letters.join(''));
    fc.assert(
      fc.property(text(12), text(3), (stored, typed) => {
        const folded = foldText(typed);
        fc.pre(folded !== '' && !/^\p{M}/u.test(folded));
        // Postgres reads these patterns as JavaScript does, but for the escape of a bracket.
        const pattern = new RegExp(accentPattern(folded), 'u');
        expect(pattern.test(matchKey(stored)), `${typed} in ${stored}`).to.equal(
          foldText(stored).includes(folded),
        );
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('amountReadings', () => {
  it('reads an amount with its currency, and either decimal mark', () => {
    const read = (...texts: string[]) => texts.map(text => amountReadings(text).join(' or '));
    expect(read('97.40', '97,40', '$97.40', '97.4 USD', '€ 97,4')).to.deep.equal(
      Array.from({ length: 5 }, () => '97.4'),
    );
    expect(read('1,234.50', '1.234,50', "1'234.50", '1 234,5')).to.deep.equal(
      Array.from({ length: 4 }, () => '1234.5'),
    );
    expect(read('1,234', '1.234', '1,234,567')).to.deep.equal([
      '1.234 or 1234',
      '1.234 or 1234',
      '1234567',
    ]);
    expect(read('0', '012', '12')).to.deep.equal(['0', '12', '12']);
  });

  it('finds no amount in other texts', () => {
    const texts = ['', '-', '$', '12-3', '1,23,4', '1,234,50', '1e5', 'PO-12', '9'.repeat(12)];
    texts.push('1.23456', '12 34', '٣');
    for (const text of texts) expect(amountReadings(text), text).to.deep.equal([]);
  });
});
