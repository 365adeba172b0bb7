// A payment or a credit note as a source of money, so that both share the pages that use it.
import type { SourceRequest } from '../../../ledger/schema.js';
import { Problem } from '../../../platform/errors.js';
import { getCreditNote } from '../../credit-notes/credit-note-view.js';
import type { PageRequest } from '../../kit/page.js';
import { getPayment, type MoneyUse } from '../payment-view.js';

export type SourceKind = 'payment' | 'creditNote';

export interface MoneySource extends MoneyUse {
  readonly kind: SourceKind;
  readonly id: string;
  /** The address of its page. */
  readonly path: string;
  /** The source as the object of a sentence: 'this payment'. */
  readonly name: string;
  readonly customerName: string;
  readonly isReversed: boolean;
}

/** Throws Problem `not_found`. */
export async function getSource(
  kind: SourceKind,
  { session: { companyId }, params }: PageRequest,
): Promise<MoneySource> {
  const source =
    kind === 'payment'
      ? await getPayment(companyId, params.id)
      : await getCreditNote(companyId, params.id);
  return {
    ...source,
    kind,
    path: sourcePath(kind, source.id),
    name: kind === 'payment' ? 'this payment' : 'this credit note',
    isReversed: 'status' in source && source.status === 'reversed',
  };
}

export function sourcePath(kind: SourceKind, id: string): string {
  return `/${kind === 'payment' ? 'payments' : 'credit-notes'}/${id}`;
}

/** The member of a request that names the source. */
export function sourceMember({ kind, id }: MoneySource): Record<string, string> {
  return kind === 'payment' ? { paymentId: id } : { creditNoteId: id };
}

/** The page of the source that a request names. */
export function pathOfSource({ paymentId, creditNoteId = '' }: SourceRequest): string {
  return paymentId === undefined
    ? sourcePath('creditNote', creditNoteId)
    : sourcePath('payment', paymentId);
}

/** Throws Problem `not_found` for a reversed payment, whose money is gone. */
export function refuseReversed({ isReversed }: MoneySource): void {
  if (isReversed) throw new Problem('not_found', 'This payment is reversed.');
}
