// The ledger's kinds of write, which share one queue and its batches since they change the same
// invoices.
import { refuseOtherCurrency } from '../../jobs/checked-currency.js';
import type { WriteKind, WriteQueue } from '../../jobs/write-kind.js';
import { API } from '../../platform/api-path.js';
import type {
  AllocationPayload,
  CreditNotePayload,
  LedgerPayload,
  PaymentPayload,
  RefundPayload,
  ReversalPayload,
  VoidPayload,
} from '../payload.js';
import { entryAnswers } from '../queries.js';
import { entryEvents } from '../rules/entry-events.js';
import type { LedgerPlan } from '../rules/entry-plan.js';
import { planAllocation, planRefund } from '../rules/plan-allocation.js';
import { planCreditNote, planVoid } from '../rules/plan-credit.js';
import { planPayment, planReversal } from '../rules/plan-payment.js';
import type { LedgerState } from '../rules/state.js';
import { lockLedger } from './lock.js';
import { type PlannedEntry, writeLedger } from './write.js';

/** Assumed number of lines of an invoice that is not read yet. */
const USUAL_LINES = 20;

/** SQL for a job's result: the record of type `type`, with the id of the entries row as e. */
function resultSql(type: string, id = 'e.id'): string {
  const paths = { payment: 'payments', refund: 'refunds', creditNote: 'credit-notes' };
  const path = Object.entries(paths).map(([name, part]) => `WHEN '${name}' THEN '${part}'`);
  return `(
    SELECT row_to_json(result)
    FROM (
      SELECT r.type, r.id, '${API}/' || CASE r.type ${path.join(' ')} END || '/' || r.id AS href
      FROM entries e
      JOIN entries r ON r.company_id = e.company_id AND r.id = ${id}
      WHERE e.company_id = j.company_id AND e.id = j.result_id AND r.type ${type}
    ) result
  )`;
}

const SOURCE_OF_ENTRY = resultSql("IN ('payment', 'creditNote')", 'e.source_id');

type LedgerKind<Payload> = WriteKind<Payload, LedgerState, PlannedEntry>;

interface KindOfEntry<Payload> extends Pick<LedgerKind<Payload>, 'type' | 'readScope' | 'path'> {
  readonly resultSql: string;
  readonly lineCount: (payload: Payload) => number;
  readonly plan: WriteKind<Payload, LedgerState, LedgerPlan>['plan'];
}

/** Its plan refuses, with invalid_state, a payload that was checked with another currency. */
function ledgerKind<Payload extends LedgerPayload>(
  kind: KindOfEntry<Payload>,
): LedgerKind<Payload> {
  return {
    ...kind,
    queue: 'ledger',
    hasAmounts: true,
    plan: (write, state) => {
      const { currency } = state.company(write.companyId);
      const refusal = refuseOtherCurrency(write.payload, currency);
      if (refusal) return { refusal };
      const decision = kind.plan(write, state);
      if ('refusal' in decision) return decision;
      const { plan } = decision;
      return { plan: { ...plan, events: entryEvents(write, plan, state) } };
    },
    readBodies: entryAnswers,
  };
}

export const paymentWrites = ledgerKind<PaymentPayload>({
  type: 'payment.record',
  readScope: 'payments:read',
  resultSql: resultSql("= 'payment'"),
  path: () => `${API}/payments`,
  lineCount: ({ invoices }) => 1 + (invoices?.length ?? 0),
  plan: planPayment,
});
export const reversalWrites = ledgerKind<ReversalPayload>({
  type: 'payment.reverse',
  readScope: 'payments:read',
  resultSql: SOURCE_OF_ENTRY,
  path: ({ paymentId }) => `${API}/payments/${paymentId}/reversal`,
  lineCount: () => 1,
  plan: planReversal,
});
export const allocationWrites = ledgerKind<AllocationPayload>({
  type: 'allocation.make',
  readScope: 'payments:read',
  resultSql: SOURCE_OF_ENTRY,
  path: () => `${API}/allocations`,
  lineCount: ({ invoices }) => 1 + (invoices?.length ?? 0),
  plan: planAllocation,
});
export const refundWrites = ledgerKind<RefundPayload>({
  type: 'refund.record',
  readScope: 'payments:read',
  resultSql: resultSql("= 'refund'"),
  path: () => `${API}/refunds`,
  lineCount: () => 1,
  plan: planRefund,
});
export const creditNoteWrites = ledgerKind<CreditNotePayload>({
  type: 'creditNote.create',
  readScope: 'invoices:read',
  resultSql: resultSql("= 'creditNote'"),
  path: () => `${API}/credit-notes`,
  lineCount: ({ items }) => items?.length ?? USUAL_LINES,
  plan: planCreditNote,
});
export const voidWrites = ledgerKind<VoidPayload>({
  type: 'invoice.void',
  readScope: 'invoices:read',
  resultSql: resultSql("= 'creditNote'"),
  path: ({ invoiceId }) => `${API}/invoices/${invoiceId}/void`,
  lineCount: () => USUAL_LINES,
  plan: planVoid,
});

export const ledgerQueue: WriteQueue<LedgerPayload, LedgerState, PlannedEntry> = {
  name: 'ledger',
  label: 'ledger',
  kinds: [
    ...[paymentWrites, reversalWrites, allocationWrites],
    ...[refundWrites, creditNoteWrites, voidWrites],
  ],
  lock: lockLedger,
  write: writeLedger,
};
