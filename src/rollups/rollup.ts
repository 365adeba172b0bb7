// Rolls up the new invoices and entries of many companies in bounded steps, so its cost depends on
// what is new. A rollup is a table with one row per company, the progress, and two functions.
// Numbers and sequences commit in order, so nothing below a company's progress is skipped.
import { StaleCompanies, togetherOrAlone } from '../companies/stale-companies.js';
import { inTransactionOn } from '../companies/write-turns.js';
import { type PollPeriod, pollForever } from '../platform/async/poll.js';
import { inTransaction, type Transaction } from '../platform/db/connection.js';
import { LOOKUP_PLANS } from '../platform/db/limits.js';
import { updateRows } from '../platform/db/rows.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import { advance, isFilled, lockProgress, type RowRange, stepRanges } from './progress.js';

/** Companies per transaction. */
const COMPANIES_MAX = 500;
/** Entries per step. An entry has up to 250 allocations. */
const ENTRIES_MAX = 1_000n;

export interface Rollup {
  /** For logs, such as "tax totals". */
  readonly name: string;
  /** The table with the columns watermark (invoices) and entry_sequence. */
  readonly table: 'tax_progress' | 'receivable_progress';
  /** The companies that the sweep rolls up: all, or those that have a row already. */
  readonly companies: 'all' | 'with a row';
  /** Rolls up the invoices of one step. Returns the ranges as far as it did. */
  rollUpInvoices(ranges: readonly RowRange[], tx: Transaction): Promise<readonly RowRange[]>;
  /** Rolls up entries, which only concern invoices that were rolled up before. */
  rollUpEntries(ranges: readonly RowRange[], tx: Transaction): Promise<void>;
}

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

/** SQL: the company c has new invoices or entries since its progress p, which may be missing. */
export const IS_STALE = `
  (c.next_invoice_number - 1, c.next_entry_sequence - 1)
    IS DISTINCT FROM (COALESCE(p.watermark, 0), COALESCE(p.entry_sequence, 0))`;

/** Rolls up what is new until stopped. Safe in every scheduler process. */
export function sweepRollupForever(
  rollup: Rollup,
  poll: { readonly name: string; readonly period: PollPeriod },
  log: Log,
  onStop: OnStop,
): void {
  const { name, table, companies } = rollup;
  // A row without a watermark is not filled yet: its first reader does that.
  const join = companies === 'all' ? 'LEFT JOIN' : 'JOIN';
  const isFilledRow = companies === 'all' ? 'true' : 'p.watermark IS NOT NULL';
  const stale = new StaleCompanies(
    `SELECT c.id AS "companyId"
     FROM companies c
     ${join} ${table} p ON p.company_id = c.id
     WHERE ${isFilledRow} AND ${IS_STALE}`,
  );
  const step = (companyIds: readonly string[]) =>
    inTransaction(tx => rollUpStep(rollup, companyIds, 'SKIP LOCKED', tx));
  const sweep = async (signal: AbortSignal): Promise<boolean> => {
    let isMore = false;
    const companyIds = await stale.find();
    for (let start = 0; start < companyIds.length && !signal.aborted; start += COMPANIES_MAX) {
      const some = companyIds.slice(start, start + COMPANIES_MAX);
      isMore = (await togetherOrAlone(name, some, step, log)) || isMore;
    }
    return isMore;
  };
  pollForever(poll.name, poll.period, sweep, log, onStop);
}

/** Rolls up one step of a company, which a read needs. Returns true if more is left. */
export function rollUpCompany(rollup: Rollup, companyId: string): Promise<boolean> {
  return inTransactionOn(companyId, 'figures', tx => rollUpStep(rollup, [companyId], '', tx));
}

/** Returns true if a company that it locked has more. */
async function rollUpStep(
  { table, rollUpInvoices, rollUpEntries }: Rollup,
  companyIds: readonly string[],
  wait: '' | 'SKIP LOCKED',
  tx: Transaction,
): Promise<boolean> {
  await tx.set(LOOKUP_PLANS);
  const locked = await lockProgress<Progress>(table, PROGRESS, companyIds, wait, tx);
  const invoices = stepRanges(
    locked.map(({ companyId, watermark, lastNumber }) => ({
      companyId,
      done: watermark,
      last: lastNumber,
    })),
  );
  const rolledUp = invoices.some(isFilled) ? await rollUpInvoices(invoices, tx) : invoices;
  await updateRows(table, WATERMARK, rolledUp.filter(isFilled), tx);
  const finished = locked.filter(
    ({ lastNumber }, index) => (rolledUp[index]?.upTo ?? 0n) >= BigInt(lastNumber),
  );
  const entries = stepRanges(
    finished.map(({ companyId, entrySequence, lastEntry }) => ({
      companyId,
      done: entrySequence,
      last: lastEntry,
    })),
    ENTRIES_MAX,
  );
  const newEntries = entries.filter(isFilled);
  if (newEntries.length > 0) await rollUpEntries(newEntries, tx);
  await updateRows(table, ENTRY_SEQUENCE, newEntries, tx);
  return (
    finished.length < locked.length ||
    finished.some(({ lastEntry }, index) => (entries[index]?.upTo ?? 0n) < BigInt(lastEntry))
  );
}

const WATERMARK = advance('watermark');
const ENTRY_SEQUENCE = advance('entry_sequence');
