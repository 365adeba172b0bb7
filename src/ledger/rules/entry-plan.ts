// A plan of the ledger: its entry's row, the amounts that it gives to invoices, and the goods that
// go back into stock.
import type { Movement } from '../../inventory/stock.js';
import type { BatchWrite } from '../../jobs/write-kind.js';
import type { LedgerPayload } from '../payload.js';
import { type LedgerCompany, type LedgerInvoice, type Source, settle } from './state.js';

/** A row of entries, but for what the write itself says. Amounts in decimal text. */
export interface EntryRow {
  readonly sequence: bigint;
  readonly type: 'payment' | 'reversal' | 'allocation' | 'refund' | 'creditNote';
  readonly date: string;
  readonly currency: string;
  readonly customerName: string;
  readonly customerKey: string;
  readonly amount: string;
  readonly sourceId?: string;
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

/** The amount that an entry gives to an invoice or takes back, in minor units. */
export interface AllocationRow {
  readonly invoice: LedgerInvoice;
  readonly sourceId: string;
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

/** Moves money of a source to the invoices, or back, and returns the rows. Zeros are left out. */
export function moveMoney(
  source: Pick<Source, 'id' | 'type' | 'given'>,
  changes: readonly { readonly invoice: LedgerInvoice; readonly amount: bigint }[],
  date: string,
): AllocationRow[] {
  const rows = changes.filter(({ amount }) => amount !== 0n);
  for (const { invoice, amount } of rows) {
    settle(invoice, source.type, amount, date);
    const given = (source.given.get(invoice.id)?.amount ?? 0n) + amount;
    source.given.set(invoice.id, { invoiceNumber: invoice.number, amount: given });
  }
  return rows.map(row => ({ ...row, sourceId: source.id }));
}
