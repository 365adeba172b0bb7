// The building blocks of request schemas, and the translation of Joi's errors to the contract's
// field codes. Nothing is coerced, and one answer counts every error. Each leaf has its JSON Schema
// in its meta; `helpers.error(code, rule)` names the field code and the rule for its sentence.
import Joi from 'joi';
import type { FieldError } from '../../errors.js';
import {
  type FieldCode,
  type FieldRule,
  fieldError,
  isFieldCode,
  pointerTo,
  validationFailed,
} from '../../field-errors.js';
import { MAX_FIELD_ERRORS } from '../../problem-document.js';
import { DECIMALS, decimalPlaces } from '../../values/money.js';
import { cleanCode, cleanText, codePointLength, hasForbiddenCharacter } from '../../values/text.js';
import { BodyErrors } from './body-check.js';
import { closestField } from './closest-field.js';
import { fieldsAt, keysOf, shapeOf } from './schema-shape.js';
import { type SchemaOf, type Typed, typed } from './typed-schema.js';

export type TextSchema = Typed<string | undefined, Joi.StringSchema>;
export type NumberSchema = Typed<number | undefined>;

/**
 * The longest array of any request schema. Forms and documents follow it, and Postgres has no limit
 * of its own. BODY_LIMIT_BYTES of body.ts must fit so many lines.
 */
export const MAX_ITEMS = 250;
/**
 * The items of an array that is too long to which rules outside of the schema apply, so that they
 * take less than 0.1 s. Arrays of items of 20 bytes do not get longer within BODY_LIMIT_BYTES.
 */
const MAX_RULED_ITEMS = 25_000;

const CODES: Readonly<Record<string, FieldCode>> = {
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

/** ASCII without control characters or surrounding spaces: nothing to clean, nothing forbidden. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/u;

/** The words for a type, by the first part of Joi's `….base` errors. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  number: 'a number',
  object: 'a JSON object',
  string: 'a string',
};

/** Text: trimmed, NFC, 1 to `max` code points, without control characters or invalid Unicode. */
export function text(max: number): TextSchema {
  return cleanString(max);
}

/**
 * A `text` without any invisible character: a code, an e-mail address, a phone, a tax id, or a text
 * that is only compared.
 */
export function codeText(max: number): TextSchema {
  return cleanString(max, { cleaned: cleanCode });
}

/** A `text` that may have tabs and line breaks. */
export function multilineText(max: number): TextSchema {
  return cleanString(max, { checked: value => value.replace(/[\t\n\r]/gu, ' ') });
}

/** A `text` that may have line feeds. CR LF becomes one. */
export function linesOfText(max: number): TextSchema {
  return cleanString(max, {
    cleaned: value => cleanText(value.replaceAll('\r\n', '\n')),
    checked: value => value.replaceAll('\n', ' '),
  });
}

interface StringRules {
  /** The stored form. */
  readonly cleaned?: (value: string) => string;
  /** The stored form without the control characters that it may have. */
  readonly checked?: (clean: string) => string;
}

function cleanString(
  max: number,
  { cleaned = cleanText, checked = value => value }: StringRules = {},
): TextSchema {
  const schema = Joi.string()
    .custom((value: string, helpers) => {
      if (PLAIN.test(value) && value.length <= max) return value;
      const clean = cleaned(value);
      if (clean === '') return helpers.error('empty');
      if (hasForbiddenCharacter(checked(clean))) {
        const sentence = 'Must not contain control characters or invalid Unicode.';
        return helpers.error('invalid_value', { sentence });
      }
      return codePointLength(clean) > max ? helpers.error('too_long', { limit: max }) : clean;
    })
    .meta({ schema: { type: 'string', minLength: 1, maxLength: max } });
  return typed(schema);
}

/** A JSON number in [min, max] with at most 4 decimals. */
export function decimal(min: number, max: number): NumberSchema {
  return boundedDecimal({ limit: min }, max, { minimum: min });
}

/** A JSON number in (0, max] with at most 4 decimals. */
export function positiveDecimal(max: number): NumberSchema {
  return boundedDecimal({ limit: 0, exclusive: true }, max, { exclusiveMinimum: 0 });
}

function boundedDecimal(
  min: { readonly limit: number; readonly exclusive?: boolean },
  max: number,
  minimum: object,
): NumberSchema {
  const description = `At most ${DECIMALS} decimals.`;
  const schema = Joi.any()
    .custom((value: unknown, helpers) => {
      if (typeof value !== 'number') return helpers.error('wrong_type', { type: 'a number' });
      if (value < min.limit || (min.exclusive && value === min.limit))
        return helpers.error('too_small', min);
      if (value > max) return helpers.error('too_large', { limit: max });
      return isShort(value) || decimalPlaces(value) <= DECIMALS
        ? value
        : helpers.error('too_many_decimals');
    })
    .meta({ schema: { type: 'number', ...minimum, maximum: max, description } });
  return typed(schema);
}

/**
 * True only for a number of at most 4 decimals. It is then the double nearest to such a decimal,
 * so its shortest form has no more digits. Quicker than `decimalPlaces`.
 */
function isShort(value: number): boolean {
  return Math.round(value * 10 ** DECIMALS) / 10 ** DECIMALS === value;
}

/** The range of dates, which every date of a response is in. */
const FIRST_DAY = '1900-01-01';
export const LAST_DAY = '2100-12-31';

/** A real calendar date from 1900-01-01 to 2100-12-31 as YYYY-MM-DD. */
export function calendarDate(): TextSchema {
  const schema = Joi.string()
    .custom((value: string, helpers) =>
      isCalendarDate(value) ? value : helpers.error('invalid_date'),
    )
    .meta({ schema: { type: 'string', format: 'date' } });
  return typed(schema);
}

export function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(value) || value < FIRST_DAY || value > LAST_DAY) return false;
  const [year, month, day] = value.split('-').map(Number) as [number, number, number];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
}

/** A cursor in any form: `Cursors` checks it. */
export function cursor(): TextSchema {
  const schema = Joi.string()
    .allow('')
    .description('Start of the page, taken from the `Link` header of the previous page.')
    .meta({ schema: { type: 'string' } });
  return typed(schema);
}

/** A page size: a whole number of at least 1. A number above `max` is served as `max`. */
export function pageSize(fallback: number, max: number): Typed<number> {
  const description = `More than ${max} is served as ${max}.`;
  const schema = Joi.string()
    .custom((value: string, helpers) =>
      /^0*[1-9]\d*$/u.test(value)
        ? Math.min(Number(value), max)
        : helpers.error('invalid_value', { sentence: 'Must be a whole number of at least 1.' }),
    )
    .meta({ schema: { type: 'integer', minimum: 1, default: fallback, description } });
  return typed<number>(schema).default(fallback);
}

/**
 * Checks a body and returns it with its text cleaned. `more` finds what a schema cannot express; it
 * gets a body that may be invalid elsewhere. Throws Problem `validation_failed` with the number of
 * all field errors, and at most `maxErrors` of them.
 */
export function validateBody<Body>(
  schema: SchemaOf<Body | undefined>,
  body: unknown,
  more: (body: unknown) => FieldError[] = () => [],
  maxErrors = MAX_FIELD_ERRORS,
): Body {
  const { check } = shapeOf(schema);
  const errors = new BodyErrors(maxErrors);
  const clean = check ? check(body, errors) : checkByJoi(schema, body, errors);
  for (const error of more(errors.count === 0 ? body : bounded(body, keysOf(schema))))
    errors.add(() => error);
  if (errors.count > 0) throw validationFailed(errors.listed, errors.count);
  return clean as Body;
}

/** Validates with Joi only, which is fast enough for small bodies such as forms. */
function checkByJoi(schema: Joi.Schema, body: unknown, errors: BodyErrors): unknown {
  const { error, value } = schema.validate(body, { abortEarly: false, convert: false });
  const details = error?.details ?? [];
  const types = new Map(details.map(({ path, type }) => [pointerTo(path), type]));
  for (const detail of details) {
    // For a missing value or one of the wrong type, Joi reports `any.only` as well: keep the other.
    if (detail.type === 'any.only' && types.get(pointerTo(detail.path)) !== detail.type) continue;
    errors.add(() => toFieldError(detail, schema));
  }
  return value;
}

function toFieldError(error: Joi.ValidationErrorItem, schema: Joi.Schema): FieldError {
  const { path } = error;
  const { code, rule } = brokenRule(error);
  if (code === 'unknown_field') {
    const known = fieldsAt(shapeOf(schema).description, path.slice(0, -1));
    const suggestion = closestField(String(path.at(-1)), known);
    return fieldError(path, code, { suggestion, known });
  }
  const isBody = path.length === 0 && code === 'wrong_type';
  return fieldError(path, code, isBody ? `The body must be ${rule.type}.` : rule);
}

/** A Joi error's field code and rule. Its context has the rule's members by the same names. */
export function brokenRule({ type, context }: Joi.ValidationErrorItem): BrokenRule {
  const code = CODES[type] ?? (isFieldCode(type) ? type : 'wrong_type');
  const expected = TYPES[type.split('.')[0] ?? ''];
  return { code, rule: { ...(context as FieldRule), ...(expected && { type: expected }) } };
}

export interface BrokenRule {
  readonly code: FieldCode;
  readonly rule: FieldRule;
}

/** The known fields of a body, with at most MAX_RULED_ITEMS items of each array. */
function bounded(body: unknown, names: ReadonlySet<string>): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const known: Record<string, unknown> = {};
  for (const name of names) {
    const value = (body as Record<string, unknown>)[name];
    if (value !== undefined)
      known[name] = Array.isArray(value) ? value.slice(0, MAX_RULED_ITEMS) : value;
  }
  return known;
}
