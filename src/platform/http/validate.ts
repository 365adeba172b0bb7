// The vocabulary of request schemas and the translation of Joi's findings into the contract's field codes. Nothing is
// coerced: what is not as documented is refused, all of it in one answer. Each leaf carries its JSON Schema in its meta.
import Joi from 'joi';
import type { FieldError } from '../errors.js';
import { DETAILS, fieldError, pointerTo, validationFailed } from '../field-errors.js';
import { DECIMALS, decimalPlaces } from '../values/money.js';
import { cleanText, codePointLength, hasForbiddenCharacter } from '../values/text.js';

/** No array of a request is longer, as the schemas have it. */
export const MAX_ITEMS = 250;
/** Unknown fields of one object that are named in an answer. */
const MAX_UNKNOWN_FIELDS = 20;

const CODES: Readonly<Record<string, string>> = {
  'any.required': 'required',
  'any.only': 'invalid_value',
  'any.unknown': 'unknown_field',
  'object.unknown': 'unknown_field',
  'string.empty': 'empty',
  'array.max': 'too_many_items',
  'array.min': 'empty',
  'object.xor': 'invalid_value',
  'object.missing': 'required',
  'object.oxor': 'invalid_value',
};

/** Text: trimmed, NFC, 1 to `max` code points, nothing invisible or broken in it. */
export function text(max: number): Joi.StringSchema {
  return cleanString(max, value => value);
}

/** Text that may have several lines: tabs and line ends are not refused as control characters. */
export function multilineText(max: number): Joi.StringSchema {
  return cleanString(max, value => value.replace(/[\t\n\r]/gu, ' '));
}

function cleanString(max: number, checked: (clean: string) => string): Joi.StringSchema {
  return Joi.string()
    .custom((value: string, helpers) => {
      const clean = cleanText(value);
      if (clean === '') return helpers.error('empty');
      if (hasForbiddenCharacter(checked(clean))) return helpers.error('invalid_value');
      return codePointLength(clean) > max ? helpers.error('too_long') : clean;
    })
    .meta({ schema: { type: 'string', minLength: 1, maxLength: max } });
}

/** A JSON number in [min, max] with at most 4 decimals. Above zero and under the smallest `min` it has too many of them. */
export function decimal(min: number, max: number): Joi.Schema {
  return Joi.any()
    .custom((value: unknown, helpers) => {
      if (typeof value !== 'number') return helpers.error('wrong_type');
      if (value < min && value <= 0) return helpers.error('too_small');
      if (value > max) return helpers.error('too_large');
      return decimalPlaces(value) > DECIMALS ? helpers.error('too_many_decimals') : value;
    })
    .meta({
      schema: {
        type: 'number',
        minimum: min,
        maximum: max,
        description: `At most ${DECIMALS} decimals.`,
      },
    });
}

/** A real calendar date from 1900-01-01 to 2100-12-31 as YYYY-MM-DD. */
export function calendarDate(): Joi.StringSchema {
  return Joi.string()
    .custom((value: string, helpers) =>
      isCalendarDate(value) ? value : helpers.error('invalid_date'),
    )
    .meta({ schema: { type: 'string', format: 'date' } });
}

export function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(value) || value < '1900-01-01' || value > '2100-12-31')
    return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** In an optional field null is the same as absent. */
export function optional<Schema extends Joi.Schema>(schema: Schema): Schema {
  return schema.empty(null).optional() as Schema;
}

/**
 * Checks a body and returns it with its text cleaned. `more` finds what a schema cannot say, in a body that may be wrong
 * elsewhere. Throws Problem `validation_failed` with every field's problem.
 */
export function validateBody<Body>(
  schema: Joi.Schema,
  body: unknown,
  more: (body: unknown) => FieldError[] = () => [],
): Body {
  const seen = bounded(body, keysOf(schema));
  const { error, value } = schema.validate(seen, { abortEarly: false, convert: false });
  const details = error?.details ?? [];
  const paths = new Map(details.map(({ path, type }) => [pointerTo(path), type]));
  const found = details
    // "Not one of these" says nothing to whoever sent the wrong type or nothing at all: that finding follows it.
    .filter(({ path, type }) => type !== 'any.only' || paths.get(pointerTo(path)) === type)
    .map(({ path, type }) =>
      fieldError(path, CODES[type] ?? (type in DETAILS ? type : 'wrong_type')),
    );
  const errors = [...found, ...prototypeKeys(seen, []), ...more(seen)];
  if (errors.length > 0) throw validationFailed(errors);
  return value as Body;
}

/**
 * The body without what cannot make it any less valid: array items past the first one too many, unknown fields past the
 * first few of an object. Half a megabyte of them would cost seconds, and ten megabytes of answer.
 */
function bounded(value: unknown, known: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS + 1).map(item => bounded(item, known));
  if (typeof value !== 'object' || value === null) return value;
  let unknown = 0;
  const kept = Object.entries(value).filter(([key]) => {
    if (!known.has(key)) unknown += 1;
    return known.has(key) || unknown <= MAX_UNKNOWN_FIELDS;
  });
  return Object.fromEntries(kept.map(([key, inner]) => [key, bounded(inner, known)]));
}

/** Every field name that a schema knows, at any depth. */
export function keysOf(schema: Joi.Schema): ReadonlySet<string> {
  const found = KEYS.get(schema) ?? new Set(collectKeys(schema.describe()));
  KEYS.set(schema, found);
  return found;
}
const KEYS = new WeakMap<Joi.Schema, ReadonlySet<string>>();

function collectKeys({ keys = {}, items = [] }: Joi.Description): string[] {
  const inner = [...Object.values(keys), ...items] as Joi.Description[];
  return [...Object.keys(keys), ...inner.flatMap(collectKeys)];
}

/** `__proto__` is a key like any other in JSON, but Joi's clone would drop it unseen. */
function prototypeKeys(value: unknown, path: (string | number)[]): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.hasOwn(value, '__proto__')
    ? [fieldError([...path, '__proto__'], 'unknown_field')]
    : [];
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  return [
    ...own,
    ...[...entries].flatMap(([key, inner]) =>
      key === '__proto__' ? [] : prototypeKeys(inner, [...path, key]),
    ),
  ];
}

/** A page's cursor, of whatever form: the pager tells its own from others. */
export function cursor(): Joi.StringSchema {
  return Joi.string()
    .allow('')
    .meta({ schema: { type: 'string' } });
}

/** A page size: a whole number from 1; more than `max` is served as `max`. */
export function pageSize(fallback: number, max: number): Joi.Schema {
  return Joi.string()
    .custom((value: string, helpers) =>
      /^0*[1-9]\d*$/u.test(value)
        ? Math.min(Number(value), max)
        : helpers.error('invalid_value', { expected: 'a whole number from 1' }),
    )
    .default(fallback)
    .meta({
      schema: {
        type: 'integer',
        minimum: 1,
        default: fallback,
        description: `More than ${max} is served as ${max}.`,
      },
    });
}
