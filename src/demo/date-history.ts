// Gives the demo company's records the times of its history. They were settled now, like all other
// writes. Only this file changes issued records, which the database otherwise refuses.
import { plainArray } from '../platform/db/arrays.js';
import { inTransaction, query, queryOne, type Transaction } from '../platform/db/connection.js';

/** A settled write, by its submission, and the time that its records get. */
export interface DatedWrite {
  readonly submissionId: string;
  readonly at: Date;
}

const PROTECTED_TABLES = [
  ...['invoices', 'adjustments', 'movements', 'entries'],
  ...['customer_versions', 'customer_name_versions', 'company_profile_versions'],
];

/** SQL for the time when customers were changed: after the invoices that a hold would refuse. */
const CUSTOMERS_CHANGED_AT = "date_trunc('milliseconds', now() - interval '2 days')";

const DATED = 'unnest($2::uuid[], $3::timestamptz[]) AS dated (submission_id, at)';

/** SQL: a record's JSON with this time. No text has the pattern, since JSON escapes its quotes. */
const datedJson = (body: string, at: string, field = 'createdAt') => `
    regexp_replace(
      ${body},
      '"${field}":"[^"]*"',
      to_char(${at}, '"\\"${field}\\":\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""')
    )`;

const DATE_INVOICES = `
  UPDATE invoices i
  SET created_at = dated.at, body = ${datedJson('i.body', 'dated.at')}
  FROM ${DATED}
  WHERE i.company_id = $1 AND i.submission_id = dated.submission_id`;

const DATE_ADJUSTMENTS = `
  UPDATE adjustments a
  SET created_at = dated.at
  FROM ${DATED}
  WHERE a.company_id = $1 AND a.submission_id = dated.submission_id`;

const DATE_ENTRIES = `
  UPDATE entries e
  SET created_at = dated.at
  FROM ${DATED}
  WHERE e.company_id = $1 AND e.submission_id = dated.submission_id`;

/** A reversal or allocation stores the JSON of its payment or credit note. */
const DATE_ENTRY_BODIES = `
  UPDATE entries e
  SET body = ${datedJson('e.body', 'shown.created_at')},
    first_body = ${datedJson('e.first_body', 'shown.created_at')}
  FROM entries shown
  WHERE e.company_id = $1 AND shown.company_id = $1
    AND shown.id = CASE WHEN e.type IN ('reversal', 'allocation') THEN e.source_id ELSE e.id END`;

const DATE_JOBS = `
  UPDATE jobs j
  SET created_at = dated.at, finished_at = dated.at
  FROM ${DATED}
  WHERE j.company_id = $1 AND j.submission_id = dated.submission_id`;

const DATE_MOVEMENTS = `
  UPDATE movements m
  SET created_at = source.created_at
  FROM (
    SELECT id, created_at FROM invoices WHERE company_id = $1
    UNION ALL
    SELECT id, created_at FROM adjustments WHERE company_id = $1
    UNION ALL
    SELECT id, created_at FROM entries WHERE company_id = $1
  ) source
  WHERE m.company_id = $1
    AND source.id = COALESCE(m.invoice_id, m.adjustment_id, m.credit_note_id)`;

/** SQL: the time of a version. All customers were created at one time, the company's first. */
const versionTime = (version: string) => `
    CASE WHEN ${version}.valid_from = created.at THEN $2::timestamptz
      ELSE ${CUSTOMERS_CHANGED_AT}
    END`;
const CREATED = `(
    SELECT min(valid_from) AS at FROM customer_versions WHERE company_id = $1
  ) created`;

/** Names come first, because they take their times from the versions. */
const DATE_CUSTOMERS = [
  `UPDATE customer_name_versions n
   SET valid_from = ${versionTime('n')}
   FROM ${CREATED}
   WHERE n.company_id = $1`,
  `UPDATE customer_versions v
   SET valid_from = ${versionTime('v')},
     body = ${datedJson(datedJson('v.body', '$2::timestamptz'), versionTime('v'), 'updatedAt')}
   FROM ${CREATED}
   WHERE v.company_id = $1`,
  `UPDATE customers c
   SET created_at = $2, updated_at = v.valid_from
   FROM customer_versions v
   WHERE c.company_id = $1
     AND v.company_id = $1 AND v.customer_id = c.id AND v.version = c.version`,
];

const DATE_PROFILE = `
  UPDATE company_profile_versions
  SET valid_from = date_trunc('milliseconds', $2::timestamptz)
    + (version - 1) * interval '1 millisecond'
  WHERE company_id = $1`;

const DATE_COMPANY = 'UPDATE companies SET created_at = $2 WHERE id = $1';

/** Dates the records of these writes and then the company, which is as old as the first of them. */
export function dateHistory(companyId: string, writes: readonly DatedWrite[]): Promise<void> {
  const submissionIds = plainArray(writes.map(({ submissionId }) => submissionId));
  const times = plainArray(writes.map(({ at }) => at.toISOString()));
  return inTransaction(async tx => {
    // A second concurrent start waits here and then repeats the updates, which is harmless.
    await queryOne('SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE', [companyId], tx);
    await changeTriggers('DISABLE', tx);
    for (const statement of [DATE_INVOICES, DATE_ADJUSTMENTS, DATE_ENTRIES, DATE_JOBS])
      await query(statement, [companyId, submissionIds, times], tx);
    for (const statement of [DATE_ENTRY_BODIES, DATE_MOVEMENTS])
      await query(statement, [companyId], tx);
    for (const statement of [...DATE_CUSTOMERS, DATE_PROFILE, DATE_COMPANY])
      await query(statement, [companyId, writes[0]?.at], tx);
    await changeTriggers('ENABLE', tx);
  });
}

async function changeTriggers(change: 'ENABLE' | 'DISABLE', tx: Transaction): Promise<void> {
  for (const table of PROTECTED_TABLES)
    await query(`ALTER TABLE ${table} ${change} TRIGGER USER`, [], tx);
}
