// The due date and the tax rates that a company's settings add to an invoice. Imports nothing, so
// that browsers can use it.
import type { InvoiceRequest } from './schema.js';

export interface InvoiceSettings {
  readonly currency: string;
  /** Days from the date to the due date; null for none. */
  readonly termsDays: number | null;
  /** In percent; null for no tax. */
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

/** The day (YYYY-MM-DD) that many days later. */
export function addDays(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}
