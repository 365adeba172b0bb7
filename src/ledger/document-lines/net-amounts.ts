// The net amount of each line after the invoice's discount. Pure. Amounts are bigints of minor
// units.
import { divide } from '../../invoices/pricing.js';

/** A line of an invoice, or a part of one on a credit note. */
export interface LineAmount {
  /** Less the line's own discount. */
  readonly amount: bigint;
  /** Index of the line's tax group; 0 for all lines without tax. */
  readonly group: number;
}

/**
 * Divides the discount of each group among its lines, as pricing divides the invoice's discount
 * among the groups: in proportion, by largest remainder. So the lines of a group add up to its
 * base, and the lines of a document to its subtotal. `bases` are the groups' amounts less discount.
 */
export function netAmounts(
  lines: readonly LineAmount[],
  bases: ReadonlyMap<number, bigint>,
): bigint[] {
  const net = lines.map(({ amount }) => amount);
  for (const [group, base] of bases) {
    const places = [...lines.keys()].filter(index => lines[index]?.group === group);
    const amounts = places.map(index => net[index] ?? 0n);
    const discount = amounts.reduce((sum, amount) => sum + amount, 0n) - base;
    const shares = divide(discount, amounts);
    for (const [place, index] of places.entries())
      net[index] = (amounts[place] ?? 0n) - (shares[place] ?? 0n);
  }
  return net;
}
