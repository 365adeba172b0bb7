// Turns the decimals of JSON, of a valid request or an issued invoice, into what pricing.ts takes.
import { toMinor, toUnits } from '../platform/values/money.js';
import { type Discount, defaultCategory, type LineToPrice } from './pricing.js';

/** A percentage, or else an amount in major units. */
interface DecimalDiscount {
  readonly percent?: number | null;
  readonly amount?: number;
}

interface DecimalLine {
  readonly qty: number;
  readonly price: number;
  readonly discount?: DecimalDiscount | null;
  readonly taxRate?: number | null;
  readonly taxCategory?: string;
}

export function lineToPrice(line: DecimalLine, decimals: number): LineToPrice {
  const { qty, price, discount, taxRate, taxCategory } = line;
  return {
    qty: toUnits(qty),
    price: toUnits(price),
    discount: discount == null ? undefined : discountToPrice(discount, decimals),
    tax:
      taxRate == null
        ? undefined
        : { category: taxCategory ?? defaultCategory(taxRate), rate: toUnits(taxRate) },
  };
}

export function discountToPrice({ percent, amount }: DecimalDiscount, decimals: number): Discount {
  return percent == null
    ? { amount: toMinor(amount ?? 0, decimals) }
    : { percent: toUnits(percent) };
}
