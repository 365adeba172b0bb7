// SQL whose rows are the jobs, results and references between rows that violate an invariant.
import { RETENTION_DAYS } from '../jobs/retention.js';

/** SQL for the movements without their item or source. */
const MOVEMENTS_WITHOUT_PARENT = `
    SELECT 'movement' AS what, m.company_id, m.item_id AS id
    FROM movements m
    LEFT JOIN items s ON s.company_id = m.company_id AND s.id = m.item_id
    LEFT JOIN adjustments a ON a.company_id = m.company_id AND a.id = m.adjustment_id
    WHERE s.id IS NULL OR num_nonnulls(m.invoice_id, a.id, m.credit_note_id) <> 1`;

export const NEW_REFERENCES = `
  SELECT what, company_id AS "companyId", id
  FROM (${MOVEMENTS_WITHOUT_PARENT}) offender`;

/**
 * INVOICE_MOVEMENTS covers a line's item and a sale's invoice, because it compares lines and sales
 * by company, invoice and item. A check in ledger/offenders.ts does the same for returns and their
 * credit notes; the other references of entries are also checked there.
 */
export const REFERENCES = `
  SELECT offender.what, offender.company_id AS "companyId", offender.id
  FROM (
    SELECT 'invoice' AS what, i.company_id, i.id
    FROM invoices i
    LEFT JOIN companies c ON c.id = i.company_id
    WHERE c.id IS NULL
    UNION ALL
    ${MOVEMENTS_WITHOUT_PARENT}
    UNION ALL
    SELECT 'job', j.company_id, j.id
    FROM jobs j
    LEFT JOIN companies c ON c.id = j.company_id
    WHERE c.id IS NULL
  ) offender`;

/** SQL for the rows of these tables whose job did not succeed with them as its result. */
function resultsWithoutJob(...tables: readonly string[]): string {
  const results = tables.map(table => `SELECT company_id, submission_id, id FROM ${table}`);
  return `
  SELECT r.company_id AS "companyId", j.id AS "jobId", r.id AS "resultId", j.status
  FROM (${results.join(' UNION ALL ')}) r
  JOIN jobs j ON j.company_id = r.company_id AND j.submission_id = r.submission_id
  WHERE j.status <> 'succeeded' OR j.result_id <> r.id`;
}

/** Days in which no job of a result is deleted, whenever the retention runs. */
const JOB_DAYS = RETENTION_DAYS - 1;

/**
 * A repeated request finds its job by the Idempotency-Key, so the job of a result stays as long as
 * the key counts. Imports write adjustments without a job. A job that was persisted before it was
 * settled has the author of its result.
 */
export const RESULTS_WITHOUT_JOB = `
  SELECT r.company_id AS "companyId", j.id AS "jobId", r.id AS "resultId", j.status
  FROM (
    SELECT company_id, submission_id, id, created_at, created_by, true AS has_job
    FROM invoices
    UNION ALL
    SELECT company_id, submission_id, id, created_at, created_by, import_id IS NULL
    FROM adjustments
    UNION ALL
    SELECT company_id, submission_id, id, created_at, created_by, true
    FROM entries
  ) r
  LEFT JOIN jobs j ON j.company_id = r.company_id AND j.submission_id = r.submission_id
  WHERE j.status <> 'succeeded' OR j.result_id <> r.id
    OR j.created_by::jsonb <> r.created_by::jsonb
    OR j.id IS NULL AND r.has_job AND r.created_at > now() - ${JOB_DAYS} * interval '1 day'`;

/** The audit checks documents and entries in separate steps. */
export const NEW_DOCUMENTS_WITHOUT_JOB = resultsWithoutJob('invoices', 'adjustments');
export const NEW_ENTRIES_WITHOUT_JOB = resultsWithoutJob('new_entries');

export const JOBS_WITHOUT_RESULT = `
  SELECT j.company_id AS "companyId", j.id AS "jobId", j.type, j.result_id AS "resultId"
  FROM jobs j
  LEFT JOIN invoices i
    ON i.company_id = j.company_id AND i.id = j.result_id AND i.submission_id = j.submission_id
  LEFT JOIN adjustments a
    ON a.company_id = j.company_id AND a.id = j.result_id AND a.submission_id = j.submission_id
  LEFT JOIN entries e
    ON e.company_id = j.company_id AND e.id = j.result_id AND e.submission_id = j.submission_id
  WHERE j.status = 'succeeded'
    AND CASE j.type
      WHEN 'invoice.create' THEN i.id
      WHEN 'inventory.adjust' THEN a.id
      WHEN 'payment.record' THEN CASE WHEN e.type = 'payment' THEN e.id END
      WHEN 'payment.reverse' THEN CASE WHEN e.type = 'reversal' THEN e.id END
      WHEN 'allocation.make' THEN CASE WHEN e.type = 'allocation' THEN e.id END
      WHEN 'refund.record' THEN CASE WHEN e.type = 'refund' THEN e.id END
      ELSE CASE WHEN e.type = 'creditNote' THEN e.id END
    END IS NULL`;

export const REPEATED_SUBMISSIONS = `
  SELECT company_id AS "companyId", submission_id AS "submissionId",
    count(*) AS jobs, min(id::text) AS "jobId"
  FROM jobs
  GROUP BY submission_id, company_id
  HAVING count(*) > 1`;
