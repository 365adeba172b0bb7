// The refusals of the ledger: business rules that a write breaks. Amounts in major units.
import { type FieldError, Problem } from '../../platform/errors.js';
import { type FieldCode, fieldError } from '../../platform/field-errors.js';
import { fromMinor } from '../../platform/values/money.js';
import type { LedgerInvoice } from './state.js';

type Path = readonly (string | number)[];

/** The amounts exceed the balances of invoices. One error per invoice. */
export function exceedsDue(errors: readonly FieldError[]): Problem {
  return new Problem('amount_exceeds_due', 'More than is due; nothing was written.', { errors });
}

export function exceedingInvoice(
  path: Path,
  { id, number }: LedgerInvoice,
  requested: string,
  available: string,
): FieldError {
  const detail = available.startsWith('-')
    ? `${number}: ${requested} requested, at most ${available.slice(1)} can be taken back.`
    : `${number}: ${requested} requested, ${available} available.`;
  return {
    ...fieldError(path, 'amount_exceeds_due', detail),
    invoiceId: id,
    requested: Number(requested),
    available: Number(available),
  };
}

/** The invoices are not of the customer that a member of the request names. */
export function otherCustomer(member: string): FieldError {
  return fieldError([member], 'mixed_customers', 'The invoices are of another customer.');
}

/** The amount exceeds the unallocated amount of the payment or credit note. */
export function exceedsUnallocated(path: Path, requested: string, available: string): Problem {
  const detail = `${requested} requested, ${available} available.`;
  const members = { requested: Number(requested), available: Number(available) };
  return new Problem('amount_exceeds_unallocated', `${detail} Nothing was written.`, {
    members,
    errors: [{ ...fieldError(path, 'amount_exceeds_unallocated', detail), ...members }],
  });
}

/** The credits exceed what remains of the invoice's lines. One error per item of the request. */
export function creditExceeds(errors: readonly FieldError[]): Problem {
  const detail = 'More than is left of the invoice; nothing was written.';
  return new Problem('credit_exceeds_invoice', detail, { errors });
}

export function exceedingLine(
  path: Path,
  line: number,
  requested: string,
  available: string,
): FieldError {
  const detail = `Line ${line}: ${requested} requested, ${available} available.`;
  return {
    ...fieldError(path, 'credit_exceeds_invoice', detail),
    line,
    requested: Number(requested),
    available: Number(available),
  };
}

/**
 * The invoice is not in the state that the write needs. The invoice's status is only in `errors`,
 * because a problem document's `status` is the response's.
 */
export function invoiceState(detail: string, invoice: LedgerInvoice, decimals: number): Problem {
  const { id: invoiceId, status, paid, credited } = invoice;
  const members = {
    amountPaid: Number(fromMinor(paid, decimals)),
    amountCredited: Number(fromMinor(credited, decimals)),
  };
  const error = { ...fieldError([], 'invalid_state', detail), invoiceId, status, ...members };
  return new Problem('invalid_state', detail, { members, errors: [error] });
}

export function transferExists(existingId: string): Problem {
  const error = repeatedTransfer(existingId);
  return new Problem('already_exists', error.detail, { members: { existingId }, errors: [error] });
}

export function repeatedTransfer(existingId: string): FieldError {
  const detail = 'A transfer with this externalId is recorded already.';
  return { ...fieldError(['externalId'], 'already_exists', detail), existingId };
}

/** A payment or credit note that the body names and the company does not have. */
export function unknownFunds(field: 'paymentId' | 'creditNoteId'): FieldError {
  const name = field === 'paymentId' ? 'payment' : 'credit note';
  const code: FieldCode = 'invalid_value';
  return fieldError([field], code, `There is no such ${name}.`);
}
