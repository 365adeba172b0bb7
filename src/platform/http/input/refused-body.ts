// Errors of a body that are found under a lock, because they depend on rows which other writes
// change. A body that is refused earlier gets them as well, so that one answer has all errors.
import { type FieldError, Problem } from '../../errors.js';
import { validationFailed } from '../../field-errors.js';

/**
 * Runs a check, and rethrows its Problem `validation_failed` with the errors of `find` after its
 * own. A valid body is not looked at twice.
 */
export async function withFoundErrors<Body>(
  check: () => Body,
  find: () => Promise<readonly FieldError[]>,
): Promise<Body> {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    const { errors = [], errorsOmitted = 0 } = error.details;
    const all = [...errors, ...(await find())];
    throw validationFailed(all, all.length + errorsOmitted);
  }
}
