// The invariant of a single credit note: its amounts are its lines' shares of the invoice. It is
// checked here and not in SQL, because the arithmetic is TypeScript.
import type { InvoiceLine } from '../../invoices/invoice-json.js';
import type { IssuedInvoice } from '../../invoices/issued-invoice.js';
import { creditableInvoice, creditedPart } from '../../ledger/batch/read-credited.js';
import type { CREDIT_NOTE } from '../../ledger/entry-json.js';
import { type CreditedLines, storedLines } from '../../ledger/rules/credited-lines.js';
import {
  type CreditableInvoice,
  type CreditTotals,
  creditParts,
  nothingCredited,
} from '../../ledger/rules/proportion.js';
import type { ParsedJson } from '../../platform/values/json-shape.js';
import { fromMinor } from '../../platform/values/money.js';
import type { Violation } from '../violation.js';

export const CREDIT_SHARES =
  "a credit note has its lines' share of its invoice, cumulative and at most all of it";

/** An invoice and its credit notes in order. */
export interface InvoiceWithNotes {
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
  /** Its JSON. */
  readonly body: string;
  /** Null if an earlier release wrote the note. */
  readonly credited: CreditedLines | null;
}

type CreditNote = ParsedJson<typeof CREDIT_NOTE>;

/** SQL for the credited invoices of a FROM list that ends in an invoices row i. */
export function creditedInvoices(from: string): string {
  return `
  SELECT i.company_id AS "companyId", i.id AS "invoiceId", i.body, noted.notes
  FROM ${from},
    LATERAL (
      SELECT json_agg(
        json_build_object('id', e.id, 'subtotal', e.subtotal, 'taxTotal', e.tax_total,
          'total', e.amount, 'body', e.body, 'credited', e.credited_lines)
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

/** Reports the first wrong credit note; those after it follow from it. */
export function checkCreditNotes(invoice: InvoiceWithNotes): Violation[] {
  const { companyId, invoiceId, notes } = invoice;
  const wrong = findWrongNote(invoice);
  if (wrong === null) return [];
  return [{ violation: CREDIT_SHARES, companyId, invoiceId, creditNoteId: notes[wrong]?.id }];
}

/** The index of the first note that is not its share, or whose JSON cannot be read; else null. */
function findWrongNote({ body, notes }: InvoiceWithNotes): number | null {
  let index = 0;
  try {
    const { issued, creditable } = creditableInvoice(body);
    let credited = nothingCredited(creditable);
    for (const note of notes) {
      const next = afterNote(note, issued, creditable, credited);
      if (next === null) return index;
      credited = next;
      index += 1;
    }
    return null;
  } catch {
    return index;
  }
}

/** The credited part of the invoice after the note; null if the note is wrong. */
function afterNote(
  note: StoredNote,
  issued: IssuedInvoice,
  creditable: CreditableInvoice,
  credited: CreditTotals,
): CreditTotals | null {
  const { decimals } = issued;
  const json = JSON.parse(note.body) as CreditNote;
  if (!json.items.every(item => isOfLine(item, issued.lines[item.line - 1]))) return null;
  const parts = json.items.map(item => creditedPart(item, decimals));
  const credit = creditParts(creditable, credited, parts);
  if ('excess' in credit) return null;
  const text = (minor: bigint) => fromMinor(minor, decimals);
  const expected = {
    amounts: credit.amounts.map(text),
    taxes: credit.groups.flatMap(({ group, base, tax }) => {
      const ofInvoice = issued.details.taxes[group];
      if (!ofInvoice) return [];
      return [[ofInvoice.category, ofInvoice.rate, text(base), text(tax), ofInvoice.reason]];
    }),
    sums: [credit.subtotal, credit.taxTotal, credit.subtotal + credit.taxTotal].map(text),
  };
  const { items, taxes, subtotal, taxTotal, total } = json;
  const stored = {
    amounts: items.map(({ amount }) => String(amount)),
    taxes: taxes.map(({ category, rate, base, amount, reason }) => [
      ...[category, String(rate), String(base), String(amount), reason],
    ]),
    sums: [subtotal, taxTotal, total].map(String),
  };
  const columns = [note.subtotal, note.taxTotal, note.total].map(String);
  const isSame =
    JSON.stringify(stored) === JSON.stringify(expected) &&
    JSON.stringify(columns) === JSON.stringify(expected.sums) &&
    (note.credited === null ||
      JSON.stringify(note.credited) === JSON.stringify(storedLines(credit.credited)));
  return isSame ? credit.credited : null;
}

/** A line of a credit note repeats texts of the invoice's line. */
function isOfLine(item: CreditNote['items'][number], line: InvoiceLine | undefined): boolean {
  return item.name === line?.name && item.sku === line.sku && item.itemId === line.itemId;
}
