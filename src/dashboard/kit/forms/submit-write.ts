// The write of a form: through the same queue as the API's writes, and once per form however often
// it is sent.

import { findJobState, findOutcomes, type JobState } from '../../../jobs/queries.js';
import { jobId } from '../../../jobs/submit/submission.js';
import type { Submitter } from '../../../jobs/submit/submitter.js';
import type { JobOutcome, WriteKind } from '../../../jobs/write-kind.js';
import { type FieldError, Problem, unavailable } from '../../../platform/errors.js';
import type { FormFields } from '../../../platform/http/input/form-fields.js';
import { isTransient } from '../../../platform/postgres-errors.js';
import type { ProblemDocument } from '../../../platform/problem-document.js';
import { isUuid } from '../../../platform/values/ids.js';
import { actorOf, getOr404, type PageRequest } from '../page.js';
import { KEY_FIELD } from './form-state.js';

/** Many times the duration of a write on an idle system. A slower write gets a job page. */
const WAIT_MS = 1_500;

/** The created resource: `body` is its JSON text. */
export interface WriteResult {
  readonly resultId: string;
  readonly body: string;
}

/** The payload for the worker, and the body by which submissions of one form are compared. */
export interface FormWrite {
  readonly kind: WriteKind;
  readonly payload: unknown;
  readonly body: unknown;
}

/**
 * Submits a form's write and waits a moment for the outcome. A write without a result was accepted:
 * show its job. Throws the Problem of a refusal, `validation_failed` if the form's key was used for
 * another request, and `service_unavailable` if the write may not have been accepted: the form may
 * be sent again with the same key.
 */
export async function submitWrite(
  submitter: Submitter,
  { session, form, requestId }: PageRequest,
  { kind, payload, body }: FormWrite,
): Promise<WriteResult | { readonly jobId: string }> {
  const { companyId, currency } = session;
  try {
    const answer = await submitter.submit(kind, {
      companyId,
      requestId,
      createdBy: actorOf(session),
      idempotencyKey: idempotencyKeyOf(form),
      body,
      payload,
      currency,
      bytes: JSON.stringify(payload).length,
      waitMs: WAIT_MS,
    });
    if (answer.kind === 'settled') return resultOf(answer.outcome);
    // A worker may have settled the job before the row for it was persisted; the row then lacks the
    // payload that a job page shows, but here the form still has it.
    const [outcome] = await findOutcomes([{ companyId, id: answer.jobId }], [kind]);
    return outcome && outcome.status !== 'queued' ? resultOf(outcome) : { jobId: answer.jobId };
  } catch (error) {
    const code = error instanceof Problem ? error.code : null;
    if (isTransient(error) || code === 'service_unavailable') throw unavailable(UNAVAILABLE);
    if (code === 'idempotency_key_reused') throw new Problem('validation_failed', REUSED);
    throw error;
  }
}
const UNAVAILABLE = 'This could not be saved right now. Submit it again in a minute.';
/** The message of a form whose key was used for other values. */
export const REUSED =
  'This form was already submitted with different values, and those were saved. ' +
  'To save these values as well, submit again.';

/** True if this form was submitted before, whatever became of its write. */
export async function wasSubmitted(
  kind: WriteKind,
  { session: { companyId }, form }: PageRequest,
): Promise<boolean> {
  const key = idempotencyKeyOf(form);
  if (key === undefined) return false;
  const [outcome] = await findOutcomes([{ companyId, id: jobId(companyId, key) }], [kind]);
  return outcome != null;
}

/** The key that the form carries; undefined for text that no page generates. */
export function keyOf(form: FormFields): string | undefined {
  const key = form.get(KEY_FIELD) ?? '';
  return isUuid(key) ? key : undefined;
}

/** The Idempotency-Key of a form. */
export function idempotencyKeyOf(form: FormFields): string | undefined {
  const key = keyOf(form);
  return key && `dashboard:${key.toLowerCase()}`;
}

/** The company's job of one of these types. Throws Problem `not_found`. */
export function getJobState(
  companyId: string,
  id: string | undefined,
  types: readonly string[],
): Promise<JobState> {
  return getOr404('job', id, async uuid => {
    const state = await findJobState(companyId, uuid);
    return state !== null && types.includes(state.type) ? state : null;
  });
}

/** The problem in a refused job, as it would be thrown. */
export function problemOf(document: ProblemDocument): Problem {
  const { type: _type, title: _title, status: _status, instance: _instance, ...own } = document;
  const { code, detail, errors, ...members } = own;
  return new Problem(code as Problem['code'], detail, {
    ...(errors === undefined ? {} : { errors: errors as readonly FieldError[] }),
    members,
  });
}

function resultOf({ resultId, body, problem }: JobOutcome): WriteResult {
  if (problem) throw problemOf(problem);
  return { resultId: resultId ?? '', body: body ?? '' };
}
