// The schema of a change of the profile: a JSON Merge Patch (RFC 7396).
import Joi from 'joi';
import type { FieldError } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import { oneOf, optional } from '../../platform/http/input/typed-schema.js';
import { codeText, linesOfText, text } from '../../platform/http/input/validate.js';
import { LANGUAGES } from '../parties/party.js';
import {
  electronicAddress,
  emailAddress,
  invalidValue,
  matching,
  postalAddress,
  taxId,
} from '../parties/party-fields.js';
import { isIban } from './iban.js';
import { PAPERS, PAYMENT_CODES, type ProfileFields, UNTAXED_CATEGORIES } from './profile.js';

/** A valid patch. Null clears a member, or sets its default. */
export type ProfilePatch = {
  readonly [Member in keyof ProfileFields]?: ProfileFields[Member] | null;
} & {
  /** In base64. */
  readonly logo?: string | null;
};

/** The members of which a patch may have some parts. */
export const MERGED_MEMBERS = ['address', 'electronicAddress', 'untaxed'];

const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/u;

function iban(): Joi.Schema {
  const broken = invalidValue('This is not an IBAN: compare it with your bank statement.');
  return matching(codeText(50), value => {
    const plain = value.replaceAll(/[ -]/gu, '').toUpperCase();
    return isIban(plain) ? plain : broken;
  });
}

function bic(): Joi.Schema {
  const broken = invalidValue('Must be a BIC of 8 or 11 letters and digits.');
  return matching(codeText(20), value => {
    const plain = value.replaceAll(' ', '').toUpperCase();
    return BIC.test(plain) ? plain : broken;
  });
}

const MEMBERS = {
  legalName: text(255),
  address: postalAddress(),
  taxId: taxId(),
  taxNumber: codeText(50),
  registrationId: codeText(50),
  electronicAddress: electronicAddress(),
  contactName: text(100),
  email: emailAddress(),
  phone: codeText(50),
  bankName: text(100),
  iban: iban(),
  bic: bic(),
  paymentTerms: linesOfText(500),
  footer: linesOfText(500),
  untaxed: Joi.object({
    category: oneOf(...UNTAXED_CATEGORIES).required(),
    reason: optional(text(255)),
  }),
  language: oneOf(...LANGUAGES),
  paper: oneOf(...PAPERS),
  paymentQr: oneOf(...PAYMENT_CODES),
  emailCopy: emailAddress(),
  logo: Joi.string().meta({ schema: { type: 'string', contentEncoding: 'base64' } }),
} satisfies Record<keyof ProfilePatch, Joi.Schema>;

export const profilePatch = Joi.object(
  Object.fromEntries(
    Object.entries(MEMBERS).map(([member, schema]: [string, Joi.Schema]) => [
      member,
      schema.allow(null),
    ]),
  ),
).required();

/** The errors of a patch that its schema does not find. The body may be invalid elsewhere. */
export function checkUntaxed(body: unknown): FieldError[] {
  const { untaxed } = (body ?? {}) as ProfilePatch;
  if (untaxed?.category !== 'E' || (untaxed.reason ?? null) !== null) return [];
  return [fieldError(['untaxed', 'reason'], 'required', 'Required with category E.')];
}
