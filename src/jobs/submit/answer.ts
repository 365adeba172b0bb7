// The answer to a submitted write, and the refusal of an Idempotency-Key of another write.
import { Problem } from '../../platform/errors.js';
import type { JobOutcome, Submission } from '../write-kind.js';

/** `accepted` means that its row is in Postgres. */
export type Answer =
  | { readonly kind: 'settled'; readonly outcome: JobOutcome; readonly replayed: boolean }
  | { readonly kind: 'accepted'; readonly jobId: string };

export function settledAnswer(outcome: JobOutcome, { submissionId }: Submission): Answer {
  return { kind: 'settled', outcome, replayed: outcome.submissionId !== submissionId };
}

/** True for a job that failed by a defect or an outage, rather than by a refusal. */
export const isInternalFailure = ({ problem }: JobOutcome) =>
  problem !== null && problem.status >= 500;

/** Throws Problem `idempotency_key_reused` if the other write has another body. */
export function refuseOtherBody(
  { fingerprint }: Submission,
  other: { readonly fingerprint: string } | null | undefined,
): void {
  if (other && other.fingerprint !== fingerprint) throw reusedKey();
}

export function reusedKey(): Problem {
  return new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another request. Use a new key.',
  );
}
