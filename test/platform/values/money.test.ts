// Exact decimals, checked against a reference on big integers.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  decimalPlaces,
  fromMinor,
  fromUnits,
  lineAmount,
  minorUnits,
  toMinor,
  toUnits,
} from '../../../src/platform/values/money.js';

/** A number with at most 4 decimals up to a trillion, as ten-thousandths. */
const units = fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n });
const qty = fc.bigInt({ min: 1n, max: 10_000_000_000n });
const price = fc.bigInt({ min: 0n, max: 9_999_999_999_999n });

describe('money', () => {
  it('knows how many decimals a currency has', () => {
    const currencies = ['JPY', 'USD', 'EUR', 'KWD', 'CLP', 'TND', 'CLF', 'UYW'];
    expect(currencies.map(minorUnits)).to.deep.equal([0, 2, 2, 3, 0, 3, 4, 4]);
    expect(fromMinor(lineAmount(toUnits(3), toUnits(0.3333), 4), 4)).to.equal('0.9999');
  });

  it('rounds a line amount half away from zero', () => {
    const amount = (q: number, p: number, currency: string) =>
      fromMinor(lineAmount(toUnits(q), toUnits(p), minorUnits(currency)), minorUnits(currency));
    expect(amount(1, 0.005, 'USD')).to.equal('0.01');
    expect(amount(1, 0.0049, 'USD')).to.equal('0');
    expect(amount(3, 0.335, 'USD')).to.equal('1.01');
    expect(amount(1, 1.005, 'USD')).to.equal('1.01');
    expect(amount(1, 0.5, 'JPY')).to.equal('1');
    expect(amount(1.5, 333, 'JPY')).to.equal('500');
    expect(amount(1, 0.0005, 'KWD')).to.equal('0.001');
    expect(amount(-1, 0.005, 'USD')).to.equal('-0.01');
    expect(amount(1_000_000, 999_999_999.9999, 'USD')).to.equal('999999999999900');
  });

  it('rounds every line amount to the nearest minor unit, ties away from zero', () => {
    fc.assert(
      fc.property(
        qty,
        price,
        fc.constantFrom(0, 2, 3),
        fc.boolean(),
        (q, p, decimals, negative) => {
          const amount = lineAmount(negative ? -q : q, p, decimals);
          const step = 10n ** BigInt(8 - decimals);
          const exact = q * p;
          const rest = exact % step;
          const expected = exact / step + (rest * 2n >= step ? 1n : 0n);
          expect(amount).to.equal(negative ? -expected : expected);
        },
      ),
    );
  });

  it('converts every number with 4 decimals without loss, even through a double and JSON', () => {
    fc.assert(
      fc.property(units, value => {
        const text = fromUnits(value);
        expect(toUnits(text)).to.equal(value);
        expect(toUnits(Number(text))).to.equal(value);
        expect(toUnits(JSON.parse(JSON.stringify(Number(text))))).to.equal(value);
        expect(text).to.match(/^-?(0|[1-9]\d*)(\.\d{0,3}[1-9])?$/u);
      }),
    );
  });

  it('counts the decimals in the shortest form of a number', () => {
    expect(
      [1, 0.1, 1.25, 1e-7, 1.5e-7, 1e21, 123456.7891, -0.0001].map(decimalPlaces),
    ).to.deep.equal([0, 1, 2, 7, 8, 0, 4, 4]);
  });

  it('refuses text and numbers that have more than 4 decimals or are not numbers', () => {
    for (const value of [0.00001, 1e-7, '1.23456', 'NaN', '', '1e3', '.5']) {
      expect(() => toUnits(value), String(value)).to.throw(RangeError);
    }
    // The message reaches the log.
    expect(() => toUnits('1.23456')).to.throw(/^not a number with at most 4 decimals$/u);
    expect(() => toMinor(0.5, 0)).to.throw(/^not a number with at most 0 decimals$/u);
  });
});
