// The progress of an import in Postgres: claiming it, reading its rows, recording their outcome.
import { IS_AHEAD_OF_CLOCK, MAX_ATTEMPTS } from '../jobs/attempts.js';
import { plainArray, textArray } from '../platform/db/arrays.js';
import { inTransaction, query, queryOne, type Transaction } from '../platform/db/connection.js';
import { describeError } from '../platform/postgres-errors.js';
import type { Log } from '../platform/process/log.js';
import { stepsOf } from '../platform/values/steps.js';
import { appendImportEvent } from './events.js';
import type { ImportClaim, ImportKind, RefusedRow, RowOutcomes, ValidRow } from './kind.js';
import { statusBeforeUndo, UNDO_UNTIL } from './undo.js';

/** SQL of a row of imports: a worker may take it. */
export const IS_RUNNABLE = `status = 'queued' AND (run_at <= now() OR ${IS_AHEAD_OF_CLOCK})`;
/** Rows per transaction, unless the import is all or nothing: the API's limit of an adjustment. */
export const CHUNK_ROWS = 250;
/** Rows per statement. */
const ROWS_PER_STEP = 1_000;

/** Locks the due import that has waited longest. Concurrent workers skip it. */
export function claimImport<Claim extends ImportClaim>(
  { table, claimColumns, undo }: ImportKind<Claim>,
  tx: Transaction,
): Promise<Claim | null> {
  const own = claimColumns === undefined ? '' : `${claimColumns},`;
  const author = undo ? "CASE WHEN undo = 'queued' THEN undo_by ELSE user_id END" : 'user_id';
  return queryOne<Claim>(
    `SELECT company_id AS "companyId", id, position, ${own}
       ${undo ? `undo IS NOT DISTINCT FROM 'queued' AS "isUndo",` : ''}
       (
         SELECT json_build_object('kind', 'user', 'id', users.id, 'name', users.email)
         FROM users
         WHERE users.company_id = i.company_id AND users.id = ${author}
       ) AS "createdBy"
     FROM ${table} i
     WHERE ${IS_RUNNABLE}
     ORDER BY run_at
     LIMIT 1
     FOR NO KEY UPDATE SKIP LOCKED`,
    [],
    tx,
  );
}

/** Applies the next chunk, or all rows if the import is all or nothing, and counts them. */
export async function applyChunk<Claim extends ImportClaim>(
  kind: ImportKind<Claim>,
  claimed: Claim,
  tx: Transaction,
): Promise<void> {
  const rows = await readRows(kind, claimed, tx);
  const outcomes = await kind.apply(claimed, rows, tx);
  for (const step of stepsOf(outcomes.applied, ROWS_PER_STEP))
    await deleteRows(kind, claimed, step, tx);
  for (const step of stepsOf(outcomes.refused, ROWS_PER_STEP))
    await storeErrors(kind, claimed, step, tx);
  const status = await countRows(kind, claimed, outcomes, rows.at(-1)?.position, tx);
  if (status !== 'queued') await appendImportEvent(kind, claimed, 'import.finished', tx);
}

/** The next valid rows after the last applied one. */
async function readRows(
  { rowsTable }: ImportKind<never>,
  { companyId, id, position, allOrNothing }: ImportClaim,
  tx: Transaction,
): Promise<ValidRow<unknown>[]> {
  const rows: ValidRow<unknown>[] = [];
  const limit = allOrNothing ? ROWS_PER_STEP : CHUNK_ROWS;
  for (let isLast = false; !isLast; ) {
    const step = await query<ValidRow<unknown>>(
      `SELECT position, line, entry
       FROM ${rowsTable}
       WHERE company_id = $1 AND import_id = $2 AND position > $3 AND errors IS NULL
       ORDER BY position
       LIMIT $4`,
      [companyId, id, rows.at(-1)?.position ?? position, limit],
      tx,
    );
    rows.push(...step);
    isLast = !allOrNothing || step.length < limit;
  }
  return rows;
}

async function deleteRows(
  { rowsTable }: ImportKind<never>,
  { companyId, id }: ImportClaim,
  positions: readonly number[],
  tx: Transaction,
): Promise<void> {
  await query(
    `DELETE FROM ${rowsTable}
     WHERE company_id = $1 AND import_id = $2 AND position = ANY($3::int[])`,
    [companyId, id, plainArray(positions)],
    tx,
  );
}

async function storeErrors(
  { rowsTable }: ImportKind<never>,
  { companyId, id }: ImportClaim,
  refused: readonly RefusedRow[],
  tx: Transaction,
): Promise<void> {
  await query(
    `UPDATE ${rowsTable} r
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

/**
 * Counts the chunk and finishes the import after its last row; otherwise requeues it last. Resolves
 * to its status.
 */
async function countRows(
  { table, rowsDone, undo }: ImportKind<never>,
  { companyId, id, allOrNothing = false }: ImportClaim,
  { applied, refused, counts }: RowOutcomes,
  last: number | undefined,
  tx: Transaction,
): Promise<string> {
  const counted = Object.keys(counts).map((name, index) => `${name} = i.${name} + $${index + 7},`);
  const [row] = await query<{ status: string }>(
    `UPDATE ${table} i
     SET ${counted.join(' ')}
       ${undo ? `undo_until = CASE WHEN next.status = 'done' THEN ${UNDO_UNTIL} END,` : ''}
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
         WHEN ${rowsDone} + rows_failed + $3 + $4 = rows_total THEN 'done'
         ELSE 'queued'
       END AS status
       FROM ${table}
       WHERE company_id = $1 AND id = $2
     ) next
     WHERE i.company_id = $1 AND i.id = $2
     RETURNING i.status`,
    [
      ...[companyId, id, applied.length, refused.length, last ?? null, allOrNothing],
      ...Object.values(counts),
    ],
    tx,
  );
  return row?.status ?? '';
}

/** SQL of what also changes when an undo fails, or when an import fails that could be undone. */
const UNDO_FAILED = `
  undo = CASE WHEN undo = 'queued' AND attempts + 1 >= $3 THEN 'failed' ELSE undo END,
  undo_until = CASE
    WHEN undo IS NULL AND attempts + 1 >= $3 THEN ${UNDO_UNTIL}
    ELSE undo_until
  END,`;

/**
 * Schedules a retry of the chunk, with exponential back-off. After the last attempt the import
 * fails; chunks that were applied before stay applied.
 */
export async function recordFailedChunk(
  kind: ImportKind<never>,
  claimed: ImportClaim,
  error: unknown,
  log: Log,
): Promise<void> {
  const { companyId, id } = claimed;
  const row = await inTransaction(async tx => {
    const counted = await countFailure(kind, claimed, tx);
    const isOver = counted !== null && counted.status !== 'queued' && !claimed.isUndo;
    if (isOver) await appendImportEvent(kind, claimed, 'import.finished', tx);
    return counted;
  });
  log.error(
    { companyId, importId: id, attempts: row?.attempts, err: describeError(error) },
    row?.status === 'queued'
      ? 'import chunk failed; it will be retried'
      : 'import failed permanently',
  );
}

function countFailure(
  { table, undo, rowsDone }: ImportKind<never>,
  { companyId, id }: ImportClaim,
  tx: Transaction,
): Promise<{ status: string; attempts: number } | null> {
  const failed = undo
    ? `CASE WHEN undo = 'queued' THEN ${statusBeforeUndo({ rowsDone })} ELSE 'failed' END`
    : "'failed'";
  return queryOne<{ status: string; attempts: number }>(
    `UPDATE ${table}
     SET attempts = attempts + 1,
       status = CASE WHEN attempts + 1 < $3 THEN 'queued' ELSE ${failed} END,
       ${undo ? UNDO_FAILED : ''}
       run_at = CASE WHEN attempts + 1 < $3 THEN now() + 2 ^ attempts * interval '1 second' END,
       finished_at = CASE WHEN attempts + 1 < $3 THEN NULL ELSE now() END
     WHERE company_id = $1 AND id = $2 AND status = 'queued'
     RETURNING status, attempts`,
    [companyId, id, MAX_ATTEMPTS],
    tx,
  );
}
