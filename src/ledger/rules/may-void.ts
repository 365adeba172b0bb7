// The rule by which an invoice may be voided, for the ledger and for the pages that offer it.

export interface VoidableInvoice {
  readonly status: string;
  readonly paid: bigint;
  readonly credited: bigint;
  /** Whether any credit note was created for it, even if other invoices have its money. */
  readonly hasNotes: boolean;
}

/** Voiding credits the whole invoice, so nothing of it may be paid or credited before. */
export function mayVoid({ status, paid, credited, hasNotes }: VoidableInvoice): boolean {
  return status !== 'void' && paid === 0n && credited === 0n && !hasNotes;
}
