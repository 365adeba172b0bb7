// The versions of records: who changed them, when, and what they were from then on.
import { type ShownActor, shownActor } from '../companies/actor.js';
import { query } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/sql.js';

export interface ShownVersion {
  readonly version: number;
  readonly at: string;
  readonly changedBy: ShownActor | null;
  /** The record's stored JSON; null if it was deleted. */
  readonly body: string | null;
}

/**
 * Versions of a record before the one with the number `before`, newest first, and one more, which
 * the last of them changed. Empty if the company never had the record.
 */
export function listVersions(
  companyId: string,
  id: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<ShownVersion[]> {
  return query<ShownVersion>(
    `SELECT v.version, ${timeJson('v.valid_from')} AS at, ${shownActor('v')} AS "changedBy", v.body
     FROM (
         SELECT *, changed_by AS created_by
         FROM customer_versions
         WHERE company_id = $1 AND customer_id = $2 AND version < $3
         ORDER BY version DESC
         LIMIT $4
       ) v
     ORDER BY v.version DESC`,
    [companyId, id, before ?? MAX_VERSION, limit + 1],
  );
}
const MAX_VERSION = 2 ** 31 - 1;
