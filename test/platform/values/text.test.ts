// When two names are equal.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  cleanCode,
  cleanText,
  codePointLength,
  hasForbiddenCharacter,
  matchKey,
} from '../../../src/platform/values/text.js';
import { anyText } from '../../support/any-text.js';

describe('text', () => {
  it('treats names as equal whatever their case, spacing and compatibility forms', () => {
    const pairs = [
      ['Copper Pipe', ' copper \u00a0 PIPE\t'],
      ['Straße', 'STRASSE'],
      ['Straße', 'STRAẞE'],
      ['ΟΔΟΣ', 'οδος'],
      ['ΟΔΟΣ', 'οδοσ'],
      ['Café', 'CAFE\u0301'],
      ['ﬁlter', 'FILTER'],
      ['Ｗｉｄｅ', 'wide'],
      ['x²', 'X2'],
      ['ΐ', 'Ϊ́'],
    ] as const;
    for (const [a, b] of pairs) expect(matchKey(a), `${a} and ${b}`).to.equal(matchKey(b));
  });

  it('is read in a time that grows with it, also with marks that are out of order', () => {
    const text = `a${'\u0301\u0323'.repeat(40_000)}`;
    const startedAt = performance.now();
    for (const read of [cleanText, cleanCode, matchKey]) read(text);
    expect(performance.now() - startedAt).to.be.below(1_000);
    expect(cleanText('a\u0301\u0323')).to.equal('\u1ea1\u0301');
  });

  it('distinguishes different names', () => {
    expect(
      new Set(['pipe', 'pipes', 'pi pe', 'pípe', 'pipe.', 'рipe'].map(matchKey)).size,
    ).to.equal(6);
    expect(new Set(['Kapi', 'Kapı', 'Kapi\u0307'].map(matchKey)).size, 'ı and i').to.equal(3);
    expect(matchKey('KAPIıΣ')).to.equal(matchKey('kapiıς'));
  });

  it('folds a folded or decomposed name to the same key', () => {
    fc.assert(
      fc.property(anyText(), text => {
        expect(matchKey(matchKey(text))).to.equal(matchKey(text));
        expect(matchKey(text.normalize('NFD'))).to.equal(matchKey(text));
      }),
    );
  });

  it('counts characters as code points after NFC', () => {
    expect(codePointLength('😀😀')).to.equal(2);
    expect(codePointLength(cleanText('  e\u0301  '))).to.equal(1);
  });

  it('finds control characters, broken surrogates and invisible reordering', () => {
    for (const bad of [
      'a\u0000b',
      'a\nb',
      'a\u007fb',
      'a\u0085b',
      'a\ud800b',
      'a\u202eb',
      'a\u2028b',
      'a\ufffdb',
    ]) {
      expect(hasForbiddenCharacter(bad), JSON.stringify(bad)).to.equal(true);
    }
    for (const good of ['Bright & Sons', 'שלום', '👩‍👩‍👧', 'a\u00adb', 'naïve', '日本']) {
      expect(hasForbiddenCharacter(good), good).to.equal(false);
    }
  });
});
