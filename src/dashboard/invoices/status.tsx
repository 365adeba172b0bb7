// The state of an invoice as a badge, the same in the list and on its pages.
import { type DueInvoice, isOverdue } from '../../invoices/overdue.js';
import { Badge, type Tone } from '../kit/ui/components.js';
import { statusLabel } from './invoice-view.js';

const TONES: Readonly<Record<string, Tone>> = { open: 'plain', paid: 'done', void: 'off' };

/** Open, Overdue, Paid or Void. Only an open invoice needs no badge on a phone. */
export function InvoiceStatus({ invoice, today }: { invoice: DueInvoice; today: string }) {
  if (isOverdue(invoice, today)) return <Badge tone="bad">Overdue</Badge>;
  return <Badge tone={TONES[invoice.status] ?? 'plain'}>{statusLabel(invoice.status)}</Badge>;
}
