// The invariant of a single credit note: its amounts are its lines' shares of the invoice. It is
// checked here and not in SQL, because the arithmetic is TypeScript.
import { creditableInvoice } from '../../ledger/batch/read-credited.js';
import { type CreditedLines, storedLines } from '../../ledger/rules/credited-lines.js';
import { type CreditPart, creditParts, nothingCredited } from '../../ledger/rules/proportion.js';
import { toMinor } from '../../ledger/rules/state.js';
import { fromMinor, toUnits } from '../../platform/values/money.js';
import type { Violation } from '../violation.js';

export const CREDIT_SHARES =
  "a credit note has its lines' share of its invoice, cumulative and at most all of it";

/** An invoice and its credit notes in order. */
export interface CreditedInvoice {
  readonly companyId: string;
  readonly invoiceId: string;
  /** The invoice's JSON. */
  readonly body: string;
  readonly notes: readonly StoredNote[];
}

interface StoredNote {
  readonly id: string;
  readonly subtotal: number;
  readonly taxTotal: number;
  readonly total: number;
  readonly body: NoteJson;
  /** Null if an earlier release wrote the note. */
  readonly credited: CreditedLines | null;
}

interface NoteJson {
  readonly items: readonly {
    readonly line: number;
    readonly qty: number | null;
    readonly amount: number;
  }[];
  readonly subtotal: number;
  readonly taxTotal: number;
  readonly total: number;
  readonly taxes: readonly {
    readonly category: string;
    readonly rate: number;
    readonly base: number;
    readonly amount: number;
  }[];
}

/** SQL for the credited invoices of a FROM list that ends in an invoices row i. */
export function creditedInvoices(from: string): string {
  return `
  SELECT i.company_id AS "companyId", i.id AS "invoiceId", i.body, noted.notes
  FROM ${from},
    LATERAL (
      SELECT json_agg(
        json_build_object('id', e.id, 'subtotal', e.subtotal, 'taxTotal', e.tax_total,
          'total', e.amount, 'body', e.body::json, 'credited', e.credited_lines)
        ORDER BY e.sequence
      ) AS notes
      FROM (
        SELECT *
        FROM entries t
        WHERE t.company_id = i.company_id AND t.invoice_id = i.id
        OFFSET 0
      ) e
    ) noted
  WHERE noted.notes IS NOT NULL`;
}

export function checkCreditNotes(invoice: CreditedInvoice): Violation[] {
  const { companyId, invoiceId, body, notes } = invoice;
  const report = (creditNoteId: string): Violation => {
    return { violation: CREDIT_SHARES, companyId, invoiceId, creditNoteId };
  };
  const { issued, creditable } = creditableInvoice(body);
  const { decimals } = issued;
  let credited = nothingCredited(creditable);
  for (const note of notes) {
    const parts = note.body.items.map(({ line, qty, amount }): CreditPart => {
      const index = line - 1;
      return qty === null
        ? { line: index, amount: toMinor(amount, decimals) }
        : { line: index, qty: toUnits(qty) };
    });
    if (parts.some(({ line }) => creditable.lines[line] === undefined)) return [report(note.id)];
    const credit = creditParts(creditable, credited, parts);
    if ('excess' in credit) return [report(note.id)];
    const text = (minor: bigint) => fromMinor(minor, decimals);
    const expected = {
      amounts: credit.amounts.map(text),
      taxes: credit.groups.flatMap(({ group, base, tax }) => {
        const ofInvoice = issued.details.taxes[group];
        return ofInvoice ? [[ofInvoice.category, ofInvoice.rate, text(base), text(tax)]] : [];
      }),
      sums: [credit.subtotal, credit.taxTotal, credit.subtotal + credit.taxTotal].map(text),
    };
    const { items, taxes, subtotal, taxTotal, total } = note.body;
    const stored = {
      amounts: items.map(({ amount }) => String(amount)),
      taxes: taxes.map(({ category, rate, base, amount }) =>
        [category, rate, base, amount].map(String),
      ),
      sums: [subtotal, taxTotal, total].map(String),
    };
    const columns = [note.subtotal, note.taxTotal, note.total].map(String);
    const isSame =
      JSON.stringify(stored) === JSON.stringify(expected) &&
      JSON.stringify(columns) === JSON.stringify(expected.sums) &&
      (note.credited === null ||
        JSON.stringify(note.credited) === JSON.stringify(storedLines(credit.credited)));
    if (!isSame) return [report(note.id)];
    credited = credit.credited;
  }
  return [];
}
