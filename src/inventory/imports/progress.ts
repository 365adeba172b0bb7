// The progress of an import in Postgres: claiming it, reading its rows, recording their outcome.
import type { Actor } from '../../companies/actor.js';
import { MAX_ATTEMPTS } from '../../jobs/attempts.js';
import { IS_DUE } from '../../jobs/import-work.js';
import { plainArray, textArray } from '../../platform/db/arrays.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { describeError } from '../../platform/postgres-errors.js';
import type { Log } from '../../platform/process/log.js';
import type { AdjustmentEntry, Reason } from '../schema.js';

/** Rows per adjustment: the API's maximum. */
export const CHUNK_ROWS = 250;
/** SQL: an import can be undone for a day after its last row. */
const UNDO_UNTIL = "clock_timestamp() + interval '24 hours'";

/** A locked import, and the position of its last applied row. */
export interface Claim {
  readonly companyId: string;
  readonly id: string;
  readonly reference: string;
  readonly reason: Reason;
  readonly allOrNothing: boolean;
  /** True if rows apply even if their item's stock differs from `expectedOnHand`. */
  readonly ignoresExpected: boolean;
  readonly position: number;
  /** True if the import is to be undone. */
  readonly isUndo: boolean;
  /** The user who uploaded the file, or who asked for the undo. */
  readonly createdBy: Actor;
}

/** A valid row that is not applied yet. */
export interface ValidRow {
  readonly position: number;
  readonly line: number;
  readonly entry: AdjustmentEntry;
}

/** A refused row and its errors, in sentences. */
export interface RefusedRow {
  readonly position: number;
  readonly errors: readonly string[];
}

/** SQL for the status of an import before its undo was queued. */
export const STATUS_BEFORE_UNDO =
  "CASE WHEN rows_done + rows_failed = rows_total THEN 'done' ELSE 'failed' END";

/** Locks the due import that has waited longest. Concurrent workers skip it. */
export function claimImport(tx: Transaction): Promise<Claim | null> {
  return queryOne<Claim>(
    `SELECT company_id AS "companyId", id, reference, reason,
       all_or_nothing AS "allOrNothing",
       ignores_expected AS "ignoresExpected",
       position,
       undo IS NOT DISTINCT FROM 'queued' AS "isUndo",
       (
         SELECT json_build_object('kind', 'user', 'id', users.id, 'name', users.email)
         FROM users
         WHERE users.company_id = imports.company_id
           AND users.id = CASE WHEN undo = 'queued' THEN undo_by ELSE user_id END
       ) AS "createdBy"
     FROM imports
     WHERE ${IS_DUE}
     ORDER BY run_at
     LIMIT 1
     FOR NO KEY UPDATE SKIP LOCKED`,
    [],
    tx,
  );
}

/** The next valid rows of an import after a position. */
export function readRows(
  { companyId, id }: Claim,
  after: number,
  limit: number,
  tx: Transaction,
): Promise<ValidRow[]> {
  return query<ValidRow>(
    `SELECT position, line, entry
     FROM import_rows
     WHERE company_id = $1 AND import_id = $2 AND position > $3 AND errors IS NULL
     ORDER BY position
     LIMIT $4`,
    [companyId, id, after, limit],
    tx,
  );
}

/** Deletes the applied rows and stores the errors of the refused ones. */
export async function settleRows(
  { companyId, id }: Claim,
  { applied, refused }: { applied: readonly ValidRow[]; refused: readonly RefusedRow[] },
  tx: Transaction,
): Promise<void> {
  if (applied.length > 0) {
    await query(
      `DELETE FROM import_rows
       WHERE company_id = $1 AND import_id = $2 AND position = ANY($3::int[])`,
      [companyId, id, applied.map(({ position }) => position)],
      tx,
    );
  }
  if (refused.length === 0) return;
  await query(
    `UPDATE import_rows r
     SET entry = NULL, errors = refused.errors::json
     FROM unnest($3::int[], $4::text[]) AS refused (position, errors)
     WHERE r.company_id = $1 AND r.import_id = $2 AND r.position = refused.position`,
    [
      companyId,
      id,
      plainArray(refused.map(({ position }) => position)),
      textArray(refused.map(({ errors }) => JSON.stringify(errors))),
    ],
    tx,
  );
}

/** Counts the chunk and finishes the import after its last row; otherwise requeues it last. */
export async function countRows(
  { companyId, id, allOrNothing }: Claim,
  { applied, refused, last }: { applied: number; refused: number; last: number | undefined },
  tx: Transaction,
): Promise<void> {
  await query(
    `UPDATE imports i
     SET rows_done = i.rows_done + $3,
       rows_recorded = i.rows_recorded + $3,
       undo_until = CASE WHEN next.status = 'done' THEN ${UNDO_UNTIL} END,
       rows_failed = i.rows_failed + $4,
       position = COALESCE($5, position),
       attempts = 0,
       postponed = 0,
       status = next.status,
       run_at = CASE WHEN next.status = 'queued' THEN clock_timestamp() END,
       finished_at = CASE WHEN next.status <> 'queued' THEN clock_timestamp() END
     FROM (
       SELECT CASE
         WHEN $6 AND $4 > 0 THEN 'refused'
         WHEN rows_done + rows_failed + $3 + $4 = rows_total THEN 'done'
         ELSE 'queued'
       END AS status
       FROM imports
       WHERE company_id = $1 AND id = $2
     ) next
     WHERE i.company_id = $1 AND i.id = $2`,
    [companyId, id, applied, refused, last ?? null, allOrNothing],
    tx,
  );
}

/**
 * Schedules a retry of the chunk, with exponential back-off. After the last attempt the import
 * fails; chunks that were applied before stay applied.
 */
export async function recordFailedAttempt(
  { companyId, id }: Claim,
  error: unknown,
  log: Log,
): Promise<void> {
  const row = await queryOne<{ status: string; attempts: number }>(
    `UPDATE imports
     SET attempts = attempts + 1,
       status = CASE
         WHEN attempts + 1 < $3 THEN 'queued'
         WHEN undo = 'queued' THEN ${STATUS_BEFORE_UNDO}
         ELSE 'failed'
       END,
       undo = CASE WHEN undo = 'queued' AND attempts + 1 >= $3 THEN 'failed' ELSE undo END,
       undo_until = CASE
         WHEN undo IS NULL AND attempts + 1 >= $3 THEN ${UNDO_UNTIL}
         ELSE undo_until
       END,
       run_at = CASE WHEN attempts + 1 < $3 THEN now() + 2 ^ attempts * interval '1 second' END,
       finished_at = CASE WHEN attempts + 1 < $3 THEN NULL ELSE now() END
     WHERE company_id = $1 AND id = $2 AND status = 'queued'
     RETURNING status, attempts`,
    [companyId, id, MAX_ATTEMPTS],
  );
  log.error(
    { companyId, importId: id, attempts: row?.attempts, err: describeError(error) },
    row?.status !== 'queued'
      ? 'import failed permanently'
      : 'import chunk failed; it will be retried',
  );
}
