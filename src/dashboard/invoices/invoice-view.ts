// One invoice as pages show it: the API's JSON with its figures as text.
import { findInvoice } from '../../invoices/queries.js';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/values/ids.js';
import { parseDecimalJson } from '../kit/decimal-json.js';

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

/** Throws Problem `not_found`, of another company's invoice as of one that never was. */
export async function getInvoice(companyId: string, id: string): Promise<Invoice> {
  const body = isUuid(id) ? await findInvoice(companyId, id) : null;
  if (body === null) throw new Problem('not_found', 'There is no such invoice.');
  return parseDecimalJson<Invoice>(body);
}
