// A time as a query parameter.
import Joi from 'joi';
import { typed } from './typed-schema.js';
import type { NumberSchema } from './validate.js';

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/u;

/** An RFC 3339 time; the value is in milliseconds since 1970. */
export function instant(): NumberSchema {
  const schema = Joi.string()
    .custom(
      (value: string, helpers) =>
        millisecondsOf(value) ??
        helpers.error('invalid_value', { sentence: 'Must be an RFC 3339 time.' }),
    )
    .meta({ schema: { type: 'string', format: 'date-time' } });
  return typed(schema);
}

/** Milliseconds since 1970, rounded up; null if the text is no RFC 3339 time. */
function millisecondsOf(text: string): number | null {
  const [, date = '', time = '', fraction = '', offset = ''] = RFC_3339.exec(text) ?? [];
  if (!isDayOfMonth(date)) return null;
  const wholeSeconds = Date.parse(`${date}T${time}${offset.toUpperCase()}`);
  if (Number.isNaN(wholeSeconds)) return null;
  const nanoseconds = Number(fraction.padEnd(9, '0'));
  return wholeSeconds + Math.ceil(nanoseconds / 1_000_000);
}

/** Date.parse reads February 30 as a day of March. */
function isDayOfMonth(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
