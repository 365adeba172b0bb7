// The amounts of an invoice while it is typed. Pure: the server uses it to render the form, the
// browser to update it. The rounding is the one that invoices are posted with.
import { fromMinor, lineAmount, minorUnits, toUnits } from '../../platform/values/money.js';
import { plainNumber } from '../kit/typed-number.js';
import { formatMoney } from '../kit/ui/format.js';

/** The text of a line's fields. */
export interface TypedLine {
  readonly qty: string;
  readonly price: string;
}

/** The formatted amount of a line; empty until both fields are numbers. */
export function showAmount(line: TypedLine, currency: string): string {
  const amount = amountOf(line, currency);
  return amount === null ? '' : show(amount, currency);
}

/** A price as a form shows it: with at least the currency's decimals, 135.20 for "135.2". */
export function typedPrice(price: string, currency: string): string {
  const [whole = '', fraction = ''] = price.split('.');
  const decimals = fraction.padEnd(minorUnits(currency), '0');
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

/** The formatted sum of the lines that have an amount. */
export function showTotal(lines: readonly TypedLine[], currency: string): string {
  const total = lines.reduce((sum, line) => sum + (amountOf(line, currency) ?? 0n), 0n);
  return show(total, currency);
}

/** The line's amount in minor units; null unless both fields are numbers. */
function amountOf({ qty, price }: TypedLine, currency: string): bigint | null {
  const [qtyUnits, priceUnits] = [readUnits(qty), readUnits(price)];
  return qtyUnits === null || priceUnits === null
    ? null
    : lineAmount(qtyUnits, priceUnits, minorUnits(currency));
}

function show(minor: bigint, currency: string): string {
  return formatMoney(fromMinor(minor, minorUnits(currency)), currency);
}

/** The number in ten-thousandths; null for text that the form would be refused for. */
function readUnits(text: string): bigint | null {
  try {
    const units = toUnits(plainNumber(text.trim().replace(/[.,]$/u, '')));
    return units < 0n ? null : units;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
