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
}

export interface InvoiceLine {
  readonly name: string;
  readonly sku: string | null;
  readonly qty: string;
  readonly price: string;
  readonly amount: string;
  readonly itemId: string | null;
}

/** Throws Problem `not_found`, also for an invoice of another company. */
export async function getInvoice(companyId: string, id: string | undefined): Promise<Invoice> {
  return parseDecimalJson(
    await getOr404('invoice', id, invoiceId => findInvoice(companyId, invoiceId)),
  );
}

/** 1 line, 2 lines. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Open. */
export function statusLabel(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}
