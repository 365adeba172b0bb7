// The data that documents show of a seller and of a buyer: the parts that a company's profile and a
// customer's record have in common.
import {
  described,
  type JsonValue,
  named,
  object,
  orNull,
  text,
} from '../../platform/values/json-shape.js';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];

export const ADDRESS = named(
  'CustomerAddress',
  object({
    line1: orNull(text),
    line2: orNull(text),
    line3: orNull(text),
    city: orNull(text),
    postalCode: orNull(text),
    region: orNull(text),
    country: described(text, 'ISO 3166-1 alpha-2 code.'),
  }),
);
export type Address = JsonValue<typeof ADDRESS>;

/** With null for the lines that a request lacks. */
export function wholeAddress(address: Partial<Address> & Pick<Address, 'country'>): Address {
  const { line1 = null, line2 = null, line3 = null } = address;
  const { city = null, postalCode = null, region = null, country } = address;
  return { line1, line2, line3, city, postalCode, region, country };
}

export const ELECTRONIC_ADDRESS = object({
  scheme: described(text, 'A code of the EAS list.'),
  id: text,
});
export type ElectronicAddress = JsonValue<typeof ELECTRONIC_ADDRESS>;
