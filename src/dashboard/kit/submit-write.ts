// Writes of invoices and stock from a form: through the same queue as the API's writes, once per
// form however often it is sent, with a job page to wait on if the queue has a backlog.

import type Joi from 'joi';
import { findJobState, findOutcomes, type JobState } from '../../jobs/queries.js';
import { jobId } from '../../jobs/submit/submission.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { JobOutcome, WriteKind } from '../../jobs/write-kind.js';
import { type FieldError, Problem, unavailable } from '../../platform/errors.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import { isTransient } from '../../platform/postgres-errors.js';
import type { ProblemDocument } from '../../platform/problem-document.js';
import { isUuid } from '../../platform/values/ids.js';
import { type Outcome, refusedForm, type SubmitOptions, submitForm } from './form.js';
import { actorOf, getOr404, type PageRequest } from './page.js';

/** The hidden field whose value makes a form's write happen once. */
export const KEY_FIELD = 'key';
/** Many times the duration of a write on an idle system; a slower one gets a job page. */
const WAIT_MS = 1_500;

export type SubmitResult =
  /** `body` is the created resource's JSON text. */
  | { readonly done: true; readonly resultId: string; readonly body: string }
  | { readonly done: false; readonly jobId: string };

/** With a key, the page must show the form with that same key. */
export type WriteOutcome = Outcome<SubmitResult> & { readonly key?: string };

/**
 * Like submitForm, for `work` that calls submitWrite. If the service is unavailable, the outcome is
 * a refusal with status 503 and the form's own key: the write may have been accepted all the same,
 * and sending the form again under its key cannot write it twice.
 */
export async function submitWriteForm<Body>(
  { form }: PageRequest,
  values: FormFields,
  schema: Joi.Schema,
  work: (body: Body) => Promise<SubmitResult>,
  options?: SubmitOptions,
): Promise<WriteOutcome> {
  try {
    return await submitForm(values, schema, work, options);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'service_unavailable') throw error;
    const key = form.get(KEY_FIELD) ?? '';
    return { done: false, state: refusedForm(values, error), answer: { status: 503 }, key };
  }
}

/**
 * Submits a form's write and waits a moment for the outcome. `payload` is what the worker gets, if
 * that is more than the form has. A result that is not done has been
 * accepted: show its job. Throws the Problem of a refusal, `validation_failed` if the form's key
 * was used for another request, and `service_unavailable` if the write may not have been accepted:
 * the form may be sent again with the same key.
 */
export async function submitWrite(
  submitter: Submitter,
  kind: WriteKind,
  { session, form, requestId }: PageRequest,
  body: unknown,
  payload: unknown = body,
): Promise<SubmitResult> {
  const { companyId, currency } = session;
  const idempotencyKey = keyOf(form);
  try {
    const answer = await submitter.submit(kind, {
      companyId,
      requestId,
      createdBy: actorOf(session),
      idempotencyKey,
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
    return outcome && outcome.status !== 'queued'
      ? resultOf(outcome)
      : { done: false, jobId: answer.jobId };
  } catch (error) {
    const code = error instanceof Problem ? error.code : null;
    if (isTransient(error) || code === 'service_unavailable') throw unavailable(UNAVAILABLE);
    if (code === 'idempotency_key_reused') throw new Problem('validation_failed', REUSED);
    throw error;
  }
}
const UNAVAILABLE = 'This could not be saved right now. Submit it again in a minute.';
const REUSED =
  'This form was already submitted with different values, and those were saved. ' +
  'To save these values as well, submit again.';

/** True if this form was submitted before, whatever became of its write. */
export async function wasSubmitted(
  kind: WriteKind,
  { session: { companyId }, form }: PageRequest,
): Promise<boolean> {
  const key = keyOf(form);
  if (key === undefined) return false;
  const [outcome] = await findOutcomes([{ companyId, id: jobId(companyId, key) }], [kind]);
  return outcome != null;
}

/** The company's job of this type. Throws Problem `not_found`. */
export function getJobState(
  companyId: string,
  id: string | undefined,
  type: string,
): Promise<JobState> {
  return getOr404('job', id, async uuid => {
    const state = await findJobState(companyId, uuid);
    return state?.type === type ? state : null;
  });
}

/** The problem in a refused job, as it would be thrown. */
export function problemOf(document: ProblemDocument): Problem {
  const errors = document.errors as readonly FieldError[] | undefined;
  return new Problem(
    document.code as Problem['code'],
    document.detail,
    errors === undefined ? {} : { errors },
  );
}

function keyOf(form: FormFields): string | undefined {
  const key = form.get(KEY_FIELD) ?? '';
  return isUuid(key) ? `dashboard:${key.toLowerCase()}` : undefined;
}

function resultOf({ resultId, body, problem }: JobOutcome): SubmitResult {
  if (problem) throw problemOf(problem);
  return { done: true, resultId: resultId ?? '', body: body ?? '' };
}
