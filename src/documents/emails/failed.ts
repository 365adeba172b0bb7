// The documents whose newest e-mail failed. That ends with their next e-mail, however it ends, or
// once an invoice is void, which cannot be sent.
import type { EmailedType } from '../../emails/email.js';
import { plainArray } from '../../platform/db/arrays.js';
import { query, queryOne } from '../../platform/db/connection.js';
import { readRows } from '../../platform/db/list-reads.js';
import { type Walk, walkRows } from '../../platform/db/sql.js';

/** The days for which a failure is counted and listed. */
export const FAILED_DAYS = 30;
/** The failures that are read at most, in a few milliseconds. */
const READ_MAX = 1_000;

/** SQL: the e-mail e is the newest one of a document that can still be sent. */
const IS_OPEN = `NOT EXISTS (
    SELECT FROM emails later
    WHERE later.company_id = e.company_id AND later.document_id = e.document_id
      AND (later.created_at, later.id) > (e.created_at, e.id)
  ) AND (
    SELECT status
    FROM invoices i
    WHERE i.company_id = e.company_id AND i.id = e.document_id
  ) IS DISTINCT FROM 'void'`;

/** The failures of the company $1, in the order of their index. */
const FAILURES: Walk = {
  from: 'emails e',
  range: [
    'e.company_id = $1',
    `e.status = 'failed'`,
    `e.created_at > statement_timestamp() - interval '${FAILED_DAYS} days'`,
  ],
  order: 'e.created_at DESC, e.id DESC',
  filters: [IS_OPEN],
  max: READ_MAX,
};

/** Which of these documents have a newest e-mail that failed, whenever that was. */
export async function failedAmong(
  companyId: string,
  documentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (documentIds.length === 0) return new Set();
  const rows = await query<{ id: string }>(
    `SELECT document.id
     FROM unnest($2::uuid[]) AS document (id),
       LATERAL (
         SELECT status
         FROM emails
         WHERE company_id = $1 AND document_id = document.id
         ORDER BY created_at DESC, id DESC
         LIMIT 1
       ) newest
     WHERE newest.status = 'failed'`,
    [companyId, plainArray(documentIds)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** How many documents of the last FAILED_DAYS have a newest e-mail that failed. */
export async function countFailed(companyId: string): Promise<number> {
  const row = await queryOne<{ count: number }>(
    `SELECT count(*)::int AS count FROM (${walkRows(FAILURES, READ_MAX)}) failed`,
    [companyId],
  );
  return row?.count ?? 0;
}

export interface FailedEmail {
  /** The e-mail's id. */
  readonly id: string;
  readonly type: EmailedType;
  readonly documentId: string;
  readonly number: string;
  readonly to: readonly string[];
  /** Why it failed. */
  readonly detail: string | null;
  readonly createdAt: string;
}

/** These e-mails, the newest first. */
export function listFailed(companyId: string, limit: number): Promise<FailedEmail[]> {
  return readRows<FailedEmail>(
    companyId,
    `SELECT e.id, e.document_type AS type, e.document_id AS "documentId",
       e.document_number AS number, e.recipients -> 'to' AS to, e.error ->> 'detail' AS detail,
       to_json(e.created_at) #>> '{}' AS "createdAt"
     FROM (${walkRows(FAILURES, limit)}) e
     ORDER BY ${FAILURES.order}`,
    [companyId],
  );
}
