// The undo of an import, for kinds that have one: their tables have its columns. States of `undo`:
// null until a user asks for it; queued while the import's status is queued; then done, or refused
// or failed, from which a user may ask again until the time is over.
import { inTransactionOn } from '../companies/write-turns.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/sql.js';
import type { Log } from '../platform/process/log.js';
import { appendImportEvent } from './events.js';
import type { ImportClaim, ImportKind, UndoRefusal } from './kind.js';

/** The undo of an import, as far as a user asked for it. */
export interface Undoable<Obstacle> {
  readonly undo: 'queued' | 'done' | 'refused' | 'failed' | null;
  /** The user who asked for the undo. */
  readonly undoneBy: string | null;
  readonly undoRefusal: UndoRefusal<Obstacle> | null;
  readonly undoUntil: string | null;
  readonly canUndo: boolean;
}

/** SQL: an import can be undone for a day after its last row. */
export const UNDO_UNTIL = "clock_timestamp() + interval '24 hours'";

/** SQL for the status of an import before its undo was queued. */
export const statusBeforeUndo = ({ rowsDone }: Pick<ImportKind, 'rowsDone'>) =>
  `CASE WHEN ${rowsDone} + rows_failed = rows_total THEN 'done' ELSE 'failed' END`;

/** SQL: the import i can be undone. */
const canUndo = ({ rowsDone }: Pick<ImportKind, 'rowsDone'>) => `(
  i.status IN ('done', 'failed')
  AND i.undo IS DISTINCT FROM 'done'
  AND i.undo_until > now()
  AND i.rows_recorded > 0
  AND i.rows_recorded = ${rowsDone}
)`;

/** SQL of an `Undoable` from the import i. */
export const undoColumns = (kind: Pick<ImportKind, 'rowsDone'>) => `
  i.undo, i.undo_refusal AS "undoRefusal",
  (SELECT email FROM users WHERE company_id = i.company_id AND id = i.undo_by) AS "undoneBy",
  ${timeJson('i.undo_until')} AS "undoUntil",
  COALESCE(${canUndo(kind)}, false) AS "canUndo"`;

/**
 * Queues the undo of an import for the workers. False if the import cannot be undone, such as while
 * it is queued: so of two requests the second one does nothing.
 */
export async function requestUndo(
  kind: ImportKind,
  companyId: string,
  id: string,
  userId: string,
): Promise<boolean> {
  const row = await inTransactionOn(companyId, 'imports', tx =>
    queryOne(
      `UPDATE ${kind.table} i
       SET status = 'queued',
         undo = 'queued',
         undo_by = $3,
         undo_refusal = NULL,
         attempts = 0,
         postponed = 0,
         run_at = now(),
         finished_at = NULL
       WHERE i.company_id = $1 AND i.id = $2 AND ${canUndo(kind)}
       RETURNING 1`,
      [companyId, id, userId],
      tx,
    ),
  );
  return row !== null;
}

/** Ends the undo: done without a refusal. Restores the import's earlier status. */
export async function finishUndo(
  kind: ImportKind<never>,
  claimed: ImportClaim,
  refusal: UndoRefusal<unknown> | null,
  tx: Transaction,
): Promise<void> {
  const { companyId, id } = claimed;
  await query(
    `UPDATE ${kind.table}
     SET status = ${statusBeforeUndo(kind)},
       undo = $3,
       undo_refusal = $4,
       attempts = 0,
       postponed = 0,
       run_at = NULL,
       finished_at = clock_timestamp()
     WHERE company_id = $1 AND id = $2`,
    [companyId, id, refusal ? 'refused' : 'done', refusal && JSON.stringify(refusal)],
    tx,
  );
  if (!refusal) await appendImportEvent(kind, claimed, 'import.undone', tx);
}

/** Imports per statement. Each has up to 20,000 changes. */
const IMPORTS_PER_DELETE = 5;

/** Deletes the changes of imports that can no longer be undone. */
export async function deleteOldChanges(
  table: string,
  changesTable: string,
  log: Log,
): Promise<void> {
  let total = 0;
  for (let count = IMPORTS_PER_DELETE; count === IMPORTS_PER_DELETE; total += count) {
    const row = await queryOne<{ count: number }>(
      `WITH expired AS (
         UPDATE ${table}
         SET undo_until = NULL
         WHERE (company_id, id) IN (
           SELECT company_id, id
           FROM ${table}
           WHERE undo_until < now() AND status <> 'queued'
           ORDER BY undo_until
           LIMIT ${IMPORTS_PER_DELETE}
         )
           -- Checked again after a wait for the row's lock: its undo may have been queued.
           AND undo_until < now() AND status <> 'queued'
         RETURNING company_id, id
       ), deleted AS (
         DELETE FROM ${changesTable} c
         USING expired
         WHERE c.company_id = expired.company_id AND c.import_id = expired.id
       )
       SELECT count(*)::int AS count
       FROM expired`,
      [],
    );
    count = row?.count ?? 0;
  }
  if (total > 0) log.info({ imports: total }, 'deleted the changes of imports past their undo');
}
