// A credit note as pages show it: the API's JSON with its figures as text.
import { findEntry } from '../../ledger/queries.js';
import type { CREDIT_REASONS } from '../../ledger/schema.js';
import type { TaxGroup } from '../invoices/invoice-view.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { getOr404 } from '../kit/page.js';
import type { MoneyUse } from '../payments/payment-view.js';

export interface CreditNote extends MoneyUse {
  readonly id: string;
  readonly number: string;
  readonly invoiceId: string;
  readonly invoiceNumber: string;
  readonly customerName: string;
  readonly date: string;
  readonly reason: string;
  readonly items: readonly CreditNoteLine[];
  readonly subtotal: string;
  readonly taxTotal: string;
  readonly taxes: readonly TaxGroup[];
  readonly total: string;
  readonly reference: string | null;
  readonly note: string | null;
  readonly createdAt: string;
}

export interface CreditNoteLine {
  /** The invoice's line, counted from 1. */
  readonly line: string;
  readonly name: string;
  readonly sku: string | null;
  /** Null: money alone. */
  readonly qty: string | null;
  readonly amount: string;
  readonly itemId: string | null;
  readonly restocked: boolean;
}

/** Throws Problem `not_found`, even if another company has the credit note. */
export async function getCreditNote(
  companyId: string,
  id: string | undefined,
): Promise<CreditNote> {
  return parseDecimalJson(
    await getOr404('credit note', id, noteId => findEntry(companyId, 'creditNote', noteId)),
  );
}

const REASON_LABELS: Readonly<Record<(typeof CREDIT_REASONS)[number], string>> = {
  return: 'Goods returned',
  damaged: 'Goods damaged',
  price: 'Price corrected',
  order_change: 'Order changed',
  duplicate: 'Invoiced twice',
  cancelled: 'Cancelled',
  other: 'Other',
};

export function reasonLabel(reason: string): string {
  return REASON_LABELS[reason as keyof typeof REASON_LABELS] ?? reason;
}

export const REASON_OPTIONS = Object.entries(REASON_LABELS).map(([value, label]) => ({
  value,
  label,
}));

/** S 19 %, or the category of a group without tax. */
export function taxLabel({ category, rate }: TaxGroup): string {
  return rate === '0' ? `Tax ${category} 0%` : `Tax ${rate}%`;
}
