// The addresses that the mail server refused for good in earlier attempts of an e-mail. They are
// not tried again.
import type { EmailError } from '../email.js';
import type { MailOutcome } from './delivery.js';

export type Refusals = EmailError['rejected'];

export const SOME_REFUSED = 'The mail server refused some of the addresses.';

/** The refusals of the previous attempt with a reply of 500 or above. */
export function lastingRefusals(error: EmailError | null): Refusals {
  return (error?.rejected ?? []).filter(({ reply }) => reply.startsWith('5'));
}

/** The outcome of an attempt that left out these addresses. */
export function withEarlier(outcome: MailOutcome, earlier: Refusals): MailOutcome {
  if (earlier.length === 0) return outcome;
  const error = outcome.error ?? { code: 'smtp_refused', detail: SOME_REFUSED, rejected: [] };
  return { ...outcome, error: { ...error, rejected: [...earlier, ...error.rejected] } };
}
