// A plan of the ledger: the entry's row, its allocations to invoices, and the goods that go back
// into stock. Plans are deterministic, without I/O, and change the locked state.
import type { StockMovement } from '../../inventory/stock.js';
import type { BatchWrite } from '../../jobs/write-kind.js';
import type { LedgerPayload } from '../payload.js';
import { takeEffectiveDate } from './effective-date.js';
import { type Funds, type LedgerCompany, type LedgerInvoice, settle } from './state.js';

/**
 * Columns of an entry that the plan decides; the others come from the write. Amounts are decimal
 * text.
 */
export interface EntryRow {
  readonly sequence: bigint;
  readonly type: 'payment' | 'reversal' | 'allocation' | 'refund' | 'creditNote';
  readonly date: string;
  readonly effectiveDate: string;
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
export interface PlannedAllocation {
  readonly invoice: LedgerInvoice;
  readonly fundsId: string;
  /** The date of the payment or credit note. */
  readonly fundsDate: string;
  readonly amount: bigint;
}

export interface LedgerPlan {
  readonly entry: EntryRow;
  readonly allocations: readonly PlannedAllocation[];
  readonly movements: readonly StockMovement[];
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

type MovedFunds = Pick<Funds, 'id' | 'type' | 'date' | 'effectiveDate'> & Partial<Funds>;

interface Move {
  /** The rows to write, without zeros. */
  readonly rows: readonly PlannedAllocation[];
  /** All allocations of the payment or credit note after the move. */
  readonly allocations: Funds['allocations'];
  readonly effectiveDate: string;
}

/** Moves money to the invoices, or takes it back, and changes the invoices. */
export function moveMoney(
  funds: MovedFunds,
  changes: readonly { readonly invoice: LedgerInvoice; readonly amount: bigint }[],
  date: string,
): Move {
  const { id, type } = funds;
  const allocations = new Map(funds.allocations);
  const moved = changes.filter(({ amount }) => amount !== 0n);
  const invoices = moved.map(({ invoice }) => invoice);
  const effectiveDate = takeEffectiveDate(date, [funds, ...invoices]);
  for (const { invoice, amount } of moved) {
    settle(invoice, type, amount, date);
    const total = (allocations.get(invoice.id)?.amount ?? 0n) + amount;
    allocations.set(invoice.id, { invoiceNumber: invoice.number, amount: total });
  }
  const rows = moved.map(row => ({ ...row, fundsId: id, fundsDate: funds.date }));
  return { rows, allocations, effectiveDate };
}
