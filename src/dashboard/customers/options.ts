// The options of a customer's form, and the names of their codes.

import { COUNTRIES, ELECTRONIC_ADDRESS_SCHEMES } from '../../companies/parties/code-lists.js';
import { LANGUAGES } from '../../companies/parties/party.js';
import { isTaxCategory, TAX_CATEGORIES, type TaxCategory } from '../../companies/tax-category.js';
import type { Option } from '../kit/ui/fields.js';

const NO_OPTION: Option = { value: '', label: '–' };

function optionsOf(codes: readonly string[], label: (code: string) => string): Option[] {
  const options = codes.map(value => ({ value, label: label(value) }));
  return [NO_OPTION, ...options.sort((a, b) => a.label.localeCompare(b.label, 'en'))];
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const languageNames = new Intl.DisplayNames('en', { type: 'language' });
export const countryName = (code: string) => countryNames.of(code) ?? code;
export const languageName = (code: string) => languageNames.of(code) ?? code;

/** The names of tax categories, in all forms and reports. */
export const TAX_TYPES: Readonly<Record<TaxCategory, string>> = {
  S: 'Standard rate',
  Z: 'Zero-rated',
  E: 'Exempt',
  AE: 'Reverse charge',
  K: 'Intra-EU supply',
  G: 'Export outside the EU',
  O: 'Not subject to tax',
};

export function taxTypeName(code: string): string {
  return isTaxCategory(code) ? TAX_TYPES[code] : code;
}

export const COUNTRY_OPTIONS = optionsOf(COUNTRIES, countryName);
export const LANGUAGE_OPTIONS = optionsOf(LANGUAGES, languageName);
export const SCHEME_OPTIONS = optionsOf(ELECTRONIC_ADDRESS_SCHEMES, code => code);
export const TAX_OPTIONS = optionsOf(TAX_CATEGORIES, taxTypeName);
