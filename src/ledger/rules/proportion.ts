// The arithmetic of a credit note. Everything is in proportion to the invoice and cumulative: each
// credit is the rounded cumulative share minus the shares credited earlier. So the credits of a
// line, a discount or a tax add up to the invoice's amount to the cent, whatever their order.
// Amounts are bigints of minor units, quantities of ten-thousandths; none is negative.

/** A line of an invoice. */
export interface CreditableLine {
  readonly qty: bigint;
  readonly amount: bigint;
  /** Index of the line's tax group. */
  readonly group: number;
}

/** The lines of one category and rate; all lines if none has a tax. */
export interface CreditableGroup {
  /** The sum of the lines' amounts. */
  readonly amounts: bigint;
  /** The amounts less the group's share of the document's discount. */
  readonly base: bigint;
  readonly tax: bigint;
}

export interface CreditableInvoice {
  readonly lines: readonly CreditableLine[];
  readonly groups: readonly CreditableGroup[];
}

/** The credited part of a line. */
export interface CreditedLine {
  readonly qty: bigint;
  readonly amount: bigint;
  /**
   * Quantity and amount credited up to the last credit by amount. Later credits by quantity share
   * the amount that remains after it.
   */
  readonly qtyThen: bigint;
  readonly amountThen: bigint;
}

/** The credited part of an invoice: each line, and the sums of the lines' amounts by group. */
export interface CreditTotals {
  readonly lines: readonly CreditedLine[];
  readonly groups: readonly bigint[];
}

/** A part of a line: some of its quantity, or of its money alone. */
export type CreditPart =
  | { readonly line: number; readonly qty: bigint }
  | { readonly line: number; readonly amount: bigint };

export interface GroupCredit {
  readonly group: number;
  readonly base: bigint;
  readonly tax: bigint;
}

export interface Credit {
  /** The money of each part. */
  readonly amounts: readonly bigint[];
  /** The groups of the parts' lines, in the invoice's order. */
  readonly groups: readonly GroupCredit[];
  readonly subtotal: bigint;
  readonly taxTotal: bigint;
  /** The credited part of the invoice after this credit. */
  readonly credited: CreditTotals;
}

/** Parts that exceed what remains of their line, by index. */
export interface Excess {
  readonly part: number;
  /** The quantity or money that remains, whichever the part requests. */
  readonly available: bigint;
}

const NOTHING: CreditedLine = { qty: 0n, amount: 0n, qtyThen: 0n, amountThen: 0n };

export function nothingCredited({ lines, groups }: CreditableInvoice): CreditTotals {
  return { lines: lines.map(() => NOTHING), groups: groups.map(() => 0n) };
}

/** Adds the sums by group to the credited lines. */
export function creditedOf(
  invoice: CreditableInvoice,
  lines: readonly CreditedLine[],
): CreditTotals {
  return { lines, groups: groupsOf(invoice, lines) };
}

/** Credits parts in order, each of a line that exists. */
export function creditParts(
  invoice: CreditableInvoice,
  before: CreditTotals,
  parts: readonly CreditPart[],
): Credit | { readonly excess: readonly Excess[] } {
  const lines = [...before.lines];
  const amounts: bigint[] = [];
  const excess: Excess[] = [];
  for (const [place, part] of parts.entries()) {
    const line = lineAt(invoice, part.line);
    const credited = lines[part.line] ?? NOTHING;
    const [wanted, available] =
      'qty' in part
        ? [part.qty, line.qty - credited.qty]
        : [part.amount, line.amount - credited.amount];
    if (wanted > available) {
      excess.push({ part: place, available });
      continue;
    }
    const next = 'qty' in part ? byQty(line, credited, part.qty) : byAmount(credited, part.amount);
    lines[part.line] = next;
    amounts.push(next.amount - credited.amount);
  }
  if (excess.length > 0) return { excess };
  const credited = creditedOf(invoice, lines);
  const used = [...new Set(parts.map(({ line }) => lineAt(invoice, line).group))].sort(
    (a, b) => a - b,
  );
  const groups = used.map(group => creditGroup(invoice, group, before, credited));
  return {
    amounts,
    groups,
    credited,
    subtotal: groups.reduce((sum, { base }) => sum + base, 0n),
    taxTotal: groups.reduce((sum, { tax }) => sum + tax, 0n),
  };
}

/** One part by quantity for each line that is not credited in full. */
export function allThatIsLeft({ lines }: CreditableInvoice, credited: CreditTotals): CreditPart[] {
  return lines.flatMap((line, index) => {
    const qty = line.qty - (credited.lines[index]?.qty ?? 0n);
    return qty > 0n ? [{ line: index, qty }] : [];
  });
}

/** amount × part / whole, rounded half up; 0 if the whole is 0. */
export function proportion(amount: bigint, part: bigint, whole: bigint): bigint {
  return whole === 0n ? 0n : (2n * amount * part + whole) / (2n * whole);
}

function byQty(line: CreditableLine, before: CreditedLine, qty: bigint): CreditedLine {
  const { qtyThen, amountThen } = before;
  const after = before.qty + qty;
  const worth = proportion(line.amount - amountThen, after - qtyThen, line.qty - qtyThen);
  return { ...before, qty: after, amount: amountThen + worth };
}

function byAmount({ qty, amount: before }: CreditedLine, money: bigint): CreditedLine {
  const amount = before + money;
  return { qty, amount, qtyThen: qty, amountThen: amount };
}

function groupsOf(invoice: CreditableInvoice, lines: readonly CreditedLine[]): bigint[] {
  const sums = invoice.groups.map(() => 0n);
  for (const [index, { group }] of invoice.lines.entries())
    sums[group] = (sums[group] ?? 0n) + (lines[index]?.amount ?? 0n);
  return sums;
}

function creditGroup(
  { groups }: CreditableInvoice,
  group: number,
  before: CreditTotals,
  after: CreditTotals,
): GroupCredit {
  const { amounts, base, tax } = groups[group] ?? { amounts: 0n, base: 0n, tax: 0n };
  const part = (whole: bigint) =>
    proportion(whole, after.groups[group] ?? 0n, amounts) -
    proportion(whole, before.groups[group] ?? 0n, amounts);
  return { group, base: part(base), tax: part(tax) };
}

function lineAt({ lines }: CreditableInvoice, index: number): CreditableLine {
  const line = lines[index];
  if (!line) throw new Error(`the invoice has no line ${index + 1}`);
  return line;
}
