// Turns every error thrown below into one problem document. A defect shows none of its details to
// the client; the log has them.
import type { Context, Middleware, Next } from 'koa';
import { MAY_BE_CARRIED_OUT, Problem, unavailable } from '../errors.js';
import { describeError, isTransient, mayHaveTakenEffect } from '../postgres-errors.js';
import { type ProblemDocument, problemDocument, withRequestId } from '../problem-document.js';
import type { Log } from '../process/log.js';

/** The sentences for errors that are not the client's. */
export const INTERNAL_ERROR =
  'Something went wrong on our side. If it persists, contact support with the requestId.';
export const UNAVAILABLE =
  'The service is temporarily unavailable. The request was not accepted; try again.';
const UNKNOWN_OUTCOME = `The service is temporarily unavailable. ${MAY_BE_CARRIED_OUT}`;
const READS = ['GET', 'HEAD', 'OPTIONS'];

/** Catches everything thrown below it and answers with application/problem+json. */
export function problems(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null)
        throw new Problem('not_found', 'There is nothing at this path.');
    } catch (error) {
      respondWithProblem(ctx, toProblem(error, ctx, log));
    }
  };
}

/** Answers with a problem, its headers and this request's requestId. */
export function respondWithProblem(ctx: Context, problem: Problem): void {
  respondWithDocument(ctx, problemDocument(problem, ctx.path), problem.details.headers);
}

/** Answers with an existing problem document (a replay) under this request's own requestId. */
export function respondWithDocument(
  ctx: Context,
  document: ProblemDocument,
  headers: Readonly<Record<string, string>> = {},
): void {
  ctx.status = document.status;
  ctx.set(headers);
  ctx.body = problemText(document, ctx.state.requestId);
  ctx.type = 'application/problem+json';
  ctx.state.problemCode = document.code;
}

/** A problem document as an answer has it, under the requestId of that answer. */
export function problemText(document: ProblemDocument, requestId: string): string {
  return JSON.stringify(withRequestId(document, requestId));
}

/** The problem to answer with. Logs transient and unexpected errors under the requestId. */
export function toProblem(error: unknown, ctx: Context, log: Log): Problem {
  if (error instanceof Problem) return error;
  const line = { requestId: ctx.state.requestId, err: describeError(error) };
  if (isTransient(error)) {
    log.warn(line, 'dependency unavailable');
    const isUnknown = mayHaveTakenEffect(error) && !READS.includes(ctx.method);
    return unavailable(isUnknown ? UNKNOWN_OUTCOME : UNAVAILABLE);
  }
  log.error(line, 'unexpected error');
  return new Problem('internal_error', INTERNAL_ERROR);
}

/**
 * Answers OPTIONS with 204 and an unsupported method with 405, both with Allow, if another method
 * has this path. Must be directly above the routes.
 */
export async function methods(ctx: Context, next: Next): Promise<void> {
  await next();
  if (ctx.status !== 404 || ctx.body != null) return;
  const { matched = [] } = ctx as Context & { matched?: { path: string; methods: string[] }[] };
  // The path /inventory/adjustments also matches /inventory/{id}: only the literal route counts.
  const literal = matched.filter(({ path }) => path === ctx.path);
  const layers = literal.length > 0 ? literal : matched;
  const allowed = [...new Set(layers.flatMap(layer => layer.methods))];
  if (allowed.length === 0) return;
  const allow = [...allowed, 'OPTIONS'].sort().join(', ');
  if (ctx.method !== 'OPTIONS') {
    const detail = `${ctx.method} is not supported. Allowed: ${allow}.`;
    throw new Problem('method_not_allowed', detail, { headers: { Allow: allow } });
  }
  ctx.set('Allow', allow);
  ctx.status = 204;
}
