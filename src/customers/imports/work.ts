// The worker's side of imports of customers.
import { MAX_ATTEMPTS } from '../../jobs/attempts.js';
import { applyImportsForever, type ImportKind, IS_DUE } from '../../jobs/import-work.js';
import { queryOne, type Transaction } from '../../platform/db/connection.js';
import { describeError } from '../../platform/postgres-errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { applyChunk, type Claim } from './apply-chunk.js';

const CUSTOMER_IMPORTS: ImportKind<Claim> = {
  table: 'customer_imports',
  poll: 'customer import poll',
  claim: claimImport,
  applyChunk,
  recordFailedAttempt,
};

/** Applies imports until stopped. Safe in every worker. */
export function runCustomerImportsForever(log: Log, onStop: OnStop): void {
  applyImportsForever(CUSTOMER_IMPORTS, log, onStop);
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
