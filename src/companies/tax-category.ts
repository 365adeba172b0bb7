// Tax categories (EN 16931, UNCL5305) and the rates that fit them (BR-S, -Z, -E, -AE, -IC, -G and
// -O). Rates are in percent.
import { DECIMALS, decimalPlaces } from '../platform/values/money.js';

export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

export const MAX_TAX_RATE = 100;

export function isTaxRate(rate: unknown): rate is number {
  return (
    typeof rate === 'number' && rate >= 0 && rate <= MAX_TAX_RATE && decimalPlaces(rate) <= DECIMALS
  );
}

export function isTaxCategory(category: unknown): category is TaxCategory {
  return (TAX_CATEGORIES as readonly unknown[]).includes(category);
}

/**
 * True if the category fits the rate: only S has a rate above 0. Also true if either is missing or
 * invalid by itself: its own rule reports that.
 */
export function fitsRate(category: unknown, rate: unknown): boolean {
  if (!isTaxRate(rate) || !isTaxCategory(category)) return true;
  return (category === 'S') === rate > 0;
}
