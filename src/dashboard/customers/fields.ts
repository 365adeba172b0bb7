// The fields of a customer's form: their labels, their values from a record, and the request that
// they make. A list is a text with a line for each element.

import { MERGED_PARTS } from '../../companies/parties/party-fields.js';
import { customerRequest } from '../../customers/schema.js';
import { Problem } from '../../platform/errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import { fieldTypesOf } from '../kit/forms/field-limits.js';
import { bodyOf, isEdited, plainText, withoutTabs } from '../kit/forms/form.js';
import { WAS_PREFIX } from '../kit/forms/form-state.js';
import type { PageRequest } from '../kit/page.js';
import type { Customer } from './customer-view.js';

/** The labels of a record's fields, in the order of its JSON; of an object, by its members. */
export const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  number: 'Number',
  legalName: 'Legal name',
  aliases: 'Other names',
  externalId: 'External ID',
  email: 'E-mail',
  emailCc: 'Copies to',
  phone: 'Phone',
  contactName: 'Contact person',
  'address.line1': 'Address line 1',
  'address.line2': 'Address line 2',
  'address.line3': 'Address line 3',
  'address.city': 'City',
  'address.postalCode': 'Postal code',
  'address.region': 'State or region',
  'address.country': 'Country',
  'deliveryAddress.line1': 'Delivery: line 1',
  'deliveryAddress.line2': 'Delivery: line 2',
  'deliveryAddress.line3': 'Delivery: line 3',
  'deliveryAddress.city': 'Delivery: city',
  'deliveryAddress.postalCode': 'Delivery: postal code',
  'deliveryAddress.region': 'Delivery: state or region',
  'deliveryAddress.country': 'Delivery: country',
  taxId: 'Tax ID',
  registrationId: 'Registration number',
  'electronicAddress.scheme': 'Electronic address: scheme',
  'electronicAddress.id': 'Electronic address',
  buyerReference: 'Buyer reference',
  language: 'Language',
  termsDays: 'Payment terms (days)',
  'tax.rate': 'Tax rate (%)',
  'tax.category': 'Tax type',
  'tax.reason': 'Exemption reason',
  creditLimit: 'Credit limit',
  hold: 'On hold',
  note: 'Note',
};
export const FIELD_NAMES = Object.keys(LABELS);

const LISTS: ReadonlySet<string> = new Set(['aliases', 'emailCc']);
/** The errors of a list's elements are at its one field. */
export const LIST_ERRORS = { 'aliases.*': 'aliases', 'emailCc.*': 'emailCc' };
const REQUIRED: ReadonlySet<string> = new Set(['name', 'number']);

/** The members of a record, each with the names of its fields. */
const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map(
  FIELD_NAMES.map(name => memberOf(name)).map(member => [
    member,
    FIELD_NAMES.filter(name => memberOf(name) === member),
  ]),
);

function memberOf(name: string): string {
  return name.replace(/\..*$/u, '');
}

/** The texts of the fields that have one. */
export function textsOf(customer: Partial<Customer>): Map<string, string> {
  const texts = FIELD_NAMES.map(name => [name, textOf(customer, name)] as const);
  return new Map(texts.filter(([, text]) => text !== ''));
}

function textOf(customer: Partial<Customer>, name: string): string {
  let value: unknown = customer;
  for (const part of name.split('.'))
    value = (value as Readonly<Record<string, unknown>> | null)?.[part];
  if (Array.isArray(value)) return value.join('\n');
  return value === undefined || value === null || value === false ? '' : String(value);
}

export function customerFields(customer: Customer): FormFields {
  return new FormFields(textsOf(customer));
}

/** The body that creates such a record. */
export function createBody(request: PageRequest): Record<string, unknown> {
  const { form } = request;
  const lists = [...LISTS].map(name => [name, linesOf(form, name)] as const);
  return { ...ownFields(request), ...Object.fromEntries(lists) };
}

/**
 * The merge patch of the fields that were changed since the page was opened. Null removes a part
 * that was emptied. The API replaces a tax as a whole.
 */
export function patchBody(request: PageRequest): Record<string, unknown> {
  const { form } = request;
  const filled = ownFields(request);
  const changed = [...MEMBERS].filter(([, names]) => names.some(name => isEdited(form, name)));
  return Object.fromEntries(
    changed.map(([member, names]) => {
      if (LISTS.has(member)) return [member, linesOf(form, member)];
      const value = filled[member] ?? (REQUIRED.has(member) ? '' : null);
      return [
        member,
        isMerged(member) && isParts(value) ? changedParts(form, names, value) : value,
      ];
    }),
  );
}

/**
 * Throws Problem `invalid_state` if a patch that replaces a tax, or removes an address, would undo
 * a change of another part of it that was made since the page was opened.
 */
export function refuseLostChanges({ form }: PageRequest, current: Customer): void {
  for (const [member, what] of Object.entries(REPLACED)) {
    const names = MEMBERS.get(member) ?? [];
    if (!names.some(name => isEdited(form, name))) continue;
    const isRemoved = names.every(name => plainText(form.get(name) ?? '') === '');
    if (isMerged(member) && (!isRemoved || current[member as keyof Customer] === null)) continue;
    const isOutdated = names.some(
      name =>
        (isMerged(member) || !isEdited(form, name)) &&
        plainText(form.get(WAS_PREFIX + name) ?? '') !== textOf(current, name),
    );
    if (!isOutdated) continue;
    const changed = `The ${what} of this customer has changed since the page was opened.`;
    throw new Problem('invalid_state', `${changed} Open the page again and change it there.`);
  }
}

/** The members that a patch replaces or removes as a whole, in the words of a person. */
const REPLACED: Readonly<Record<string, string>> = {
  tax: 'tax',
  address: 'address',
  deliveryAddress: 'delivery address',
  electronicAddress: 'electronic address',
};

function ownFields({ form, session }: PageRequest): Record<string, unknown> {
  const own = new FormFields([...form].filter(([name]) => name in LABELS && !LISTS.has(name)));
  return bodyOf(own, fieldTypesOf(customerRequest, session));
}

function isMerged(member: string): boolean {
  return MERGED_PARTS.some(merged => merged === member);
}

function isParts(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function changedParts(
  form: FormFields,
  names: readonly string[],
  parts: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changed = names.filter(name => isEdited(form, name));
  return Object.fromEntries(
    changed.flatMap(name => {
      const part = name.slice(name.indexOf('.') + 1);
      const isEmptied = (form.get(WAS_PREFIX + name) ?? '') !== '';
      return part in parts || isEmptied ? [[part, parts[part] ?? null]] : [];
    }),
  );
}

function linesOf(form: FormFields, name: string): string[] {
  return withoutTabs(plainText(form.get(name) ?? ''))
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}
