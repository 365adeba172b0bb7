// The history of an invoice for the dashboard: the entries that concern it, with their reasons and
// the people behind them. The API's list of entries (invoice-entries.ts) has neither.
import { shownActor } from '../../companies/actor.js';
import { fullNumberSql } from '../../invoices/invoice-json.js';
import { queryOne } from '../../platform/db/connection.js';
import { readRows } from '../../platform/db/list-reads.js';
import { lookUpOne, timeJson } from '../../platform/db/sql.js';
import { splitPage } from '../../platform/http/pagination.js';
import type { FundsEntry } from '../history.js';
import { creditNoteNumberText } from '../queries.js';

/** The newest entries that a page shows. An invoice rarely has more than a few. */
const MAX_HISTORY = 200;

/** The payment or credit note that an entry is or concerns. */
export interface EntrySource {
  readonly id: string;
  readonly type: 'payment' | 'creditNote';
  /** The full number of a credit note; null for a payment. */
  readonly number: string | null;
}

export interface InvoiceEntry extends Omit<FundsEntry, 'invoices'> {
  /** The change of the amount due, as decimal text. A payment is negative, a refund is 0. */
  readonly change: string;
  /** The amount due after the entry. */
  readonly due: string;
  /** Why a credit note was created, as one of the API's words. */
  readonly reason: string | null;
  readonly source: EntrySource;
}

export interface InvoiceHistory {
  /** The entries, ordered by sequence. */
  readonly entries: readonly InvoiceEntry[];
  /** Whether earlier entries are left out. */
  readonly isCut: boolean;
}

/**
 * The newest entries that changed what is due on the invoice, its credit notes, and refunds of the
 * newest of these. A refund of a payment concerns the payment alone.
 */
export async function listInvoiceHistory(
  companyId: string,
  invoiceId: string,
): Promise<InvoiceHistory> {
  const rows = await readRows<InvoiceEntry>(companyId, HISTORY_SQL, [
    companyId,
    invoiceId,
    MAX_HISTORY + 1,
  ]);
  const { page, next } = splitPage(rows, MAX_HISTORY, () => true);
  return { entries: page.reverse(), isCut: next !== null };
}

/** The newest $3 rows of a table that belong to the invoice $2. */
const newestOf = (table: string, columns: string) => `(
  SELECT ${columns}
  FROM ${table}
  WHERE company_id = $1 AND invoice_id = $2
  ORDER BY sequence DESC
  LIMIT $3
)`;

/** One statement reads the balance and the entries, so that each amount due fits its entry. */
const HISTORY_SQL = `
  SELECT e.sequence, e.type,
    e.date::text AS date,
    trim_scale(e.amount)::text AS amount,
    trim_scale(-COALESCE(a.amount, 0))::text AS change,
    trim_scale(
      i.total - i.paid - i.credited + COALESCE(sum(a.amount) OVER later, 0)
    )::text AS due,
    e.method, e.reference, e.note, e.reason, e.explanation,
    ${timeJson('e.created_at')} AS "createdAt",
    ${shownActor('e')} AS "createdBy",
    json_build_object('id', s.id, 'type', s.type, 'number', ${fullNumberSql('s')}) AS source
  FROM invoices i
  CROSS JOIN (
    SELECT sequence
    FROM (
      ${newestOf('allocations', 'sequence')}
      UNION
      ${newestOf('entries', 'sequence')}
      UNION
      (
        SELECT refund.sequence
        FROM ${newestOf('entries', 'id')} note
        JOIN entries refund
          ON refund.company_id = $1 AND refund.source_id = note.id AND refund.type = 'refund'
        ORDER BY refund.sequence DESC
        LIMIT $3
      )
    ) either
    ORDER BY sequence DESC
    LIMIT $3
  ) found
  CROSS JOIN ${lookUpOne('entries', 'e', 'company_id = $1 AND sequence = found.sequence')}
  CROSS JOIN ${lookUpOne('entries', 's', 'company_id = $1 AND id = COALESCE(e.source_id, e.id)')}
  LEFT JOIN allocations a
    ON a.company_id = $1 AND a.invoice_id = $2 AND a.sequence = found.sequence
  WHERE i.company_id = $1 AND i.id = $2
  WINDOW later AS (
    ORDER BY e.sequence DESC
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  )
  ORDER BY e.sequence DESC`;

export interface VoidNote {
  readonly number: string;
  readonly date: string;
}

/** The credit note that voided an invoice: its only one. Null if the invoice has none. */
export function findVoidNote(companyId: string, invoiceId: string): Promise<VoidNote | null> {
  return queryOne<VoidNote>(
    `SELECT ${creditNoteNumberText} AS number, e.date::text AS date
     FROM entries e
     WHERE e.company_id = $1 AND e.invoice_id = $2
     ORDER BY e.sequence DESC
     LIMIT 1`,
    [companyId, invoiceId],
  );
}
