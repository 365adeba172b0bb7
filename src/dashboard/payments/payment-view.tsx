// A payment as pages show it: the API's JSON with its figures as text.
import type { FundsUsage, Payment } from '../../ledger/entry-json.js';
import { findEntry } from '../../ledger/queries.js';
import type { METHODS } from '../../ledger/schema.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { getOr404 } from '../kit/page.js';
import { Badge } from '../kit/ui/components.js';

/** Throws Problem `not_found`, even if another company has the payment. */
export async function getPayment(companyId: string, id: string | undefined): Promise<Payment> {
  return parseDecimalJson(
    await getOr404('payment', id, paymentId => findEntry(companyId, 'payment', paymentId)),
  );
}

export function PaymentStatus({ payment: { status, unallocated } }: { payment: Payment }) {
  if (status === 'reversed') return <Badge tone="bad">Reversed</Badge>;
  return unallocated === '0' ? <Badge>Allocated</Badge> : <Badge tone="warn">Unallocated</Badge>;
}

const METHOD_LABELS: Readonly<Record<(typeof METHODS)[number], string>> = {
  bank_transfer: 'Bank transfer',
  cash: 'Cash',
  card: 'Card',
  cheque: 'Check',
  direct_debit: 'Direct debit',
  other: 'Other',
};

export function methodLabel(method: string): string {
  return METHOD_LABELS[method as keyof typeof METHOD_LABELS] ?? method;
}

/** The options of a method. The first one is for a payment whose method is not recorded. */
export const METHOD_OPTIONS = [
  { value: '', label: 'Not specified' },
  ...Object.entries(METHOD_LABELS).map(([value, label]) => ({ value, label })),
];

/** The number of the only invoice, or a count of several; null for none. */
export function invoicesLabel({ allocations }: FundsUsage): string | null {
  const [only] = allocations;
  if (only === undefined) return null;
  return allocations.length === 1 ? only.invoiceNumber : `${allocations.length} invoices`;
}
