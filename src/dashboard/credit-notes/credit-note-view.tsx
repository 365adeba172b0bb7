// A credit note as pages show it: the API's JSON with its figures as text.
import type { TaxGroup } from '../../invoices/invoice-json.js';
import type { CreditNote } from '../../ledger/entry-json.js';
import { findEntry } from '../../ledger/queries.js';
import type { CREDIT_REASONS } from '../../ledger/schema.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { getOr404 } from '../kit/page.js';
import { Badge, Money } from '../kit/ui/components.js';

/** Throws Problem `not_found`, even if another company has the credit note. */
export async function getCreditNote(
  companyId: string,
  id: string | undefined,
): Promise<CreditNote> {
  return parseDecimalJson(
    await getOr404('credit note', id, noteId => findEntry(companyId, 'creditNote', noteId)),
  );
}

/** The use of its money: applied to invoices, refunded, or still unallocated. */
export function CreditNoteStatus({ note }: { note: CreditNote }) {
  const { allocations, refunded, unallocated } = note;
  if (unallocated !== '0')
    return (
      <Badge tone="warn">
        <Money value={unallocated} />
        &nbsp;unallocated
      </Badge>
    );
  return <Badge>{allocations.length === 0 && refunded !== '0' ? 'Refunded' : 'Applied'}</Badge>;
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

export const CREDIT_REASON_OPTIONS = Object.entries(REASON_LABELS).map(([value, label]) => ({
  value,
  label,
}));

/**
 * The sums between the lines and the total, so that they add up: the share of the invoice's
 * discount, the subtotal and the taxes. Empty if the lines are the total.
 */
export function creditRowsBeforeTotal({
  items,
  subtotal,
  taxes,
}: CreditNote): { label: string; value: string }[] {
  const lines = items.reduce((sum, { amount }) => sum + toUnits(amount), 0n);
  const discount = toUnits(subtotal) - lines;
  return [
    ...(discount === 0n ? [] : [{ label: 'Discount', value: fromUnits(discount) }]),
    ...(taxes.length === 0 ? [] : [{ label: 'Subtotal', value: subtotal }]),
    ...taxes.map(tax => ({ label: taxLabel(tax), value: tax.amount })),
  ];
}

/** The rate of a tax group, or the category of a group without tax, and the reason. */
function taxLabel({ category, rate, reason }: TaxGroup): string {
  const label = category === 'E' ? 'Exempt' : rate === '0' ? `Tax ${category} 0%` : `Tax ${rate}%`;
  return reason === null ? label : `${label}: ${reason}`;
}
