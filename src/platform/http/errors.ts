// Whatever goes wrong below becomes one problem document here. A defect shows nothing of its inside; the log has it.
import type { Context, Middleware, Next } from 'koa';
import { Problem, unavailable } from '../errors.js';
import { describeError, isTransient } from '../postgres-errors.js';
import { type ProblemDocument, problemDocument } from '../problem-document.js';
import type { Log } from '../process/log.js';

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

/** Answers with a problem, its headers and, over HTTP's rules, its own requestId. */
export function respondWithProblem(ctx: Context, problem: Problem): void {
  respondWithDocument(ctx, problemDocument(problem, ctx.path), problem.details.headers);
}

/** Answers with a problem document made before (a replay), under this request's own requestId. */
export function respondWithDocument(
  ctx: Context,
  document: ProblemDocument,
  headers: Readonly<Record<string, string>> = {},
): void {
  ctx.status = document.status;
  ctx.set(headers);
  const { errors, ...members } = document;
  ctx.body = JSON.stringify({
    ...members,
    requestId: ctx.state.requestId,
    ...(errors === undefined ? {} : { errors }),
  });
  ctx.type = 'application/problem+json';
  ctx.state.problemCode = document.code;
}

/** The problem that an error is to its reader; what is unknown or transient is logged under the requestId. */
export function toProblem(error: unknown, ctx: Context, log: Log): Problem {
  if (error instanceof Problem) return error;
  if (isTransient(error)) {
    log.warn({ requestId: ctx.state.requestId, err: describeError(error) }, 'dependency away');
    return unavailable(
      'A part of the service is away for the moment. Nothing was promised; try again.',
    );
  }
  log.error({ requestId: ctx.state.requestId, err: describeError(error) }, 'unexpected error');
  return new Problem(
    'internal_error',
    'Something went wrong on our side. It was logged under this requestId.',
  );
}

/**
 * Answers OPTIONS with 204 and a wrong method with 405, both with Allow, where another method has this path.
 * Stands directly above the routes.
 */
export async function methods(ctx: Context, next: Next): Promise<void> {
  await next();
  if (ctx.status !== 404 || ctx.body != null) return;
  const layers = (ctx as Context & { matched?: { methods: string[] }[] }).matched ?? [];
  const allowed = [...new Set(layers.flatMap(layer => layer.methods))];
  if (allowed.length === 0) return;
  const allow = [...allowed, 'OPTIONS'].sort().join(', ');
  if (ctx.method !== 'OPTIONS') {
    throw new Problem('method_not_allowed', `${ctx.method} is not allowed here; ${allow} are.`, {
      headers: { Allow: allow },
    });
  }
  ctx.set('Allow', allow);
  ctx.status = 204;
}
