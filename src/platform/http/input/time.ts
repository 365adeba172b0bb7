// A time as a query parameter.
import Joi from 'joi';
import { DAY_MS } from '../../values/days.js';
import { typed } from './typed-schema.js';
import type { NumberSchema } from './validate.js';

const MINUTE = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const RFC_3339 = new RegExp(
  `^(\\d{4}-\\d{2}-\\d{2})[Tt ](${MINUTE}):([0-5]\\d|60)(?:\\.(\\d{1,9}))?([Zz]|[+-]${MINUTE})$`,
  'u',
);

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

/**
 * Milliseconds since 1970, rounded up; null if the value is no RFC 3339 time. A leap second, which
 * only ends a day in UTC, counts as the second after it.
 */
export function millisecondsOf(value: unknown): number | null {
  const text = typeof value === 'string' ? value : '';
  const [, date = '', minute = '', second = '', fraction = '', offset = ''] =
    RFC_3339.exec(text) ?? [];
  if (!isDayOfMonth(date)) return null;
  const minuteMs = Date.parse(`${date}T${minute}:00${offset.toUpperCase()}`);
  const wholeSeconds = minuteMs + Number(second) * 1_000;
  if (second === '60' && wholeSeconds % DAY_MS !== 0) return null;
  const nanoseconds = Number(fraction.padEnd(9, '0'));
  return wholeSeconds + Math.ceil(nanoseconds / 1_000_000);
}

/** Date.parse reads February 30 as a day of March. */
function isDayOfMonth(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
