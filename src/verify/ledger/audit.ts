// The audit of new entries: what they changed of invoices, payments, credit notes and stock.

import { query, type Transaction } from '../../platform/db/connection.js';
import { arraysOf, updateRows } from '../../platform/db/rows.js';
import { lookUpOne } from '../../platform/db/sql.js';
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
import {
  cutRanges,
  findViolations,
  gapsIn,
  readTimes,
  rowsIn,
  type StepResult,
  stepEnd,
} from '../step.js';
import { checkCreditNotes, creditedInvoices, type InvoiceWithNotes } from './credit-contents.js';
import { checkFunds } from './funds-contents.js';
import { CHECK_ENTRIES } from './new-entries.js';
import { SERIES } from './offenders.js';
import { type StoredFunds, storedFunds } from './stored-funds.js';

/** New entries of all companies per step. */
const ENTRIES_MAX = 500n;

/** The last sequence that is audited, and the company's last one. */
const PROGRESS = 'p.entry_sequence AS done, c.next_entry_sequence - 1 AS last';

/**
 * Audits a bounded number of new entries of the companies that no other process audits, and
 * advances their progress.
 */
export async function checkEntries(
  companyIds: readonly string[],
  tx: Transaction,
): Promise<StepResult> {
  const locked = await lockProgress<RowProgress>('audits', PROGRESS, companyIds, 'SKIP LOCKED', tx);
  const next = stepRanges(locked, ENTRIES_MAX);
  const times = await readTimes('entries', 'sequence', next, tx);
  const ranges = cutRanges(next, times, stepEnd(times));
  const filled = ranges.filter(isFilled);
  if (filled.length === 0) return { found: [], left: [] };
  const bind = arraysOf(RANGE, filled);
  const { found } = await findViolations(CHECK_ENTRIES, bind, tx, async () => {
    const credited = await query<InvoiceWithNotes>(CREDITED_INVOICES, bind, tx);
    const funds = await query<StoredFunds>(NEW_FUNDS, bind, tx);
    return [...credited.flatMap(checkCreditNotes), ...funds.flatMap(checkFunds)];
  });
  await updateRows('audits', ADVANCE, filled, tx);
  const left = locked.filter(({ last }, index) => (ranges[index]?.upTo ?? 0n) < BigInt(last));
  return {
    found: [...gapsIn(filled, rowsIn(filled, times), SERIES, 'entries'), ...found],
    // Includes companies that did not fit into this step.
    left: left.map(({ companyId }) => companyId),
  };
}

const TOUCHED = 'company_id = touched.company_id AND id = touched.invoice_id';

/** The invoices of the new credit notes. */
const CREDITED_INVOICES = `
  WITH touched AS MATERIALIZED (
    SELECT DISTINCT e.company_id, e.invoice_id
    FROM ${RANGES}, ${inRange('entries', 'e', 'sequence')}
    WHERE e.type = 'creditNote'
  )
  ${creditedInvoices(`touched, ${lookUpOne('invoices', 'i', TOUCHED)}`)}`;

/** The payments and credit notes of the new entries. */
const NEW_FUNDS = `
  WITH touched AS MATERIALIZED (
    SELECT DISTINCT e.company_id, COALESCE(e.source_id, e.id) AS id
    FROM ${RANGES}, ${inRange('entries', 'e', 'sequence')}
  )
  ${storedFunds(
    `touched, ${lookUpOne('entries', 'e', 'company_id = touched.company_id AND id = touched.id')}`,
  )}`;

const ADVANCE = advance('entry_sequence');
