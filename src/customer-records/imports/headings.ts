// The columns of files of customers, and the headings that mean them. Pure.
import { ColumnNames, type ColumnSpec } from '../../imports/file/columns.js';
import { countryOf, languageOf, termsOf } from './words.js';

const text = (label: string, ...headings: string[]): ColumnSpec => ({
  label,
  kind: 'text',
  headings,
});

/** The parts of an address. In files, the words of an address may follow those of its purpose. */
const ADDRESS = {
  Line1: [
    'street',
    'street address',
    'address',
    'street 1',
    'line 1',
    'Straße',
    'Strasse',
    'Adresse',
  ],
  Line2: ['address 2', 'street 2', 'line 2', 'Adresszusatz', 'Straße 2'],
  Line3: ['address 3', 'street 3', 'line 3', 'Straße 3'],
  City: ['city', 'town', 'Ort', 'Stadt'],
  PostalCode: ['zip', 'zip code', 'postal code', 'postcode', 'PLZ', 'Postleitzahl'],
  Region: ['state', 'region', 'province', 'county', 'state/province', 'Bundesland', 'Kanton'],
  Country: ['country', 'country code', 'Land', 'Ländercode', 'Länderkennzeichen'],
} as const;
type AddressPart = keyof typeof ADDRESS;

const ADDRESS_LABELS: Readonly<Record<AddressPart, string>> = {
  Line1: 'line 1',
  Line2: 'line 2',
  Line3: 'line 3',
  City: 'city',
  PostalCode: 'postal code',
  Region: 'region',
  Country: 'country',
};

/** The columns of an address: addressCity is also "City", "Billing city" and "Ort". */
function addressColumns<Prefix extends string>(
  prefix: Prefix,
  label: string,
  purposes: readonly string[],
  further: Readonly<Partial<Record<AddressPart, readonly string[]>>> = {},
) {
  const columns = (Object.keys(ADDRESS) as AddressPart[]).map(part => {
    const headings = [
      ...purposes.flatMap(purpose => ADDRESS[part].map(word => `${purpose} ${word}`.trim())),
      ...(further[part] ?? []),
    ];
    const spec = text(`${label} ${ADDRESS_LABELS[part]}`, ...headings);
    return [`${prefix}${part}`, part === 'Country' ? { ...spec, read: countryOf } : spec] as const;
  });
  return Object.fromEntries(columns) as Record<`${Prefix}${AddressPart}`, ColumnSpec>;
}

/** The guide lists these spellings; any case, spacing and punctuation is the same. */
export const CUSTOMER_FILE_COLUMNS = new ColumnNames({
  name: text(
    'Name',
    ...['customer', 'customer name', 'company', 'company name', 'client', 'client name'],
    ...['organization', 'organisation', 'account name', 'display name'],
    ...['Kunde', 'Kundenname', 'Firma', 'Firmenname', 'Unternehmen'],
  ),
  number: text(
    'Number',
    ...['customer number', 'customer no', 'customer #', 'customer id', 'customer code'],
    ...['account number', 'account no', 'client number', 'client id', 'no'],
    ...['Kundennummer', 'Kunden-Nr', 'Kdnr', 'Kd-Nr', 'Debitor', 'Debitorennummer', 'Nummer'],
  ),
  externalId: text(
    'External ID',
    ...['id', 'reference id', 'external reference', 'foreign id', 'Externe ID', 'Fremdnummer'],
  ),
  legalName: text(
    'Legal name',
    ...['registered name', 'legal entity', 'Firmierung', 'Rechtlicher Name'],
  ),
  aliases: {
    label: 'Other names',
    kind: 'list',
    headings: ['alias', 'also known as', 'aka', 'Aliasnamen', 'Weitere Namen'],
  },
  email: text(
    'E-mail',
    ...['mail', 'e-mail address', 'invoice e-mail', 'billing e-mail'],
    ...['E-Mail-Adresse', 'Mailadresse', 'Rechnungs-E-Mail'],
  ),
  emailCc: {
    label: 'Copies to',
    kind: 'list',
    headings: ['cc', 'e-mail copies', 'copy to', 'Kopie an'],
  },
  phone: {
    ...text(
      'Phone',
      ...['phone number', 'telephone', 'telephone number', 'tel', 'tel no'],
      ...['Telefon', 'Telefonnummer', 'Rufnummer'],
    ),
    fallbacks: ['mobile', 'mobile phone', 'cell', 'cell phone', 'Mobil', 'Handy', 'Mobiltelefon'],
  },
  contactName: text(
    'Contact',
    ...['contact name', 'contact person', 'attention', 'attn', 'Ansprechpartner', 'Kontakt'],
    ...['Kontaktperson', 'z. Hd.'],
  ),
  ...addressColumns('address', 'Address', ['', 'billing', 'invoice', 'Rechnung', 'Rechnungs'], {
    Line1: ['street and number', 'Straße und Hausnummer', 'Straße/Hausnr', 'Anschrift'],
    Line2: ['address supplement'],
  }),
  ...addressColumns(
    'delivery',
    'Delivery',
    ['delivery', 'delivery address', 'shipping', 'ship to', 'ship-to', 'Liefer', 'Lieferung'],
    { Line1: ['Lieferanschrift'] },
  ),
  taxId: text(
    'VAT or tax ID',
    ...['VAT number', 'VAT ID', 'VAT no', 'VAT', 'VAT reg no', 'VAT registration number'],
    ...['tax ID', 'tax number', 'tax no', 'USt-ID', 'USt-IdNr', 'USt-Id-Nr', 'Umsatzsteuer-ID'],
    ...['Umsatzsteuer-Identifikationsnummer', 'UID', 'UID-Nummer', 'Steuernummer', 'MwSt-Nummer'],
  ),
  registrationId: text(
    'Registration number',
    ...['company number', 'registration no', 'company registration number', 'register number'],
    ...['Handelsregister', 'Handelsregisternummer', 'Registernummer'],
  ),
  electronicAddressScheme: text(
    'Electronic address scheme',
    ...['EAS', 'Peppol scheme', 'endpoint scheme', 'Schema der elektronischen Adresse'],
  ),
  electronicAddressId: text(
    'Electronic address',
    ...['Peppol ID', 'endpoint ID', 'Elektronische Adresse'],
  ),
  buyerReference: text(
    'Buyer reference',
    ...['their reference', 'Leitweg-ID', 'Käuferreferenz', 'Unser Zeichen'],
  ),
  language: { ...text('Language', 'document language', 'Sprache'), read: languageOf },
  termsDays: {
    ...text(
      'Payment terms',
      ...['terms', 'payment term', 'net days', 'due days', 'days to pay', 'credit terms'],
      ...['Zahlungsziel', 'Zahlungsbedingungen', 'Zahlungsbedingung', 'Zahlungsfrist'],
    ),
    read: termsOf,
  },
  taxRate: {
    label: 'Tax rate',
    kind: 'percentage',
    headings: ['tax %', 'VAT rate', 'VAT %', 'Steuersatz', 'MwSt-Satz', 'USt-Satz', 'MwSt'],
  },
  taxCategory: text('Tax category', 'tax code', 'VAT category', 'Steuerkategorie'),
  taxReason: text('Tax reason', 'exemption reason', 'Befreiungsgrund'),
  creditLimit: {
    label: 'Credit limit',
    kind: 'money',
    headings: ['limit', 'credit line', 'Kreditlimit', 'Kreditrahmen', 'Kreditlinie'],
  },
  hold: {
    label: 'On hold',
    kind: 'flag',
    headings: ['hold', 'credit hold', 'blocked', 'Gesperrt', 'Sperre', 'Liefersperre'],
  },
  note: text(
    'Note',
    ...['notes', 'comment', 'comments', 'remark', 'remarks', 'memo', 'internal note'],
    ...['Notiz', 'Notizen', 'Bemerkung', 'Bemerkungen', 'Anmerkung', 'Kommentar'],
  ),
});

export type CustomerColumn = (typeof CUSTOMER_FILE_COLUMNS.names)[number];
