// Reads imports of a kind, and their rows that are not applied.

import { query, queryOne } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/sql.js';
import type { DecimalMark } from '../platform/values/csv.js';
import type { ChosenColumns } from './file/columns.js';
import type { FileReading } from './file/table.js';
import type { Judgement } from './judgement.js';
import type { ImportKind } from './kind.js';
import { type Undoable, undoColumns } from './undo.js';

/** A preview has changed nothing yet; its user may start it. */
export type ImportStatus = 'preview' | 'queued' | 'done' | 'refused' | 'failed';

/** An import of any kind. Some kinds can be undone. */
export interface ImportRecord extends Partial<Undoable<unknown>> {
  readonly id: string;
  readonly fileName: string;
  /** The user who started it; of a preview, the one who uploaded it. */
  readonly userId: string;
  /** Null if an earlier release made the preview. */
  readonly decimalMark: DecimalMark | null;
  /** A cell that makes the decimal mark doubtful, so that the user has to choose it. */
  readonly decimalDoubt: string | null;
  readonly header: readonly string[];
  /** The columns that its user chose. Null: the headings tell. */
  readonly columns: ChosenColumns | null;
  /** How the file was read. Null if an earlier release made the preview. */
  readonly reading: FileReading | null;
  readonly status: ImportStatus;
  /** True if one transaction applies all rows or none. */
  readonly allOrNothing?: boolean;
  readonly rowsTotal: number;
  readonly rowsDone: number;
  readonly rowsFailed: number;
  readonly sentBy: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}

function select(kind: ImportKind): string {
  const { table, rowsDone, columns, undo } = kind;
  const own = [undo && undoColumns(kind), columns].filter(Boolean).map(list => `${list},`);
  return `
    SELECT i.id, i.file_name AS "fileName", i.user_id AS "userId",
      i.decimal_mark AS "decimalMark",
      i.decimal_doubt AS "decimalDoubt",
      i.header, i.columns, i.reading, i.status,
      i.rows_total AS "rowsTotal",
      ${rowsDone} AS "rowsDone",
      i.rows_failed AS "rowsFailed",
      ${own.join('\n      ')}
      u.email AS "sentBy",
      ${timeJson('i.created_at')} AS "createdAt",
      ${timeJson('i.finished_at')} AS "finishedAt"
    FROM ${table} i
    JOIN users u ON u.company_id = i.company_id AND u.id = i.user_id
    WHERE i.company_id = $1`;
}

/** The judgement of a preview's rows; null if an earlier release made it. */
export async function findJudgement(
  { table }: ImportKind,
  companyId: string,
  id: string,
): Promise<Judgement | null> {
  const row = await queryOne<{ judgement: Judgement | null }>(
    `SELECT judgement FROM ${table} WHERE company_id = $1 AND id = $2 AND status = 'preview'`,
    [companyId, id],
  );
  return row?.judgement ?? null;
}

/** An import, or null if the company has no such import of this kind. */
export function findImport<Found extends ImportRecord>(
  kind: ImportKind,
  companyId: string,
  id: string,
): Promise<Found | null> {
  return queryOne<Found>(`${select(kind)} AND i.id = $2`, [companyId, id]);
}

/** The newest imports, newest first. */
export function listImports<Found extends ImportRecord>(
  kind: ImportKind,
  companyId: string,
  limit: number,
): Promise<Found[]> {
  return query<Found>(
    `${select(kind)}
     ORDER BY i.created_at DESC, i.id
     LIMIT $2`,
    [companyId, limit],
  );
}

export interface ImportRow<Entry = unknown> {
  readonly position: number;
  readonly line: number;
  readonly cells: readonly string[];
  /** Null for a refused row. */
  readonly entry: Entry | null;
  /** Null for a row that waits, or that was not applied because the import ended before. */
  readonly errors: readonly string[] | null;
}

interface RowsFilter {
  readonly after: number;
  readonly limit: number;
  /** Valid rows, refused ones, or both. */
  readonly which: 'valid' | 'refused' | 'all';
}

const CONDITIONS = { valid: 'AND errors IS NULL', refused: 'AND errors IS NOT NULL', all: '' };

/** Rows that are not applied after a position, in the order of the file. */
export function listRowsLeft<Entry>(
  { rowsTable }: ImportKind,
  companyId: string,
  importId: string,
  { after, limit, which }: RowsFilter,
): Promise<ImportRow<Entry>[]> {
  return query<ImportRow<Entry>>(
    `SELECT position, line, cells, entry, errors
     FROM ${rowsTable}
     WHERE company_id = $1 AND import_id = $2 AND position > $3 ${CONDITIONS[which]}
     ORDER BY position
     LIMIT $4`,
    [companyId, importId, after, limit],
  );
}
