// Plans the writes of a batch in order: decides each against the locked rows, changes those rows,
// and takes the sequence of its entry. Pure and synchronous. Refuses with invalid_state what was
// checked with another currency.
import { refuseOtherCurrency } from '../../jobs/checked-currency.js';
import type { Decision } from '../../jobs/write-kind.js';
import type { LedgerPayload } from '../payload.js';
import type { LedgerPlan, LedgerWrite } from './entry-plan.js';
import { planAllocation, planRefund } from './plan-allocation.js';
import { planCreditNote, planVoid } from './plan-credit.js';
import { planPayment, planReversal } from './plan-payment.js';
import type { LedgerState } from './state.js';

export function planWrites(
  writes: readonly LedgerWrite[],
  state: LedgerState,
): Decision<LedgerPlan>[] {
  return writes.map(write => {
    const { currency } = state.company(write.companyId);
    const changed = refuseOtherCurrency(write.payload, currency);
    return changed ? { refusal: changed } : planWrite(write, state);
  });
}

function planWrite(write: LedgerWrite, state: LedgerState): Decision<LedgerPlan> {
  const each = write as WriteOf<LedgerPayload>;
  if (isOf(each, 'payment.record')) return planPayment(each, state);
  if (isOf(each, 'payment.reverse')) return planReversal(each, state);
  if (isOf(each, 'allocation.make')) return planAllocation(each, state);
  if (isOf(each, 'refund.record')) return planRefund(each, state);
  if (isOf(each, 'creditNote.create')) return planCreditNote(each, state);
  return planVoid(each, state);
}

/** One type per kind of payload, where LedgerWrite has a payload of any kind. */
type WriteOf<Payload> = Payload extends LedgerPayload ? LedgerWrite<Payload> : never;

function isOf<Type extends LedgerPayload['type']>(
  write: WriteOf<LedgerPayload>,
  type: Type,
): write is WriteOf<Extract<LedgerPayload, { type: Type }>> {
  return write.payload.type === type;
}
