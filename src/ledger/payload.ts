// The payload of a submission in the ledger's queue: the request, and the id in its path. A batch
// has several kinds of write, which the type tells apart.
import type {
  AllocationRequest,
  CreditNoteRequest,
  FundsRequest,
  PaymentRequest,
  RecipientRequest,
  RefundRequest,
  ReversalRequest,
  VoidRequest,
} from './schema.js';

export type PaymentPayload = {
  readonly type: 'payment.record';
  /** The member that named the record whose name is in `customerName`. */
  readonly namedBy?: 'customerId' | 'customerNumber';
} & Omit<PaymentRequest, 'customerId' | 'customerNumber'>;
export type ReversalPayload = {
  readonly type: 'payment.reverse';
  readonly paymentId: string;
} & ReversalRequest;
export type AllocationPayload = { readonly type: 'allocation.make' } & AllocationRequest;
export type RefundPayload = { readonly type: 'refund.record' } & RefundRequest;
export type CreditNotePayload = { readonly type: 'creditNote.create' } & CreditNoteRequest;
export type VoidPayload = {
  readonly type: 'invoice.void';
  readonly invoiceId: string;
} & VoidRequest;

export type LedgerPayload =
  | PaymentPayload
  | ReversalPayload
  | AllocationPayload
  | RefundPayload
  | CreditNotePayload
  | VoidPayload;

/** The invoices that receive money. */
export function recipientsOf(payload: LedgerPayload): readonly RecipientRequest[] {
  return payload.type === 'payment.record' || payload.type === 'allocation.make'
    ? (payload.invoices ?? [])
    : [];
}

/** The payment or credit note whose money the write moves. */
export function fundsIdOf(payload: LedgerPayload): string | null {
  if (payload.type === 'payment.reverse') return payload.paymentId;
  return payload.type === 'allocation.make' || payload.type === 'refund.record'
    ? namedFunds(payload)
    : null;
}

export function namedFunds({ paymentId, creditNoteId }: FundsRequest): string {
  return paymentId ?? creditNoteId ?? '';
}

/** The invoice that the write credits. */
export function creditedInvoiceOf(payload: LedgerPayload): string | null {
  return payload.type === 'creditNote.create' || payload.type === 'invoice.void'
    ? payload.invoiceId
    : null;
}

/** Whether the write may put goods back into stock. */
export function mayRestock(payload: LedgerPayload): boolean {
  if (payload.type === 'invoice.void') return payload.restock ?? true;
  if (payload.type !== 'creditNote.create') return false;
  const { restock = false, items = [] } = payload;
  return restock || items.some(item => item.restock);
}

/** The external id of the transfer that the write records, and the type of its entry. */
export function transferOf(
  payload: LedgerPayload,
): { readonly type: 'payment' | 'refund'; readonly externalId: string } | null {
  if (payload.type !== 'payment.record' && payload.type !== 'refund.record') return null;
  const { externalId } = payload;
  if (externalId === undefined) return null;
  return { type: payload.type === 'payment.record' ? 'payment' : 'refund', externalId };
}
