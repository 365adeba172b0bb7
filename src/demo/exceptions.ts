// Unusual events in the demo's books: returns, price cuts, voided invoices, odd payments. Each
// is of the first invoice from `from` on whose customer pays one by one, and by the method, if any.
import type { CREDIT_REASONS, METHODS } from '../ledger/schema.js';

export interface Credit {
  readonly kind: 'credit';
  readonly reason: (typeof CREDIT_REASONS)[number];
  /** A third of the first line's goods, all of them, part of their price, or the whole invoice. */
  readonly of: 'some' | 'line' | 'price' | 'all';
  readonly restock?: boolean;
  readonly note?: string;
}

export type Exception = {
  /** An invoice's index, from 0. */
  readonly from: number;
  readonly method?: (typeof METHODS)[number];
} & (
  | Credit
  | { readonly kind: 'void'; readonly reason: string }
  | { readonly kind: 'paidInHalves' | 'paidTwice' | 'bounced' }
  | { readonly kind: 'overpaid'; readonly rest: 'refunded' | 'allocated' | 'kept' }
);

const RETURNED = { kind: 'credit', reason: 'return', restock: true } as const;
const DAMAGED = { kind: 'credit', reason: 'damaged', of: 'some', restock: false } as const;
const CHEAPER = { kind: 'credit', reason: 'price', of: 'price' } as const;

export const EXCEPTIONS: readonly Exception[] = [
  { from: 14, ...RETURNED, of: 'some' },
  { from: 31, ...DAMAGED, note: 'Damaged in transit' },
  { from: 40, kind: 'paidInHalves', method: 'bank_transfer' },
  { from: 57, kind: 'overpaid', rest: 'refunded', method: 'bank_transfer' },
  { from: 71, kind: 'void', reason: 'Wrong customer' },
  { from: 84, kind: 'bounced', method: 'direct_debit' },
  { from: 96, ...CHEAPER, note: 'Price agreed on the phone' },
  { from: 113, ...RETURNED, of: 'line' },
  { from: 122, kind: 'paidTwice', method: 'bank_transfer' },
  { from: 139, ...RETURNED, of: 'some', method: 'card' },
  { from: 150, kind: 'overpaid', rest: 'allocated', method: 'bank_transfer' },
  { from: 166, kind: 'credit', reason: 'order_change', of: 'line', restock: true },
  { from: 183, ...DAMAGED, note: 'Scratched on delivery' },
  { from: 203, kind: 'overpaid', rest: 'kept', method: 'bank_transfer' },
  { from: 208, kind: 'credit', reason: 'cancelled', of: 'all', restock: true },
  { from: 236, ...RETURNED, of: 'some', method: 'cash' },
  { from: 244, kind: 'bounced', method: 'direct_debit' },
  { from: 262, kind: 'void', reason: 'Entered twice' },
  { from: 275, ...CHEAPER, note: 'Late delivery' },
  { from: 288, ...RETURNED, of: 'line' },
  { from: 296, kind: 'paidInHalves', method: 'bank_transfer' },
  { from: 301, ...DAMAGED, note: 'Damaged in transit' },
  { from: 317, ...RETURNED, of: 'some' },
  { from: 330, kind: 'credit', reason: 'order_change', of: 'line', restock: true },
];

/** Money that comes before its invoices. */
export interface Deposit {
  readonly customerName: string;
  /** Of the history. */
  readonly day: number;
  readonly amount: number;
  readonly note: string;
  /** Days until it is allocated; null for not yet. */
  readonly allocatedAfter: number | null;
}

export const DEPOSITS: readonly Deposit[] = [
  {
    customerName: 'Park View Hotel',
    day: 61,
    amount: 1_500,
    note: 'Deposit for the guest rooms',
    allocatedAfter: 13,
  },
  {
    customerName: 'Zenith Facilities',
    day: 83,
    amount: 800,
    note: 'Deposit for the boiler room',
    allocatedAfter: null,
  },
];
