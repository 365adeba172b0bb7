// The list of invariants, which verify checks on everything and the audit on new rows. The SQL of
// each returns the rows that violate it, computed from source rows (invoices, movements), never
// from derived ones. Those that need TypeScript are in stored/runs.ts.
import { PROFILE_LOGOS, PROFILE_VERSIONS } from './companies/offenders.js';
import {
  CUSTOMER_EXPOSURES,
  CUSTOMER_FIGURES,
  CUSTOMER_NAME_VERSIONS,
  CUSTOMER_VERSIONS,
  LAST_CUSTOMER_VERSIONS,
} from './customers/offenders.js';
import {
  EMAIL_ATTACHMENTS,
  EMAIL_DOCUMENTS,
  EMAIL_STATES,
  EMAILS_OF_CREATES,
} from './emails/offenders.js';
import { FEED_CHECKS } from './feed/offenders.js';
import { INVOICE_MOVEMENTS, INVOICE_NUMBERS } from './invoice-offenders.js';
import {
  JOBS_WITHOUT_RESULT,
  NEW_DOCUMENTS_WITHOUT_JOB,
  NEW_REFERENCES,
  REFERENCES,
  REPEATED_SUBMISSIONS,
  RESULTS_WITHOUT_JOB,
} from './job-offenders.js';
import { LEDGER_CHECKS } from './ledger/offenders.js';
import { CUSTOMER_BALANCES, DUES } from './ledger/receivables.js';
import {
  ADJUSTED_MOVEMENTS,
  ADJUSTMENT_MOVEMENTS,
  BALANCES,
  CORRECTIONS,
  IMPORT_COUNTERS,
  ITEM_KEYS,
  ITEM_NAMES,
  LINES_WITHOUT_ITEM,
  NEW_BALANCES,
  NEW_LINES_WITHOUT_ITEM,
  NEW_STOCK_LEVELS,
  STOCK_FIGURES,
  STOCK_LEVELS,
} from './stock-offenders.js';
import { STORED_RESPONSES } from './stored/responses.js';
import { AHEAD } from './stored/watermarks.js';
import {
  CUSTOMER_ROLLUP,
  DAILY_ROLLUP,
  DUE_ROLLUP,
  ENTRY_ROLLUP,
  FRESH_SUMMARIES,
  ITEM_ROLLUP,
  MONTHLY_TOPS,
  TAX_ROLLUP,
  UNALLOCATED,
} from './summary-offenders.js';
import { WEBHOOK_DELIVERIES, WEBHOOK_POSITIONS, WEBHOOK_SECRETS } from './webhooks/offenders.js';

export interface Check {
  /** The invariant, as a sentence. */
  readonly name: string;
  /** One row per violation. */
  readonly sql: string;
  /** The SQL for the audit, whose statement names its new rows like the tables. */
  readonly newSql?: string;
}

// The invariants that the audit checks of the sales of new invoices, in a statement of their own.
export const BALANCE_OF_MOVEMENT = 'each movement carries the balance after it';
export const OWN_COMPANY = "no row references another company's row";
export const MOVEMENTS_OF_INVOICE = "an invoice's stock movements match its lines";
export const STOCK_OF_ITEM = 'on hand is the sum of the movements';
export const KIND_OF_MOVEMENT =
  "a movement's kind is its adjustment's reason, and a sale reduces stock";
/** The invariant of invoice numbers. The audit checks it when it counts the new invoices. */
export const NUMBERS = 'invoice numbers run from 1 to the counter without a gap';
/** The audit checks this invariant in its own step, for all customers of a month together. */
export const CUSTOMERS_OF_MONTH = 'the customer rollup equals a recount up to its watermark';
/** The audit checks this invariant in its own step, on finished jobs. */
export const RESULT_OF_JOB = 'a job that succeeded has exactly its result';

/** The slowest checks come first: they run in this order, and none should run alone at the end. */
export const CHECKS: readonly Check[] = [
  { name: BALANCE_OF_MOVEMENT, sql: BALANCES, newSql: NEW_BALANCES },
  { name: "an import's counters match its rows", sql: IMPORT_COUNTERS },
  { name: OWN_COMPANY, sql: REFERENCES, newSql: NEW_REFERENCES },
  { name: MOVEMENTS_OF_INVOICE, sql: INVOICE_MOVEMENTS },
  { name: 'the item rollup equals a recount up to its watermark', sql: ITEM_ROLLUP },
  { name: CUSTOMERS_OF_MONTH, sql: CUSTOMER_ROLLUP },
  { name: 'the daily rollup equals a recount up to its watermark', sql: DAILY_ROLLUP },
  { name: 'the rollup of what is due equals a recount up to its watermark', sql: DUE_ROLLUP },
  { name: 'the rollup of entries equals a recount up to its watermark', sql: ENTRY_ROLLUP },
  { name: 'the rollup of taxes equals a recount up to its watermarks', sql: TAX_ROLLUP },
  { name: "a summary's unallocated money equals a recount up to its watermark", sql: UNALLOCATED },
  { name: "the dues of a company's invoices equal a recount up to their watermarks", sql: DUES },
  {
    name: "a customer's debits less credits are its outstanding less its unallocated money",
    sql: CUSTOMER_BALANCES,
  },
  { name: STOCK_OF_ITEM, sql: STOCK_LEVELS, newSql: NEW_STOCK_LEVELS },
  { name: KIND_OF_MOVEMENT, sql: ADJUSTED_MOVEMENTS, newSql: ADJUSTED_MOVEMENTS },
  {
    name: 'an invoice or adjustment comes from a job that succeeded with it',
    sql: RESULTS_WITHOUT_JOB,
    newSql: NEW_DOCUMENTS_WITHOUT_JOB,
  },
  { name: RESULT_OF_JOB, sql: JOBS_WITHOUT_RESULT },
  { name: 'a submission has one job', sql: REPEATED_SUBMISSIONS },
  {
    name: "an adjustment's stored movements match its movement rows",
    sql: ADJUSTMENT_MOVEMENTS,
    newSql: ADJUSTMENT_MOVEMENTS,
  },
  { name: 'a correction changes items of a delivery of its company', sql: CORRECTIONS },
  { name: NUMBERS, sql: INVOICE_NUMBERS },
  {
    name: 'a line that names an item in use takes its stock',
    sql: LINES_WITHOUT_ITEM,
    newSql: NEW_LINES_WITHOUT_ITEM,
  },
  { name: 'no two items of a company share a name or a sku', sql: ITEM_KEYS },
  { name: 'lines find each item by its name, unless it is archived', sql: ITEM_NAMES },
  { name: "a company's stock figures equal a recount of its items", sql: STOCK_FIGURES },
  { name: "a month's best customers and items have its largest totals", sql: MONTHLY_TOPS },
  { name: 'no watermark is ahead of its company', sql: AHEAD },
  { name: 'an up-to-date summary equals a recount', sql: FRESH_SUMMARIES },
  { name: "a name's last version names the record that has it", sql: CUSTOMER_NAME_VERSIONS },
  { name: 'the versions of a profile run from 1 without a gap', sql: PROFILE_VERSIONS },
  { name: 'each version of a profile has its logo', sql: PROFILE_LOGOS },
  { name: 'the versions of a customer run from 1 without a gap', sql: CUSTOMER_VERSIONS },
  { name: 'the last version of a customer equals the record', sql: LAST_CUSTOMER_VERSIONS },
  { name: "a company's figures of customers equal a recount", sql: CUSTOMER_FIGURES },
  { name: 'a stored response is what its request was answered with', sql: STORED_RESPONSES },
  { name: "the exposures of customers' credit limits equal a recount", sql: CUSTOMER_EXPOSURES },
  { name: 'an invoice is created with one e-mail at most', sql: EMAILS_OF_CREATES },
  { name: 'each e-mail that was sent has its attachments', sql: EMAIL_ATTACHMENTS },
  { name: 'an e-mail names a document of its company by its number', sql: EMAIL_DOCUMENTS },
  { name: 'an e-mail is due exactly while it is queued', sql: EMAIL_STATES },
  ...FEED_CHECKS,
  { name: 'the position of a webhook endpoint is in its feed', sql: WEBHOOK_POSITIONS },
  { name: 'a webhook has succeeded exactly if it was answered with 2xx', sql: WEBHOOK_DELIVERIES },
  { name: 'a webhook endpoint has one current secret, encrypted', sql: WEBHOOK_SECRETS },
  ...LEDGER_CHECKS,
];
