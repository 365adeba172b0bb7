// Starts a previewed import. Like a 202, a started import is a promise.
import { inTransactionOn } from '../companies/write-turns.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { Problem } from '../platform/errors.js';
import { IMPORT_TABLES, type ImportKind } from './kind.js';

/** Per company, of all kinds together, so that its files cannot delay other companies' files. */
const MAX_QUEUED = 5;

/**
 * Queues a preview for the workers. Without effect if it has been started. The import becomes that
 * of the user who starts it, even if another one uploaded the file, so it may change what this user
 * may change. `choices` are columns that its user decides. An import with all_or_nothing and an
 * error in a row is refused at once. Throws Problem `validation_failed` if the decimal separator is
 * undecided, no row is valid, or the company has too many queued imports.
 */
export async function startImport(
  { table }: ImportKind,
  companyId: string,
  id: string,
  userId: string,
  choices: Readonly<Record<string, boolean>>,
): Promise<void> {
  await inTransactionOn(companyId, 'imports', async tx => {
    const preview = await queryOne<{ doubt: string | null; total: number; failed: number }>(
      `SELECT decimal_doubt AS doubt, rows_total AS total, rows_failed AS failed
       FROM ${table}
       WHERE company_id = $1 AND id = $2 AND status = 'preview'
       FOR NO KEY UPDATE`,
      [companyId, id],
      tx,
    );
    if (!preview) return;
    const { doubt, total, failed } = preview;
    if (doubt !== null) throw refused('Choose the decimal separator first.');
    if (failed === total) throw refused('No row of this file can be imported.');
    const status = choices.all_or_nothing && failed > 0 ? 'refused' : 'queued';
    const chosen = Object.keys(choices).map((column, index) => `${column} = $${index + 5},`);
    await query(
      `UPDATE ${table}
       SET status = $3,
         user_id = $4,
         ${chosen.join(' ')}
         file = NULL,
         judgement = NULL,
         run_at = CASE WHEN $3 = 'queued' THEN now() END,
         finished_at = CASE WHEN $3 <> 'queued' THEN now() END
       WHERE company_id = $1 AND id = $2`,
      [companyId, id, status, userId, ...Object.values(choices)],
      tx,
    );
    if (status === 'queued') await refuseAboveLimit(companyId, tx);
  });
}

const QUEUED = IMPORT_TABLES.map(
  table => `(SELECT count(*)::int FROM ${table} WHERE company_id = $1 AND status = 'queued')`,
);

/**
 * Throws if the company has too many queued imports, this one included. The lock lets transactions
 * count one after the other, so each one sees the earlier ones. It is the last one before COMMIT.
 */
async function refuseAboveLimit(companyId: string, tx: Transaction): Promise<void> {
  await query(
    `SELECT pg_advisory_xact_lock(hashtextextended('imports of ' || id, 0))
     FROM companies
     WHERE id = $1`,
    [companyId],
    tx,
  );
  const sql = `SELECT ${QUEUED.join(' + ')} AS count`;
  const row = await queryOne<{ count: number }>(sql, [companyId], tx);
  if ((row?.count ?? 0) > MAX_QUEUED)
    throw refused('Several imports are still running. Start this one when they are done.');
}

function refused(sentence: string): Problem {
  return new Problem('validation_failed', sentence);
}
