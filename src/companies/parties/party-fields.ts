// The schemas of the fields that a company's profile and a customer's record have in common.
import Joi from 'joi';
import { optional } from '../../platform/http/input/typed-schema.js';
import { type BrokenRule, brokenRule, codeText, text } from '../../platform/http/input/validate.js';
import { COUNTRIES, ELECTRONIC_ADDRESS_SCHEMES } from './code-lists.js';

/** Text without white space or control characters, one @ and a dot in the domain. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u;

/** The objects of which a patch may have some parts. */
export const MERGED_PARTS = ['address', 'deliveryAddress', 'electronicAddress'] as const;

export function emailAddress(): Joi.Schema {
  const broken = invalidValue('Must be an e-mail address.');
  return matching(codeText(254), value => (EMAIL.test(value) ? value : broken));
}

/** A tax id as it is stored. All spaces of Unicode are removed. */
export function plainTaxId(text: string): string {
  return text.replaceAll(/[\s.-]/gu, '').replaceAll(/[a-z]/gu, letter => letter.toUpperCase());
}

/** VAT numbers are written with spaces, dots and hyphens, which say nothing. */
export function taxId(): Joi.Schema {
  const broken = invalidValue('Must be 2 to 20 letters A to Z and digits.');
  return matching(codeText(100), value => {
    const plain = plainTaxId(value);
    if (!/^[A-Z0-9]*$/u.test(plain)) return broken;
    if (plain.length < 2) return { code: 'too_short', rule: { limit: 2 } };
    if (plain.length > 20) return { code: 'too_long', rule: { limit: 20 } };
    return plain;
  });
}

export const postalAddress = () =>
  Joi.object({
    line1: optional(text(100)),
    line2: optional(text(100)),
    line3: optional(text(100)),
    city: optional(text(100)),
    postalCode: optional(codeText(20)),
    region: optional(text(100)),
    country: codeOf(COUNTRIES, 'Must be an ISO 3166-1 alpha-2 code in upper case.')
      .required()
      .description('ISO 3166-1 alpha-2 code, such as DE.'),
  });

export const electronicAddress = () =>
  Joi.object({
    scheme: codeOf(ELECTRONIC_ADDRESS_SCHEMES, 'Must be a code of the EAS list.').required(),
    id: codeText(100).required(),
  });

/** A text schema whose value is replaced, or refused if `read` returns the broken rule. */
export function matching(
  schema: Joi.StringSchema,
  read: (value: string) => string | BrokenRule,
): Joi.Schema {
  return Joi.any()
    .custom((value: unknown, helpers) => {
      if (typeof value !== 'string') return helpers.error('wrong_type', { type: 'a string' });
      const { error, value: clean } = schema.validate(value, { convert: false });
      const [detail] = error?.details ?? [];
      const result = detail ? brokenRule(detail) : read(clean);
      return typeof result === 'string' ? result : helpers.error(result.code, result.rule);
    })
    .meta({ schema: schemaOf(schema) });
}

export const invalidValue = (sentence: string): BrokenRule => ({
  code: 'invalid_value',
  rule: { sentence },
});

function schemaOf(schema: Joi.Schema): object {
  const { metas = [] } = schema.describe() as { metas?: { schema: object }[] };
  return metas.at(-1)?.schema ?? {};
}

function codeOf(codes: readonly string[], sentence: string): Joi.Schema {
  const known = new Set(codes);
  return Joi.string()
    .custom((value: string, helpers) =>
      known.has(value) ? value : helpers.error('invalid_value', { sentence }),
    )
    .meta({ schema: { type: 'string', description: sentence } });
}

type Parts = Readonly<Record<string, unknown>>;

/**
 * The body of a merge patch (RFC 7396), in which each of these members has the parts that are
 * stored and that the body does not name. Null removes a part.
 */
export function withStoredParts(members: readonly string[], stored: Parts, body: unknown): unknown {
  if (!isObject(body)) return body;
  const merged = members.flatMap(member => {
    const [before, patch] = [stored[member], body[member]];
    if (!isObject(before) || !isObject(patch)) return [];
    const kept = Object.entries({ ...before, ...patch }).filter(
      ([part, value]) => value !== null || !(part in before),
    );
    return [[member, Object.fromEntries(kept)]];
  });
  return { ...body, ...Object.fromEntries(merged) };
}

function isObject(value: unknown): value is Parts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
