// A credit note as pages show it: the API's JSON with its figures as text.
import type { TaxGroup } from '../../invoices/invoice-json.js';
import type { CreditNoteItem, CreditNoteRecord, Usage } from '../../ledger/entry-json.js';
import { findEntry } from '../../ledger/queries.js';
import type { CREDIT_REASONS } from '../../ledger/schema.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { getOr404 } from '../kit/page.js';

type Created = Omit<CreditNoteRecord, 'items' | 'usage' | 'currency'>;

export interface CreditNote extends Created, Usage {
  readonly items: readonly CreditNoteLine[];
}

export type CreditNoteLine = Omit<CreditNoteItem, 'line'>;

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
  cancelled: 'Canceled',
  other: 'Other',
};

export function reasonLabel(reason: string): string {
  return REASON_LABELS[reason as keyof typeof REASON_LABELS] ?? reason;
}

export const REASON_OPTIONS = Object.entries(REASON_LABELS).map(([value, label]) => ({
  value,
  label,
}));

/** The rate of a tax group, such as Tax 19%, or the category of a group without tax. */
export function taxLabel({ category, rate }: TaxGroup): string {
  return rate === '0' ? `Tax ${category} 0%` : `Tax ${rate}%`;
}
