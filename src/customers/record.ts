// A customer's record and its JSON.
import { ADDRESS, ELECTRONIC_ADDRESS, LANGUAGES } from '../companies/parties/party.js';
import { TAX_CATEGORIES } from '../companies/tax-category.js';
import { lookUpOne } from '../platform/db/sql.js';
import { foldText } from '../platform/values/folded-text.js';
import {
  choice,
  count,
  currency,
  described,
  flag,
  list,
  money,
  named,
  namedSchemas,
  number,
  object,
  orNull,
  type ParsedJson,
  partial,
  type Shape,
  text,
  time,
  uuid,
} from '../platform/values/json-shape.js';
import { digitsOf } from '../platform/values/phone.js';
import { matchKey } from '../platform/values/text.js';

const TAX = named(
  'CustomerTax',
  object({
    rate: described(number, 'In percent.'),
    ...partial({ category: orNull(choice(TAX_CATEGORIES)), reason: orNull(text) }),
  }),
);
/** The tax of invoices whose lines have none, as sent. */
export type CustomerTax = ParsedJson<typeof TAX>;

function customerShape<Currency>(inCurrency: Shape<Currency>) {
  return object({
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
    address: orNull(ADDRESS),
    deliveryAddress: orNull(ADDRESS),
    taxId: orNull(text),
    registrationId: orNull(text),
    electronicAddress: orNull(ELECTRONIC_ADDRESS),
    buyerReference: orNull(text),
    language: orNull(choice(LANGUAGES)),
    termsDays: described(orNull(count), "Days from an invoice's date to its due date."),
    tax: described(orNull(TAX), 'The tax of invoices whose lines have no rate.'),
    creditLimit: orNull(money),
    hold: described(flag, 'New invoices are refused.'),
    currency: inCurrency,
    note: orNull(text),
    archived: described(flag, 'Out of use, or merged.'),
    mergedInto: described(orNull(uuid), 'The record that this one was merged into.'),
    createdAt: time,
    updatedAt: time,
  });
}

export const CUSTOMER_JSON = named('Customer', customerShape(currency));
/** The stored JSON. Its currency is null, because a company's currency may change for a while. */
const STORED_JSON = customerShape(orNull(currency));
const NO_CURRENCY = '"currency":null';

/** For the OpenAPI document. */
export const recordSchemas = namedSchemas(CUSTOMER_JSON, ADDRESS, TAX);

export type CustomerRecord = Omit<ParsedJson<typeof CUSTOMER_JSON>, 'currency'>;
/** The fields that a client may set. */
export type CustomerFields = Omit<CustomerRecord, 'id' | 'mergedInto' | 'createdAt' | 'updatedAt'>;

/** The values of a new record, unless its request has others. */
export const EMPTY_FIELDS: Omit<CustomerFields, 'number' | 'name'> = {
  legalName: null,
  aliases: [],
  externalId: null,
  email: null,
  emailCc: [],
  phone: null,
  contactName: null,
  address: null,
  deliveryAddress: null,
  taxId: null,
  registrationId: null,
  electronicAddress: null,
  buyerReference: null,
  language: null,
  termsDays: null,
  tax: null,
  creditLimit: null,
  hold: false,
  note: null,
  archived: false,
};

/** The record's JSON text as it is stored: without its currency. */
export function renderCustomer(record: CustomerRecord): string {
  return STORED_JSON.json({ ...record, currency: null });
}

/** Reads the stored JSON text. */
export function parseCustomer(body: string): CustomerRecord {
  const { currency: _none, ...record } = JSON.parse(body);
  return record as CustomerRecord;
}

/** The stored JSON text with the company's currency: the definition of a customer's JSON. */
export function customerJson(body: string, currency: string): string {
  return body.replace(NO_CURRENCY, `"currency":"${currency}"`);
}

/** SQL for the last version v of the record c, which has its JSON. */
export const LAST_VERSION = lookUpOne(
  'customer_versions',
  'v',
  'company_id = c.company_id AND customer_id = c.id AND version = c.version',
);

/** SQL of `customerJson`. A JSON text has an unescaped quote only around a whole string. */
export function customerJsonSql(body: string, currency: string): string {
  return `replace(${body}, '${NO_CURRENCY}', '"currency":"' || ${currency} || '"')`;
}

/** The match keys of the name and the aliases. A merged record has none. */
export function nameKeys({ name, aliases, mergedInto }: CustomerRecord): string[] {
  return mergedInto === null ? [...new Set([name, ...aliases].map(matchKey))] : [];
}

/**
 * The text in which searches look: without case and accents, a line for each value. An empty line
 * separates what also finds the invoices and payments of the customer from the rest.
 */
export function searchKey(record: CustomerRecord): string {
  const { number, name, aliases, phone, contactName, address, deliveryAddress } = record;
  const { legalName, externalId, email, emailCc, taxId, registrationId, buyerReference } = record;
  const addresses = [address, deliveryAddress].filter(each => each !== null);
  const digits = phone === null ? null : digitsOf(phone);
  const parts = [
    [number, name, ...aliases, digits, contactName, ...addresses.map(({ city }) => city)],
    [
      ...[legalName, externalId, email, ...emailCc, taxId, registrationId, buyerReference],
      ...addresses.flatMap(({ line1, line2, line3, postalCode, region }) => [
        ...[line1, line2, line3, postalCode, region],
      ]),
    ],
  ];
  return parts.map(linesOf).join('\n\n');
}

function linesOf(texts: readonly (string | null | undefined)[]): string {
  const folded = texts.flatMap(text => (text == null || text === '' ? [] : [foldText(text)]));
  return [...new Set(folded)].join('\n');
}
