// Query strings: nothing unknown, nothing twice, nothing that is not percent-encoded UTF-8.
import Joi from 'joi';
import type { Context, Next } from 'koa';
import { Problem } from '../errors.js';
import { cleanText } from '../values/text.js';
import { keysOf } from './validate.js';

/**
 * Checks the query string: no unknown and no repeated parameter, each by its schema (which sees text).
 * Throws Problem `unknown_parameter` or `invalid_parameter` with the member `parameter`.
 */
export function validateQuery<Query>(schema: Joi.ObjectSchema, ctx: Context): Query {
  refuseBrokenEscapes(ctx.querystring);
  const parameters = new URLSearchParams(ctx.querystring);
  const known = keysOf(schema);
  for (const name of parameters.keys()) {
    const shown = cleanText(name).slice(0, 64);
    if (!known.has(name))
      throw badParameter('unknown_parameter', shown, `The parameter "${shown}" is not known here.`);
    if (parameters.getAll(name).length > 1)
      throw badParameter('invalid_parameter', name, `The parameter "${name}" stands twice.`);
  }
  const { error, value } = schema.validate(Object.fromEntries(parameters), { convert: false });
  const name = String(error?.details[0]?.path[0]);
  if (error)
    throw badParameter(
      'invalid_parameter',
      name,
      `The parameter "${name}" is not valid: ${error.details[0]?.context?.expected ?? 'see its documentation'}.`,
    );
  return value as Query;
}

/** URLSearchParams would take a broken escape as text and broken UTF-8 as U+FFFD. */
function refuseBrokenEscapes(querystring: string): void {
  for (const pair of querystring.split('&')) {
    const [name = '', value = ''] = pair.split(/=(.*)/su).map(decoded);
    if (name === null || value === null || value.includes('\0')) {
      const shown = cleanText(name ?? '').slice(0, 64);
      throw badParameter(
        'invalid_parameter',
        shown,
        `The parameter "${shown}" is not percent-encoded UTF-8 text.`,
      );
    }
  }
}

function decoded(escaped: string): string | null {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return null;
  }
}

const noQuery = Joi.object({});

/** For endpoints without parameters. */
export async function noParameters(ctx: Context, next: Next): Promise<void> {
  if (ctx.querystring !== '') validateQuery(noQuery, ctx);
  await next();
}

function badParameter(
  code: 'unknown_parameter' | 'invalid_parameter',
  parameter: string,
  detail: string,
): Problem {
  return new Problem(code, detail, { members: { parameter } });
}
