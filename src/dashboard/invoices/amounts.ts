// What the typed lines of an invoice come to. Pure, and run in both places: by the server where the form is shown, by the
// browser while somebody types. The rounding is the one that invoices are posted with.
import { fromMinor, lineAmount, minorUnits, toUnits } from '../../platform/values/money.js';
import { formatMoney } from '../kit/ui/format.js';

/** A line as it was typed. */
export interface TypedLine {
  readonly qty: string;
  readonly price: string;
}

/** The line's amount in minor units; null as long as its fields are not both numbers. */
function typedAmount({ qty, price }: TypedLine, currency: string): bigint | null {
  const [count, each] = [typedUnits(qty), typedUnits(price)];
  return count === null || each === null ? null : lineAmount(count, each, minorUnits(currency));
}

/** The line's amount as it reads; empty as long as there is none. */
export function showAmount(line: TypedLine, currency: string): string {
  const amount = typedAmount(line, currency);
  return amount === null ? '' : show(amount, currency);
}

/** The sum of the lines that have an amount, as it reads. */
export function showTotal(lines: readonly TypedLine[], currency: string): string {
  const total = lines.reduce((sum, line) => sum + (typedAmount(line, currency) ?? 0n), 0n);
  return show(total, currency);
}

function show(minor: bigint, currency: string): string {
  return formatMoney(fromMinor(minor, minorUnits(currency)), currency);
}

/** Ten-thousandths; null for what the form would be refused for. */
function typedUnits(text: string): bigint | null {
  try {
    const units = toUnits(text.trim().replace(/\.$/u, ''));
    return units < 0n ? null : units;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
