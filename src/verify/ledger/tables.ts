// Where the SQL of the ledger's invariants finds its rows: in the tables, or in what the audit has
// looked up.

export interface LedgerTables {
  /** The invoices, payments and credit notes to check. */
  readonly invoices: string;
  readonly funds: string;
  /** All allocations of those invoices, and of those payments and credit notes. */
  readonly ofInvoices: string;
  readonly ofFunds: string;
  /** All entries that concern any of them. */
  readonly entries: string;
  /** The lines of those credit notes, and the movements of their items. */
  readonly lines: string;
  readonly movements: string;
}

export const TABLES: LedgerTables = {
  invoices: 'invoices',
  funds: `(SELECT * FROM entries WHERE type IN ('payment', 'creditNote'))`,
  ofInvoices: 'allocations',
  ofFunds: 'allocations',
  entries: 'entries',
  lines: 'credit_note_lines',
  movements: 'movements',
};

/** SQL whose rows violate an invariant. */
export type Offenders = (tables: LedgerTables) => string;
