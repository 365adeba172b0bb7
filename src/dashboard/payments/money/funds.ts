// Funds are a payment or a credit note: both share the pages that allocate or refund their money.
import type { FundsUsage } from '../../../ledger/entry-json.js';
import type { FundsRequest } from '../../../ledger/schema.js';
import { Problem } from '../../../platform/errors.js';
import { getCreditNote } from '../../credit-notes/credit-note-view.js';
import type { PageRequest } from '../../kit/page.js';
import { getPayment } from '../payment-view.js';

export type FundsKind = 'payment' | 'creditNote';

export interface FundsView extends FundsUsage {
  readonly kind: FundsKind;
  readonly id: string;
  /** The address of its page. */
  readonly path: string;
  /** The object of a sentence: 'this payment'. */
  readonly name: string;
  readonly customerName: string;
  readonly isReversed: boolean;
}

/** Throws Problem `not_found`. */
export async function getFunds(
  kind: FundsKind,
  { session: { companyId }, params }: PageRequest,
): Promise<FundsView> {
  const funds =
    kind === 'payment'
      ? await getPayment(companyId, params.id)
      : await getCreditNote(companyId, params.id);
  return {
    ...funds,
    kind,
    path: fundsPath(kind, funds.id),
    name: kind === 'payment' ? 'this payment' : 'this credit note',
    isReversed: 'status' in funds && funds.status === 'reversed',
  };
}

export function fundsPath(kind: FundsKind, id: string): string {
  return `/${kind === 'payment' ? 'payments' : 'credit-notes'}/${id}`;
}

/** The member of a request that names the funds. */
export function fundsMember({ kind, id }: FundsView): Record<string, string> {
  return kind === 'payment' ? { paymentId: id } : { creditNoteId: id };
}

/** The page of the funds that a request names. */
export function pathOfFunds({ paymentId, creditNoteId = '' }: FundsRequest): string {
  return paymentId === undefined
    ? fundsPath('creditNote', creditNoteId)
    : fundsPath('payment', paymentId);
}

/** Throws Problem `not_found` for a reversed payment, whose money is gone. */
export function refuseReversed({ isReversed }: FundsView): void {
  if (isReversed) throw new Problem('not_found', 'This payment is reversed.');
}
