// The state of an invoice as a badge, the same in the list and on its pages.
import { Badge, type Tone } from '../kit/ui/components.js';
import { statusLabel } from './invoice-view.js';

/** The members that decide whether an invoice is overdue. */
export interface DueInvoice {
  readonly status: string;
  readonly dueDate: string | null;
  readonly amountDue: string;
}

/** As the API's filter: something was due before today, a day in the company's time zone. */
export function isOverdue({ status, dueDate, amountDue }: DueInvoice, today: string): boolean {
  return status === 'open' && dueDate !== null && dueDate < today && Number(amountDue) > 0;
}

const TONES: Readonly<Record<string, Tone>> = { open: 'plain', paid: 'done', void: 'off' };

/** Open, Overdue, Paid or Void. Only an open invoice needs no badge on a phone. */
export function InvoiceStatus({ invoice, today }: { invoice: DueInvoice; today: string }) {
  if (isOverdue(invoice, today)) return <Badge tone="bad">Overdue</Badge>;
  return <Badge tone={TONES[invoice.status] ?? 'plain'}>{statusLabel(invoice.status)}</Badge>;
}
