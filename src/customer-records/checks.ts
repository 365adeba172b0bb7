// The rules of a customer's fields that no schema can express. The body may be invalid elsewhere.
import { fitsRate } from '../companies/tax-category.js';
import type { FieldError } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';
import { decimalPlaces } from '../platform/values/money.js';
import type { CompanyCurrency } from './changes/changes.js';

/** The errors of a create request or patch that its schema does not find. */
export function checkCustomer(
  body: unknown,
  { currency, decimals }: CompanyCurrency,
): FieldError[] {
  const { creditLimit, tax, currency: given } = objectOf(body);
  return [
    ...checkDecimals(creditLimit, decimals),
    ...checkTax(objectOf(tax)),
    ...(typeof given === 'string' && given !== '' && given !== currency
      ? [fieldError(['currency'], 'invalid_value', `Must be ${currency}, the company's currency.`)]
      : []),
  ];
}

function checkDecimals(limit: unknown, decimals: number): FieldError[] {
  if (typeof limit !== 'number' || decimalPlaces(limit) <= decimals || decimalPlaces(limit) > 4)
    return [];
  const sentence =
    decimals === 0 ? 'Must be a whole number.' : `Must have at most ${decimals} decimals.`;
  return [fieldError(['creditLimit'], 'too_many_decimals', sentence)];
}

function checkTax({ rate, category, reason }: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = [];
  if (!fitsRate(category, rate)) {
    const sentence =
      category === 'S' ? 'S needs a rate above 0.' : 'This category has no tax: rate must be 0.';
    errors.push(fieldError(['tax', 'category'], 'invalid_value', sentence));
  }
  if (category === 'E' && (reason === undefined || reason === null))
    errors.push(fieldError(['tax', 'reason'], 'required', 'Required with category E.'));
  return errors;
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
