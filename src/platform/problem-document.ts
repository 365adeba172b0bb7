// Translates the vocabulary of errors to problem documents (RFC 9457).
import { PROBLEMS, type Problem } from './errors.js';

export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly instance: string;
  readonly [member: string]: unknown;
}

/** The document of a problem at a path. It has no requestId: the answering request adds its own. */
export function problemDocument(problem: Problem, instance: string): ProblemDocument {
  const [status, title] = PROBLEMS[problem.code];
  return {
    type: `/docs/errors#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.message,
    instance,
    ...problem.details.members,
    ...(problem.details.errors === undefined ? {} : { errors: problem.details.errors }),
  };
}
