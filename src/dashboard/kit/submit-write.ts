// Writes of invoices and stock from a form: through the same queue as the API's, once for each form however often it is
// sent, and with a page to wait on where the queue has a backlog.
import { findOutcomes } from '../../jobs/queries.js';
import { jobId } from '../../jobs/submit/submission.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { JobOutcome, WriteKind } from '../../jobs/write-kind.js';
import { type FieldError, Problem, unavailable } from '../../platform/errors.js';
import { isTransient } from '../../platform/postgres-errors.js';
import type { ProblemDocument } from '../../platform/problem-document.js';
import { isUuid } from '../../platform/values/ids.js';
import type { PageRequest } from './page.js';

/** The hidden field whose value makes a form's write happen once. */
export const KEY_FIELD = 'key';
/** Longer than a write takes at rest many times over; whoever waits longer is shown that it waits. */
const WAIT_MS = 1_500;

export type SubmitResult =
  | {
      readonly done: true;
      readonly resultId: string /** The created resource's JSON text. */;
      readonly body: string;
    }
  | { readonly done: false; readonly jobId: string };

/**
 * Submits what a form asked for and waits a moment for the outcome. Not done by then, it is promised: show the job. Throws
 * the Problem that it was refused with, `validation_failed` where the form's key was used for something else, and
 * `service_unavailable` where nothing is promised: then the form may be sent again with the same key.
 */
export async function submitWrite(
  submitter: Submitter,
  kind: WriteKind,
  { session, form, requestId }: PageRequest,
  payload: unknown,
): Promise<SubmitResult> {
  const { companyId } = session;
  const idempotencyKey = keyOf(form);
  try {
    const answer = await submitter.submit(kind, {
      companyId,
      requestId,
      idempotencyKey,
      body: payload,
      payload,
      waitMs: WAIT_MS,
    });
    if (answer.kind === 'settled') return written(answer.outcome);
    // A worker that was faster than the row that we would have kept left none of what was typed in it: the form is here.
    const [settled] = await findOutcomes([{ companyId, id: answer.jobId }], [kind]);
    return settled && settled.status !== 'queued'
      ? written(settled)
      : { done: false, jobId: answer.jobId };
  } catch (error) {
    if (isTransient(error)) throw unavailable(UNAVAILABLE);
    if (error instanceof Problem && error.code === 'service_unavailable')
      throw unavailable(UNAVAILABLE);
    if (error instanceof Problem && error.code === 'idempotency_key_reused')
      throw new Problem('validation_failed', REUSED);
    throw error;
  }
}

/** True where this form was sent before: what it asked for is done, refused, or on its way. */
export async function wasSubmitted(
  kind: WriteKind,
  { session: { companyId }, form }: PageRequest,
): Promise<boolean> {
  const key = keyOf(form);
  if (key === undefined) return false;
  const [settled] = await findOutcomes([{ companyId, id: jobId(companyId, key) }], [kind]);
  return settled != null;
}

function keyOf(form: URLSearchParams): string | undefined {
  const key = form.get(KEY_FIELD) ?? '';
  return isUuid(key) ? `dashboard:${key.toLowerCase()}` : undefined;
}

const UNAVAILABLE =
  'This could not be taken on for the moment, and nothing was written. Send it again in a minute.';
const REUSED =
  'This form was sent before with other contents, and that was carried out. Look there first; to write this one as well, send it again.';

function written({ resultId, body, problem }: JobOutcome): SubmitResult {
  if (problem) throw problemOf(problem);
  return { done: true, resultId: resultId ?? '', body: body ?? '' };
}

/** The refusal in a job, as it would be thrown. */
export function problemOf(document: ProblemDocument): Problem {
  const errors = document.errors as readonly FieldError[] | undefined;
  return new Problem(
    document.code as Problem['code'],
    document.detail,
    errors === undefined ? {} : { errors },
  );
}
