// The amounts of an invoice while it is typed. Pure: the server uses it to render the form, the
// browser to update it. Invoices are posted with the same arithmetic.
import {
  type Discount,
  defaultCategory,
  type LineToPrice,
  type Pricing,
  priceInvoice,
} from '../../../invoices/pricing.js';
import { fromMinor, minorUnits, toMinor, toUnits } from '../../../platform/values/money.js';
import { plainNumber } from '../../kit/typed-number.js';
import { formatMoney } from '../../kit/ui/format.js';

/** The text of a line's fields. */
export interface TypedLine {
  readonly qty: string;
  readonly price: string;
  /** A percentage or an amount: 10% or 5.00. */
  readonly discount?: string;
  /** The tax rate in percent. */
  readonly taxRate?: string;
  readonly taxCategory?: string;
}

export interface TypedInvoice {
  readonly lines: readonly TypedLine[];
  /** A percentage or an amount, like the discount of a line. */
  readonly discount?: string;
}

export interface AmountSettings {
  readonly currency: string;
  /** The tax rate in percent of an invoice whose lines have none; null for no tax. */
  readonly defaultTaxRate: number | null;
}

/** Formatted amounts. A text is empty if the fields that it depends on are not numbers. */
export interface ShownAmounts {
  readonly lines: readonly string[];
  readonly discount: string;
  readonly subtotal: string;
  readonly tax: string;
  /** The total of the lines that have an amount. */
  readonly total: string;
}

export function showAmounts(invoice: TypedInvoice, settings: AmountSettings): ShownAmounts {
  const { currency } = settings;
  const decimals = minorUnits(currency);
  const show = (minor: bigint) => formatMoney(fromMinor(minor, decimals), currency);
  const read = readLines(invoice.lines, settings);
  const lines = read.map(line => {
    const { amount = -1n } = line ? (priceInvoice([line], undefined, decimals).lines[0] ?? {}) : {};
    return amount < 0n ? '' : show(amount);
  });
  const complete = read.filter((line, index) => line !== null && lines[index] !== '');
  const pricing = priceTyped(complete as LineToPrice[], invoice.discount ?? '', decimals);
  if (pricing === null) return { lines, discount: '', subtotal: '', tax: '', total: '' };
  return {
    lines,
    discount: show(-pricing.discount),
    subtotal: show(pricing.subtotal),
    tax: show(pricing.taxTotal),
    total: show(pricing.total),
  };
}

/** The formatted sum of the lines that have an amount. */
export function showTotal(lines: readonly TypedLine[], currency: string): string {
  return showAmounts({ lines }, { currency, defaultTaxRate: null }).total;
}

/** A price as a form shows it: with at least the currency's decimals, 135.20 for "135.2". */
export function typedPrice(price: string, currency: string): string {
  const [whole = '', fraction = ''] = price.split('.');
  const decimals = fraction.padEnd(minorUnits(currency), '0');
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

/** The field of a request's discount that a text stands for, and its number: 10% is a percent. */
export function splitDiscount(text: string): readonly ['percent' | 'amount', string] {
  const [, percent] = /^(.*)%$/su.exec(text.trim()) ?? [];
  return percent === undefined ? ['amount', text] : ['percent', percent];
}

/** The amounts; null if the discount is not a number or exceeds the amount that it reduces. */
function priceTyped(lines: LineToPrice[], typed: string, decimals: number): Pricing | null {
  const discount = readDiscount(typed, decimals);
  if (discount === null) return null;
  const pricing = priceInvoice(lines, discount, decimals);
  return pricing.subtotal < 0n ? null : pricing;
}

/** The lines; null for a line with a field that is not a number. */
function readLines(
  lines: readonly TypedLine[],
  { currency, defaultTaxRate }: AmountSettings,
): (LineToPrice | null)[] {
  const isTaxed = lines.some(({ taxRate = '' }) => taxRate.trim() !== '');
  const rateOf = ({ taxRate = '' }: TypedLine) =>
    isTaxed || defaultTaxRate === null ? taxRate : String(defaultTaxRate);
  return lines.map(line => readLine({ ...line, taxRate: rateOf(line) }, minorUnits(currency)));
}

function readLine(line: TypedLine, decimals: number): LineToPrice | null {
  const { discount = '', taxRate = '', taxCategory } = line;
  const [qty, price] = [readUnits(line.qty), readUnits(line.price)];
  const reduction = readDiscount(discount, decimals);
  const rate = taxRate.trim() === '' ? undefined : readUnits(taxRate);
  if (qty === null || price === null || reduction === null || rate === null) return null;
  const tax =
    rate === undefined ? undefined : { category: taxCategory || defaultCategory(rate), rate };
  return { qty, price, discount: reduction, tax };
}

/** Undefined for an empty text, null for text that the form would be refused for. */
function readDiscount(text: string, decimals: number): Discount | undefined | null {
  if (text.trim() === '') return undefined;
  const [kind, number] = splitDiscount(text);
  if (kind === 'percent') {
    const percent = readUnits(number);
    return percent === null ? null : { percent };
  }
  const amount = read(number, plain => toMinor(plain, decimals));
  return amount === null ? null : { amount };
}

/** The number in ten-thousandths; null for text that the form would be refused for. */
function readUnits(text: string): bigint | null {
  return read(text, toUnits);
}

function read(text: string, convert: (plain: string) => bigint): bigint | null {
  try {
    const number = convert(plainNumber(text.trim().replace(/[.,]$/u, '')));
    return number < 0n ? null : number;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
