// The division of a discount among the lines of an invoice or credit note.
import { expect } from 'chai';
import fc from 'fast-check';
import { netAmounts } from '../../../src/ledger/document-lines/net-amounts.js';

describe('the net amounts of lines', () => {
  it('divide the discount of a group in proportion, by largest remainder', () => {
    const lines = [100n, 100n, 100n, 50n].map((amount, index) => ({
      amount,
      group: index < 3 ? 0 : 1,
    }));
    const bases = new Map([
      [0, 290n],
      [1, 50n],
    ]);
    expect(netAmounts(lines, bases)).to.deep.equal([96n, 97n, 97n, 50n]);
    expect(netAmounts(lines, new Map())).to.deep.equal([100n, 100n, 100n, 50n]);
  });

  it('add up to each base, and none is negative or above its amount', () => {
    const line = fc.record({
      amount: fc.bigInt({ min: 0n, max: 10n ** 13n }),
      group: fc.nat({ max: 2 }),
    });
    const share = fc.nat({ max: 1_000 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), share, (lines, thousandths) => {
        const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, each) => sum + each, 0n);
        const inGroup = (group: number, amounts: readonly bigint[]) =>
          amounts.filter((_, index) => lines[index]?.group === group);
        const amounts = lines.map(({ amount }) => amount);
        const bases = new Map(
          [0, 1, 2].map(group => [
            group,
            (sumOf(inGroup(group, amounts)) * BigInt(thousandths)) / 1_000n,
          ]),
        );
        const net = netAmounts(lines, bases);
        for (const [group, base] of bases) expect(sumOf(inGroup(group, net))).to.equal(base);
        for (const [index, each] of net.entries())
          expect(each >= 0n && each <= (amounts[index] ?? 0n)).to.equal(true);
      }),
    );
  });
});
