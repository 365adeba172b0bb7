// The rules of EN 16931-1 (6.4) that the product's data can break. The others hold by the way in
// which an electronic invoice is made of them. Each is a pure function, and each has a test with an
// invoice that breaks it alone.
import { WITHDRAWN_CURRENCIES } from '../../platform/values/money.js';
import type { EInvoice, TaxBreakdown } from './semantic.js';

export interface Rule {
  readonly id: string;
  readonly isMet: (invoice: EInvoice) => boolean;
  /** The member that is missing: in the company's profile, the customer's record or the invoice. */
  readonly pointer: (invoice: EInvoice) => string;
  readonly detail: string;
}

const hasCategory = ({ taxes }: EInvoice, category: string) =>
  taxes.some(tax => tax.category === category);

/** The condition holds where the invoice has this tax category. */
const where =
  (category: string, condition: (invoice: EInvoice) => boolean) => (invoice: EInvoice) =>
    !hasCategory(invoice, category) || condition(invoice);

const hasTaxNumber = ({ seller }: EInvoice) => seller.vatId !== null || seller.taxNumber !== null;
const hasVatId = ({ seller }: EInvoice) => seller.vatId !== null;

const at = (pointer: string) => () => pointer;
const COMPANY_TAX_ID = at('/company/taxId');
const YOUR_TAX_ID = 'Enter your VAT or tax number under Settings → Documents.';
const YOUR_VAT_ID =
  'Enter your VAT number, with the code of its country, under Settings → Documents.';

/** In the order in which problems list them. */
export const RULES: readonly Rule[] = [
  {
    id: 'BR-08',
    isMet: ({ seller }) => seller.address !== null,
    pointer: at('/company/address'),
    detail: 'Enter your address under Settings → Documents.',
  },
  {
    id: 'BR-09',
    isMet: ({ seller }) => seller.address === null || seller.address.country !== '',
    pointer: at('/company/address/country'),
    detail: 'Enter the country of your address under Settings → Documents.',
  },
  {
    id: 'BR-CO-26',
    isMet: ({ seller }) =>
      seller.identifier !== null || seller.registration !== null || seller.vatId !== null,
    pointer: invoice => (hasCategory(invoice, 'O') ? '/company/taxNumber' : '/company/taxId'),
    detail: 'Enter a tax, VAT or registration number under Settings → Documents.',
  },
  ...['S', 'Z', 'E', 'AE'].map(
    (category): Rule => ({
      id: `BR-${category}-02`,
      isMet: where(category, invoice => hasTaxNumber(invoice)),
      pointer: COMPANY_TAX_ID,
      detail: YOUR_TAX_ID,
    }),
  ),
  {
    id: 'BR-IC-02',
    isMet: where('K', hasVatId),
    pointer: COMPANY_TAX_ID,
    detail: YOUR_VAT_ID,
  },
  { id: 'BR-G-02', isMet: where('G', hasVatId), pointer: COMPANY_TAX_ID, detail: YOUR_VAT_ID },
  {
    id: 'BR-10',
    isMet: ({ buyer }) => buyer.address !== null,
    pointer: at('/customer/address'),
    detail: "Enter the customer's address in the customer's record.",
  },
  {
    id: 'BR-11',
    isMet: ({ buyer }) => buyer.address === null || buyer.address.country !== '',
    pointer: at('/customer/address/country'),
    detail: "Enter the country of the customer's address in the customer's record.",
  },
  {
    id: 'BR-AE-02',
    isMet: where('AE', ({ buyer }) => buyer.vatId !== null || buyer.registration !== null),
    pointer: at('/customer/taxId'),
    detail: "Enter the customer's VAT or registration number in the customer's record.",
  },
  {
    id: 'BR-IC-02',
    isMet: where('K', ({ buyer }) => buyer.vatId !== null),
    pointer: at('/customer/taxId'),
    detail: "Enter the customer's VAT number, with the code of its country, in the record.",
  },
  {
    id: 'BR-IC-12',
    isMet: where('K', ({ deliveryAddress }) => deliveryAddress !== null),
    pointer: at('/customer/deliveryAddress'),
    detail: "Enter where the goods go in the customer's record.",
  },
  {
    id: 'BR-E-10',
    isMet: ({ taxes }) =>
      taxes.every(({ category, reason }) => category !== 'E' || reason !== null),
    pointer: at('/company/untaxed/reason'),
    detail: 'Enter the reason of the exemption under Settings → Documents.',
  },
];

/** A reason why a format cannot express a document, whatever is entered. */
export interface FormatLimit {
  readonly id: string;
  readonly isMet: (invoice: EInvoice) => boolean;
  readonly detail: string;
}

export const LIMITS: readonly FormatLimit[] = [
  {
    id: 'BR-DEC',
    isMet: ({ decimals }) => decimals <= 2,
    detail: 'Electronic invoices have amounts of at most 2 decimals, and the currency has more.',
  },
  {
    id: 'BR-CO-17',
    isMet: ({ taxes }) => taxes.every(isRoundedAsOfficially),
    detail: 'Electronic invoices cannot have tax at a rate below 0.5%.',
  },
  {
    id: 'BR-S-09',
    isMet: ({ taxes }) => taxes.every(isNearRate),
    detail:
      'The tax of this credit note is a rounded share of the tax of its invoice. It differs from ' +
      'its rate by more than electronic invoices allow.',
  },
  {
    id: 'BR-CL-04',
    isMet: ({ currency }) => !WITHDRAWN_CURRENCIES.has(currency),
    detail: 'Electronic invoices cannot have a currency that no longer exists.',
  },
];

/**
 * The official check allows the tax to differ from its rate by less than 1 in units of the
 * currency. Only tax without decimals, in shares of several credit notes, can differ by so much.
 */
function isNearRate({ base, rate, tax }: TaxBreakdown): boolean {
  const exact = Math.round(Number(base) * Number(rate ?? 0)) / 100;
  return Math.abs(Number(tax) - exact) < 1;
}

/** The official check takes a rate that rounds to 0 for none. */
function isRoundedAsOfficially({ rate, tax }: TaxBreakdown): boolean {
  const percent = Number(rate ?? 0);
  return percent === 0 || percent >= 0.5 || Number(tax) < 0.5;
}
