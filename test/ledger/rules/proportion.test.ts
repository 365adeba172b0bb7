// The arithmetic of credit notes, compared with exact fractions.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  allThatIsLeft,
  type CreditableInvoice,
  type CreditPart,
  creditParts,
  nothingCredited,
} from '../../../src/ledger/rules/proportion.js';

/** amount × part / whole rounded half up, by long division. */
function share(amount: bigint, part: bigint, whole: bigint): bigint {
  if (whole === 0n) return 0n;
  const quotient = (amount * part) / whole;
  const remainder = (amount * part) % whole;
  return remainder * 2n >= whole ? quotient + 1n : quotient;
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

const amount = fc.bigInt({ min: 0n, max: 99_999_999n });

/** An invoice of up to five lines in up to three groups, with a discount and tax in each. */
const invoices: fc.Arbitrary<CreditableInvoice> = fc
  .record({
    lines: fc.array(
      fc.record({
        qty: fc.bigInt({ min: 1n, max: 300_000n }),
        amount,
        group: fc.nat(2),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    discounts: fc.array(fc.nat(100), { minLength: 3, maxLength: 3 }),
    rates: fc.array(fc.nat(2_500), { minLength: 3, maxLength: 3 }),
  })
  .map(({ lines, discounts, rates }) => {
    const groups = discounts.map((percent, group) => {
      const amounts = sum(lines.filter(line => line.group === group).map(line => line.amount));
      const base = amounts - share(amounts, BigInt(percent), 100n);
      return { amounts, base, tax: share(base, BigInt(rates[group] ?? 0), 10_000n) };
    });
    return { lines, groups };
  });

/** Credits parts chosen by the picks until nothing is left, and returns the notes in order. */
function creditInFull(invoice: CreditableInvoice, picks: readonly number[], byMoney: boolean) {
  let credited = nothingCredited(invoice);
  const notes = [];
  const choices = [...picks];
  for (;;) {
    const left = allThatIsLeft(invoice, credited);
    if (left.length === 0) return { notes, credited };
    const pick = choices.shift();
    const parts = pick === undefined ? left : [smaller(left[pick % left.length], pick)];
    const note = creditParts(invoice, credited, parts);
    if ('excess' in note) throw new Error('what is left cannot be credited');
    notes.push({ parts, ...note });
    credited = note.credited;
    const line = parts[0]?.line ?? 0;
    const money = (invoice.lines[line]?.amount ?? 0n) - (credited.lines[line]?.amount ?? 0n);
    if (byMoney && pick !== undefined && money > 0n) {
      const some = creditParts(invoice, credited, [{ line, amount: money / 2n + 1n }]);
      if ('excess' in some) throw new Error('half of what is left cannot be credited');
      notes.push({ parts: [], ...some });
      credited = some.credited;
    }
  }
}

function smaller(part: CreditPart | undefined, pick: number): CreditPart {
  if (!part || !('qty' in part)) throw new Error('only quantities are left');
  return { ...part, qty: (part.qty * BigInt((pick % 97) + 1)) / 98n + 1n };
}

describe('a credit note', () => {
  const picks = fc.array(fc.nat(10_000), { maxLength: 12 });

  it('credits the invoice to the cent, in whatever parts and order', () => {
    fc.assert(
      fc.property(invoices, picks, fc.boolean(), (invoice, order, byMoney) => {
        const { notes, credited } = creditInFull(invoice, order, byMoney);
        expect(credited.lines.map(line => line.amount)).to.deep.equal(
          invoice.lines.map(line => line.amount),
        );
        const bases = invoice.groups.map(group => group.base);
        const taxes = invoice.groups.map(group => group.tax);
        expect(sum(notes.map(note => note.subtotal))).to.equal(sum(bases));
        expect(sum(notes.map(note => note.taxTotal))).to.equal(sum(taxes));
        for (const [group, { base, tax }] of invoice.groups.entries()) {
          const parts = notes.flatMap(note => note.groups.filter(each => each.group === group));
          expect(sum(parts.map(part => part.base))).to.equal(base);
          expect(sum(parts.map(part => part.tax))).to.equal(tax);
          for (const part of parts) expect(part.base >= 0n && part.tax >= 0n).to.equal(true);
        }
      }),
    );
  });

  it('gives a quantity its cumulative share of the line', () => {
    fc.assert(
      fc.property(invoices, picks, (invoice, order) => {
        const { notes } = creditInFull(invoice, order, false);
        const qtys = invoice.lines.map(() => 0n);
        const amounts = invoice.lines.map(() => 0n);
        for (const note of notes) {
          for (const [place, part] of note.parts.entries()) {
            const { line } = part;
            const { qty, amount: whole } = invoice.lines[line] ?? { qty: 0n, amount: 0n };
            qtys[line] = (qtys[line] ?? 0n) + ('qty' in part ? part.qty : 0n);
            amounts[line] = (amounts[line] ?? 0n) + (note.amounts[place] ?? 0n);
            expect(amounts[line]).to.equal(share(whole, qtys[line] ?? 0n, qty));
          }
        }
      }),
    );
  });

  it('gives discount and tax their cumulative share of the group', () => {
    fc.assert(
      fc.property(invoices, picks, (invoice, order) => {
        const { notes } = creditInFull(invoice, order, true);
        const seen = invoice.groups.map(() => ({ base: 0n, tax: 0n }));
        for (const { groups, credited } of notes) {
          for (const { group, base, tax } of groups) {
            const before = seen[group] ?? { base: 0n, tax: 0n };
            const after = { base: before.base + base, tax: before.tax + tax };
            seen[group] = after;
            const { amounts, ...whole } = invoice.groups[group] ?? {
              amounts: 0n,
              base: 0n,
              tax: 0n,
            };
            const part = credited.groups[group] ?? 0n;
            expect(after.base).to.equal(share(whole.base, part, amounts));
            expect(after.tax).to.equal(share(whole.tax, part, amounts));
          }
        }
      }),
    );
  });

  const invoice: CreditableInvoice = {
    lines: [{ qty: 100_000n, amount: 10_000n, group: 0 }],
    groups: [{ amounts: 10_000n, base: 10_000n, tax: 1_900n }],
  };

  it('by amount lessens what the quantity to be returned later is worth', () => {
    const first = creditParts(invoice, nothingCredited(invoice), [{ line: 0, amount: 2_000n }]);
    if ('excess' in first) throw new Error('the amount is left');
    const half = creditParts(invoice, first.credited, [{ line: 0, qty: 50_000n }]);
    if ('excess' in half) throw new Error('the quantity is left');
    expect(half.amounts).to.deep.equal([4_000n]);
    const rest = creditParts(invoice, half.credited, [{ line: 0, qty: 50_000n }]);
    expect(rest).to.deep.include({ amounts: [4_000n], subtotal: 4_000n, taxTotal: 760n });
  });

  it('cannot have more than is left, in quantity or money, even in several parts', () => {
    const parts = [
      { line: 0, qty: 60_000n },
      { line: 0, qty: 50_000n },
      { line: 0, amount: 4_001n },
      { line: 0, amount: 4_000n },
    ];
    expect(creditParts(invoice, nothingCredited(invoice), parts)).to.deep.equal({
      excess: [
        { part: 1, available: 40_000n },
        { part: 2, available: 4_000n },
      ],
    });
  });
});
