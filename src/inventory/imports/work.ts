// The worker's side of imports: applies queued rows in chunks, and undoes imports. Each chunk is a
// transaction that locks the import's row, applies the rows and counts them. The lock is the claim:
// if a worker is killed or hangs, its transaction is rolled back and another worker continues after
// the last applied row.
import { pollForever } from '../../platform/async/poll.js';
import { inTransaction, query } from '../../platform/db/connection.js';
import { isTransient } from '../../platform/postgres-errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { applyChunk } from './apply.js';
import { type Claim, claimImport, isImportDue, postpone, recordFailedAttempt } from './progress.js';
import { undoImport } from './undo/undo.js';

const POLL_MS = 1_000;
/** If its company is locked for longer, the import waits for its next turn. */
const LOCK_MS = 1_000;

/** Applies imports until stopped, which waits for the current chunk. Safe in every worker. */
export function runImportsForever(log: Log, onStop: OnStop): void {
  pollForever('import poll', POLL_MS, () => importNext(log), log, onStop);
}

/**
 * Applies a due import's next chunk, or all rows if it is all or nothing; or undoes a due import.
 * False if none is due. One that meets a lock, a conflict or an outage is postponed, so that the
 * others go on.
 */
async function importNext(log: Log): Promise<boolean> {
  if (!(await isImportDue())) return false;
  let claimed: Claim | null = null;
  try {
    const isApplied = await inTransaction(async tx => {
      claimed = await claimImport(tx);
      if (!claimed) return false;
      await query("SELECT set_config('lock_timeout', $1, true)", [String(LOCK_MS)], tx);
      await (claimed.isUndo ? undoImport : applyChunk)(claimed, tx);
      failPoint('job-written');
      return true;
    });
    if (isApplied) failPoint('committed');
    return isApplied;
  } catch (error) {
    if (!claimed) throw error;
    await (isTransient(error) ? postpone : recordFailedAttempt)(claimed, error, log);
    return true;
  }
}
