// The stock movements of an invoice and of its credit notes, for the dashboard. This file is in the
// ledger because it shows the numbers of credit notes.
import { query } from '../../platform/db/connection.js';
import { lookUpAll, lookUpOne } from '../../platform/db/sql.js';
import { splitPage } from '../../platform/http/pagination.js';
import { creditNoteNumberText } from '../queries.js';

/** The newest returns that a page shows. All lines of several credit notes are fewer. */
const MAX_RETURNS = 1_000;

export interface InvoiceMovement {
  readonly itemId: string;
  readonly name: string;
  readonly unit: string | null;
  /** Decimal text, like onHandAfter. */
  readonly delta: string;
  readonly onHandAfter: string;
}

/** A credit note whose goods came back. */
export interface StockReturn extends ReturnNote {
  readonly movements: readonly InvoiceMovement[];
}

interface ReturnNote {
  readonly id: string;
  /** The full number, such as CN-000001. */
  readonly number: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

export interface InvoiceMovements {
  /** The movements of the invoice itself, in order. */
  readonly sales: readonly InvoiceMovement[];
  /** Its credit notes that moved stock, in order. */
  readonly returns: readonly StockReturn[];
  /** Whether the earliest returns are left out. */
  readonly isCut: boolean;
}

export async function readInvoiceMovements(
  companyId: string,
  invoiceId: string,
): Promise<InvoiceMovements> {
  const bind = [companyId, invoiceId];
  const [sales, newest] = await Promise.all([
    query<InvoiceMovement>(SALES_SQL, bind),
    query<InvoiceMovement & { note: ReturnNote }>(RETURNS_SQL, bind),
  ]);
  const { page, next } = splitPage(newest, MAX_RETURNS, () => true);
  const returns = new Map<string, StockReturn & { movements: InvoiceMovement[] }>();
  for (const { note, ...movement } of page.reverse()) {
    const movements = returns.get(note.id)?.movements ?? [];
    movements.push(movement);
    returns.set(note.id, { ...note, movements });
  }
  return { sales, returns: [...returns.values()], isCut: next !== null };
}

/** The columns of a movement. Reads the movement as m and its item as i. */
const COLUMNS = `
  i.id AS "itemId", i.name, i.unit,
  trim_scale(m.delta)::text AS delta,
  trim_scale(m.on_hand_after)::text AS "onHandAfter"`;

/**
 * Finds each movement in its item's history, newest first: an index for the sake of one page would
 * cost every write.
 */
const SALES_SQL = `
  SELECT ${COLUMNS}
  FROM (
      SELECT DISTINCT item_id
      FROM invoice_lines
      WHERE company_id = $1 AND invoice_id = $2
    ) line
  JOIN items i ON i.company_id = $1 AND i.id = line.item_id,
    LATERAL (
      SELECT *
      FROM movements
      WHERE company_id = $1 AND item_id = i.id AND invoice_id = $2
      ORDER BY id DESC
      LIMIT 1
    ) m
  ORDER BY m.id`;

const RETURNS_SQL = `
  SELECT ${COLUMNS},
    json_build_object('id', e.id, 'number', ${creditNoteNumberText}, 'date', e.date) AS note
  FROM (SELECT * FROM entries WHERE company_id = $1 AND invoice_id = $2 OFFSET 0) e
  CROSS JOIN ${lookUpAll('movements', 'm', 'company_id = $1 AND credit_note_id = e.id')}
  CROSS JOIN ${lookUpOne('items', 'i', 'company_id = $1 AND id = m.item_id')}
  ORDER BY m.id DESC
  LIMIT ${MAX_RETURNS + 1}`;
