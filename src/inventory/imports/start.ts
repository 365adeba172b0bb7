// Starts a previewed import. Like a 202, a started import is a promise.
import { inTransactionOn } from '../../companies/write-turns.js';
import { queryOne, type Transaction } from '../../platform/db/connection.js';
import { Problem } from '../../platform/errors.js';
import { countQueued } from './queries.js';

/** Per company, so that one company's files cannot delay the others'. */
const MAX_QUEUED = 5;

export interface StartOptions {
  readonly allOrNothing: boolean;
  /** Applies rows even if their item's stock differs from `expectedOnHand`. */
  readonly ignoresExpected: boolean;
}

/**
 * Queues a preview for the workers. Without effect if it has been started. An import of all or
 * nothing with an error in a row is refused at once. Throws Problem `validation_failed` if the
 * decimal separator is undecided, no row is valid, or the company has too many queued imports.
 */
export async function startImport(
  companyId: string,
  id: string,
  { allOrNothing, ignoresExpected }: StartOptions,
): Promise<void> {
  await inTransactionOn(companyId, 'imports', async tx => {
    const preview = await lockPreview(companyId, id, tx);
    if (!preview) return;
    const { doubt, total, failed } = preview;
    if (doubt !== null) throw refused('Choose the decimal separator first.');
    if (failed === total) throw refused('No row of this file can be imported.');
    const status = allOrNothing && failed > 0 ? 'refused' : 'queued';
    await queryOne(
      `UPDATE imports
       SET status = $3,
         all_or_nothing = $4,
         ignores_expected = $5,
         file = NULL,
         run_at = CASE WHEN $3 = 'queued' THEN now() END,
         finished_at = CASE WHEN $3 <> 'queued' THEN now() END
       WHERE company_id = $1 AND id = $2`,
      [companyId, id, status, allOrNothing, ignoresExpected],
      tx,
    );
    if (status === 'queued') await refuseAboveLimit(companyId, tx);
  });
}

interface LockedPreview {
  readonly doubt: string | null;
  readonly total: number;
  readonly failed: number;
}

function lockPreview(companyId: string, id: string, tx: Transaction) {
  return queryOne<LockedPreview>(
    `SELECT decimal_doubt AS doubt, rows_total AS total, rows_failed AS failed
     FROM imports
     WHERE company_id = $1 AND id = $2 AND status = 'preview'
     FOR NO KEY UPDATE`,
    [companyId, id],
    tx,
  );
}

/**
 * Throws if the company has too many queued imports, this one included. The lock lets transactions
 * count one after the other, so each one sees the earlier ones. It is the last one before COMMIT.
 */
async function refuseAboveLimit(companyId: string, tx: Transaction): Promise<void> {
  await queryOne(
    `SELECT pg_advisory_xact_lock(hashtextextended('imports of ' || id, 0))
     FROM companies
     WHERE id = $1`,
    [companyId],
    tx,
  );
  if ((await countQueued(companyId, tx)) > MAX_QUEUED)
    throw refused('Several imports are still running. Start this one when they are done.');
}

function refused(sentence: string): Problem {
  return new Problem('validation_failed', sentence);
}
