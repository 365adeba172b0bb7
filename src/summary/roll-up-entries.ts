// Adds new entries to the rollups, for many companies in one statement: their money by date and
// type, the changes of invoices' balances, and the unallocated money.

import { query, type Transaction } from '../platform/db/connection.js';
import { arraysOf } from '../platform/db/rows.js';
import { lookUpAll, lookUpOne } from '../platform/db/sql.js';
import { inRange, RANGE, RANGES, type RowRange } from '../rollups/progress.js';

/**
 * Rolls up the entries of these ranges and advances the watermarks. The invoices that they concern
 * must be rolled up.
 */
export async function rollUpEntries(ranges: readonly RowRange[], tx: Transaction): Promise<void> {
  await query(ROLL_UP_ENTRIES, arraysOf(RANGE, ranges), tx);
}

/** Every table is read by index look-ups. */
const NEW_ENTRIES = `
  ranges AS (
    SELECT * FROM ${RANGES}
  ), new_entries AS MATERIALIZED (
    SELECT r.above, r.up_to, e.*
    FROM ranges r,
      ${inRange('entries', 'e', 'sequence')}
  ), new_allocations AS MATERIALIZED (
    SELECT e.above, e.up_to, a.*
    FROM new_entries e,
      ${lookUpAll(
        'allocations',
        'a',
        `company_id = e.company_id AND source_id = COALESCE(e.source_id, e.id)
          AND sequence = e.sequence`,
      )}
  )`;

const ENTRY_TOTALS = `
  added AS (
    INSERT INTO entry_totals AS t (company_id, date, type, count, total, tax)
    SELECT company_id, date, type, count(*), sum(amount), COALESCE(sum(tax_total), 0)
    FROM new_entries
    WHERE type <> 'allocation'
    GROUP BY company_id, date, type
    ON CONFLICT (company_id, date, type) DO UPDATE
      SET count = t.count + excluded.count,
        total = t.total + excluded.total,
        tax = t.tax + excluded.tax
  )`;

/**
 * Computes an invoice's balance before and after these entries from its allocations up to either
 * sequence. The invoice's own row may already include later entries.
 */
const CHANGES_OF_DUE = `
  due AS (
    SELECT i.company_id,
      COALESCE(i.due_date, 'infinity') AS due_date,
      GREATEST(i.total - given.before, 0) AS before,
      GREATEST(i.total - given.after, 0) AS after
    FROM (SELECT DISTINCT company_id, invoice_id, above, up_to FROM new_allocations) touched,
      ${lookUpOne('invoices', 'i', 'company_id = touched.company_id AND id = touched.invoice_id')},
      LATERAL (
        SELECT
          COALESCE(sum(amount) FILTER (WHERE sequence <= touched.above), 0) AS before,
          COALESCE(sum(amount) FILTER (WHERE sequence <= touched.up_to), 0) AS after
        FROM allocations t
        WHERE t.company_id = touched.company_id AND t.invoice_id = touched.invoice_id
      ) given
  ), changes AS MATERIALIZED (
    SELECT company_id, due_date,
      sum(CASE WHEN after > 0 THEN 1 ELSE 0 END - CASE WHEN before > 0 THEN 1 ELSE 0 END) AS count,
      sum(after - before) AS total
    FROM due
    GROUP BY company_id, due_date
  )`;

/** Not an upsert, which would check the (negative) change itself against the table's constraint. */
const STORE_DUE = `
  emptied AS (
    DELETE FROM due_totals t
    USING changes c
    WHERE t.company_id = c.company_id AND t.due_date = c.due_date AND t.count + c.count = 0
  ), updated AS (
    UPDATE due_totals t
    SET count = t.count + c.count, total = t.total + c.total
    FROM changes c
    WHERE t.company_id = c.company_id AND t.due_date = c.due_date AND t.count + c.count <> 0
  ), inserted AS (
    INSERT INTO due_totals (company_id, due_date, count, total)
    SELECT *
    FROM changes c
    WHERE c.count > 0 AND NOT EXISTS (
      SELECT FROM due_totals t WHERE t.company_id = c.company_id AND t.due_date = c.due_date
    )
  )`;

const ROLL_UP_ENTRIES = `
  WITH ${NEW_ENTRIES}, ${ENTRY_TOTALS}, ${CHANGES_OF_DUE}, ${STORE_DUE}
  UPDATE summaries s
  SET entry_sequence = change.up_to, unallocated = s.unallocated + change.unallocated
  FROM (
    SELECT company_id, max(up_to) AS up_to, sum(unallocated) AS unallocated
    FROM (
      SELECT company_id, up_to, 0 AS unallocated
      FROM ranges
      UNION ALL
      SELECT company_id, up_to,
        CASE
          WHEN type IN ('payment', 'creditNote') THEN amount
          WHEN type IN ('reversal', 'refund') THEN -amount
          ELSE 0
        END
      FROM new_entries
      UNION ALL
      SELECT company_id, up_to, -amount
      FROM new_allocations
    ) part
    GROUP BY company_id
  ) change
  WHERE s.company_id = change.company_id`;
