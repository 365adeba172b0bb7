// Plans the writes of a batch in order: decides each against the locked rows, changes those rows,
// and takes the sequence of its entry. Pure and synchronous.
import type { Decision } from '../../jobs/write-kind.js';
import type { LedgerPlan, LedgerWrite } from './entry-plan.js';
import { planAllocation, planRefund } from './plan-allocation.js';
import { planCreditNote, planVoid } from './plan-credit.js';
import { planPayment, planReversal } from './plan-payment.js';
import type { LedgerState } from './state.js';

export function planWrites(
  writes: readonly LedgerWrite[],
  state: LedgerState,
): Decision<LedgerPlan>[] {
  return writes.map(write => planWrite(write, state));
}

function planWrite(write: LedgerWrite, state: LedgerState): Decision<LedgerPlan> {
  const { payload } = write;
  switch (payload.type) {
    case 'payment.record':
      return planPayment({ ...write, payload }, state);
    case 'payment.reverse':
      return planReversal({ ...write, payload }, state);
    case 'allocation.make':
      return planAllocation({ ...write, payload }, state);
    case 'refund.record':
      return planRefund({ ...write, payload }, state);
    case 'creditNote.create':
      return planCreditNote({ ...write, payload }, state);
    case 'invoice.void':
      return planVoid({ ...write, payload }, state);
  }
}
