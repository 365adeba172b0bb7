// Import queries.

import type { DecimalMark } from '../../imports/decimals.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { timeJson } from '../../platform/db/sql.js';
import type { ChosenColumns } from './headings.js';
import { CAN_UNDO, type UndoRefusal } from './undo/state.js';

/** A preview has changed nothing yet; its user may start it. */
export type ImportStatus = 'preview' | 'queued' | 'done' | 'refused' | 'failed';

export interface StockImport {
  readonly id: string;
  readonly fileName: string;
  readonly reference: string;
  readonly reason: 'count' | 'received';
  readonly allOrNothing: boolean;
  readonly decimalMark: DecimalMark;
  /** A cell that makes the decimal mark doubtful, so that the user has to choose it. */
  readonly decimalDoubt: string | null;
  readonly header: readonly string[];
  /** Null: the headings tell. */
  readonly columns: ChosenColumns | null;
  readonly status: ImportStatus;
  readonly rowsTotal: number;
  readonly rowsDone: number;
  readonly rowsFailed: number;
  readonly undo: 'queued' | 'done' | 'refused' | 'failed' | null;
  /** The user who asked for the undo. */
  readonly undoneBy: string | null;
  readonly undoRefusal: UndoRefusal | null;
  readonly undoUntil: string | null;
  readonly canUndo: boolean;
  readonly sentBy: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}

/** Reads the imports row as i and its user as u. */
const COLUMNS = `
  i.id, i.file_name AS "fileName", i.reference, i.reason,
  i.all_or_nothing AS "allOrNothing",
  i.decimal_mark AS "decimalMark",
  i.decimal_doubt AS "decimalDoubt",
  i.header, i.columns, i.status,
  i.rows_total AS "rowsTotal",
  i.rows_done AS "rowsDone",
  i.rows_failed AS "rowsFailed",
  i.undo, i.undo_refusal AS "undoRefusal",
  (SELECT email FROM users WHERE company_id = i.company_id AND id = i.undo_by) AS "undoneBy",
  ${timeJson('i.undo_until')} AS "undoUntil",
  COALESCE(${CAN_UNDO}, false) AS "canUndo",
  u.email AS "sentBy",
  ${timeJson('i.created_at')} AS "createdAt",
  ${timeJson('i.finished_at')} AS "finishedAt"`;
const FROM = 'imports i JOIN users u ON u.company_id = i.company_id AND u.id = i.user_id';

/** An import, or null if the company has no such import. */
export function findImport(companyId: string, id: string): Promise<StockImport | null> {
  return queryOne<StockImport>(
    `SELECT ${COLUMNS}
     FROM ${FROM}
     WHERE i.company_id = $1 AND i.id = $2`,
    [companyId, id],
  );
}

/** The number of the company's imports that have not ended. */
export async function countQueued(companyId: string, tx?: Transaction): Promise<number> {
  const row = await queryOne<{ count: number }>(
    `SELECT count(*)::int AS count FROM imports WHERE company_id = $1 AND status = 'queued'`,
    [companyId],
    tx,
  );
  return row?.count ?? 0;
}

/** The newest imports, newest first. */
export function listImports(companyId: string, limit: number): Promise<StockImport[]> {
  return query<StockImport>(
    `SELECT ${COLUMNS}
     FROM ${FROM}
     WHERE i.company_id = $1
     ORDER BY i.created_at DESC, i.id
     LIMIT $2`,
    [companyId, limit],
  );
}

export interface ImportRow {
  readonly position: number;
  readonly line: number;
  readonly cells: readonly string[];
  /** Null if other rows were refused or the import failed, so that this row was not applied. */
  readonly errors: readonly string[] | null;
}

/** Refused rows after `position`, in file order; `all` adds rows that were not applied. */
export function listRowsLeft(
  companyId: string,
  importId: string,
  { after, limit, all }: { after: number; limit: number; all: boolean },
): Promise<ImportRow[]> {
  return query<ImportRow>(
    `SELECT position, line, cells, errors
     FROM import_rows
     WHERE company_id = $1 AND import_id = $2 AND position > $3
       ${all ? '' : 'AND errors IS NOT NULL'}
     ORDER BY position
     LIMIT $4`,
    [companyId, importId, after, limit],
  );
}
