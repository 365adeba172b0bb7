// The list of invariants. The SQL of each returns the rows that violate it, computed from source
// rows (lines, movements, invoices), never from derived ones. Checks that read the same rows share
// a statement, because each pass over the lines of a million invoices takes seconds.
import {
  INVOICE_CURRENCIES,
  INVOICE_MOVEMENTS,
  INVOICE_NUMBERS,
  invoiceContents,
  LINE_KEYS,
} from './invoice-offenders.js';
import {
  JOBS_WITHOUT_RESULT,
  REFERENCES,
  REPEATED_SUBMISSIONS,
  RESULTS_WITHOUT_JOB,
} from './job-offenders.js';
import {
  ADJUSTMENT_MOVEMENTS,
  BALANCES,
  IMPORT_COUNTERS,
  ITEM_KEYS,
  MOVEMENT_KINDS,
  STOCK_LEVELS,
} from './stock-offenders.js';
import {
  CUSTOMER_ROLLUP,
  DAILY_ROLLUP,
  FRESH_SUMMARIES,
  ITEM_ROLLUP,
  WATERMARKS,
} from './summary-offenders.js';

export interface Check {
  /** The invariants, as sentences. */
  readonly names: readonly string[];
  /** One row per violation. With several names, the column "violation" holds the violated one. */
  readonly sql: string;
}

const contents = {
  total: "an invoice's total is the sum of its lines",
  amount: "a line's amount is qty × price rounded half up to the currency's minor unit",
};

/** In the order in which they start: the slowest first, so that none runs alone at the end. */
export const CHECKS: readonly Check[] = [
  { names: Object.values(contents), sql: invoiceContents(contents) },
  { names: ['each movement carries the balance after it'], sql: BALANCES },
  { names: ["an import's counters match its rows"], sql: IMPORT_COUNTERS },
  { names: ["no row references another company's row"], sql: REFERENCES },
  { names: ["an invoice's stock movements match its lines"], sql: INVOICE_MOVEMENTS },
  { names: ['the item rollup equals a recount up to its watermark'], sql: ITEM_ROLLUP },
  { names: ['the customer rollup equals a recount up to its watermark'], sql: CUSTOMER_ROLLUP },
  { names: ['the daily rollup equals a recount up to its watermark'], sql: DAILY_ROLLUP },
  { names: ['on hand is the sum of the movements'], sql: STOCK_LEVELS },
  {
    names: ["a movement's kind is its adjustment's reason, and a sale reduces stock"],
    sql: MOVEMENT_KINDS,
  },
  { names: ["a line counts towards its item's figures, or towards its name's"], sql: LINE_KEYS },
  {
    names: ['an invoice or adjustment comes from a job that succeeded with it'],
    sql: RESULTS_WITHOUT_JOB,
  },
  { names: ['a job that succeeded has exactly its result'], sql: JOBS_WITHOUT_RESULT },
  { names: ['a submission has one job'], sql: REPEATED_SUBMISSIONS },
  {
    names: ["an adjustment's stored movements match its movement rows"],
    sql: ADJUSTMENT_MOVEMENTS,
  },
  { names: ['invoice numbers run from 1 to the counter without a gap'], sql: INVOICE_NUMBERS },
  { names: ["an invoice is in its company's currency"], sql: INVOICE_CURRENCIES },
  { names: ['no two items of a company share a name or a sku'], sql: ITEM_KEYS },
  { names: ['no summary is ahead of its company'], sql: WATERMARKS },
  { names: ['an up-to-date summary equals a recount'], sql: FRESH_SUMMARIES },
];
