// The arithmetic of discounts and tax, checked against a reference on fractions of big integers.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Discount,
  divide,
  type LineToPrice,
  type Pricing,
  priceInvoice,
} from '../../src/invoices/pricing.js';
import { casesOf } from '../support/tier.js';

const CURRENCY_DECIMALS = [0, 2, 3] as const;

/** A line in plain integers: ten-thousandths, and minor units for the discount's amount. */
const line = (
  qty: number,
  price: number,
  more: { percent?: number; off?: number; category?: string; rate?: number } = {},
): LineToPrice => ({
  qty: BigInt(Math.round(qty * 10_000)),
  price: BigInt(Math.round(price * 10_000)),
  discount: discount(more),
  tax:
    more.rate === undefined
      ? undefined
      : { category: more.category ?? 'S', rate: BigInt(Math.round(more.rate * 10_000)) },
});

function discount({ percent, off }: { percent?: number; off?: number }): Discount | undefined {
  if (percent !== undefined) return { percent: BigInt(Math.round(percent * 10_000)) };
  return off === undefined ? undefined : { amount: BigInt(off) };
}

const groupsOf = ({ groups }: Pricing) =>
  groups.map(({ category, rate, base, tax }) => [category, Number(rate) / 10_000, base, tax]);

describe('the arithmetic of an invoice', () => {
  it('reduces a line by a percentage of its gross, each rounded half up', () => {
    const { lines } = priceInvoice(
      [
        line(3, 0.335, { percent: 50 }),
        line(1, 0.05, { percent: 10 }),
        line(1, 0.04, { percent: 10 }),
      ],
      undefined,
      2,
    );
    expect(lines.map(({ gross, discount: off, amount }) => [gross, off, amount])).to.deep.equal([
      [101n, 51n, 50n],
      [5n, 1n, 4n],
      [4n, 0n, 4n],
    ]);
  });

  it('rounds tax half up once for all lines of a group, not line by line', () => {
    const three = Array.from({ length: 3 }, () => line(1, 0.35, { rate: 10 }));
    expect(groupsOf(priceInvoice(three, undefined, 2))).to.deep.equal([['S', 10, 105n, 11n]]);
    const half = priceInvoice([line(1, 0.5, { rate: 1 })], undefined, 2);
    expect([half.taxTotal, half.total]).to.deep.equal([1n, 51n]);
  });

  it('keeps lines of another category or rate in groups of their own, by first line', () => {
    const lines = [
      line(1, 10, { rate: 7 }),
      line(1, 20, { rate: 19 }),
      line(1, 30, { rate: 0, category: 'Z' }),
      line(1, 40, { rate: 7 }),
      line(1, 50, { rate: 0, category: 'E' }),
    ];
    expect(groupsOf(priceInvoice(lines, undefined, 2))).to.deep.equal([
      ['S', 7, 5000n, 350n],
      ['S', 19, 2000n, 380n],
      ['Z', 0, 3000n, 0n],
      ['E', 0, 5000n, 0n],
    ]);
  });

  it('divides the discount over the groups by largest remainder, ties to the earlier line', () => {
    const thirds = [7, 19, 5].map(rate => line(1, 1, { rate }));
    const { groups, subtotal } = priceInvoice(thirds, { amount: 100n }, 2);
    expect(groups.map(group => group.discount)).to.deep.equal([34n, 33n, 33n]);
    expect(subtotal).to.equal(200n);
    const uneven = [line(1, 1, { rate: 7 }), line(1, 2, { rate: 19 })];
    const shares = priceInvoice(uneven, { amount: 2n }, 2).groups.map(group => group.discount);
    expect(shares).to.deep.equal([1n, 1n]);
  });

  it('computes in whole yen and in thousandths of a dinar', () => {
    const lines = [line(3, 333, { rate: 10, percent: 12.5 }), line(1, 5, { rate: 8 })];
    const yen = priceInvoice(lines, { percent: 100_000n }, 0);
    expect(yen.lines.map(({ amount }) => amount)).to.deep.equal([874n, 5n]);
    expect([yen.discount, yen.subtotal, yen.taxTotal, yen.total]).to.deep.equal([
      88n,
      791n,
      79n,
      870n,
    ]);
    const dinar = priceInvoice(
      [line(1, 0.0015, { rate: 5 }), line(1, 1, { rate: 5 })],
      undefined,
      3,
    );
    expect([dinar.subtotal, dinar.taxTotal, dinar.total]).to.deep.equal([1002n, 50n, 1052n]);
  });

  it('has no groups and no tax without a rate, and reduces the sum all the same', () => {
    const { groups, subtotal, taxTotal, total } = priceInvoice(
      [line(1, 10), line(1, 5)],
      { percent: 333_333n },
      2,
    );
    expect([groups.length, subtotal, taxTotal, total]).to.deep.equal([0, 1000n, 0n, 1000n]);
  });

  it('leaves nothing of a discount of 100 %, on the line and on the document', () => {
    const free = [line(7, 3.33, { rate: 19, percent: 100 }), line(1, 9.99, { rate: 7 })];
    const { lines, total, groups } = priceInvoice(free, { percent: 1_000_000n }, 2);
    expect([lines[0]?.amount, total]).to.deep.equal([0n, 0n]);
    expect(groups.map(({ base, tax }) => [base, tax])).to.deep.equal([
      [0n, 0n],
      [0n, 0n],
    ]);
  });
});

// The reference, written from the contract: fractions, rounded where it says so, and a discount
// that is handed out unit by unit.

const roundHalfUp = (numerator: bigint, denominator: bigint) =>
  (2n * numerator + denominator) / (2n * denominator);
const PERCENT = 1_000_000n;

function reduction(of: bigint, by: Discount | undefined): bigint {
  if (!by) return 0n;
  return 'amount' in by ? by.amount : roundHalfUp(of * by.percent, PERCENT);
}

/** Hands out one unit after the other to the group that is furthest below its exact share. */
function handOut(whole: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  const parts = weights.map(weight => (sum === 0n ? 0n : (whole * weight) / sum));
  for (let left = whole - parts.reduce((a, b) => a + b, 0n); left > 0n && sum > 0n; left -= 1n) {
    const missing = weights.map((weight, at) => whole * weight - (parts[at] ?? 0n) * sum);
    const furthest = missing.reduce((a, b) => (a > b ? a : b));
    const at = missing.indexOf(furthest);
    parts[at] = (parts[at] ?? 0n) + 1n;
  }
  return parts;
}

function reference(lines: readonly LineToPrice[], off: Discount | undefined, decimals: number) {
  const minor = 10n ** BigInt(8 - decimals);
  const amounts = lines.map(({ qty, price, discount: by }) => {
    const gross = roundHalfUp(qty * price, minor);
    return gross - reduction(gross, by);
  });
  const sum = amounts.reduce((a, b) => a + b, 0n);
  const documentDiscount = reduction(sum, off);
  const keyOf = ({ tax }: LineToPrice) => (tax ? `${tax.category} ${tax.rate}` : null);
  const keys = [...new Set(lines.map(keyOf))].filter(key => key !== null);
  const weights = keys.map(key =>
    amounts.reduce((total, amount, at) => {
      const of = lines[at];
      return of && keyOf(of) === key ? total + amount : total;
    }, 0n),
  );
  const bases = handOut(documentDiscount, weights).map((part, at) => (weights[at] ?? 0n) - part);
  const taxes = keys.map((key, at) =>
    roundHalfUp((bases[at] ?? 0n) * BigInt(key.split(' ')[1] ?? '0'), PERCENT),
  );
  const taxTotal = taxes.reduce((a, b) => a + b, 0n);
  const subtotal = sum - documentDiscount;
  return { amounts, bases, taxes, subtotal, taxTotal, total: subtotal + taxTotal };
}

const percent = fc.bigInt({ min: 1n, max: PERCENT }).map(value => ({ percent: value }));
const rate = fc.oneof(
  fc.constantFrom(0n, 70_000n, 190_000n, 200_000n, 55_000n, 81_000n),
  fc.bigInt({ min: 0n, max: PERCENT }),
);
const anyLine = fc.record({
  qty: fc.bigInt({ min: 1n, max: 10_000_000_000n }),
  price: fc.oneof(
    fc.bigInt({ min: 0n, max: 999_999n }),
    fc.bigInt({ min: 0n, max: 9_999_999_999_999n }),
  ),
  discount: fc.option(percent, { nil: undefined }),
  tax: fc.record({ category: fc.constantFrom('S', 'Z', 'E'), rate }),
});
const anyInvoice = fc.record({
  lines: fc.array(anyLine, { minLength: 1, maxLength: 30 }),
  isTaxed: fc.boolean(),
  /** The document's discount: in percent, or as that part of the sum as an amount. */
  off: fc.option(
    fc.record({ percent: fc.bigInt({ min: 1n, max: PERCENT }), isAmount: fc.boolean() }),
  ),
  decimals: fc.constantFrom(...CURRENCY_DECIMALS),
});

describe('priceInvoice', () => {
  it('agrees with the reference, in currencies with 0, 2 and 3 decimals', () => {
    fc.assert(
      fc.property(anyInvoice, ({ lines: taxed, isTaxed, off, decimals }) => {
        const lines = isTaxed ? taxed : taxed.map(({ tax: _tax, ...each }) => each);
        const { amounts } = priceInvoice(lines, undefined, decimals);
        const by: Discount | undefined =
          off === null
            ? undefined
            : off.isAmount
              ? { amount: (amounts * off.percent) / PERCENT }
              : { percent: off.percent };
        const priced = priceInvoice(lines, by, decimals);
        const expected = reference(lines, by, decimals);
        expect(priced.lines.map(({ amount }) => amount)).to.deep.equal(expected.amounts);
        expect(priced.groups.map(({ base }) => base)).to.deep.equal(expected.bases);
        expect(priced.groups.map(({ tax }) => tax)).to.deep.equal(expected.taxes);
        expect([priced.subtotal, priced.taxTotal, priced.total]).to.deep.equal([
          expected.subtotal,
          expected.taxTotal,
          expected.total,
        ]);
      }),
      { numRuns: casesOf(2_000) },
    );
  });

  it('gives no group more discount than it has, and all groups together the whole', () => {
    fc.assert(
      fc.property(anyInvoice, fc.bigInt({ min: 0n, max: PERCENT }), (invoice, part) => {
        const { amounts } = priceInvoice(invoice.lines, undefined, invoice.decimals);
        const amount = (amounts * part) / PERCENT;
        const { groups, subtotal } = priceInvoice(invoice.lines, { amount }, invoice.decimals);
        expect(groups.every(({ base }) => base >= 0n)).to.equal(true);
        expect(groups.reduce((sum, { base }) => sum + base, 0n)).to.equal(subtotal);
      }),
    );
  });
});

describe('divide', () => {
  it('is off by less than one unit for each part, and favours the earlier of equal parts', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 13n }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(weights, fc.bigInt({ min: 0n, max: PERCENT }), (given, part) => {
        const sum = given.reduce((a, b) => a + b, 0n);
        const whole = (sum * part) / PERCENT;
        const parts = divide(whole, given);
        expect(parts.reduce((a, b) => a + b, 0n)).to.equal(whole);
        for (const [at, weight] of given.entries()) {
          const distance = (parts[at] ?? 0n) * sum - whole * weight;
          expect(sum === 0n || (distance < sum && distance > -sum)).to.equal(true);
          const twin = given.indexOf(weight);
          expect((parts[twin] ?? 0n) >= (parts[at] ?? 0n)).to.equal(true);
        }
      }),
    );
  });
});
