// Keeps tax_totals up to date. Like the summary's, its cost depends on what is new. A sweep folds
// the new documents of all companies, and a report folds those of its own company first, so it
// never lacks a document that was there when it was asked for.
import { StaleCompanies } from '../../companies/stale-companies.js';
import { inTransactionOn } from '../../companies/write-turns.js';
import { type ReadInvoices, readNewInvoices } from '../../invoices/issued/new-invoices.js';
import {
  COMPANY_KEY,
  isFilled,
  lockProgress,
  type RowRange,
  stepRanges,
} from '../../invoices/issued/progress.js';
import { pollForever } from '../../platform/async/poll.js';
import { inTransaction, queryOne, type Transaction } from '../../platform/db/connection.js';
import { LOOKUP_PLANS } from '../../platform/db/limits.js';
import { type RowChange, updateRows } from '../../platform/db/rows.js';
import { unavailable } from '../../platform/errors.js';
import { describeError, isOutage } from '../../platform/postgres-errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { foldCreditTaxes, foldInvoiceTaxes } from './fold.js';

/** Apart from the other sweeps, which read the same invoices first and leave them for this one. */
const SWEEP = { everyMs: 2_000, offsetMs: 400 };
/** Companies per transaction. */
const COMPANIES_MAX = 500;
/** Entries per step. */
const STEP_ENTRIES = 1_000n;
/**
 * Steps that a report folds itself, each of which occupies its process for a moment. The sweep
 * leaves more only of invoices that an earlier release issued.
 */
const REPORT_STEPS = 2;

interface LockedProgress {
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

const STALE = `
  (c.next_invoice_number - 1, c.next_entry_sequence - 1)
    IS DISTINCT FROM (COALESCE(p.watermark, 0), COALESCE(p.entry_sequence, 0))`;

const stale = new StaleCompanies(
  `SELECT c.id AS "companyId"
   FROM companies c
   LEFT JOIN tax_progress p ON p.company_id = c.id
   WHERE ${STALE}`,
);

/** Folds new documents until stopped. Safe in every scheduler process. */
export function sweepTaxesForever(readInvoices: ReadInvoices, log: Log, onStop: OnStop): void {
  const sweep = async (signal: AbortSignal): Promise<boolean> => {
    let isMore = false;
    const companyIds = await stale.find();
    for (let start = 0; start < companyIds.length && !signal.aborted; start += COMPANIES_MAX) {
      const some = companyIds.slice(start, start + COMPANIES_MAX);
      isMore = (await foldStep(some, readInvoices, log)) || isMore;
    }
    return isMore;
  };
  pollForever('tax sweep', SWEEP, sweep, log, onStop);
}

/**
 * Folds all new documents of a company. Throws Problem `service_unavailable` if they are too many:
 * the sweep folds the others.
 */
export async function refreshTaxes(companyId: string): Promise<void> {
  let isStale = await isStaleCompany(companyId);
  for (let step = 0; isStale && step < REPORT_STEPS; step += 1)
    isStale = await inTransactionOn(companyId, 'figures', tx =>
      refreshStep([companyId], '', readNewInvoices, tx),
    );
  if (isStale) throw unavailable('The tax report is being prepared. Try again in a moment.');
}

async function isStaleCompany(companyId: string): Promise<boolean> {
  const found = await queryOne(
    `SELECT
     FROM companies c
     LEFT JOIN tax_progress p ON p.company_id = c.id
     WHERE c.id = $1 AND ${STALE}`,
    [companyId],
  );
  return found !== null;
}

/**
 * Folds one step of these companies together, or of each alone if that fails, so that one cannot
 * stop the others. Returns true if more is left.
 */
async function foldStep(
  companyIds: readonly string[],
  readInvoices: ReadInvoices,
  log: Log,
): Promise<boolean> {
  try {
    return await inTransaction(tx => refreshStep(companyIds, 'SKIP LOCKED', readInvoices, tx));
  } catch (error) {
    if (isOutage(error)) throw error;
    const err = describeError(error);
    if (companyIds.length === 1) {
      log.error({ companyId: companyIds[0], err }, 'tax totals failed; the next sweep retries it');
      return false;
    }
    log.warn({ err }, 'tax totals failed; folding one by one');
  }
  let isMore = false;
  for (const companyId of companyIds)
    isMore = (await foldStep([companyId], readInvoices, log)) || isMore;
  return isMore;
}

/** Folds one step. Returns true if a company that it locked has more. */
async function refreshStep(
  companyIds: readonly string[],
  wait: '' | 'SKIP LOCKED',
  readInvoices: ReadInvoices,
  tx: Transaction,
): Promise<boolean> {
  await tx.set(LOOKUP_PLANS);
  const locked = await lockProgress<LockedProgress>('tax_progress', PROGRESS, companyIds, wait, tx);
  const invoices = stepRanges(
    locked.map(({ companyId, watermark, lastNumber }) => ({
      companyId,
      done: watermark,
      last: lastNumber,
    })),
  );
  const isNew = invoices.some(isFilled);
  const folded = isNew ? await foldInvoiceTaxes(invoices, readInvoices, tx) : invoices;
  await updateRows('tax_progress', WATERMARK, folded.filter(isFilled), tx);
  const entries = stepRanges(
    locked.map(({ companyId, entrySequence, lastEntry }) => ({
      companyId,
      done: entrySequence,
      last: lastEntry,
    })),
    STEP_ENTRIES,
  ).filter(isFilled);
  if (entries.length > 0) await foldCreditTaxes(entries, tx);
  await updateRows('tax_progress', ENTRY_SEQUENCE, entries, tx);
  const done = new Map(entries.map(({ companyId, upTo }) => [companyId, upTo]));
  return locked.some(
    ({ companyId, lastNumber, entrySequence, lastEntry }, index) =>
      (folded[index]?.upTo ?? 0n) < BigInt(lastNumber) ||
      (done.get(companyId) ?? BigInt(entrySequence)) < BigInt(lastEntry),
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
