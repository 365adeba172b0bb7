// More rows that the plans of a batch read: the lines of invoices to be
// credited, the credit notes that these have, and the transfers that are recorded already.
import { readIssuedInvoice } from '../../invoices/issued-invoice.js';
import { keyArrays, plainArray, textArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { toMinor, toUnits } from '../../platform/values/money.js';
import { type CreditedLines, readStoredLines } from '../rules/credited-lines.js';
import {
  type CreditableInvoice,
  type CreditPart,
  type CreditTotals,
  creditParts,
  nothingCredited,
} from '../rules/proportion.js';
import type { InvoiceCredit, Transfer } from '../rules/state.js';

export interface CreditedInvoiceRow {
  readonly companyId: string;
  readonly id: string;
  /** The invoice's JSON. */
  readonly body: string;
  readonly hasNotes: boolean;
  /** From the last credit note. Null without one, and if an earlier release wrote it. */
  readonly credited: CreditedLines | null;
  /** If an earlier release wrote the last note: the JSON of all notes' items, in order. */
  readonly notes: readonly (readonly NoteItem[])[] | null;
}

interface NoteItem {
  readonly line: number;
  readonly qty: number | null;
  readonly amount: number;
}

/** Without the locks of the companies, it may miss the newest credit notes. */
export async function readCreditedInvoices(
  refs: readonly { readonly companyId: string; readonly id: string }[],
  tx?: Transaction,
): Promise<CreditedInvoiceRow[]> {
  if (refs.length === 0) return [];
  return query<CreditedInvoiceRow>(
    `SELECT wanted.company_id AS "companyId", wanted.id, i.body,
       last.sequence IS NOT NULL AS "hasNotes",
       last.credited_lines AS credited,
       CASE WHEN last.sequence IS NOT NULL AND last.credited_lines IS NULL THEN (
         SELECT json_agg(note.body::json -> 'items' ORDER BY note.sequence)
         FROM (
           SELECT e.sequence, e.body
           FROM entries e
           WHERE e.company_id = wanted.company_id AND e.invoice_id = wanted.id
           OFFSET 0
         ) note
       ) END AS notes
     FROM (
         SELECT DISTINCT * FROM unnest($1::uuid[], $2::uuid[]) AS invoice (company_id, id)
       ) wanted,
       ${lookUpOne('invoices', 'i', 'company_id = wanted.company_id AND id = wanted.id')}
       LEFT JOIN LATERAL (
         SELECT e.sequence, e.credited_lines
         FROM entries e
         WHERE e.company_id = wanted.company_id AND e.invoice_id = wanted.id
         ORDER BY e.sequence DESC
         LIMIT 1
       ) last ON true`,
    keyArrays(refs),
    tx,
  );
}

/** The invoice's lines, and the sum of its credit notes. */
export function invoiceCredit({
  body,
  hasNotes,
  credited,
  notes,
}: Omit<CreditedInvoiceRow, 'companyId' | 'id'>): InvoiceCredit {
  const { issued, creditable } = creditableInvoice(body);
  return {
    issued,
    creditable,
    hasNotes,
    credited: credited
      ? readStoredLines(creditable, credited)
      : creditedByNotes(creditable, notes ?? [], issued.decimals),
  };
}

/** The parts of an issued invoice that can be credited. */
export function creditableInvoice(body: string): Pick<InvoiceCredit, 'issued' | 'creditable'> {
  const issued = readIssuedInvoice(body);
  const { pricing } = issued;
  const isTaxed = pricing.groups.length > 0;
  const creditable: CreditableInvoice = {
    lines: pricing.lines.map(({ amount, group }, index) => ({
      qty: toUnits(Number(issued.lines[index]?.qty)),
      amount,
      group: isTaxed ? group : 0,
    })),
    groups: isTaxed
      ? pricing.groups
      : [{ amounts: pricing.amounts, base: pricing.subtotal, tax: 0n }],
  };
  return { issued, creditable };
}

/** The part of an invoice that an item of a credit note credits. */
export function creditedPart({ line, qty, amount }: NoteItem, decimals: number): CreditPart {
  const index = line - 1;
  return qty === null
    ? { line: index, amount: toMinor(amount, decimals) }
    : { line: index, qty: toUnits(qty) };
}

function creditedByNotes(
  creditable: CreditableInvoice,
  notes: readonly (readonly NoteItem[])[],
  decimals: number,
): CreditTotals {
  const parts = notes.flat().map(item => creditedPart(item, decimals));
  const sums = creditParts(creditable, nothingCredited(creditable), parts);
  if ('excess' in sums) throw new Error('more of an invoice is credited than it has');
  return sums.credited;
}

/** A plan requires the locks of the companies. */
export async function readTransfers(
  refs: readonly Omit<Transfer, 'id'>[],
  tx?: Transaction,
): Promise<Transfer[]> {
  if (refs.length === 0) return [];
  return query<Transfer>(
    `SELECT e.company_id AS "companyId", e.type, e.external_id AS "externalId", e.id
     FROM unnest($1::uuid[], $2::text[], $3::text[]) AS wanted (company_id, type, external_id),
       ${lookUpOne(
         'entries',
         'e',
         `company_id = wanted.company_id AND type = wanted.type
            AND external_id = wanted.external_id`,
       )}`,
    [
      plainArray(refs.map(({ companyId }) => companyId)),
      plainArray(refs.map(({ type }) => type)),
      textArray(refs.map(({ externalId }) => externalId)),
    ],
    tx,
  );
}
