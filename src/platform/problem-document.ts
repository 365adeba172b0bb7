// Translates the vocabulary of errors to problem documents (RFC 9457).
import { type FieldError, PROBLEMS, type Problem } from './errors.js';

/** The field errors of one answer, even if it has several problems. */
export const MAX_FIELD_ERRORS = 100;

export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly instance: string;
  readonly errors?: readonly FieldError[];
  /** How many more field errors there are. Absent if there are none. */
  readonly errorsOmitted?: number;
  readonly [member: string]: unknown;
}

let origin = '';

/**
 * Makes the `type` of this process's problems absolute. Called once at its start, if the public
 * address is configured. Relative ones refer to the host of the request, whatever it is called.
 */
export function linkProblemsTo(publicUrl: string): void {
  origin = publicUrl;
}

/** The document of a problem at a path, without a requestId: see `withRequestId`. */
export function problemDocument(problem: Problem, instance: string): ProblemDocument {
  const [status, title] = PROBLEMS[problem.code];
  const { errors, errorsOmitted = 0, members } = problem.details;
  const document = {
    type: `${origin}/docs/errors#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.message,
    instance,
    ...members,
    ...(errors === undefined ? {} : { errors }),
    ...(errorsOmitted === 0 ? {} : { errorsOmitted }),
  };
  return withFieldErrors(document, MAX_FIELD_ERRORS);
}

/** The document under the requestId of a request, with its properties in the contract's order. */
export function withRequestId(document: ProblemDocument, requestId: string): ProblemDocument {
  const { errors, errorsOmitted, ...first } = document;
  return {
    ...first,
    requestId,
    ...(errors === undefined ? {} : { errors }),
    ...(errorsOmitted === undefined ? {} : { errorsOmitted }),
  } as ProblemDocument;
}

/** The document with at most `max` field errors. It counts the others. */
export function withFieldErrors(document: ProblemDocument, max: number): ProblemDocument {
  const { errors = [], errorsOmitted = 0 } = document;
  if (errors.length <= max) return document;
  const omitted = errorsOmitted + errors.length - max;
  return { ...document, errors: errors.slice(0, max), errorsOmitted: omitted };
}
