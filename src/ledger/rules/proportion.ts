// The arithmetic of a credit note. Everything is in proportion to the invoice and cumulative: a
// part is what the whole credited so far comes to, less what was credited before. So the parts of a
// line, of a discount and of a tax add up to the invoice's to the cent, whatever their order.
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

/** How much of a line is credited. */
export interface CreditedLine {
  readonly qty: bigint;
  readonly amount: bigint;
  /** These two at the last credit by amount. The rest of the quantity has the rest's worth. */
  readonly qtyThen: bigint;
  readonly amountThen: bigint;
}

/** How much of an invoice is credited: by line, and the sums of the lines' amounts by group. */
export interface Credited {
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
  /** How much is credited afterwards. */
  readonly credited: Credited;
}

/** Parts with more than is left of their line, by their place. */
export interface Excess {
  readonly part: number;
  /** Of the quantity or of the money, as the part has it. */
  readonly available: bigint;
}

const NOTHING: CreditedLine = { qty: 0n, amount: 0n, qtyThen: 0n, amountThen: 0n };

export function nothingCredited({ lines, groups }: CreditableInvoice): Credited {
  return { lines: lines.map(() => NOTHING), groups: groups.map(() => 0n) };
}

/** With the sums by group. */
export function creditedOf(invoice: CreditableInvoice, lines: readonly CreditedLine[]): Credited {
  return { lines, groups: groupsOf(invoice, lines) };
}

/** Credits parts in order, each of a line that exists. */
export function creditParts(
  invoice: CreditableInvoice,
  before: Credited,
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

/** All that is left, by quantity: one part per line that has some left. */
export function allThatIsLeft({ lines }: CreditableInvoice, credited: Credited): CreditPart[] {
  return lines.flatMap((line, index) => {
    const qty = line.qty - (credited.lines[index]?.qty ?? 0n);
    return qty > 0n ? [{ line: index, qty }] : [];
  });
}

/** part / whole of an amount, rounded half up; nothing of an empty whole. */
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
  before: Credited,
  after: Credited,
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
