// An invoice as pages show it: the API's JSON with its figures as text.
import { findInvoice } from '../../invoices/queries.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { getOr404 } from '../kit/page.js';

export interface Invoice {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly customerName: string;
  readonly date: string;
  readonly items: readonly InvoiceLine[];
  readonly total: string;
  readonly reference: string | null;
  readonly createdAt: string;
  readonly dueDate: string | null;
  readonly orderReference: string | null;
  readonly deliveryDate: string | null;
  readonly note: string | null;
  readonly discount: (LineDiscount & { readonly reason: string | null }) | null;
  readonly subtotal: string;
  readonly taxTotal: string;
  readonly taxes: readonly TaxGroup[];
  readonly amountPaid: string;
  readonly amountCredited: string;
  readonly amountDue: string;
  readonly settledOn: string | null;
}

/** `percent` is null for a discount that was given as an amount. */
export interface LineDiscount {
  readonly percent: string | null;
  readonly amount: string;
}

export interface TaxGroup {
  readonly category: string;
  readonly rate: string;
  readonly base: string;
  readonly amount: string;
  readonly reason: string | null;
}

export interface InvoiceLine {
  readonly name: string;
  readonly sku: string | null;
  readonly qty: string;
  readonly price: string;
  readonly amount: string;
  readonly itemId: string | null;
  readonly discount?: LineDiscount;
  readonly taxRate?: string;
  readonly taxCategory?: string;
}

/** Throws Problem `not_found`, even if another company has the invoice. */
export async function getInvoice(companyId: string, id: string | undefined): Promise<Invoice> {
  return parseDecimalJson(
    await getOr404('invoice', id, invoiceId => findInvoice(companyId, invoiceId)),
  );
}

/** 1 line, 2 lines. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Open. */
export function statusLabel(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}
