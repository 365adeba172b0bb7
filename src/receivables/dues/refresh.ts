// Keeps invoice_dues up to date in the companies that read it. A sweep rolls up new invoices and
// entries, so that reads find few that are not rolled up. A read is exact without it.

import { query, queryOne } from '../../platform/db/connection.js';
import { arraysOf } from '../../platform/db/rows.js';
import { lookUpAll } from '../../platform/db/sql.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { inRange, isFilled, RANGE, RANGES } from '../../rollups/progress.js';
import { type Rollup, rollUpCompany, sweepRollupForever } from '../../rollups/rollup.js';
import { ensureDues } from './money.js';

/** Apart from the other sweeps. */
const SWEEP = { name: 'receivables sweep', period: { everyMs: 2_000, offsetMs: 900 } };
/** New invoices and entries that a read includes without rolling them up: some milliseconds. */
const PENDING_MAX = 500n;
/** Steps that a read rolls up first. It still counts the remaining rows, but more slowly. */
const READ_STEPS = 3;

const DUES: Rollup = {
  name: 'receivables',
  table: 'receivable_progress',
  companies: 'with a row',
  async rollUpInvoices(ranges, tx) {
    await query(ROLL_UP_INVOICES, arraysOf(RANGE, ranges.filter(isFilled)), tx);
    return ranges;
  },
  async rollUpEntries(ranges, tx) {
    await query(ROLL_UP_ENTRIES, arraysOf(RANGE, ranges), tx);
  },
};

/** Rolls up new invoices and entries until stopped. Safe in every scheduler process. */
export function sweepReceivablesForever(log: Log, onStop: OnStop): void {
  sweepRollupForever(DUES, SWEEP, log, onStop);
}

/**
 * Prepares a read of a company's receivables. Returns today in the company's time zone, or null if
 * there is no such company.
 */
export async function prepareReceivables(companyId: string): Promise<string | null> {
  await ensureDues(companyId);
  for (let step = 0; ; step += 1) {
    const found = await queryOne<{ today: string; pending: string }>(
      `SELECT (now() AT TIME ZONE c.time_zone)::date::text AS today,
         c.next_invoice_number - 1 - p.watermark + c.next_entry_sequence - 1 - p.entry_sequence
           AS pending
       FROM companies c
       JOIN receivable_progress p ON p.company_id = c.id
       WHERE c.id = $1`,
      [companyId],
    );
    if (!found || BigInt(found.pending) <= PENDING_MAX || step === READ_STEPS)
      return found?.today ?? null;
    await rollUpCompany(DUES, companyId);
  }
}

/** Today in the company's time zone; null if there is no such company. */
export async function findToday(companyId: string): Promise<string | null> {
  const found = await queryOne<{ today: string }>(
    `SELECT (now() AT TIME ZONE time_zone)::date::text AS today
     FROM companies
     WHERE id = $1`,
    [companyId],
  );
  return found?.today ?? null;
}

const KEY = 'company_id, customer_key, due_date, date, number';

const ROLL_UP_INVOICES = `
  INSERT INTO invoice_dues (${KEY}, due)
  SELECT i.company_id, i.customer_key, COALESCE(i.due_date, 'infinity'), i.date, i.number, i.total
  FROM ${RANGES},
    ${inRange('invoices', 'i', 'number')}
  WHERE i.total > 0`;

const SAME_INVOICE = KEY.split(', ')
  .map(column => `d.${column} = c.${column}`)
  .join(' AND ');

/** Not an upsert, which would check the (negative) change itself against the table's constraint. */
const ROLL_UP_ENTRIES = `
  WITH changes AS MATERIALIZED (
    SELECT a.company_id, a.customer_key, COALESCE(a.due_date, 'infinity') AS due_date,
      a.invoice_date AS date, a.invoice_number AS number, -sum(a.amount) AS due
    FROM ${RANGES},
      ${inRange('entries', 'e', 'sequence')},
      ${lookUpAll(
        'allocations',
        'a',
        `company_id = e.company_id AND source_id = COALESCE(e.source_id, e.id)
          AND sequence = e.sequence`,
      )}
    GROUP BY 1, 2, 3, 4, 5
    HAVING sum(a.amount) <> 0
  ), settled AS (
    DELETE FROM invoice_dues d
    USING changes c
    WHERE ${SAME_INVOICE} AND d.due + c.due = 0
  ), changed AS (
    UPDATE invoice_dues d
    SET due = d.due + c.due
    FROM changes c
    WHERE ${SAME_INVOICE} AND d.due + c.due <> 0
  )
  INSERT INTO invoice_dues (${KEY}, due)
  SELECT ${KEY}, due
  FROM changes c
  WHERE c.due > 0 AND NOT EXISTS (SELECT FROM invoice_dues d WHERE ${SAME_INVOICE})`;
