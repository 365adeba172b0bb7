// The amounts of an invoice while it is typed. Pure: the server uses it to render the form, the
// browser to update it. Invoices are posted with the same arithmetic.
import {
  type Discount,
  defaultCategory,
  type LineToPrice,
  type Pricing,
  priceInvoice,
} from '../../../invoices/pricing.js';
import { reasonOf } from '../../../invoices/tax-reasons.js';
import type { DecimalMark } from '../../../platform/values/csv.js';
import {
  fromMinor,
  fromUnits,
  minorUnits,
  toMinor,
  toUnits,
} from '../../../platform/values/money.js';
import { withoutCurrency } from '../../../platform/values/typed-amount.js';
import { filledNumber, plainNumber, withoutPercent } from '../../kit/typed-number.js';
import { formatMoney } from '../../kit/ui/format.js';
import { rowsBeforeTotal, type TotalRow } from '../totals.js';

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
  readonly discountReason?: string;
  /** The reason of exempt lines. */
  readonly taxReason?: string;
}

export interface AmountSettings {
  readonly currency: string;
  /** The tax rate in percent of an invoice whose lines have none; null for no tax. */
  readonly defaultTaxRate: number | null;
  /** The decimal separator of the company. */
  readonly decimalMark: DecimalMark;
}

export interface ShownAmounts {
  /** The formatted amount of each line; empty if its fields are not numbers. */
  readonly lines: readonly string[];
  /** The rows before the total, as the invoice's page has them. */
  readonly rows: readonly TotalRow[];
  /** The total of the lines that have an amount, as decimal text; null without any. */
  readonly total: string | null;
}

export function showAmounts(invoice: TypedInvoice, settings: AmountSettings): ShownAmounts {
  const { currency } = settings;
  const decimals = minorUnits(currency);
  const text = (minor: bigint) => fromMinor(minor, decimals);
  const read = readLines(invoice.lines, settings);
  const lines = read.map(line => {
    const { amount = -1n } = line ? (priceInvoice([line], undefined, decimals).lines[0] ?? {}) : {};
    return amount < 0n ? '' : formatMoney(text(amount), currency);
  });
  const complete = read.filter((line, index) => line !== null && lines[index] !== '');
  const discount = readDiscount(invoice.discount ?? '', settings);
  const pricing = priceTyped(complete as LineToPrice[], discount, decimals);
  if (pricing === null || complete.length === 0) return { lines, rows: [], total: null };
  return { lines, rows: rowsOf(pricing, invoice, currency), total: text(pricing.total) };
}

/** A discount of 0 reduces nothing and has no row. */
function rowsOf(pricing: Pricing, invoice: TypedInvoice, currency: string): TotalRow[] {
  const text = (minor: bigint) => fromMinor(minor, minorUnits(currency));
  const [kind, number] = splitDiscount(invoice.discount ?? '');
  const percent = kind === 'percent' ? fromUnits(readRate(number) ?? 0n) : null;
  const reason = invoice.discountReason?.trim() || null;
  const discount =
    pricing.discount === 0n ? null : { percent, amount: text(pricing.discount), reason };
  const taxes = pricing.groups.map(({ category, rate, base, tax }) => ({
    category,
    rate: fromUnits(rate),
    base: text(base),
    amount: text(tax),
    reason: reasonOf(category, invoice.taxReason?.trim() || null),
  }));
  return rowsBeforeTotal({ discount, subtotal: text(pricing.subtotal), taxes }, currency);
}

/** The formatted sum of the lines, whose figures have decimal points. */
export function showTotal(lines: readonly TypedLine[], currency: string): string {
  const settings = { currency, defaultTaxRate: null, decimalMark: '.' } as const;
  const { total } = showAmounts({ lines }, settings);
  return formatMoney(total ?? '0', currency);
}

/** A price as a form shows it: with at least the currency's decimals, 135.20 for "135.2". */
export function typedPrice(price: string, currency: string, mark: DecimalMark): string {
  const [whole = '', fraction = ''] = price.split('.');
  const decimals = fraction.padEnd(minorUnits(currency), '0');
  return decimals === '' ? whole : filledNumber(`${whole}.${decimals}`, mark);
}

/** The field of a request's discount that a text stands for, and its number: 10% is a percent. */
export function splitDiscount(text: string): readonly ['percent' | 'amount', string] {
  const [, percent] = /^(.*)%$/su.exec(text.trim()) ?? [];
  return percent === undefined ? ['amount', text] : ['percent', percent];
}

/** The amounts; null if the discount is not a number or exceeds the amount that it reduces. */
function priceTyped(
  lines: LineToPrice[],
  discount: Discount | undefined | null,
  decimals: number,
): Pricing | null {
  if (discount === null) return null;
  const pricing = priceInvoice(lines, discount, decimals);
  return pricing.subtotal < 0n ? null : pricing;
}

/** The lines; null for a line with a field that is not a number. */
function readLines(lines: readonly TypedLine[], settings: AmountSettings): (LineToPrice | null)[] {
  const { defaultTaxRate } = settings;
  const isTaxed = lines.some(({ taxRate = '' }) => taxRate.trim() !== '');
  const rateOf = ({ taxRate = '' }: TypedLine) =>
    isTaxed || defaultTaxRate === null ? taxRate : String(defaultTaxRate);
  return lines.map(line => readLine({ ...line, taxRate: rateOf(line) }, settings));
}

function readLine(line: TypedLine, settings: AmountSettings): LineToPrice | null {
  const { discount = '', taxRate = '', taxCategory } = line;
  const { decimalMark, currency } = settings;
  const qty = readUnits(line.qty, decimalMark);
  const price = readUnits(withoutCurrency(line.price, currency), decimalMark);
  const reduction = readDiscount(discount, settings);
  const rate = taxRate.trim() === '' ? undefined : readRate(taxRate);
  if (qty === null || price === null || reduction === null || rate === null) return null;
  const tax =
    rate === undefined ? undefined : { category: taxCategory || defaultCategory(rate), rate };
  return { qty, price, discount: reduction, tax };
}

/** Undefined for an empty text, null for text that the form would be refused for. */
function readDiscount(
  text: string,
  { currency, decimalMark }: AmountSettings,
): Discount | undefined | null {
  if (text.trim() === '') return undefined;
  const [kind, number] = splitDiscount(text);
  if (kind === 'percent') {
    const percent = readRate(number);
    return percent === null ? null : { percent };
  }
  const amount = read(withoutCurrency(number, currency), decimalMark, plain =>
    toMinor(plain, minorUnits(currency)),
  );
  return amount === null ? null : { amount };
}

/** The number in ten-thousandths; null for text that the form would be refused for. */
function readUnits(text: string, mark: DecimalMark): bigint | null {
  return read(text, mark, toUnits);
}

/** A percentage cannot reach 1,000, so 1.250 has one meaning. */
function readRate(text: string): bigint | null {
  return readUnits(withoutPercent(text), '.');
}

function read(text: string, mark: DecimalMark, convert: (plain: string) => bigint): bigint | null {
  try {
    const number = convert(plainNumber(text.trim().replace(/[.,]$/u, ''), mark));
    return number < 0n ? null : number;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
