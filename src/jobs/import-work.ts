// How workers take turns at the chunks of imports. Each chunk is a transaction that locks the
// import's row, applies its next rows and counts them. The lock is the claim: if a worker is killed
// or hangs, its transaction is rolled back and another worker continues after the last applied row.
import { pollForever } from '../platform/async/poll.js';
import { inTransaction, query, type Transaction } from '../platform/db/connection.js';
import { describeError, isTransient } from '../platform/postgres-errors.js';
import { failPoint } from '../platform/process/fail-point.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import { hasRows } from './has-rows.js';

const POLL_MS = 1_000;
/** If its company is locked for longer, the import waits for its next turn. */
const LOCK_MS = 1_000;
/** The pauses of an import that meets a lock, a conflict or an outage. */
const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 60_000;
/** The pause stops growing after this many postponements. */
const MAX_POSTPONED = 20;

/** SQL of a row of imports: a worker may take it. */
export const IS_DUE = "status = 'queued' AND run_at <= now()";

interface ImportClaim {
  readonly companyId: string;
  readonly id: string;
}

/** A kind of imports. Its table has the columns status, run_at and postponed. */
export interface ImportKind<Claim extends ImportClaim> {
  readonly table: string;
  /** The name of its poll in logs. */
  readonly poll: string;
  /** Locks the due import that has waited longest. Concurrent workers skip it. */
  claim(tx: Transaction): Promise<Claim | null>;
  applyChunk(claimed: Claim, tx: Transaction): Promise<void>;
  /** Schedules a retry; after the last attempt the import fails. */
  recordFailedAttempt(claimed: Claim, error: unknown, log: Log): Promise<void>;
}

/** Applies imports until stopped, which waits for the current chunk. Safe in every worker. */
export function applyImportsForever<Claim extends ImportClaim>(
  kind: ImportKind<Claim>,
  log: Log,
  onStop: OnStop,
): void {
  pollForever(kind.poll, POLL_MS, () => applyNext(kind, log), log, onStop);
}

/**
 * Applies a due import's next chunk. False if none is due. One that meets a lock, a conflict or an
 * outage is postponed, so that the others go on.
 */
async function applyNext<Claim extends ImportClaim>(
  kind: ImportKind<Claim>,
  log: Log,
): Promise<boolean> {
  // Outside a transaction, because an idle worker asks several times per second.
  if (!(await hasRows(`${kind.table} WHERE ${IS_DUE}`))) return false;
  let claimed: Claim | null = null;
  try {
    const isApplied = await inTransaction(async tx => {
      claimed = await kind.claim(tx);
      if (!claimed) return false;
      await query("SELECT set_config('lock_timeout', $1, true)", [String(LOCK_MS)], tx);
      await kind.applyChunk(claimed, tx);
      failPoint('job-written');
      return true;
    });
    if (isApplied) failPoint('committed');
    return isApplied;
  } catch (error) {
    if (!claimed) throw error;
    if (isTransient(error)) await postpone(kind, claimed, error, log);
    else await kind.recordFailedAttempt(claimed, error, log);
    return true;
  }
}

/** The pauses grow, and there is no last attempt, because an accepted import is a promise. */
async function postpone(
  { table }: Pick<ImportKind<never>, 'table'>,
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
