// The history of payments and credit notes, with the people behind it, for the dashboard.
import { type ShownActor, shownActor } from '../companies/actor.js';
import { numberText } from '../invoices/queries.js';
import { query, queryOne } from '../platform/db/connection.js';
import { readRows } from '../platform/db/list-reads.js';
import { timeJson } from '../platform/db/sql.js';
import { splitPage } from '../platform/http/pagination.js';
import { creditNoteNumberText } from './queries.js';

/** The newest entries that a page shows. A payment or credit note rarely has more than a few. */
const MAX_HISTORY = 200;

export interface FundsEntry {
  readonly sequence: string;
  readonly type: 'payment' | 'creditNote' | 'reversal' | 'allocation' | 'refund';
  readonly date: string;
  /** Decimal text. */
  readonly amount: string;
  readonly method: string | null;
  readonly reference: string | null;
  readonly note: string | null;
  /** Why a payment was reversed or an invoice voided. */
  readonly explanation: string | null;
  readonly createdAt: string;
  readonly createdBy: ShownActor | null;
  /** The invoices to which the entry gave money, or (negative) from which it took some back. */
  readonly invoices: readonly {
    readonly id: string;
    readonly number: string;
    readonly amount: string;
  }[];
}

export interface FundsHistory {
  readonly entries: readonly FundsEntry[];
  /** Whether earlier entries are left out. */
  readonly isCut: boolean;
}

/** A payment or credit note and the newest entries that concern it, in order. */
export async function listFundsEntries(companyId: string, id: string): Promise<FundsHistory> {
  const rows = await readRows<FundsEntry>(
    companyId,
    `SELECT e.sequence, e.type,
       e.date::text AS date,
       trim_scale(e.amount)::text AS amount,
       e.method, e.reference, e.note, e.explanation,
       ${timeJson('e.created_at')} AS "createdAt",
       ${shownActor('e')} AS "createdBy",
       COALESCE(
         (
           SELECT json_agg(
             json_build_object(
               'id', a.invoice_id,
               'number', ${numberText},
               'amount', trim_scale(a.amount)::text
             )
             ORDER BY i.number
           )
           FROM allocations a
           JOIN invoices i ON i.company_id = a.company_id AND i.id = a.invoice_id
           WHERE a.company_id = $1 AND a.source_id = $2 AND a.sequence = e.sequence
         ),
         '[]'
       ) AS invoices
     FROM (
       SELECT *
       FROM (
         SELECT * FROM entries WHERE company_id = $1 AND id = $2
         UNION ALL
         (
           SELECT *
           FROM entries
           WHERE company_id = $1 AND source_id = $2
           ORDER BY sequence DESC
           LIMIT ${MAX_HISTORY + 1}
         )
       ) either
       ORDER BY sequence DESC
       LIMIT ${MAX_HISTORY + 1}
     ) e
     ORDER BY e.sequence DESC`,
    [companyId, id],
  );
  const { page, next } = splitPage(rows, MAX_HISTORY, () => true);
  return { entries: page.reverse(), isCut: next !== null };
}

export interface CreditNoteSource {
  /** The full number, such as CN-000001. */
  readonly number: string;
  readonly createdBy: ShownActor | null;
}

/** The numbers of credit notes and who created them, by credit note id. */
export async function findCreditNoteSources(
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, CreditNoteSource>> {
  const rows = await query<CreditNoteSource & { id: string }>(
    `SELECT e.id, ${creditNoteNumberText} AS number, ${shownActor('e')} AS "createdBy"
     FROM entries e
     WHERE e.company_id = $1 AND e.id = ANY($2::uuid[])`,
    [companyId, ids],
  );
  return new Map(rows.map(row => [row.id, row]));
}

export interface EntrySubject {
  readonly type: 'payment' | 'creditNote';
  readonly id: string;
  readonly invoiceId: string | null;
}

/** The payment or credit note that an entry is or concerns; null if there is no such entry. */
export function findEntrySubject(companyId: string, id: string): Promise<EntrySubject | null> {
  return queryOne<EntrySubject>(
    `SELECT s.type, s.id, s.invoice_id AS "invoiceId"
     FROM entries e
     JOIN entries s ON s.company_id = e.company_id AND s.id = COALESCE(e.source_id, e.id)
     WHERE e.company_id = $1 AND e.id = $2`,
    [companyId, id],
  );
}
