// A customer's record and its JSON.
import type { TaxCategory } from '../companies/tax-category.js';
import { lookUpOne } from '../platform/db/sql.js';
import { foldText } from '../platform/values/folded-text.js';
import { matchKey } from '../platform/values/text.js';

export interface Address {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly line3: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  readonly region: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** The tax of invoices whose lines have none, as sent. */
export interface CustomerTax {
  /** In percent. */
  readonly rate: number;
  readonly category?: TaxCategory;
  /** Why no tax is due. */
  readonly reason?: string;
}

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const;

/** The fields that a client may set. */
export interface CustomerFields {
  readonly number: string;
  readonly name: string;
  readonly legalName: string | null;
  readonly aliases: readonly string[];
  readonly externalId: string | null;
  readonly email: string | null;
  readonly emailCc: readonly string[];
  readonly phone: string | null;
  readonly contactName: string | null;
  readonly address: Address | null;
  readonly deliveryAddress: Address | null;
  readonly taxId: string | null;
  readonly registrationId: string | null;
  /** An EAS code, and the address in that scheme. */
  readonly electronicAddress: { readonly scheme: string; readonly id: string } | null;
  readonly buyerReference: string | null;
  readonly language: (typeof LANGUAGES)[number] | null;
  readonly termsDays: number | null;
  readonly tax: CustomerTax | null;
  readonly creditLimit: number | null;
  readonly hold: boolean;
  readonly note: string | null;
  readonly archived: boolean;
}

export interface CustomerRecord extends CustomerFields {
  readonly id: string;
  /** The record that this one was merged into. */
  readonly mergedInto: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

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

/** The stored currency. A record has that of its company, which may change for a while. */
const NO_CURRENCY = '"currency":null';

/** The record's JSON text as it is stored: without its currency. */
export function renderCustomer(record: CustomerRecord): string {
  const { id, number, name, note, archived, mergedInto, createdAt, updatedAt, ...data } = record;
  return JSON.stringify({
    id,
    number,
    name,
    legalName: data.legalName,
    aliases: data.aliases,
    externalId: data.externalId,
    email: data.email,
    emailCc: data.emailCc,
    phone: data.phone,
    contactName: data.contactName,
    address: data.address && addressJson(data.address),
    deliveryAddress: data.deliveryAddress && addressJson(data.deliveryAddress),
    taxId: data.taxId,
    registrationId: data.registrationId,
    electronicAddress: data.electronicAddress && {
      scheme: data.electronicAddress.scheme,
      id: data.electronicAddress.id,
    },
    buyerReference: data.buyerReference,
    language: data.language,
    termsDays: data.termsDays,
    tax: data.tax,
    creditLimit: data.creditLimit,
    hold: data.hold,
    currency: null,
    note,
    archived,
    mergedInto,
    createdAt,
    updatedAt,
  });
}

function addressJson({ line1, line2, line3, city, postalCode, region, country }: Address) {
  return { line1, line2, line3, city, postalCode, region, country };
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

/** The folded name and aliases. A merged record has none. */
export function nameKeys({ name, aliases, mergedInto }: CustomerRecord): string[] {
  return mergedInto === null ? [name, ...aliases].map(matchKey) : [];
}

/** The text in which `q` looks: without case and accents, a line for each value. */
export function searchKey({ name, aliases, number, email, taxId }: CustomerRecord): string {
  return [name, ...aliases, number, email, taxId]
    .flatMap(text => (text === null ? [] : [foldText(text)]))
    .join('\n');
}
