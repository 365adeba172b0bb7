// SQL whose rows are the entries and allocations whose effective dates, or copied columns, violate
// an invariant.
import type { Offenders } from './tables.js';

/**
 * The effective dates along each invoice, payment and credit note, with the one before. The first
 * is its own date. An entry counts once, with its allocations.
 */
const steps: Offenders = ({ invoices, funds, ofInvoices, ofFunds, entries }) => `
  SELECT company_id, sequence, effective,
    lag(effective) OVER (PARTITION BY company_id, subject ORDER BY sequence) AS before
  FROM (
    SELECT company_id, subject, sequence, max(effective) AS effective
    FROM (
      SELECT company_id, id AS subject, 0 AS sequence, date AS effective
      FROM ${invoices} i
      UNION ALL
      SELECT company_id, id, 0, date
      FROM ${funds} s
      UNION ALL
      SELECT company_id, invoice_id, sequence, effective_date
      FROM ${ofInvoices} a
      UNION ALL
      SELECT company_id, source_id, sequence, effective_date
      FROM ${ofFunds} a
      UNION ALL
      SELECT company_id, COALESCE(source_id, id), sequence, effective_date
      FROM ${entries} e
      UNION ALL
      SELECT company_id, invoice_id, sequence, effective_date
      FROM ${entries} e
      WHERE invoice_id IS NOT NULL
    ) date
    GROUP BY company_id, subject, sequence
  ) step`;

/**
 * Also finds an entry that is dated later than its effective date, and an allocation that counts
 * from another day than its entry.
 */
export const BACKWARD_DATES: Offenders = tables => `
  SELECT company_id AS "companyId", sequence, effective::text, before::text
  FROM (${steps(tables)}) step
  WHERE effective < before
  UNION ALL
  SELECT company_id, sequence, effective_date::text, date::text
  FROM ${tables.entries} e
  WHERE effective_date < date
  UNION ALL
  SELECT e.company_id, e.sequence, e.effective_date::text, a.effective_date::text
  FROM ${tables.entries} e
  JOIN ${tables.ofFunds} a ON a.company_id = e.company_id AND a.sequence = e.sequence
  WHERE e.effective_date <> a.effective_date`;

/** Requires all entries, since any of them may be the last one before. */
export const LATE_DATES: Offenders = tables => `
  SELECT e.company_id AS "companyId", e.id AS "entryId", step.effective::text, e.date::text,
    step.before::text
  FROM (
    SELECT company_id, sequence, max(effective) AS effective, max(before) AS before
    FROM (${steps(tables)}) step
    WHERE sequence > 0
    GROUP BY company_id, sequence
  ) step
  JOIN ${tables.entries} e ON e.company_id = step.company_id AND e.sequence = step.sequence
  WHERE step.effective <> GREATEST(e.date, step.before)`;

export const COPIES: Offenders = ({ ofInvoices, invoices, entries }) => `
  SELECT a.company_id AS "companyId", a.invoice_id AS "invoiceId", a.sequence
  FROM ${ofInvoices} a
  LEFT JOIN ${invoices} i ON i.company_id = a.company_id AND i.id = a.invoice_id
  LEFT JOIN ${entries} s ON s.company_id = a.company_id AND s.id = a.source_id
  WHERE (a.source_date, a.invoice_number, a.invoice_date, a.due_date, a.customer_key)
    IS DISTINCT FROM (s.date, i.number, i.date, i.due_date, i.customer_key)`;
