// Request schemas of customers.
import Joi from 'joi';
import { LANGUAGES } from '../companies/parties/party.js';
import {
  electronicAddress,
  emailAddress,
  MERGED_PARTS,
  postalAddress,
  taxId,
} from '../companies/parties/party-fields.js';
import { MAX_TAX_RATE, TAX_CATEGORIES } from '../companies/tax-category.js';
import { MAX_TERMS_DAYS } from '../companies/terms.js';
import {
  array,
  object,
  oneOf,
  optional,
  unchecked,
  yesOrNo,
} from '../platform/http/input/typed-schema.js';
import { findsId, uuid } from '../platform/http/input/uuid.js';
import { codeText, decimal, linesOfText, text } from '../platform/http/input/validate.js';
import type { CustomerFields } from './record.js';

export const MAX_ALIASES = 100;
export const MAX_CUSTOMER_NAME = 255;
const MAX_COPIES = 5;
export const MAX_CREDIT_LIMIT = 99_999_999_999.99;

/** A valid create request, or the part of a batch request for one customer. */
export type CustomerRequest = Partial<
  Omit<CustomerFields, 'name' | 'archived'> & { readonly currency: string }
> & { readonly name: string };

/** A valid patch. Null clears a field. */
export type CustomerPatch = {
  readonly [Field in keyof CustomerFields]?: CustomerFields[Field] | null;
} & {
  readonly currency?: string | null;
};

/** Payment terms in days. */
export const wholeDays = () =>
  Joi.any()
    .custom((value: unknown, helpers) => {
      if (typeof value !== 'number') return helpers.error('wrong_type', { type: 'a number' });
      if (value < 0) return helpers.error('too_small', { limit: 0 });
      if (value > MAX_TERMS_DAYS) return helpers.error('too_large', { limit: MAX_TERMS_DAYS });
      return Number.isInteger(value)
        ? value
        : helpers.error('too_many_decimals', { sentence: 'Must be a whole number.' });
    })
    .meta({ schema: { type: 'integer', minimum: 0, maximum: MAX_TERMS_DAYS } });

const FIELDS = {
  number: () => codeText(30),
  legalName: () => text(255),
  aliases: () => Joi.array().items(text(MAX_CUSTOMER_NAME)).max(MAX_ALIASES),
  externalId: () => codeText(100),
  email: emailAddress,
  emailCc: () => Joi.array().items(emailAddress()).max(MAX_COPIES),
  phone: () => codeText(50),
  contactName: () => text(100),
  address: postalAddress,
  deliveryAddress: postalAddress,
  taxId,
  registrationId: () => codeText(50),
  electronicAddress,
  buyerReference: () => codeText(100),
  language: () => oneOf(...LANGUAGES),
  termsDays: wholeDays,
  tax: () =>
    Joi.object({
      rate: decimal(0, MAX_TAX_RATE).required(),
      category: optional(oneOf(...TAX_CATEGORIES)),
      reason: optional(text(255)),
    }),
  creditLimit: () => decimal(0, MAX_CREDIT_LIMIT),
  hold: yesOrNo,
  // `checkCustomer` compares it with the company's.
  currency: () =>
    Joi.string()
      .custom(code => code)
      .meta({ schema: { type: 'string' } }),
  note: () => linesOfText(2000),
} satisfies Record<string, () => Joi.Schema>;

const DESCRIPTIONS: Readonly<Record<keyof typeof FIELDS, string>> = {
  number: 'Your number of the customer, by default the next of C-00001, …',
  legalName: 'Printed on documents in place of `name`.',
  aliases: 'Further names on invoices and payments that mean this customer.',
  externalId: 'The id of the customer in another system.',
  email: 'The address that documents go to.',
  emailCc: 'Addresses that get a copy.',
  phone: 'Telephone number.',
  contactName: 'The person to talk to.',
  address: 'The billing address.',
  deliveryAddress: 'Where goods go.',
  taxId: 'VAT or tax number. Spaces, dots and hyphens are removed.',
  registrationId: 'Number in a register of companies.',
  electronicAddress: 'For electronic invoices: a scheme of the EAS list, and the id.',
  buyerReference: 'A reference that the customer wants on each invoice (BT-10).',
  language: 'The language of documents.',
  termsDays: "Days from an invoice's date to its due date.",
  tax: 'The tax of invoices whose lines have no rate.',
  creditLimit: 'The most the customer may owe, with the decimals of the currency.',
  hold: '`true` refuses new invoices.',
  currency: "The company's currency. Another one is refused.",
  note: 'Free text, with line feeds. Never printed.',
};

const name = () => text(MAX_CUSTOMER_NAME).description('The name that invoices have.');

function fields(
  wrap: (schema: Joi.Schema, field: string) => Joi.Schema,
): Record<string, Joi.Schema> {
  return Object.fromEntries(
    Object.entries(FIELDS).map(([field, make]) => [
      field,
      wrap(make(), field).description(DESCRIPTIONS[field as keyof typeof FIELDS]),
    ]),
  );
}

export const customerRequest = Joi.object({
  name: name().required(),
  ...fields(optional),
}).required();

/** Lets a field of a patch be null, which clears it. */
const clearable = (schema: Joi.Schema, field: string): Joi.Schema =>
  schema.allow(null).meta({ isMerged: MERGED_PARTS.some(merged => merged === field) });

const patched = {
  ...fields(clearable),
  number: codeText(30).description(DESCRIPTIONS.number),
};

export const customerPatch = Joi.object({
  name: name(),
  ...patched,
  archived: yesOrNo().description(
    '`true` takes a customer who owes nothing out of use, `false` restores it.',
  ),
}).required();

/** A request for one customer of a batch that updates the record that it finds. */
export const customerUpdate = Joi.object({ name: name().required(), ...patched }).required();

export const MAX_BATCH_CUSTOMERS = 100;

export const customerBatch = object({
  customers: array(unchecked('CustomerRequest'))
    .min(1)
    .max(MAX_BATCH_CUSTOMERS)
    .required()
    .description('The customers. Each has the form of a single create request.'),
  onExisting: optional(oneOf('refuse', 'update')).description(
    'For a customer whose `externalId`, else whose `name`, a record has: `refuse` (the default), ' +
      'or `update`, which changes the fields that were sent.',
  ),
}).required();

export const customerMerge = object({
  customerId: uuid(findsId('customers?number'))
    .required()
    .description('The duplicate. Its names become aliases.'),
}).required();
