// Refreshes summaries: rolls up the new invoices and entries into the rollups, then stores the
// responses of GET /summary. The cost depends on what is new, not on what exists, except that
// crediting a month's top item or customer reads that month's rows. The summaries' rows are locked,
// so any number of processes may refresh at once.
import { inTransactionOn } from '../companies/write-turns.js';
import { type ReadInvoices, readNewInvoices } from '../invoices/issued/new-invoices.js';
import { inTransaction, query, type Transaction } from '../platform/db/connection.js';
import { LOOKUP_PLANS } from '../platform/db/limits.js';
import { type RowChange, updateRows } from '../platform/db/rows.js';
import { minorUnits } from '../platform/values/money.js';
import {
  COMPANY_KEY,
  isFilled,
  lockProgress,
  type RowRange,
  stepRanges,
} from '../rollups/progress.js';
import { rollUpCredits } from './roll-up-credits.js';
import { rollUpEntries } from './roll-up-entries.js';
import { rollUpInvoices } from './roll-up-invoices.js';
import { storeEntryTexts } from './search-texts.js';
import { summaryJson } from './summary-json.js';

/** Entries per step. An entry has up to 250 allocations. */
const STEP_ENTRIES = 500n;

interface LockedSummary {
  readonly companyId: string;
  readonly watermark: string;
  readonly entrySequence: string;
  /** The last invoice and entry with a search text; behind the two above after an upgrade. */
  readonly textsNumber: string;
  readonly textsSequence: string;
  readonly creditSequence: string;
  readonly currency: string;
  readonly timeZone: string;
  /**
   * The company's newest invoice number, entry and stock version, read before the rows they count.
   * An entry only concerns invoices up to that number.
   */
  readonly lastNumber: string;
  readonly lastEntry: string;
  readonly stockVersion: string;
}

/**
 * Brings a summary up to date and returns its JSON text as of `at` (null: now), or null if there is
 * no such company. The counters are read in an earlier snapshot than the figures, so a summary
 * never claims to show more than it does.
 */
export async function refreshSummary(
  companyId: string,
  at: Date | null = null,
): Promise<string | null> {
  for (;;) {
    const { bodies, left } = await inTransactionOn(companyId, 'figures', tx =>
      refreshStep([companyId], at, '', readNewInvoices, tx),
    );
    if (left.length === 0) return bodies[0] ?? null;
  }
}

/**
 * Brings summaries up to date, except those that another process is refreshing. Ends between two
 * steps once the signal is aborted.
 */
export async function refreshSummaries(
  companyIds: readonly string[],
  readInvoices: ReadInvoices,
  signal: AbortSignal,
): Promise<void> {
  for (let left = companyIds; left.length > 0 && !signal.aborted; ) {
    const step = left;
    ({ left } = await inTransaction(tx =>
      refreshStep(step, null, 'SKIP LOCKED', readInvoices, tx),
    ));
  }
}

/**
 * Rolls up one step, and stores the figures of the companies that have no more to roll up. Returns
 * the others as `left`.
 */
async function refreshStep(
  companyIds: readonly string[],
  at: Date | null,
  wait: '' | 'SKIP LOCKED',
  readInvoices: ReadInvoices,
  tx: Transaction,
): Promise<{ bodies: string[]; left: string[] }> {
  await tx.set(LOOKUP_PLANS);
  const locked = await lockProgress<LockedSummary>('summaries', SUMMARY, companyIds, wait, tx);
  const withInvoices = await rollUpNewInvoices(locked, readInvoices, tx);
  const finished = await rollUpNewEntries(withInvoices, tx);
  return {
    bodies: await storeFigures(finished, at, tx),
    left: locked.filter(summary => !finished.includes(summary)).map(({ companyId }) => companyId),
  };
}

/** Returns the summaries that have all invoices. */
async function rollUpNewInvoices(
  summaries: readonly LockedSummary[],
  readInvoices: ReadInvoices,
  tx: Transaction,
): Promise<LockedSummary[]> {
  const ranges = stepRanges(
    summaries.map(({ companyId, watermark, lastNumber }) => ({
      companyId,
      done: watermark,
      last: lastNumber,
    })),
  );
  const isNew = ranges.some(isFilled);
  const searchable = new Set(
    summaries
      .filter(({ watermark, textsNumber }) => watermark === textsNumber)
      .map(({ companyId }) => companyId),
  );
  const rolledUp = isNew
    ? await rollUpInvoices(ranges, readInvoices, id => searchable.has(id), tx)
    : ranges;
  if (isNew) await updateRows('summaries', WATERMARK, rolledUp.filter(isFilled), tx);
  return summaries.filter(
    ({ lastNumber }, index) => (rolledUp[index]?.upTo ?? 0n) >= BigInt(lastNumber),
  );
}

/** Returns the summaries that have all entries. */
async function rollUpNewEntries(
  summaries: readonly LockedSummary[],
  tx: Transaction,
): Promise<LockedSummary[]> {
  const entries = entryRanges(summaries, ({ entrySequence }) => entrySequence);
  const credits = entryRanges(summaries, ({ creditSequence }) => creditSequence);
  const searchable = new Set(
    summaries
      .filter(({ entrySequence, textsSequence }) => entrySequence === textsSequence)
      .map(({ companyId }) => companyId),
  );
  const filled = entries.filter(isFilled);
  if (filled.length > 0) {
    await rollUpEntries(filled, tx);
    await storeEntryTexts(
      filled.filter(({ companyId }) => searchable.has(companyId)),
      tx,
    );
  }
  if (credits.some(isFilled)) await rollUpCredits(credits.filter(isFilled), tx);
  return summaries.filter(({ lastEntry }, index) =>
    [entries, credits].every(ranges => (ranges[index]?.upTo ?? 0n) >= BigInt(lastEntry)),
  );
}

function entryRanges(
  summaries: readonly LockedSummary[],
  doneOf: (summary: LockedSummary) => string,
): RowRange[] {
  return stepRanges(
    summaries.map(summary => ({
      companyId: summary.companyId,
      done: doneOf(summary),
      last: summary.lastEntry,
    })),
    STEP_ENTRIES,
  );
}

const SUMMARY = `
  p.watermark,
  p.entry_sequence AS "entrySequence",
  p.texts_number AS "textsNumber",
  p.texts_sequence AS "textsSequence",
  p.credit_sequence AS "creditSequence",
  trim(c.currency) AS currency,
  c.time_zone AS "timeZone",
  c.next_invoice_number - 1 AS "lastNumber",
  c.next_entry_sequence - 1 AS "lastEntry",
  c.stock_version AS "stockVersion"`;

/** Numbers commit in order, so no invoice below a watermark is skipped. */
const WATERMARK: RowChange<RowRange> = {
  key: COMPANY_KEY,
  set: {
    watermark: ['bigint', ({ upTo }) => upTo],
    texts_number: [
      'bigint',
      ({ upTo }) => upTo,
      (stored, upTo) => `CASE ${stored} WHEN stored.watermark THEN ${upTo} ELSE ${stored} END`,
    ],
  },
};

/** $6: the instant of the summary, or NULL for now. */
const INSTANT = 'COALESCE($6::timestamptz, now())';

const STORE_FIGURES = `
  UPDATE summaries s
  SET stock_version = given.stock_version,
    currency = given.currency,
    time_zone = given.time_zone,
    day = (${INSTANT} AT TIME ZONE given.time_zone)::date,
    computed_at = ${INSTANT},
    body = ${summaryJson({
      company: 'given.company_id',
      currency: 'given.currency',
      timeZone: 'given.time_zone',
      decimals: 'given.decimals',
      instant: INSTANT,
      unallocated: 's.unallocated',
    })}
  FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::int[])
    AS given (company_id, stock_version, currency, time_zone, decimals)
  WHERE s.company_id = given.company_id
  RETURNING body`;

async function storeFigures(
  summaries: readonly LockedSummary[],
  at: Date | null,
  tx: Transaction,
): Promise<string[]> {
  if (summaries.length === 0) return [];
  const rows = await query<{ body: string }>(
    STORE_FIGURES,
    [
      summaries.map(({ companyId }) => companyId),
      summaries.map(({ stockVersion }) => stockVersion),
      summaries.map(({ currency }) => currency),
      summaries.map(({ timeZone }) => timeZone),
      summaries.map(({ currency }) => minorUnits(currency)),
      at,
    ],
    tx,
  );
  return rows.map(({ body }) => body);
}
