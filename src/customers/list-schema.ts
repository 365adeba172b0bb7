// The query of GET /customers.
import Joi from 'joi';
import { onOff } from '../platform/http/input/query.js';
import { cursor, pageSize, text } from '../platform/http/input/validate.js';

export interface CustomerQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly q?: string;
  readonly name?: string;
  readonly number?: string;
  readonly externalId?: string;
  readonly taxId?: string;
  readonly hold?: boolean;
  readonly archived?: boolean;
  readonly updatedSince?: string;
}

/** Postgres refuses the year 0, and offsets of 16 hours and more; none in use is above 14. */
const OFFSET = String.raw`(?:[Zz]|[+-](?:0\d|1[0-4]):[0-5]\d)`;
const RFC_3339 = new RegExp(
  String.raw`^(?<day>(?!0000)\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?${OFFSET}$`,
  'u',
);

function instant(): Joi.Schema {
  return Joi.string()
    .custom((value: string, helpers) =>
      isTime(value)
        ? value
        : helpers.error('invalid_value', { sentence: 'Must be an RFC 3339 time.' }),
    )
    .meta({ schema: { type: 'string', format: 'date-time' } });
}

function isTime(value: string): boolean {
  const { day = '' } = RFC_3339.exec(value)?.groups ?? {};
  if (day === '' || Number.isNaN(Date.parse(value.replace(' ', 'T')))) return false;
  // Date.parse takes 30 February for 2 March.
  return new Date(Date.parse(`${day}T00:00:00Z`)).toISOString().startsWith(day);
}

/** The largest page of customers. */
export const MAX_CUSTOMER_PAGE = 200;

export const customerQuery = Joi.object({
  limit: pageSize(50, MAX_CUSTOMER_PAGE).description('Customers per page.'),
  cursor: cursor(),
  q: text(255).description('Part of a name, alias, number, e-mail address or tax id.'),
  name: text(255).description('Full name or alias, ignoring case and spacing.'),
  number: text(30).description('Full number, ignoring case.'),
  externalId: text(100).description('Exact external id.'),
  taxId: text(100).description('Tax id; spaces, dots, hyphens and case do not matter.'),
  hold: onOff().description('`1` or `true` lists only customers on hold.'),
  archived: onOff().description('`1` or `true` lists the archived records instead of the others.'),
  updatedSince: instant().description('Records changed at or after this time.'),
});
