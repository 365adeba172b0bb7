// The JSON Schemas of the customers' responses.
import { TAX_CATEGORIES } from '../../companies/tax-category.js';
import { LANGUAGES } from '../../customers/record.js';
import { MAX_BATCH } from '../../customers/schema.js';
import type { JsonSchema } from '../json-schema.js';
import {
  count,
  currency,
  described,
  list,
  money,
  number,
  object,
  orNull,
  ref,
  text,
  time,
  uuid,
} from '../schema-parts.js';

const CustomerAddress = object({
  line1: orNull(text),
  line2: orNull(text),
  line3: orNull(text),
  city: orNull(text),
  postalCode: orNull(text),
  region: orNull(text),
  country: described(text, 'ISO 3166-1 alpha-2 code.'),
});

const CustomerTax: JsonSchema = {
  type: 'object',
  required: ['rate'],
  properties: {
    rate: described(number, 'In percent.'),
    category: { type: ['string', 'null'], enum: [...TAX_CATEGORIES, null] },
    reason: orNull(text),
  },
};

const Customer = object({
  id: uuid,
  number: text,
  name: described(text, 'The name that new invoices get.'),
  legalName: described(orNull(text), 'Printed in place of `name`.'),
  aliases: described(list(text), 'Further names that mean this customer.'),
  externalId: orNull(text),
  email: orNull(text),
  emailCc: list(text),
  phone: orNull(text),
  contactName: orNull(text),
  address: { anyOf: [ref('CustomerAddress'), { type: 'null' }] },
  deliveryAddress: { anyOf: [ref('CustomerAddress'), { type: 'null' }] },
  taxId: orNull(text),
  registrationId: orNull(text),
  electronicAddress: {
    anyOf: [
      object({ scheme: described(text, 'A code of the EAS list.'), id: text }),
      { type: 'null' },
    ],
  },
  buyerReference: orNull(text),
  language: { type: ['string', 'null'], enum: [...LANGUAGES, null] },
  termsDays: described(orNull(count), "Days from an invoice's date to its due date."),
  tax: {
    description: 'The tax of invoices whose lines have no rate.',
    anyOf: [ref('CustomerTax'), { type: 'null' }],
  },
  creditLimit: orNull(money),
  hold: { type: 'boolean', description: 'New invoices are refused.' },
  currency,
  note: orNull(text),
  archived: { type: 'boolean', description: 'Out of use, or merged.' },
  mergedInto: described(orNull(uuid), 'The record that this one was merged into.'),
  createdAt: time,
  updatedAt: time,
});

const CustomerResult = object({
  status: { type: 'integer', enum: [200, 201], description: '200 for an updated record.' },
  customer: ref('Customer'),
});

const CustomerBatchResults = object({
  results: described(
    list({ anyOf: [ref('CustomerResult'), ref('RefusedResult')] }, MAX_BATCH),
    'In the order of the request.',
  ),
});

const OWED = 'With `credit_limit_exceeded`, and with `invalid_state` of a customer to be archived.';

/** Members of the problems of a customer. */
export const customerProblemMembers = {
  customerId: described(
    uuid,
    'With `customer_on_hold` and `credit_limit_exceeded`: the id of the record.',
  ),
  creditLimit: described(money, 'With `credit_limit_exceeded`.'),
  outstanding: described(money, OWED),
  unallocated: described(money, OWED),
  mergedInto: described(uuid, 'With `invalid_state` of a merged customer.'),
};

export const customerSchemas: Readonly<Record<string, JsonSchema>> = {
  Customer,
  CustomerAddress,
  CustomerTax,
  CustomerResult,
  CustomerBatchResults,
};
