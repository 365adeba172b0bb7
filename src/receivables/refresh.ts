// Keeps invoice_dues up to date in the companies that read it. A sweep folds new invoices and
// entries, so that reads find few that are not folded. A read is exact without it.
import { StaleCompanies } from '../companies/stale-companies.js';
import { inTransactionOn } from '../companies/write-turns.js';
import { ensureDues } from '../customers/dues.js';
import {
  COMPANY_KEY,
  inRange,
  isFilled,
  lockProgress,
  RANGE,
  RANGES,
  type RowRange,
  stepRanges,
} from '../invoices/issued/progress.js';
import { pollForever } from '../platform/async/poll.js';
import { inTransaction, query, queryOne, type Transaction } from '../platform/db/connection.js';
import { LOOKUP_PLANS } from '../platform/db/limits.js';
import { arraysOf, type RowChange, updateRows } from '../platform/db/rows.js';
import { lookUpAll } from '../platform/db/sql.js';
import { describeError, isOutage } from '../platform/postgres-errors.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';

/** Apart from the other sweeps. */
const SWEEP = { everyMs: 2_000, offsetMs: 900 };
/** Companies per transaction. */
const COMPANIES_MAX = 500;
/** Entries per step. An entry has up to 250 allocations. */
const STEP_ENTRIES = 1_000n;
/** New invoices and entries that a read includes without folding them: some milliseconds. */
const UNFOLDED_MAX = 500n;
/** Steps that a read folds itself. It includes what is left, only more slowly. */
const READ_STEPS = 3;

interface Progress {
  readonly companyId: string;
  readonly watermark: string;
  readonly entrySequence: string;
  /** The company's newest invoice number and entry. */
  readonly lastNumber: string;
  readonly lastEntry: string;
}

const PROGRESS = `
  p.watermark,
  p.entry_sequence AS "entrySequence",
  c.next_invoice_number - 1 AS "lastNumber",
  c.next_entry_sequence - 1 AS "lastEntry"`;

/**
 * Prepares a read of a company's receivables. Returns today in the company's time zone, or null if
 * there is no such company.
 */
export async function prepareReceivables(companyId: string): Promise<string | null> {
  await ensureDues(companyId);
  for (let step = 0; ; step += 1) {
    const found = await queryOne<{ today: string; unfolded: string }>(
      `SELECT (now() AT TIME ZONE c.time_zone)::date::text AS today,
         c.next_invoice_number - 1 - p.watermark + c.next_entry_sequence - 1 - p.entry_sequence
           AS unfolded
       FROM companies c
       JOIN receivable_progress p ON p.company_id = c.id
       WHERE c.id = $1`,
      [companyId],
    );
    if (!found || BigInt(found.unfolded) <= UNFOLDED_MAX || step === READ_STEPS)
      return found?.today ?? null;
    await inTransactionOn(companyId, 'figures', tx => foldStep([companyId], '', tx));
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

/** Folds new invoices and entries until stopped. Safe in every scheduler process. */
export function sweepReceivablesForever(log: Log, onStop: OnStop): void {
  const sweep = async (signal: AbortSignal): Promise<boolean> => {
    let isMore = false;
    const companyIds = await stale.find();
    for (let start = 0; start < companyIds.length && !signal.aborted; start += COMPANIES_MAX)
      isMore = (await foldAll(companyIds.slice(start, start + COMPANIES_MAX), log)) || isMore;
    return isMore;
  };
  pollForever('receivables sweep', SWEEP, sweep, log, onStop);
}

const stale = new StaleCompanies(
  `SELECT p.company_id AS "companyId"
   FROM receivable_progress p
   JOIN companies c ON c.id = p.company_id
   WHERE (c.next_invoice_number - 1, c.next_entry_sequence - 1)
     <> (p.watermark, p.entry_sequence)`,
);

/**
 * Folds one step of these companies together, or of each alone if that fails, so that one cannot
 * stop the others. Returns true if more is left.
 */
async function foldAll(companyIds: readonly string[], log: Log): Promise<boolean> {
  try {
    return await inTransaction(tx => foldStep(companyIds, 'SKIP LOCKED', tx));
  } catch (error) {
    if (isOutage(error)) throw error;
    const err = describeError(error);
    if (companyIds.length === 1) {
      log.error({ companyId: companyIds[0], err }, 'receivables failed; the next sweep retries it');
      return false;
    }
    log.warn({ err }, 'receivables failed; folding one by one');
  }
  let isMore = false;
  for (const companyId of companyIds) isMore = (await foldAll([companyId], log)) || isMore;
  return isMore;
}

/** Folds one step. Returns true if a company that it locked has more. */
async function foldStep(
  companyIds: readonly string[],
  wait: '' | 'SKIP LOCKED',
  tx: Transaction,
): Promise<boolean> {
  await tx.set(LOOKUP_PLANS);
  const locked = await lockProgress<Progress>(
    ...(['receivable_progress', PROGRESS, companyIds, wait, tx] as const),
  );
  const invoices = stepRanges(
    locked.map(({ companyId, watermark, lastNumber }) => ({
      companyId,
      done: watermark,
      last: lastNumber,
    })),
  );
  const newInvoices = invoices.filter(isFilled);
  if (newInvoices.length > 0) await query(FOLD_INVOICES, arraysOf(RANGE, newInvoices), tx);
  await updateRows('receivable_progress', WATERMARK, newInvoices, tx);
  // An entry only concerns invoices up to the last number, so those come first.
  const finished = locked.filter(
    ({ lastNumber }, index) => (invoices[index]?.upTo ?? 0n) >= BigInt(lastNumber),
  );
  const entries = stepRanges(
    finished.map(({ companyId, entrySequence, lastEntry }) => ({
      companyId,
      done: entrySequence,
      last: lastEntry,
    })),
    STEP_ENTRIES,
  );
  const newEntries = entries.filter(isFilled);
  if (newEntries.length > 0) await query(FOLD_ENTRIES, arraysOf(RANGE, newEntries), tx);
  await updateRows('receivable_progress', ENTRY_SEQUENCE, newEntries, tx);
  return (
    finished.length < locked.length ||
    finished.some(({ lastEntry }, index) => (entries[index]?.upTo ?? 0n) < BigInt(lastEntry))
  );
}

/** Numbers and sequences commit in order, so nothing below a watermark is skipped. */
const WATERMARK: RowChange<RowRange> = {
  key: COMPANY_KEY,
  set: { watermark: ['bigint', ({ upTo }) => upTo] },
};
const ENTRY_SEQUENCE: RowChange<RowRange> = {
  key: COMPANY_KEY,
  set: { entry_sequence: ['bigint', ({ upTo }) => upTo] },
};

const KEY = 'company_id, customer_key, due_date, date, number';

const FOLD_INVOICES = `
  INSERT INTO invoice_dues (${KEY}, due)
  SELECT i.company_id, i.customer_key, COALESCE(i.due_date, 'infinity'), i.date, i.number, i.total
  FROM ${RANGES},
    ${inRange('invoices', 'i', 'number')}
  WHERE i.total > 0`;

const SAME_INVOICE = KEY.split(', ')
  .map(column => `d.${column} = c.${column}`)
  .join(' AND ');

/** Not an upsert, which would check the (negative) change itself against the table's constraint. */
const FOLD_ENTRIES = `
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
