// The worker's side of imports of customers. Each chunk is a transaction that locks the import's
// row, applies its next rows and counts them. The lock is the claim: if a worker is killed or
// hangs, its transaction is rolled back and another worker continues after the last applied row.
import { MAX_ATTEMPTS } from '../../jobs/attempts.js';
import { pollForever } from '../../platform/async/poll.js';
import { inTransaction, query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { describeError, isTransient } from '../../platform/postgres-errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { applyChunk, type Claim } from './apply-chunk.js';

const POLL_MS = 1_000;
/** The pauses of an import that meets a lock, a conflict or an outage. */
const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 60_000;
/** The pause stops growing after this many postponements. */
const MAX_POSTPONED = 20;

/** Applies imports until stopped, which waits for the current chunk. Safe in every worker. */
export function runCustomerImportsForever(log: Log, onStop: OnStop): void {
  pollForever('customer import poll', POLL_MS, () => importNext(log), log, onStop);
}

/**
 * Applies a due import's next chunk. False if none is due. One that meets a lock, a conflict or an
 * outage is postponed, so that the others go on.
 */
async function importNext(log: Log): Promise<boolean> {
  if (!(await isImportDue())) return false;
  let claimed: Claim | null = null;
  try {
    const isApplied = await inTransaction(async tx => {
      claimed = await claimImport(tx);
      if (!claimed) return false;
      await applyChunk(claimed, tx);
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

const IS_DUE = "status = 'queued' AND run_at <= now()";

/** Runs outside a transaction, because an idle worker asks several times per second. */
async function isImportDue(): Promise<boolean> {
  return (await queryOne(`SELECT FROM customer_imports WHERE ${IS_DUE} LIMIT 1`, [])) !== null;
}

/** Locks the due import that has waited longest. Concurrent workers skip it. */
function claimImport(tx: Transaction): Promise<Claim | null> {
  return queryOne<Claim>(
    `SELECT company_id AS "companyId", id, position,
       (
         SELECT json_build_object('kind', 'user', 'id', users.id, 'name', users.email)
         FROM users
         WHERE users.company_id = i.company_id AND users.id = i.user_id
       ) AS "createdBy"
     FROM customer_imports i
     WHERE ${IS_DUE}
     ORDER BY run_at
     LIMIT 1
     FOR NO KEY UPDATE SKIP LOCKED`,
    [],
    tx,
  );
}

/** The pauses grow, and there is no last attempt, because an accepted import is a promise. */
async function postpone({ companyId, id }: Claim, error: unknown, log: Log): Promise<void> {
  await query(
    `UPDATE customer_imports
     SET postponed = LEAST(postponed + 1, $3),
       run_at = clock_timestamp()
         + LEAST($4 * 2 ^ postponed, $5) * interval '1 millisecond'
     WHERE company_id = $1 AND id = $2 AND status = 'queued'`,
    [companyId, id, MAX_POSTPONED, PAUSE_MIN_MS, PAUSE_MAX_MS],
  );
  log.warn({ companyId, importId: id, err: describeError(error) }, 'import chunk postponed');
}

/** Schedules a retry. After the last attempt the import fails; applied chunks stay applied. */
async function recordFailedAttempt(
  { companyId, id }: Claim,
  error: unknown,
  log: Log,
): Promise<void> {
  const row = await queryOne<{ status: string; attempts: number }>(
    `UPDATE customer_imports
     SET attempts = attempts + 1,
       status = CASE WHEN attempts + 1 < $3 THEN 'queued' ELSE 'failed' END,
       run_at = CASE WHEN attempts + 1 < $3 THEN now() + 2 ^ attempts * interval '1 second' END,
       finished_at = CASE WHEN attempts + 1 < $3 THEN NULL ELSE now() END
     WHERE company_id = $1 AND id = $2 AND status = 'queued'
     RETURNING status, attempts`,
    [companyId, id, MAX_ATTEMPTS],
  );
  log.error(
    { companyId, importId: id, attempts: row?.attempts, err: describeError(error) },
    row?.status === 'queued'
      ? 'import chunk failed; it will be retried'
      : 'import failed permanently',
  );
}
