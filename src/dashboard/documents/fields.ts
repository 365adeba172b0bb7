// The fields of the profile's form: their values from a profile, and the merge patch of those that
// were edited.
import type { Profile } from '../../companies/profile/profile.js';
import { profilePatch } from '../../companies/profile/schema.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import { fieldTypesOf } from '../kit/forms/field-limits.js';
import { bodyOf, isEdited } from '../kit/forms/form.js';

const ADDRESS = ['line1', 'line2', 'line3', 'postalCode', 'city', 'region', 'country'];

/** The names of the fields, of which some are parts of a member. */
export const PROFILE_FIELDS: readonly string[] = [
  ...['legalName', ...ADDRESS.map(part => `address.${part}`)],
  ...['taxId', 'taxNumber', 'registrationId'],
  ...['electronicAddress.scheme', 'electronicAddress.id'],
  ...['contactName', 'email', 'phone', 'emailCopy', 'bankName', 'iban', 'bic', 'paymentQr'],
  ...['paymentTerms', 'footer', 'untaxed.category', 'untaxed.reason', 'language', 'paper'],
];

const memberOf = (name: string): string => name.replace(/\..*$/u, '');

export function profileFields(profile: Profile): FormFields {
  const texts = PROFILE_FIELDS.map(name => {
    const value = name
      .split('.')
      .reduce<unknown>(
        (at, part) => (at as Readonly<Record<string, unknown>> | null)?.[part],
        profile,
      );
    return [name, value === null || value === undefined ? '' : String(value)] as const;
  });
  return new FormFields(texts.filter(([, text]) => text !== ''));
}

/** The patch of the members whose fields were edited since the page was opened. */
export function profilePatchOf(form: FormFields): Record<string, unknown> {
  const own = new FormFields([...form].filter(([name]) => PROFILE_FIELDS.includes(name)));
  const filled = bodyOf(own, fieldTypesOf(profilePatch, null)) as Readonly<Record<string, unknown>>;
  const edited = PROFILE_FIELDS.filter(name => isEdited(form, name));
  return Object.fromEntries(
    [...new Set(edited.map(memberOf))].map(member => {
      const value = filled[member] ?? null;
      if (typeof value !== 'object' || value === null) return [member, value];
      const emptied = edited
        .filter(name => name.startsWith(`${member}.`) && (form.get(name) ?? '') === '')
        .map(name => [name.slice(member.length + 1), null]);
      return [member, { ...Object.fromEntries(emptied), ...value }];
    }),
  );
}
