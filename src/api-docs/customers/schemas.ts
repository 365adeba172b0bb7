// The JSON Schemas of the customers' responses.
import { TAX_CATEGORIES } from '../../companies/tax-category.js';
import { LANGUAGES } from '../../customers/record.js';
import { MAX_BATCH } from '../../customers/schema.js';
import {
  choice,
  count,
  currency,
  described,
  flag,
  list,
  money,
  number,
  object,
  orNull,
  partial,
  ref,
  rendered,
  text,
  time,
  uuid,
} from '../../platform/values/json-shape.js';
import { either, schemasOf } from '../schema-parts.js';

const CustomerAddress = object({
  line1: orNull(text),
  line2: orNull(text),
  line3: orNull(text),
  city: orNull(text),
  postalCode: orNull(text),
  region: orNull(text),
  country: described(text, 'ISO 3166-1 alpha-2 code.'),
});

const CustomerTax = object({
  rate: described(number, 'In percent.'),
  ...partial({ category: orNull(choice(TAX_CATEGORIES)), reason: orNull(text) }),
});

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
  address: orNull(ref('CustomerAddress')),
  deliveryAddress: orNull(ref('CustomerAddress')),
  taxId: orNull(text),
  registrationId: orNull(text),
  electronicAddress: orNull(
    object({ scheme: described(text, 'A code of the EAS list.'), id: text }),
  ),
  buyerReference: orNull(text),
  language: orNull(choice(LANGUAGES)),
  termsDays: described(orNull(count), "Days from an invoice's date to its due date."),
  tax: described(orNull(ref('CustomerTax')), 'The tax of invoices whose lines have no rate.'),
  creditLimit: orNull(money),
  hold: described(flag, 'New invoices are refused.'),
  currency,
  note: orNull(text),
  archived: described(flag, 'Out of use, or merged.'),
  mergedInto: described(orNull(uuid), 'The record that this one was merged into.'),
  createdAt: time,
  updatedAt: time,
});

const CustomerResult = object({
  status: described(rendered({ type: 'integer', enum: [200, 201] }), '200 for an updated record.'),
  customer: ref('Customer'),
});

const CustomerBatchResults = object({
  results: described(
    list(either('CustomerResult', 'RefusedResult'), MAX_BATCH),
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

export const customerSchemas = schemasOf({
  Customer,
  CustomerAddress,
  CustomerTax,
  CustomerResult,
  CustomerBatchResults,
});
