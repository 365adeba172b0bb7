// SQL whose rows are the customers and the dues of invoices that violate an invariant.
import { unequalSums } from '../sums.js';

/** One text for the columns of a due: 'infinity' has no number of days. */
const dueKey = (dueDate: string, date: string, number: string) =>
  `concat_ws(' ', ${dueDate}::text, ${date}::text, ${number}) AS invoice`;

export const DUES = unequalSums({
  key: { company_id: 'uuid', customer_key: 'text', invoice: 'text' },
  figures: ['due'],
  stored: `
    SELECT company_id, customer_key, ${dueKey('due_date', 'date', 'number')}, due
    FROM invoice_dues`,
  recounted: `
    SELECT i.company_id, i.customer_key,
      ${dueKey("COALESCE(i.due_date, 'infinity')", 'i.date', 'i.number')}, i.total AS due
    FROM invoices i
    JOIN receivable_progress p ON p.company_id = i.company_id AND i.number <= p.watermark
    UNION ALL
    SELECT i.company_id, i.customer_key,
      ${dueKey("COALESCE(i.due_date, 'infinity')", 'i.date', 'i.number')}, -a.amount
    FROM allocations a
    JOIN receivable_progress p ON p.company_id = a.company_id AND a.sequence <= p.entry_sequence
    JOIN invoices i ON i.company_id = a.company_id AND i.id = a.invoice_id`,
  offender: `
    company_id AS "companyId", customer_key AS "customerKey", invoice,
    stored_due AS due, recounted_due AS recounted`,
});

/** Allocations move no balance, but they may be between the names of a record. */
export const CUSTOMER_BALANCES = `
  SELECT document.company_id AS "companyId", min(customer_key) AS "customerKey",
    sum(debit) AS "debitsLessCredits", sum(balance) AS "dueLessUnallocated"
  FROM (
    SELECT company_id, customer_key, total AS debit, total - paid - credited AS balance
    FROM invoices
    UNION ALL
    SELECT company_id, customer_key,
      CASE
        WHEN type IN ('payment', 'creditNote') THEN -amount
        WHEN type IN ('reversal', 'refund') THEN amount
        ELSE 0
      END,
      -unallocated
    FROM entries
  ) document
  LEFT JOIN customer_names n
    ON n.company_id = document.company_id AND n.name_key = document.customer_key
  GROUP BY document.company_id, COALESCE(n.customer_id::text, document.customer_key)
  HAVING sum(debit) <> sum(balance)`;
