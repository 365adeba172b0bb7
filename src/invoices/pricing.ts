// The arithmetic of an invoice: line discounts, the document's discount, tax per group, and the
// totals (EN 16931, BR-CO-10, -13, -15, -17). Exact and pure; browsers compute with it too. Amounts
// are bigints of the currency's minor units, rates and percentages of ten-thousandths.
import { DECIMALS, lineAmount } from '../platform/values/money.js';

/** A percentage of 100, in ten-thousandths. */
const WHOLE = 100n * 10n ** BigInt(DECIMALS);

/** A discount in percent, or as an amount in minor units. */
export type Discount = { readonly percent: bigint } | { readonly amount: bigint };

export interface Tax {
  readonly category: string;
  readonly rate: bigint;
}

/** The category of a rate that is given without one. */
export function defaultCategory(rate: number | bigint): 'S' | 'Z' {
  return rate > 0 ? 'S' : 'Z';
}

export interface LineToPrice {
  /** Ten-thousandths, like the price. */
  readonly qty: bigint;
  readonly price: bigint;
  readonly discount?: Discount | undefined;
  /** Either every line has a tax or none has one. */
  readonly tax?: Tax | undefined;
}

export interface PricedLine {
  /** qty × price, rounded half up. */
  readonly gross: bigint;
  readonly discount: bigint;
  /** gross - discount. Below 0 if the discount is too large. */
  readonly amount: bigint;
  /** Index of its group; -1 without a tax. */
  readonly group: number;
}

/** The lines of one category and rate. */
export interface PricedGroup extends Tax {
  /** The sum of the lines' amounts. */
  readonly amounts: bigint;
  /** Its part of the document's discount. */
  readonly discount: bigint;
  /** amounts - discount. */
  readonly base: bigint;
  /** base × rate, rounded half up once. */
  readonly tax: bigint;
}

export interface Pricing {
  readonly lines: readonly PricedLine[];
  /** The sum of the lines' amounts. */
  readonly amounts: bigint;
  /** The document's discount. It is too large if it exceeds `amounts`. */
  readonly discount: bigint;
  readonly subtotal: bigint;
  /** Ordered by their first lines. Empty without taxes. */
  readonly groups: readonly PricedGroup[];
  readonly taxTotal: bigint;
  readonly total: bigint;
}

interface GroupSum {
  readonly tax: Tax;
  amounts: bigint;
}

/** Prices an invoice in a currency with this many decimals. */
export function priceInvoice(
  lines: readonly LineToPrice[],
  discount: Discount | undefined,
  decimals: number,
): Pricing {
  const sums: GroupSum[] = [];
  let amounts = 0n;
  const priced = lines.map(line => {
    const gross = lineAmount(line.qty, line.price, decimals);
    const reduction = line.discount ? discountOf(gross, line.discount) : 0n;
    const amount = gross - reduction;
    amounts += amount;
    const group = line.tax ? addToGroup(line.tax, amount, sums) : -1;
    return { gross, discount: reduction, amount, group };
  });
  const documentDiscount = discount ? discountOf(amounts, discount) : 0n;
  const subtotal = amounts - documentDiscount;
  const groups = sums.length === 0 ? [] : priceGroups(sums, documentDiscount);
  const taxTotal = groups.reduce((sum, { tax }) => sum + tax, 0n);
  return {
    lines: priced,
    amounts,
    discount: documentDiscount,
    subtotal,
    groups,
    taxTotal,
    total: subtotal + taxTotal,
  };
}

function priceGroups(sums: readonly GroupSum[], discount: bigint): PricedGroup[] {
  const shares = divide(
    discount,
    sums.map(({ amounts }) => amounts),
  );
  return sums.map(({ tax, amounts }, index) => {
    const share = shares[index] ?? 0n;
    const base = amounts - share;
    return { ...tax, amounts, discount: share, base, tax: percentOf(base, tax.rate) };
  });
}

/** A percentage of an amount, rounded half up. Neither is negative. */
export function percentOf(amount: bigint, percent: bigint): bigint {
  return (amount * percent + WHOLE / 2n) / WHOLE;
}

/**
 * Divides a whole in proportion to the weights, by largest remainder: each part is rounded down,
 * and the parts with the largest remainders get one more each, the earlier of equal ones first,
 * until nothing is left. The parts add up to the whole. No part exceeds its weight if the whole is
 * not larger than their sum.
 */
export function divide(whole: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  if (whole === 0n || sum === 0n) return weights.map(() => 0n);
  const parts = weights.map(weight => (whole * weight) / sum);
  const remainders = weights.map(weight => (whole * weight) % sum);
  let left = Number(whole - parts.reduce((total, part) => total + part, 0n));
  const byRemainder = [...weights.keys()].sort((a, b) => {
    const difference = (remainders[b] ?? 0n) - (remainders[a] ?? 0n);
    return difference > 0n ? 1 : difference < 0n ? -1 : a - b;
  });
  for (const index of byRemainder) {
    if (left <= 0) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    left -= 1;
  }
  return parts;
}

function discountOf(amount: bigint, discount: Discount): bigint {
  return 'percent' in discount ? percentOf(amount, discount.percent) : discount.amount;
}

/** Returns the index of the line's group. There are at most a few. */
function addToGroup(tax: Tax, amount: bigint, sums: GroupSum[]): number {
  const known = sums.findIndex(
    ({ tax: { category, rate } }) => category === tax.category && rate === tax.rate,
  );
  const sum = sums[known];
  if (!sum) return sums.push({ tax, amounts: amount }) - 1;
  sum.amounts += amount;
  return known;
}
