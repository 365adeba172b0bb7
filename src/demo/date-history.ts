// Gives the demo company's records the times of its history. They were settled now, like all other
// writes. Only this file changes issued records, which the database otherwise refuses.
import { plainArray } from '../platform/db/arrays.js';
import { inTransaction, query, queryOne, type Transaction } from '../platform/db/connection.js';

/** A settled write, by its submission, and the time that its records get. */
export interface DatedWrite {
  readonly submissionId: string;
  readonly at: Date;
}

const PROTECTED_TABLES = ['invoices', 'adjustments', 'movements'];

const DATED = 'unnest($2::uuid[], $3::timestamptz[]) AS dated (submission_id, at)';

/** The time is part of an invoice's JSON, once: JSON text escapes the quotes of a string. */
const DATE_INVOICES = `
  UPDATE invoices i
  SET created_at = dated.at,
    body = regexp_replace(
      i.body,
      '"createdAt":"[^"]*"',
      to_char(dated.at, '"\\"createdAt\\":\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""')
    )
  FROM ${DATED}
  WHERE i.company_id = $1 AND i.submission_id = dated.submission_id`;

const DATE_ADJUSTMENTS = `
  UPDATE adjustments a
  SET created_at = dated.at
  FROM ${DATED}
  WHERE a.company_id = $1 AND a.submission_id = dated.submission_id`;

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
  ) source
  WHERE m.company_id = $1 AND source.id = COALESCE(m.invoice_id, m.adjustment_id)`;

/** Dates the records of these writes and then the company, in one transaction. */
export function dateHistory(
  companyId: string,
  start: Date,
  writes: readonly DatedWrite[],
): Promise<void> {
  const submissionIds = plainArray(writes.map(({ submissionId }) => submissionId));
  const times = plainArray(writes.map(({ at }) => at.toISOString()));
  return inTransaction(async tx => {
    // Of two starts at once, the second one waits here, and then repeats what is done.
    await queryOne('SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE', [companyId], tx);
    await changeTriggers('DISABLE', tx);
    for (const statement of [DATE_INVOICES, DATE_ADJUSTMENTS, DATE_JOBS])
      await query(statement, [companyId, submissionIds, times], tx);
    await query(DATE_MOVEMENTS, [companyId], tx);
    await changeTriggers('ENABLE', tx);
    await query('UPDATE companies SET created_at = $2 WHERE id = $1', [companyId, start], tx);
  });
}

async function changeTriggers(change: 'ENABLE' | 'DISABLE', tx: Transaction): Promise<void> {
  for (const table of PROTECTED_TABLES)
    await query(`ALTER TABLE ${table} ${change} TRIGGER USER`, [], tx);
}
