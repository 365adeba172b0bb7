// The audit of rolled-up credit notes. A recount of an item's month would read all of its invoices,
// so this compares the customers of a month together: they have what was invoiced in it less what
// was credited. verify recounts each customer and item.

import type { Transaction } from '../../platform/db/connection.js';
import { arraysOf, updateRows } from '../../platform/db/rows.js';
import { lookUpOne, sqlText } from '../../platform/db/sql.js';
import {
  advance,
  inRange,
  isFilled,
  lockProgress,
  RANGE,
  RANGES,
  type RowProgress,
  stepRanges,
} from '../../rollups/progress.js';
import { CUSTOMERS_OF_MONTH } from '../checks.js';
import { findViolations, type StepResult } from '../step.js';

/** New entries of all companies per step. */
const ENTRIES_MAX = 500n;

/** The last sequence that is audited, and the last one whose credit note is rolled up. */
const PROGRESS = `
  p.credit_sequence AS done,
  COALESCE((SELECT s.credit_sequence FROM summaries s WHERE s.company_id = c.id), 0) AS last`;

/**
 * Compares the months of a bounded number of rolled-up credit notes of the companies that no other
 * process audits, and advances their progress.
 */
export async function checkRolledUpCredits(
  companyIds: readonly string[],
  tx: Transaction,
): Promise<StepResult> {
  const locked = await lockProgress<RowProgress>('audits', PROGRESS, companyIds, 'SKIP LOCKED', tx);
  const ranges = stepRanges(locked, ENTRIES_MAX);
  const filled = ranges.filter(isFilled);
  if (filled.length === 0) return { found: [], left: [] };
  const { found } = await findViolations(CHECK_MONTHS, arraysOf(RANGE, filled), tx);
  await updateRows('audits', ADVANCE, filled, tx);
  const left = locked.filter(({ last }, index) => (ranges[index]?.upTo ?? 0n) < BigInt(last));
  return { found, left: left.map(({ companyId }) => companyId) };
}

const ADVANCE = advance('credit_sequence');

const IN_MONTH =
  "month.company_id AND date >= month.start AND date < month.start + interval '1 month'";

/** One statement reads one snapshot, in which the rollups and their watermarks match. */
const CHECK_MONTHS = `
  WITH months AS MATERIALIZED (
    SELECT DISTINCT e.company_id, date_trunc('month', e.date)::date AS start, s.credit_sequence
    FROM ${RANGES},
      ${inRange('entries', 'e', 'sequence')},
      ${lookUpOne('summaries', 's', 'company_id = e.company_id')}
    WHERE e.type = 'creditNote'
  ), compared AS MATERIALIZED (
    SELECT month.company_id, month.start,
      (
        SELECT COALESCE(sum(total), 0)
        FROM customer_totals
        WHERE company_id = month.company_id AND customer_totals.month = month.start
      ) AS customers,
      (
        SELECT COALESCE(sum(total), 0)
        FROM daily_totals
        WHERE company_id = ${IN_MONTH}
      ) AS invoiced,
      (
        SELECT COALESCE(sum(amount), 0)
        FROM entries
        WHERE company_id = ${IN_MONTH}
          AND type = 'creditNote' AND sequence <= month.credit_sequence
      ) AS credited
    FROM months month
  )
  SELECT ${sqlText(CUSTOMERS_OF_MONTH)} AS violation,
    json_build_object(
      'companyId', company_id, 'month', start,
      'customers', customers, 'invoiced', invoiced, 'credited', credited
    ) AS offender
  FROM compared
  WHERE customers <> invoiced - credited`;
