// The distribution of money over invoices.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  distribute,
  findOverRequests,
  type Recipient,
} from '../../../src/ledger/rules/distribution.js';

const recipient = (due: bigint, wanted: bigint | null = null, allocated = 0n): Recipient => ({
  due,
  allocated,
  wanted,
});
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

describe('the distribution of a payment', () => {
  it('gives what is due, in the order given, as far as the money reaches', () => {
    const invoices = [recipient(300n), recipient(0n), recipient(500n), recipient(100n)];
    expect(distribute(600n, invoices)).to.deep.equal([300n, 0n, 300n, 0n]);
    expect(distribute(1_000n, invoices)).to.deep.equal([300n, 0n, 500n, 100n]);
  });

  it('sets requested amounts aside first, wherever they stand', () => {
    expect(distribute(600n, [recipient(500n), recipient(900n, 400n)])).to.deep.equal([200n, 400n]);
  });

  it('adds what is taken back to the money', () => {
    expect(distribute(0n, [recipient(0n, -400n, 500n), recipient(900n)])).to.deep.equal([
      -400n,
      400n,
    ]);
  });

  it('names what exceeds the amount due, and what was never given', () => {
    const invoices = [recipient(300n, 301n), recipient(300n, 300n), recipient(0n, -6n, 5n)];
    expect(findOverRequests(invoices)).to.deep.equal([
      { recipient: 0, requested: 301n, available: 300n },
      { recipient: 2, requested: -6n, available: -5n },
    ]);
  });

  it('never gives more than there is, nor more than is due, and leaves nothing that is due', () => {
    const amount = fc.bigInt({ min: 0n, max: 10_000n });
    const invoices = fc.array(
      fc.record({
        due: amount,
        allocated: amount,
        part: fc.option(fc.bigInt({ min: 0n, max: 100n }), { nil: null }),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(amount, invoices, (rest, drawn) => {
        const recipients = drawn.map(({ due, allocated, part }) =>
          recipient(due, part === null ? null : (due * part) / 100n, allocated),
        );
        const wanted = sum(recipients.map(each => each.wanted ?? 0n));
        const money = rest + wanted;
        const amounts = distribute(money, recipients);
        expect(sum(amounts) <= money).to.equal(true);
        for (const [index, { due }] of recipients.entries())
          expect((amounts[index] ?? 0n) <= due).to.equal(true);
        const left = money - sum(amounts);
        const isUnpaid = recipients.some(
          ({ due, wanted: asked }, index) => asked === null && (amounts[index] ?? 0n) < due,
        );
        if (left > 0n) expect(isUnpaid).to.equal(false);
      }),
    );
  });
});
