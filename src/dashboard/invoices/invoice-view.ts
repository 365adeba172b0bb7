// An invoice as pages show it: the API's JSON with its figures as text.
import type { INVOICE } from '../../invoices/issued/invoice-shape.js';
import { type DueInvoice, isOverdue } from '../../invoices/overdue.js';
import { findInvoice } from '../../invoices/queries.js';
import { hasCreditNotes } from '../../ledger/creditable.js';
import { mayVoid } from '../../ledger/rules/may-void.js';
import type { JsonValue } from '../../platform/values/json-shape.js';
import { toUnits } from '../../platform/values/money.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { getOr404 } from '../kit/page.js';

export type Invoice = JsonValue<typeof INVOICE> & {
  /** Whether any credit note was created for it, even if other invoices have its money. */
  readonly hasNotes: boolean;
};
export type InvoiceLine = Invoice['items'][number];

/** Throws Problem `not_found`, even if another company has the invoice. */
export async function getInvoice(companyId: string, id: string | undefined): Promise<Invoice> {
  const body = await getOr404('invoice', id, invoiceId => findInvoice(companyId, invoiceId));
  const invoice = parseDecimalJson<JsonValue<typeof INVOICE>>(body);
  return { ...invoice, hasNotes: await hasCreditNotes(companyId, invoice.id) };
}

/** A sentence that says why the invoice may not be voided; null if it may. */
export function voidRefusal(invoice: Invoice): string | null {
  const { number, status, amountPaid, amountCredited, amountDue, hasNotes } = invoice;
  const [paid, credited] = [toUnits(amountPaid), toUnits(amountCredited)];
  if (mayVoid({ status, paid, credited, hasNotes })) return null;
  if (status === 'void') return `Invoice ${number} is void.`;
  if (paid === 0n && credited === 0n)
    return `Invoice ${number} has a credit note. Credit the remainder instead.`;
  if (toUnits(amountDue) > 0n)
    return `Invoice ${number} is paid or credited in part. Credit the remainder instead.`;
  return credited === 0n
    ? `Invoice ${number} is paid. Create a credit note instead.`
    : `Invoice ${number} is paid or credited in full.`;
}

/** The days since the due date of an overdue invoice; 0 for any other one. */
export function daysOverdue(invoice: DueInvoice, today: string): number {
  if (invoice.dueDate === null || !isOverdue(invoice, today)) return 0;
  return (Date.parse(today) - Date.parse(invoice.dueDate)) / DAY_MS;
}
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The status with a capital letter, such as Open. */
export function statusLabel(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}
