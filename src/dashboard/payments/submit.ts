// Writes of the ledger from a form: the API's schema and checks, and its refusals at the fields of
// the form, in the words of a person.

import Joi from 'joi';
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { WriteKind } from '../../jobs/write-kind.js';
import type { LedgerPayload } from '../../ledger/payload.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { bodyOf } from '../kit/form.js';
import type { Answer, PageRequest, RedirectAnswer } from '../kit/page.js';
import {
  submitWrite,
  submitWriteForm,
  type WriteOutcome,
  wasSubmitted,
} from '../kit/submit-write.js';
import { formatMoney, formatQuantity } from '../kit/ui/format.js';

export interface LedgerForm<Body> {
  readonly kind: WriteKind;
  /** Of the API's request. */
  readonly schema: Joi.Schema;
  readonly check?: (body: unknown) => FieldError[];
  /** The fields of the request, such as invoices.0.amount. */
  readonly fields: FormFields;
  /** The form's field of a field of the request; null if the form has none. */
  readonly fieldOf?: (name: string) => string | null;
  readonly payload: (body: Body) => LedgerPayload;
  /** Throws the Problem of a form that has to be looked at before it is sent. */
  readonly review?: (body: Body) => void;
}

/** The refused state has the form's own fields, as they were typed. */
export function submitLedgerForm<Body>(
  submitter: Submitter,
  request: PageRequest,
  { kind, schema, check, fields, fieldOf = same, payload, review }: LedgerForm<Body>,
): Promise<WriteOutcome> {
  const { form, session } = request;
  return submitWriteForm(request, form, Joi.any(), async () => {
    try {
      const body = validateBody<Body>(schema, requestOf(fields), check);
      // Sent again under its key, a form is answered as before, whatever its page would say now.
      if (review && !(await wasSubmitted(kind, request))) review(body);
      return await submitWrite(submitter, kind, request, payload(body));
    } catch (error) {
      throw error instanceof Problem ? toFormProblem(error, fieldOf, session.currency) : error;
    }
  });
}
const same = (name: string) => name;

/** Leads to the job of a write that waits, else to what `done` says. */
export function ledgerAnswer(
  result: Extract<WriteOutcome, { done: true }>['result'],
  done: (result: { resultId: string; body: string }) => RedirectAnswer,
): Answer {
  return result.done ? done(result) : { to: `/payments/jobs/${result.jobId}` };
}

/** The fields of the names that have a value, for a request. */
export function fieldsNamed(form: FormFields, names: readonly string[]): FormFields {
  return new FormFields(names.map(name => [name, form.get(name) ?? '']));
}

const NUMBERS = { numbers: ['amount', 'qty', 'line'] };

function requestOf(fields: FormFields): unknown {
  const body = bodyOf(fields, NUMBERS);
  const { items, restock } = body as { items?: unknown; restock?: unknown };
  return {
    ...body,
    ...(Array.isArray(items) ? { items: items.map(withFlag) } : {}),
    ...(restock === undefined ? {} : { restock: restock === 'true' }),
  };
}

function withFlag(item: { readonly restock?: string }): object {
  return item.restock === undefined ? item : { ...item, restock: item.restock === 'true' };
}

/** An error without a field of its own becomes the form's message. */
export function toFormProblem(
  problem: Problem,
  fieldOf: (name: string) => string | null,
  currency: string,
): Problem {
  const { errors = [] } = problem.details;
  const placed = errors.map(error => {
    const name = fieldOf(error.pointer.slice(1).replaceAll('/', '.'));
    const isRepeated = problem.code === 'already_exists';
    return { ...error, name, detail: isRepeated ? REPEATED : sentenceOf(error, currency) };
  });
  const unplaced = placed.filter(({ name }) => name === null || name === '');
  if (errors.length === 0) return problem;
  if (unplaced.length > 0)
    return new Problem(problem.code, [...new Set(unplaced.map(each => each.detail))].join(' '));
  const moved = placed.map(({ name, ...error }) => ({
    ...error,
    pointer: `/${name?.replaceAll('.', '/')}`,
  }));
  return new Problem(problem.code, problem.message, { errors: moved });
}

const REPEATED = 'A transfer with this id is recorded already.';

function sentenceOf({ code, detail, pointer, available }: FieldError, currency: string): string {
  if (typeof available !== 'number') return detail;
  const money = formatMoney(String(Math.abs(available)), currency);
  switch (code) {
    case 'amount_exceeds_due':
      return available > 0 ? `At most ${money} is due.` : 'Nothing is due any more.';
    case 'amount_exceeds_unallocated':
      return `Only ${money} is unallocated.`;
    case 'credit_exceeds_invoice':
      return available === 0
        ? 'Nothing is left.'
        : `Only ${pointer.endsWith('amount') ? money : formatQuantity(available)} is left.`;
    default:
      return detail;
  }
}
