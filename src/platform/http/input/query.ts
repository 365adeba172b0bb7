// Query strings: unknown and repeated parameters are refused, and so is anything that is not
// percent-encoded UTF-8.
import Joi from 'joi';
import type { Context, Next } from 'koa';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../errors.js';
import { ruleSentence } from '../../field-errors.js';
import { cleanText } from '../../values/text.js';
import { keysOf } from './schema-shape.js';
import { type QuerySchema, type Typed, typed } from './typed-schema.js';
import { brokenRule } from './validate.js';

/** A refused parameter's name is repeated up to this length. */
const MAX_NAME_LENGTH = 64;

/** Valid queries by query string: clients repeat the same few, and Joi takes 20 µs each time. */
const validQueries = new WeakMap<Joi.ObjectSchema, LRUCache<string, object>>();
const QUERIES_MAX = 500;
const CACHED_LENGTH_MAX = 200;

/**
 * Checks the query string against a schema, which sees each parameter as text. Throws Problem
 * `unknown_parameter` or `invalid_parameter` with the member `parameter`.
 */
export function validateQuery<Query extends object>(
  schema: QuerySchema<Query>,
  ctx: Context,
): Query {
  const { querystring } = ctx;
  const cache = validQueries.get(schema) ?? new LRUCache<string, object>({ max: QUERIES_MAX });
  validQueries.set(schema, cache);
  const cached = cache.get(querystring);
  if (cached) return cached as Query;
  const query = Object.freeze(checkQuery<Query>(schema, querystring));
  if (querystring.length <= CACHED_LENGTH_MAX) cache.set(querystring, query);
  return query;
}

function checkQuery<Query>(schema: Joi.ObjectSchema, querystring: string): Query {
  refuseBrokenEscapes(querystring);
  const parameters = new URLSearchParams(querystring);
  const known = keysOf(schema);
  for (const name of parameters.keys()) {
    if (!known.has(name)) {
      const takes = known.size === 0 ? 'none' : new Intl.ListFormat('en').format(known);
      throw badParameter(
        'unknown_parameter',
        name,
        `is not a parameter of this endpoint, which takes ${takes}.`,
      );
    }
    if (parameters.getAll(name).length > 1)
      throw badParameter('invalid_parameter', name, 'is given more than once.');
  }
  const { error, value } = schema.validate(Object.fromEntries(parameters), { convert: false });
  const [detail] = error?.details ?? [];
  if (!detail) {
    refuseReversedRanges(value);
    return value as Query;
  }
  const { code, rule } = brokenRule(detail);
  const sentence = ruleSentence(code, rule);
  const predicate = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  throw badParameter('invalid_parameter', String(detail.path[0]), predicate);
}

/** The parameters that are the first and the last day or time of a range. */
const RANGES = [
  ['from', 'to'],
  ['dueFrom', 'dueTo'],
] as const;

/** Days are text in the order of time, times are milliseconds since 1970. */
function refuseReversedRanges(query: Readonly<Record<string, string | number | undefined>>): void {
  for (const [first, last] of RANGES) {
    const [from, to] = [query[first], query[last]];
    if (from !== undefined && to !== undefined && from > to)
      throw badParameter('invalid_parameter', first, `must not be after "${last}".`);
  }
}

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
]);

/** A flag: 1 or true, else 0, false, empty or absent. */
export function onOff(): Typed<boolean | undefined> {
  const schema = Joi.string()
    .allow('')
    .custom(
      (value: string, helpers) =>
        SWITCH.get(value) ??
        helpers.error('invalid_value', { sentence: 'Must be 1, true, 0 or false.' }),
    )
    .empty('')
    .meta({ schema: { type: 'string', enum: ['1', 'true', '0', 'false', ''] } });
  return typed(schema.default(false));
}

/** URLSearchParams keeps a broken escape as text and turns broken UTF-8 into U+FFFD. */
function refuseBrokenEscapes(querystring: string): void {
  for (const pair of querystring.split('&')) {
    const [name = '', value = ''] = pair.split(/=(.*)/su).map(decoded);
    if (name === null || value === null || value.includes('\0'))
      throw badParameter('invalid_parameter', name ?? '', 'is not percent-encoded UTF-8 text.');
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

/** Refuses every query parameter. */
export async function noParameters(ctx: Context, next: Next): Promise<void> {
  if (ctx.querystring !== '') validateQuery(noQuery, ctx);
  return next();
}

/** Problem `invalid_parameter`. The predicate follows the parameter's name. */
export function invalidParameter(name: string, predicate: string): Problem {
  return badParameter('invalid_parameter', name, predicate);
}

function badParameter(
  code: 'unknown_parameter' | 'invalid_parameter',
  name: string,
  predicate: string,
): Problem {
  const parameter = cleanText(name).slice(0, MAX_NAME_LENGTH);
  return new Problem(code, `"${parameter}" ${predicate}`, { members: { parameter } });
}
