// Keeps tax_totals up to date. Like the summary's, its cost depends on what is new. A sweep rolls
// up the new documents of all companies, and a report first rolls up its own company's, so
// it never lacks a document that was there when it was asked for.
import { type ReadInvoices, readNewInvoices } from '../../invoices/issued/new-invoices.js';
import { queryOne } from '../../platform/db/connection.js';
import { unavailable } from '../../platform/errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { IS_STALE, type Rollup, rollUpCompany, sweepRollupForever } from '../../rollups/rollup.js';
import { rollUpCreditTaxes, rollUpInvoiceTaxes } from './roll-up.js';

/** Apart from the other sweeps, which read the same invoices first and leave them for this one. */
const SWEEP = { name: 'tax sweep', period: { everyMs: 2_000, offsetMs: 400 } };
/**
 * Steps that a report rolls up itself, each of which occupies its process for a moment. The sweep
 * leaves more only of invoices that an earlier release issued.
 */
const REPORT_STEPS = 2;

const taxes = (readInvoices: ReadInvoices): Rollup => ({
  name: 'tax totals',
  table: 'tax_progress',
  companies: 'all',
  rollUpInvoices: (ranges, tx) => rollUpInvoiceTaxes(ranges, readInvoices, tx),
  rollUpEntries: rollUpCreditTaxes,
});

/** Rolls up new documents until stopped. Safe in every scheduler process. */
export function sweepTaxesForever(readInvoices: ReadInvoices, log: Log, onStop: OnStop): void {
  sweepRollupForever(taxes(readInvoices), SWEEP, log, onStop);
}

/**
 * Rolls up all new documents of a company. Throws Problem `service_unavailable` if they are too
 * many: the sweep rolls up the others.
 */
export async function refreshTaxes(companyId: string): Promise<void> {
  let isStale = await isStaleCompany(companyId);
  for (let step = 0; isStale && step < REPORT_STEPS; step += 1)
    isStale = await rollUpCompany(taxes(readNewInvoices), companyId);
  if (isStale) throw unavailable('The tax report is being prepared. Try again in a moment.');
}

async function isStaleCompany(companyId: string): Promise<boolean> {
  const found = await queryOne(
    `SELECT
     FROM companies c
     LEFT JOIN tax_progress p ON p.company_id = c.id
     WHERE c.id = $1 AND ${IS_STALE}`,
    [companyId],
  );
  return found !== null;
}
