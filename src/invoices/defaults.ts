// The due date and the tax rates that a company's settings add to an invoice. Browsers use it, too.
import { addDays } from '../platform/values/days.js';
import type { InvoiceRequest } from './schema.js';

export interface InvoiceSettings {
  readonly currency: string;
  /** Days from the date to the due date; null for none. */
  readonly termsDays: number | null;
  /** A percentage; null for no tax. */
  readonly defaultTaxRate: number | null;
}

/** Adds the due date and the tax rates that a valid request leaves to the settings. */
export function withDefaults(request: InvoiceRequest, settings: InvoiceSettings): InvoiceRequest {
  const { termsDays, defaultTaxRate: taxRate } = settings;
  if (termsDays === null && taxRate === null) return request;
  const { date, dueDate, items } = request;
  const isTaxed = items.some(line => line.taxRate !== undefined);
  return {
    ...request,
    ...(dueDate === undefined && termsDays !== null ? { dueDate: addDays(date, termsDays) } : {}),
    ...(taxRate === null || isTaxed ? {} : { items: items.map(line => ({ ...line, taxRate })) }),
  };
}
