// The errors of single fields, in the contract's codes and sentences.
import { type FieldError, Problem } from './errors.js';
import { DECIMALS } from './values/money.js';

/** The field codes that a body can be refused with, and what each says. */
export const DETAILS: Readonly<Record<string, string>> = {
  required: 'This field is required.',
  wrong_type: 'This value has the wrong type.',
  empty: 'This must not be empty.',
  too_short: 'This is too short.',
  too_long: 'This is too long.',
  too_small: 'This is too small.',
  too_large: 'This is too large.',
  too_many_decimals: `At most ${DECIMALS} decimals are allowed.`,
  too_many_items: 'There are too many items.',
  invalid_date: 'This is not a calendar date (YYYY-MM-DD) from 1900-01-01 to 2100-12-31.',
  invalid_value: 'This value is not allowed.',
  unknown_field: 'This field is not known.',
};

/** A pointer (RFC 6901) of a path into a body. */
export function pointerTo(path: readonly (string | number)[]): string {
  return path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function fieldError(
  path: readonly (string | number)[],
  code: string,
  detail?: string,
): FieldError {
  return {
    pointer: pointerTo(path),
    code,
    detail: detail ?? DETAILS[code] ?? 'This value is not allowed.',
  };
}

/** The problem that carries field errors, however many. */
export function validationFailed(errors: readonly FieldError[]): Problem {
  return new Problem(
    'validation_failed',
    `The body has ${errors.length} invalid field${errors.length === 1 ? '' : 's'}.`,
    { errors },
  );
}

/** The problem of one field, for what no schema finds. The sentence is the problem's own too. */
export function invalidField(field: string, sentence: string, code = 'invalid_value'): Problem {
  return new Problem('validation_failed', sentence, {
    errors: [fieldError([field], code, sentence)],
  });
}
