// The events of an import: its end, and its undo.
import { appendEvents } from '../feed/append.js';
import { queryOne, type Transaction } from '../platform/db/connection.js';
import type { ImportClaim, ImportKind } from './kind.js';

/** Appends the event, as the import is now. Locks the company. */
export async function appendImportEvent(
  { table, noun, rowsDone }: ImportKind<never>,
  { companyId, id, createdBy: actor }: Pick<ImportClaim, 'companyId' | 'id' | 'createdBy'>,
  type: 'import.finished' | 'import.undone',
  tx: Transaction,
): Promise<void> {
  const data = await queryOne(
    `SELECT i.id, $3::text AS kind, i.file_name AS "fileName", i.status,
       i.rows_total AS "rowsTotal", ${rowsDone} AS "rowsDone", i.rows_failed AS "rowsFailed"
     FROM ${table} i
     WHERE i.company_id = $1 AND i.id = $2`,
    [companyId, id, noun],
    tx,
  );
  if (data) await appendEvents(companyId, [{ type, subjectId: id, actor, data }], tx);
}
