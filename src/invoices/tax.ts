// Tax categories (EN 16931, UNCL5305) and which lines may have which (BR-S, -Z, -E, -AE, -IC, -G
// and -O). Rates are in percent; prices are net.
import type { FieldError } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';
import { DECIMALS, decimalPlaces } from '../platform/values/money.js';

export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

const MAX_TAX_RATE = 100;

/** A line of a request that may be invalid. */
export interface TaxedLine {
  readonly taxRate?: unknown;
  readonly taxCategory?: unknown;
}

/**
 * Checks the tax of the lines together: rates on all or none, categories that fit their rates, `O`
 * on all or none, and a reason for `E`. An invalid rate or category by itself is not reported.
 */
export function checkTaxes(lines: readonly (TaxedLine | null)[], taxReason: unknown): FieldError[] {
  const given = lines.flatMap((line, index) => (line ? [{ ...line, index }] : []));
  if (!given.some(({ taxRate, taxCategory }) => isGiven(taxRate) || isGiven(taxCategory)))
    return [];
  const errors = given.flatMap(({ taxRate, taxCategory, index }) => {
    if (!isGiven(taxRate))
      return [fieldError(['items', index, 'taxRate'], 'required', whyRequired(given))];
    if (fits(taxCategory, taxRate)) return [];
    return [refuseCategory(index, taxCategory === 'S' ? SENTENCES.taxed : SENTENCES.untaxed)];
  });
  const isOutside = ({ taxCategory }: TaxedLine) => taxCategory === 'O';
  const outside = given.filter(isOutside);
  if (outside.length > 0 && outside.length < given.length)
    errors.push(
      ...outside
        .filter(({ taxRate }) => !isGiven(taxRate) || fits('O', taxRate))
        .map(({ index }) => refuseCategory(index, SENTENCES.outside)),
    );
  if (given.some(({ taxCategory }) => taxCategory === 'E') && !isGiven(taxReason))
    errors.push(fieldError(['taxReason'], 'required', SENTENCES.reason));
  return errors;
}

/** The sentence for a line without a rate, if a line has a rate or a category. */
function whyRequired(lines: readonly (TaxedLine & { readonly index: number })[]): string {
  const rated = lines.find(({ taxRate }) => isGiven(taxRate));
  return rated
    ? `Required because line ${rated.index + 1} has a taxRate.`
    : 'Required because a line has a taxCategory.';
}

const SENTENCES = {
  taxed: 'S needs a taxRate above 0.',
  untaxed: 'Lines of this category have no tax: taxRate must be 0.',
  outside: 'O (not subject to tax) must be on all lines or on none.',
  reason: 'Required when a line has category E.',
};

export function isTaxRate(rate: unknown): rate is number {
  return (
    typeof rate === 'number' && rate >= 0 && rate <= MAX_TAX_RATE && decimalPlaces(rate) <= DECIMALS
  );
}

/** True even if the category or the rate is invalid by itself: its own rule reports that. */
function fits(category: unknown, rate: unknown): boolean {
  if (!isGiven(category) || !isTaxRate(rate) || !isTaxCategory(category)) return true;
  return (category === 'S') === rate > 0;
}

export function isTaxCategory(category: unknown): category is TaxCategory {
  return (TAX_CATEGORIES as readonly unknown[]).includes(category);
}

export const isGiven = (value: unknown) => value !== undefined && value !== null;

function refuseCategory(index: number, sentence: string): FieldError {
  return fieldError(['items', index, 'taxCategory'], 'invalid_value', sentence);
}
