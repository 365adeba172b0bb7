// Which tax categories the lines of an invoice may have together. Rates are in percent; prices are
// net.
import { fitsRate } from '../companies/tax-category.js';
import type { FieldError } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';

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
    if (fitsRate(taxCategory, taxRate)) return [];
    return [refuseCategory(index, taxCategory === 'S' ? SENTENCES.taxed : SENTENCES.untaxed)];
  });
  const isOutside = ({ taxCategory }: TaxedLine) => taxCategory === 'O';
  const outside = given.filter(isOutside);
  if (outside.length > 0 && outside.length < given.length)
    errors.push(
      ...outside
        .filter(({ taxRate }) => !isGiven(taxRate) || fitsRate('O', taxRate))
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

export const isGiven = (value: unknown) => value !== undefined && value !== null;

function refuseCategory(index: number, sentence: string): FieldError {
  return fieldError(['items', index, 'taxCategory'], 'invalid_value', sentence);
}
