// Reads imports of customers and their rows.
import { query, queryOne } from '../../platform/db/connection.js';
import { timeJson } from '../../platform/db/sql.js';
import type { RowEntry } from './columns.js';

/** A preview has changed nothing yet; its user may start it. */
export type ImportStatus = 'preview' | 'queued' | 'done' | 'failed';

export interface CustomerImport {
  readonly id: string;
  readonly fileName: string;
  readonly header: readonly string[];
  /** A cell that means different numbers with either decimal mark; null without a doubt. */
  readonly decimalDoubt: string | null;
  readonly status: ImportStatus;
  readonly rowsTotal: number;
  /** Valid rows whose record did not exist when the file was read. */
  readonly rowsNew: number;
  readonly rowsAdded: number;
  readonly rowsChanged: number;
  readonly rowsSame: number;
  readonly rowsFailed: number;
  readonly sentBy: string;
  readonly createdAt: string;
}

const SELECT = `
  SELECT i.id, i.file_name AS "fileName", i.header,
    i.decimal_doubt AS "decimalDoubt",
    i.status,
    i.rows_total AS "rowsTotal",
    i.rows_new AS "rowsNew",
    i.rows_added AS "rowsAdded",
    i.rows_changed AS "rowsChanged",
    i.rows_same AS "rowsSame",
    i.rows_failed AS "rowsFailed",
    u.email AS "sentBy",
    ${timeJson('i.created_at')} AS "createdAt"
  FROM customer_imports i
  JOIN users u ON u.company_id = i.company_id AND u.id = i.user_id
  WHERE i.company_id = $1`;

/** An import, or null if the company has no such import. */
export function findImport(companyId: string, id: string): Promise<CustomerImport | null> {
  return queryOne<CustomerImport>(`${SELECT} AND i.id = $2`, [companyId, id]);
}

/** The newest imports, newest first. */
export function listImports(companyId: string, limit: number): Promise<CustomerImport[]> {
  return query<CustomerImport>(`${SELECT} ORDER BY i.created_at DESC, i.id LIMIT $2`, [
    companyId,
    limit,
  ]);
}

export interface ImportRow {
  readonly position: number;
  readonly line: number;
  readonly cells: readonly string[];
  /** Null for a refused row. */
  readonly entry: RowEntry | null;
  /** Null for a row that waits, or was not applied. */
  readonly errors: readonly string[] | null;
}

interface RowsFilter {
  readonly after: number;
  readonly limit: number;
  /** Valid rows, refused ones, or both. */
  readonly kind: 'valid' | 'refused' | 'all';
}

const KINDS = { valid: 'AND errors IS NULL', refused: 'AND errors IS NOT NULL', all: '' } as const;

/** Rows that are not applied, in the order of the file. */
export function listRowsLeft(
  companyId: string,
  importId: string,
  { after, limit, kind }: RowsFilter,
): Promise<ImportRow[]> {
  return query<ImportRow>(
    `SELECT position, line, cells, entry, errors
     FROM customer_import_rows
     WHERE company_id = $1 AND import_id = $2 AND position > $3 ${KINDS[kind]}
     ORDER BY position
     LIMIT $4`,
    [companyId, importId, after, limit],
  );
}
