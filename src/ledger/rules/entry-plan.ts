// A plan of the ledger: the entry's row, its allocations to invoices, and the goods that go back
// into stock. Plans are deterministic, without I/O, and change the locked state.
import type { Movement } from '../../inventory/stock.js';
import type { BatchWrite } from '../../jobs/write-kind.js';
import type { LedgerPayload } from '../payload.js';
import { type Funds, type LedgerCompany, type LedgerInvoice, settle } from './state.js';

/**
 * Columns of an entry that the plan decides; the others come from the write. Amounts are decimal
 * text.
 */
export interface EntryRow {
  readonly sequence: bigint;
  readonly type: 'payment' | 'reversal' | 'allocation' | 'refund' | 'creditNote';
  readonly date: string;
  readonly currency: string;
  readonly customerName: string;
  readonly customerKey: string;
  readonly amount: string;
  readonly fundsId?: string;
  readonly unallocated?: string;
  readonly creditNote?: CreditNoteColumns;
  readonly method?: string | undefined;
  readonly reference?: string | undefined;
  readonly externalId?: string | undefined;
  readonly note?: string | undefined;
  readonly reason?: string | undefined;
  readonly explanation?: string | undefined;
  readonly createdAt: Date;
  readonly body: string;
}

interface CreditNoteColumns {
  readonly invoiceId: string;
  readonly number: bigint;
  readonly numberPrefix: string;
  readonly subtotal: string;
  readonly taxTotal: string;
  readonly creditedLines: string;
}

/** The amount that an entry allocates to an invoice, in minor units; negative if it takes back. */
export interface AllocationRow {
  readonly invoice: LedgerInvoice;
  readonly fundsId: string;
  readonly amount: bigint;
}

export interface LedgerPlan {
  readonly entry: EntryRow;
  readonly allocations: readonly AllocationRow[];
  readonly movements: readonly Movement[];
}

export type LedgerWrite<Payload = LedgerPayload> = BatchWrite<Payload>;

/** Takes the sequence and the time of an entry. Only an accepted write may take one. */
export function takeSequence(
  company: LedgerCompany,
): Pick<EntryRow, 'sequence' | 'currency' | 'createdAt'> {
  const { nextSequence, currency, now } = company;
  company.nextSequence += 1n;
  return { sequence: nextSequence, currency, createdAt: now };
}

/**
 * Moves money to the invoices, or takes it back, and changes the invoices. Returns the rows to
 * write, without zeros, and all allocations of the payment or credit note after the move.
 */
export function moveMoney(
  { id, type, allocations: before }: Pick<Funds, 'id' | 'type'> & Partial<Funds>,
  changes: readonly { readonly invoice: LedgerInvoice; readonly amount: bigint }[],
  date: string,
): { readonly rows: readonly AllocationRow[]; readonly allocations: Funds['allocations'] } {
  const allocations = new Map(before);
  const moved = changes.filter(({ amount }) => amount !== 0n);
  for (const { invoice, amount } of moved) {
    settle(invoice, type, amount, date);
    const total = (allocations.get(invoice.id)?.amount ?? 0n) + amount;
    allocations.set(invoice.id, { invoiceNumber: invoice.number, amount: total });
  }
  return { rows: moved.map(row => ({ ...row, fundsId: id })), allocations };
}
