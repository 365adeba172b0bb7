// Stores the search texts of invoices and entries as the summaries roll them up, and those of rows
// that an earlier release has rolled up.

import { StaleCompanies } from '../companies/stale-companies.js';
import { readNewInvoices } from '../invoices/issued/new-invoices.js';
import { storeInvoiceTexts } from '../invoices/search/invoice-texts.js';
import { addEntryTexts } from '../ledger/search/entry-texts.js';
import { inTransaction, type Transaction } from '../platform/db/connection.js';
import { LOOKUP_PLANS } from '../platform/db/limits.js';
import { updateRows } from '../platform/db/rows.js';
import { advance, isFilled, lockProgress, type RowRange, stepRanges } from '../rollups/progress.js';

const NUMBER = advance('texts_number');
const SEQUENCE = advance('texts_sequence');

/** Stores the texts of the entries of these ranges, whose earlier entries all have theirs. */
export async function storeEntryTexts(ranges: readonly RowRange[], tx: Transaction): Promise<void> {
  if (ranges.length === 0) return;
  await addEntryTexts(ranges, tx);
  await updateRows('summaries', SEQUENCE, ranges, tx);
}

/** Companies per step. Only an upgrade leaves rows without a text. */
const COMPANIES_MAX = 100;

interface Progress {
  readonly companyId: string;
  readonly watermark: string;
  readonly entrySequence: string;
  readonly textsNumber: string;
  readonly textsSequence: string;
}

const behind = new StaleCompanies(
  `SELECT company_id AS "companyId"
   FROM summaries
   WHERE texts_number < watermark OR texts_sequence < entry_sequence
   LIMIT ${COMPANIES_MAX}`,
);

/** One bounded step for rolled-up rows without a text, so that summaries do not wait for long. */
export async function addMissingTexts(): Promise<void> {
  const companyIds = await behind.find();
  if (companyIds.length === 0) return;
  await inTransaction(async tx => {
    await tx.set(LOOKUP_PLANS);
    const locked = await lockProgress<Progress>(
      'summaries',
      `p.watermark, p.entry_sequence AS "entrySequence",
       p.texts_number AS "textsNumber", p.texts_sequence AS "textsSequence"`,
      companyIds,
      'SKIP LOCKED',
      tx,
    );
    const invoices = stepRanges(
      locked.map(({ companyId, textsNumber: done, watermark: last }) => ({
        companyId,
        done,
        last,
      })),
    ).filter(isFilled);
    const read = await readNewInvoices(invoices, tx);
    await storeInvoiceTexts(read.invoices, tx);
    await updateRows('summaries', NUMBER, read.read.filter(isFilled), tx);
    const entries = stepRanges(
      locked.map(({ companyId, textsSequence: done, entrySequence: last }) => ({
        companyId,
        done,
        last,
      })),
    ).filter(isFilled);
    await storeEntryTexts(entries, tx);
  });
}
