// The due date and the tax that a customer's record and the company's settings add to an invoice.
// Browsers also use it.
import type { TaxCategory } from '../companies/tax-category.js';
import type { CustomerTerms } from '../customers/names/terms.js';
import { addDays } from '../platform/values/days.js';
import type { InvoiceRequest } from './schema.js';

export interface InvoiceSettings {
  readonly currency: string;
  /** Days from the date to the due date; null for none. */
  readonly termsDays: number | null;
  /** A percentage; null for no tax. */
  readonly defaultTaxRate: number | null;
  /** The category and the reason that come with the rate. A company's own rate has neither. */
  readonly defaultTaxCategory?: TaxCategory | undefined;
  readonly defaultTaxReason?: string | undefined;
}

/** The settings of invoices for a customer: the record's values win over the company's. */
export function settingsFor(
  company: InvoiceSettings,
  terms: CustomerTerms | null,
): InvoiceSettings {
  if (terms === null) return company;
  const { currency, termsDays, defaultTaxRate } = company;
  const { tax } = terms;
  return {
    currency,
    termsDays: terms.termsDays ?? termsDays,
    defaultTaxRate: tax ? tax.rate : defaultTaxRate,
    defaultTaxCategory: tax?.category ?? undefined,
    defaultTaxReason: tax?.reason ?? undefined,
  };
}

/** Adds the due date and the tax that a valid request leaves to the settings. */
export function withDefaults(request: InvoiceRequest, settings: InvoiceSettings): InvoiceRequest {
  const { termsDays, defaultTaxRate } = settings;
  if (termsDays === null && defaultTaxRate === null) return request;
  const { date, dueDate, items } = request;
  const isTaxed = items.some(line => line.taxRate !== undefined);
  return {
    ...request,
    ...(dueDate === undefined && termsDays !== null ? { dueDate: addDays(date, termsDays) } : {}),
    ...(defaultTaxRate === null || isTaxed
      ? {}
      : taxedByDefault(request, defaultTaxRate, settings)),
  };
}

function taxedByDefault(
  { items, taxReason }: InvoiceRequest,
  taxRate: number,
  { defaultTaxCategory: taxCategory, defaultTaxReason: reason }: InvoiceSettings,
): Pick<InvoiceRequest, 'items' | 'taxReason'> {
  const category = taxCategory === undefined ? {} : { taxCategory };
  return {
    // A line without a rate may have a category of its own.
    items: items.map(line => ({ ...category, ...line, taxRate })),
    ...(reason === undefined || taxReason !== undefined ? {} : { taxReason: reason }),
  };
}
