// The settings of requests: those of the company, with the terms and the tax that a request leaves
// to its customer's record.
import {
  findRequestCustomers,
  type RequestCustomer,
} from '../../customers/names/request-customer.js';
import type { TermsState } from '../../customers/names/terms.js';
import { type InvoiceSettings, settingsFor } from '../defaults.js';

/** The customer of a request, and the settings of its invoice. */
export interface InvoicedCustomer extends RequestCustomer {
  readonly settings: InvoiceSettings;
}

/** The company of a request, which its API key or its session knows. */
export interface InvoicingCompany extends InvoiceSettings, TermsState {}

/** The customers of requests, in their order. Bodies may be invalid. */
export async function findCustomers(
  company: InvoicingCompany,
  bodies: readonly unknown[],
): Promise<InvoicedCustomer[]> {
  const customers = await findRequestCustomers(company, bodies);
  return customers.map(customer => ({
    ...customer,
    settings: settingsFor(company, customer.terms),
  }));
}
