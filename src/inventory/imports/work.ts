// The worker's side of imports: applies the rows that wait, chunk by chunk, each chunk in one transaction that also counts
// it. The import's row is locked in it, which is the claim: a worker that is killed leaves the chunk as it was, one that
// hangs loses its connection, and whoever is next goes on behind the last row that was applied.
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { retryTransient } from '../../jobs/settle/settlement.js';
import { pollForever } from '../../platform/async/poll.js';
import { inTransaction, query, queryOne, type Transaction } from '../../platform/db/connection.js';
import type { FieldError } from '../../platform/errors.js';
import { describeError, isTransient } from '../../platform/postgres-errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import {
  ADJUSTMENT_RACES,
  negativeStockAllowed,
  type PlannedAdjustment,
  stockRefs,
  writeAdjustments,
} from '../adjustments.js';
import { type PlannedMovement, planAdjustment } from '../rules.js';
import type { AdjustmentEntry, Reason } from '../schema.js';
import { lockStock, type Stock } from '../stock.js';
import { sentenceOf } from './columns.js';

const POLL_MS = 250;
/** Rows of one adjustment, as many as the API takes in one. */
const CHUNK = 250;
/** Tries of one chunk that fails by a defect, before the import is given up. */
const MAX_ATTEMPTS = 5;

interface Claim {
  readonly companyId: string;
  readonly id: string;
  readonly reference: string;
  readonly reason: Reason;
  readonly allOrNothing: boolean;
  readonly position: number;
}

interface Row {
  readonly position: number;
  readonly line: number;
  readonly entry: AdjustmentEntry;
}

export interface ImportOptions {
  /** Called after COMMIT with the companies whose stock changed. */
  readonly onSettled: (companyIds: Set<string>) => void;
  readonly log: Log;
}

/** Works on imports until stopped, at once again while there is more; stopping waits for the chunk in hand. Safe in every worker. */
export function runImportsForever(options: ImportOptions, onStop: OnStop): void {
  pollForever('import poll', POLL_MS, () => importNext(options), options.log, onStop);
}

/** Applies the next chunk of an import that is due, of all rows where it is all or nothing. False where none is due. */
async function importNext({ onSettled, log }: ImportOptions): Promise<boolean> {
  let claimed: Claim | null = null;
  try {
    const applied = await retryTransient(
      () =>
        inTransaction(async tx => {
          claimed = await claim(tx);
          if (!claimed) return null;
          const count = await applyChunk(claimed, tx);
          failPoint('job-written');
          return { companyId: claimed.companyId, count };
        }),
      ADJUSTMENT_RACES,
    );
    if (applied === null) return false;
    failPoint('committed');
    if (applied.count > 0) onSettled(new Set([applied.companyId]));
    return true;
  } catch (error) {
    if (!claimed || isTransient(error)) throw error;
    await recordFailedAttempt(claimed, error, log);
    return true;
  }
}

/** The import that has waited longest, its row locked until the transaction ends; others pass it by. */
function claim(tx: Transaction): Promise<Claim | null> {
  return queryOne<Claim>(
    `SELECT company_id AS "companyId", id, reference, reason, all_or_nothing AS "allOrNothing", position
     FROM imports WHERE status = 'queued' AND run_at <= now() ORDER BY run_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    [],
    tx,
  );
}

/** Returns how many rows were applied. */
async function applyChunk(claimed: Claim, tx: Transaction): Promise<number> {
  const { companyId, id, allOrNothing, position } = claimed;
  const rows = await query<Row>(
    `SELECT position, line, entry FROM import_rows
     WHERE company_id = $1 AND import_id = $2 AND position > $3 AND errors IS NULL ORDER BY position LIMIT $4`,
    [companyId, id, position, allOrNothing ? null : CHUNK],
    tx,
  );
  const stock = await lockStock(
    stockRefs(
      companyId,
      rows.map(({ entry }) => entry),
    ),
    tx,
  );
  failPoint('stock-locked');
  const allowsNegative = (await negativeStockAllowed([companyId], tx)).has(companyId);
  const planned = rows.map(row => ({ row, ...planRow(claimed, row, allowsNegative, stock) }));
  const refused = planned.filter(({ errors }) => errors.length > 0);
  const applied =
    allOrNothing && refused.length > 0 ? [] : planned.filter(({ errors }) => errors.length === 0);
  const posted: PlannedAdjustment[] = [];
  for (let at = 0; at < applied.length; at += CHUNK)
    posted.push(toPosted(claimed, applied.slice(at, at + CHUNK)));
  if (posted.length > 0) await writeAdjustments(posted, stock, tx);
  await settleRows(claimed, applied, refused, tx);
  await countRows(
    claimed,
    { applied: applied.length, refused: refused.length, last: rows.at(-1)?.position },
    tx,
  );
  return applied.length;
}

interface PlannedRow {
  readonly row: Row;
  readonly movements: readonly PlannedMovement[];
  readonly errors: readonly string[];
}

/** Each row is planned alone on what the rows before it left, so that one that is refused keeps no other from its place. */
function planRow(
  { companyId, reason }: Claim,
  { entry }: Row,
  allowsNegative: boolean,
  stock: Stock,
) {
  const plan = planAdjustment(companyId, { reason, items: [entry] }, allowsNegative, stock, uuidv7);
  if ('movements' in plan) return { movements: plan.movements, errors: [] };
  return {
    movements: [],
    errors: (plan.problem.details.errors ?? []).map(error => refusalOf(error, entry)),
  };
}

function refusalOf(error: FieldError, { name }: AdjustmentEntry): string {
  if (error.code !== 'unknown_item') return sentenceOf(error);
  return name === undefined
    ? 'sku: No item has this SKU. Add a name to create one.'
    : 'sku: No item has this SKU, but an item with this name has another SKU or none.';
}

/** One adjustment of up to CHUNK rows. Its submission's id is the same whenever this chunk is applied, and unique. */
function toPosted(
  { companyId, id, reason, reference }: Claim,
  rows: readonly PlannedRow[],
): PlannedAdjustment {
  const [first, last] = [rows[0]?.row, rows.at(-1)?.row];
  const lines =
    first?.line === last?.line ? `line ${first?.line}` : `lines ${first?.line} to ${last?.line}`;
  const note = `CSV import, ${lines}`;
  return {
    posting: {
      companyId,
      submissionId: uuidv5(String(first?.position), id),
      resultId: uuidv7(),
      payload: { reason, reference, note, items: rows.map(({ row }) => row.entry) },
    },
    plan: { movements: rows.flatMap(({ movements }) => movements) },
  };
}

/** An applied row goes, a refused one says why. */
async function settleRows(
  { companyId, id }: Claim,
  applied: readonly PlannedRow[],
  refused: readonly PlannedRow[],
  tx: Transaction,
): Promise<void> {
  await query(
    'DELETE FROM import_rows WHERE company_id = $1 AND import_id = $2 AND position = ANY($3::int[])',
    [companyId, id, applied.map(({ row }) => row.position)],
    tx,
  );
  if (refused.length === 0) return;
  await query(
    `UPDATE import_rows r SET entry = NULL, errors = f.errors
     FROM json_to_recordset($3) AS f (position int, errors json)
     WHERE r.company_id = $1 AND r.import_id = $2 AND r.position = f.position`,
    [
      companyId,
      id,
      JSON.stringify(refused.map(({ row, errors }) => ({ position: row.position, errors }))),
    ],
    tx,
  );
}

/** Counts the chunk; the import is over with its last row. `run_at` sends it to the end of the line. */
async function countRows(
  { companyId, id, allOrNothing }: Claim,
  { applied, refused, last }: { applied: number; refused: number; last: number | undefined },
  tx: Transaction,
): Promise<void> {
  await query(
    `UPDATE imports i SET rows_done = i.rows_done + $3, rows_failed = i.rows_failed + $4, position = COALESCE($5, position),
       attempts = 0, status = n.status, run_at = CASE WHEN n.status = 'queued' THEN clock_timestamp() END,
       finished_at = CASE WHEN n.status <> 'queued' THEN clock_timestamp() END
     FROM (SELECT CASE WHEN $6 AND $4 > 0 THEN 'refused' WHEN rows_done + rows_failed + $3 + $4 = rows_total THEN 'done'
             ELSE 'queued' END AS status FROM imports WHERE company_id = $1 AND id = $2) n
     WHERE i.company_id = $1 AND i.id = $2`,
    [companyId, id, applied, refused, last ?? null, allOrNothing],
    tx,
  );
}

/** The chunk is tried again later and later; after the last try the import is given up with what was applied before. */
async function recordFailedAttempt(
  { companyId, id }: Claim,
  error: unknown,
  log: Log,
): Promise<void> {
  const row = await queryOne<{ status: string; attempts: number }>(
    `UPDATE imports SET attempts = attempts + 1,
       status = CASE WHEN attempts + 1 < $3 THEN 'queued' ELSE 'failed' END,
       run_at = CASE WHEN attempts + 1 < $3 THEN now() + 2 ^ attempts * interval '1 second' END,
       finished_at = CASE WHEN attempts + 1 < $3 THEN NULL ELSE now() END
     WHERE company_id = $1 AND id = $2 AND status = 'queued' RETURNING status, attempts`,
    [companyId, id, MAX_ATTEMPTS],
  );
  log.error(
    { companyId, importId: id, attempts: row?.attempts, err: describeError(error) },
    row?.status === 'failed' ? 'import failed permanently' : 'import chunk failed; will be retried',
  );
}
