// The query of GET /customers.
import Joi from 'joi';
import { onOff } from '../platform/http/input/query.js';
import { object, typed, type ValueOf } from '../platform/http/input/typed-schema.js';
import { codeText, cursor, type NumberSchema, pageSize } from '../platform/http/input/validate.js';

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/u;

/** An RFC 3339 time; the value is in milliseconds since 1970. */
function instant(): NumberSchema {
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

/** The largest page of customers. */
export const MAX_CUSTOMER_PAGE = 200;

export const customerQuery = object({
  limit: pageSize(50, MAX_CUSTOMER_PAGE).description('Customers per page.'),
  cursor: cursor(),
  q: codeText(255).description('Part of a name, alias, number, e-mail address or tax id.'),
  name: codeText(255).description('Full name or alias, ignoring case and spacing.'),
  number: codeText(30).description('Full number, ignoring case.'),
  externalId: codeText(100).description('Exact external id.'),
  taxId: codeText(100).description('Tax id; spaces, dots, hyphens and case do not matter.'),
  hold: onOff().description('`1` or `true` lists only customers on hold.'),
  archived: onOff().description('`1` or `true` lists the archived records instead of the others.'),
  updatedSince: instant().description('Records changed at or after this time.'),
});
export type CustomerQuery = ValueOf<typeof customerQuery>;
