// How workers take turns at the chunks of imports. Each chunk is a transaction that locks the
// import's row, applies its next rows and counts them. The lock is the claim: if a worker is killed
// or hangs, its transaction is rolled back and another worker continues after the last applied row.
import { hasRows } from '../platform/async/has-rows.js';
import { pollForever } from '../platform/async/poll.js';
import { inTransaction, query, type Transaction } from '../platform/db/connection.js';
import { describeError, isTransient } from '../platform/postgres-errors.js';
import { failPoint } from '../platform/process/fail-point.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import type { ImportClaim, ImportKind } from './kind.js';
import { applyChunk, claimImport, IS_RUNNABLE, recordFailedChunk } from './progress.js';
import { finishUndo } from './undo.js';

const POLL_MS = 1_000;
/** If its company is locked for longer, the import waits for its next turn. */
const LOCK_MS = 1_000;
/** The pauses of an import that meets a lock, a conflict or an outage. */
const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 60_000;
/** The pause stops growing after this many postponements. */
const MAX_POSTPONED = 20;

/**
 * Applies and undoes imports of a kind until stopped, which waits for the current chunk. Safe in
 * every worker.
 */
export function runImportsForever<Claim extends ImportClaim>(
  kind: ImportKind<Claim>,
  log: Log,
  onStop: OnStop,
): void {
  pollForever(kind.poll, POLL_MS, () => applyNext(kind, log), log, onStop);
}

/**
 * Applies a due import's next chunk, or undoes it. False if none is due. One that meets a lock, a
 * conflict or an outage is postponed, so that the others go on.
 */
async function applyNext<Claim extends ImportClaim>(
  kind: ImportKind<Claim>,
  log: Log,
): Promise<boolean> {
  // Outside a transaction, because an idle worker asks several times per second.
  if (!(await hasRows(`${kind.table} WHERE ${IS_RUNNABLE}`))) return false;
  let claimed: Claim | null = null;
  try {
    const isApplied = await inTransaction(async tx => {
      claimed = await claimImport(kind, tx);
      if (!claimed) return false;
      await query("SELECT set_config('lock_timeout', $1, true)", [String(LOCK_MS)], tx);
      await applyClaimed(kind, claimed, tx);
      failPoint('job-written');
      return true;
    });
    if (isApplied) failPoint('committed');
    return isApplied;
  } catch (error) {
    if (!claimed) throw error;
    if (isTransient(error)) await postpone(kind, claimed, error, log);
    else await recordFailedChunk(kind, claimed, error, log);
    return true;
  }
}

async function applyClaimed<Claim extends ImportClaim>(
  kind: ImportKind<Claim>,
  claimed: Claim,
  tx: Transaction,
): Promise<void> {
  if (!kind.undo || !claimed.isUndo) return applyChunk(kind, claimed, tx);
  await finishUndo(kind, claimed, await kind.undo.apply(claimed, tx), tx);
}

/** The pauses grow, and there is no last attempt, because an accepted import is a promise. */
async function postpone(
  { table }: ImportKind<never>,
  { companyId, id }: ImportClaim,
  error: unknown,
  log: Log,
): Promise<void> {
  await query(
    `UPDATE ${table}
     SET postponed = LEAST(postponed + 1, $3),
       run_at = clock_timestamp()
         + LEAST($4 * 2 ^ postponed, $5) * interval '1 millisecond'
     WHERE company_id = $1 AND id = $2 AND status = 'queued'`,
    [companyId, id, MAX_POSTPONED, PAUSE_MIN_MS, PAUSE_MAX_MS],
  );
  log.warn({ companyId, importId: id, err: describeError(error) }, 'import chunk postponed');
}
