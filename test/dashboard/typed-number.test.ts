// Numbers as people type them into a form.
import { expect } from 'chai';
import fc from 'fast-check';
import { showAmounts, showTotal, typedPrice } from '../../src/dashboard/invoices/form/amounts.js';
import {
  filledNumber,
  plainNumber,
  readingsOf,
  withoutPercent,
} from '../../src/dashboard/kit/typed-number.js';
import { exactNumber, toUnits } from '../../src/platform/values/money.js';
import { amountReadings, withoutCurrency } from '../../src/platform/values/typed-amount.js';

describe('a number typed into a form', () => {
  it('is read in a time that grows with it, whatever it is', () => {
    const [spaces, zeros] = [' '.repeat(50_000), '0'.repeat(50_000)];
    const startedAt = performance.now();
    expect(withoutPercent(`1${spaces}x`)).to.equal(`1${spaces}x`);
    expect(withoutPercent(` 1${spaces}% `)).to.equal('1');
    expect(withoutCurrency(`1${spaces}x`, 'EUR')).to.equal(`1${spaces}x`);
    expect(withoutCurrency(`-€${spaces}1 EUR`, 'EUR')).to.equal('-1');
    expect(amountReadings(`1${spaces}x`)).to.deep.equal([]);
    for (const text of [`${zeros}x`, `0.${zeros}1`]) expect(exactNumber(text)).to.equal(null);
    expect(() => toUnits(`0.${zeros}1`)).to.throw(RangeError);
    expect(performance.now() - startedAt).to.be.below(1_000);
  });

  it('has a point or a comma, and groups of three digits', () => {
    for (const [typed, plain] of [
      ['12.5', '12.5'],
      ['12,5', '12.5'],
      ['18,50', '18.50'],
      [' -0,125 ', '-0.125'],
      ['1250,500', '1250.500'],
      ['1,250.50', '1250.50'],
      ['1.250,50', '1250.50'],
      ['1,250,000', '1250000'],
      ['1.250.000', '1250000'],
      ['1 250 000,5', '1250000.5'],
      ['1\u202f250', '1250'],
      ["1'250.50", '1250.50'],
      ['1’250’000', '1250000'],
      ['.5', '0.5'],
      ['-,25', '-0.25'],
      ['\u202a12.50\u202c', '12.50'],
    ] as const)
      for (const mark of ['.', ','] as const) expect(plainNumber(typed, mark)).to.equal(plain);
    expect(plainNumber('1.250', '.')).to.equal('1.250');
  });

  it('is ambiguous if its comma could divide thousands as well as decimals', () => {
    expect(readingsOf('1,250', '.')).to.deep.equal(['1250', '1.250']);
    expect(readingsOf('-12,500', '.')).to.deep.equal(['-12500', '-12.500']);
    for (const typed of ['0,125', '1250,500', '1,25', '1.250', '1,250,000', 'a,bcd', ''])
      expect(readingsOf(typed, '.'), typed).to.equal(null);
    expect(plainNumber('1,250', '.')).to.equal('1,250');
  });

  it('is ambiguous with a point as well where files have decimal commas', () => {
    expect(readingsOf('1.250', ',')).to.deep.equal(['1250', '1,25']);
    expect(readingsOf('1,250', ',')).to.deep.equal(['1250', '1,25']);
    expect(readingsOf('-12.125', ',')).to.deep.equal(['-12125', '-12,1250']);
    expect(readingsOf('1.000', ',')).to.deep.equal(['1000', '1']);
    for (const typed of ['0.125', '1250.500', '1.25', '1.2500', '1.250.000', '1.250,5', ''])
      expect(readingsOf(typed, ','), typed).to.equal(null);
    expect(plainNumber('1.250', ',')).to.equal('1,250');
  });

  it('has one meaning if it is one of the readings, or what a page has filled in', () => {
    const ambiguous = fc.tuple(fc.integer({ min: 1, max: 999 }), fc.stringMatching(/^\d{3}$/u));
    fc.assert(
      fc.property(ambiguous, ([whole, fraction]) => {
        const typed = `${whole}.${fraction}`;
        const [thousands = '', decimal = ''] = readingsOf(typed, ',') ?? [];
        expect(plainNumber(thousands, ',')).to.equal(whole + fraction);
        expect(Number(plainNumber(decimal, ','))).to.equal(Number(typed));
        expect(Number(plainNumber(filledNumber(typed, ','), ','))).to.equal(Number(typed));
        for (const text of [thousands, decimal, filledNumber(typed, ',')])
          expect(readingsOf(text, ',')).to.equal(null);
        expect(filledNumber(typed, '.')).to.equal(typed);
      }),
    );
  });

  it('stays as it was typed if it is not a number', () => {
    for (const typed of ['', '.', '5,', '1,2,3', '1.2.3', '12,34,567', '1,2345.6', '1e5', 'x,5'])
      expect(plainNumber(typed, '.')).to.equal(typed);
  });

  it('means the same with a comma as with a point, unless it is ambiguous', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), fc.stringMatching(/^\d{1,4}$/u), (a, b) => {
        const typed = `${a},${b}`;
        if (readingsOf(typed, '.') === null) expect(plainNumber(typed, '.')).to.equal(`${a}.${b}`);
        else expect(b).to.have.length(3);
      }),
    );
  });

  it('has the same amount while it is typed', () => {
    const settings = { currency: 'USD', defaultTaxRate: null, decimalMark: '.' } as const;
    const line = { qty: '1', price: '$1,000.50', taxRate: '10 %', discount: '$0.50' };
    expect(showAmounts({ lines: [line] }, settings).total).to.equal('1100');
    expect(showAmounts({ lines: [{ qty: '1', price: '€1' }] }, settings).total).to.equal(null);
    expect(showTotal([{ qty: '1,5', price: '18,50' }], 'USD')).to.equal('$27.75');
    expect(showTotal([{ qty: '1,', price: '2' }], 'USD')).to.equal('$2.00');
    expect(showTotal([{ qty: '1', price: '1,250' }], 'USD')).to.equal('$0.00');
  });

  it('is filled in with the decimals of the currency', () => {
    expect(typedPrice('135.2', 'USD', '.')).to.equal('135.20');
    expect(typedPrice('135', 'JPY', '.')).to.equal('135');
    expect(typedPrice('10.0005', 'KWD', '.')).to.equal('10.0005');
    expect(typedPrice('1.25', 'KWD', '.')).to.equal('1.250');
    expect(typedPrice('1.25', 'KWD', ',')).to.equal('1.2500');
  });
});
