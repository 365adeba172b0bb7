// The events of a planned entry: the payment, credit note or refund first, then its invoices.
import type { EventActor, NewEvent } from '../../feed/stubs.js';
import type { SettledMembers } from '../../invoices/invoice-json.js';
import { fromMinor } from '../../platform/values/money.js';
import type { LedgerPlan, LedgerWrite } from './entry-plan.js';
import { dueOf, type LedgerInvoice, type LedgerState, usageOf } from './state.js';

const FUNDS = { payment: 'payment', creditNote: 'credit_note' } as const;

/** Call it after the plan, before the next one: it compares each invoice with its last event. */
export function entryEvents(
  { companyId, resultId, createdBy: actor }: LedgerWrite,
  { entry, allocations }: LedgerPlan,
  state: LedgerState,
): NewEvent[] {
  const { decimals } = state.company(companyId);
  const settled = new Set(allocations.map(({ invoice }) => invoice));
  // A void invoice over 0.00 has no allocation.
  const credited = entry.creditNote && state.invoice(companyId, entry.creditNote.invoiceId);
  if (credited) settled.add(credited);
  return [
    ...documentEvents(companyId, resultId, entry, actor, state),
    ...[...settled].flatMap(invoice => invoiceEvent(invoice, decimals, actor)),
  ];
}

function documentEvents(
  companyId: string,
  id: string,
  { type, fundsId = '' }: LedgerPlan['entry'],
  actor: EventActor | null,
  state: LedgerState,
): NewEvent[] {
  if (type === 'payment') return [{ type: 'payment.recorded', subjectId: id, actor }];
  if (type === 'creditNote') return [{ type: 'credit_note.created', subjectId: id, actor }];
  const funds = state.funds(companyId, fundsId);
  if (!funds) throw new Error(`entry ${fundsId} is not locked`);
  const changed = {
    type: type === 'reversal' ? 'payment.reversed' : `${FUNDS[funds.type]}.updated`,
    subjectId: fundsId,
    actor,
  };
  // Reversals and allocations have the JSON of what they changed. A refund has its own.
  if (type !== 'refund') return [{ ...changed, data: { entry: id } }];
  const { decimals } = state.company(companyId);
  return [
    { type: 'refund.recorded', subjectId: id, actor },
    { ...changed, data: { usage: usageOf(funds, decimals) } },
  ];
}

/** The change of an invoice since its last event, if there is one. */
function invoiceEvent(
  invoice: LedgerInvoice,
  decimals: number,
  actor: EventActor | null,
): NewEvent[] {
  const before = invoice.shown;
  const after = settledMembers(invoice, decimals);
  if (before.every((member, index) => member === after[index])) return [];
  invoice.shown = after;
  const data = after;
  return [{ type: invoiceEventType(before[0], after[0]), subjectId: invoice.id, actor, data }];
}

function invoiceEventType(before: string, after: string): string {
  if (before === after) return 'invoice.updated';
  if (after === 'void') return 'invoice.voided';
  return after === 'paid' ? 'invoice.paid' : 'invoice.reopened';
}

/** The members of an invoice's JSON that entries change. */
export function settledMembers(
  invoice: Omit<LedgerInvoice, 'shown'>,
  decimals: number,
): SettledMembers {
  const { status, paid, credited, settledOn } = invoice;
  const text = (minor: bigint) => fromMinor(minor, decimals);
  return [status, text(paid), text(credited), text(dueOf(invoice)), settledOn];
}
