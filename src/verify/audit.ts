// The audit: checks new rows, once each, against the invariants of verify, and reports violations.
// It runs apart from writes and from the summary's rollup and holds up neither. Companies with many
// new rows catch up in bounded steps.
import { togetherOrAlone } from '../companies/stale-companies.js';
import type { ReadInvoices } from '../invoices/issued/new-invoices.js';
import { pollForever } from '../platform/async/poll.js';
import { inTransaction, query, type Transaction } from '../platform/db/connection.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import { auditViolations } from '../platform/process/metrics.js';
import { checkDocuments, unaudited } from './audit-documents.js';
import { auditJobs, hasNewJobs } from './audit-jobs.js';
import { checkFeed } from './feed/audit.js';
import { checkEntries } from './ledger/audit.js';
import { checkRolledUpCredits } from './ledger/audit-rollups.js';
import type { StepResult } from './step.js';
import type { Violation } from './violation.js';

/**
 * A violation is reported within 10 s of its write. Apart from the sweeps that roll up the rows.
 */
const AUDIT = { everyMs: 2_000, offsetMs: 1_400 };
/** Companies per transaction. */
const COMPANIES_MAX = 200;

/** Audits new rows until stopped. Safe in every scheduler process. */
export function auditForever(readInvoices: ReadInvoices, log: Log, onStop: OnStop): void {
  const checks: readonly CheckStep[] = [
    (companyIds, tx) => checkDocuments(companyIds, tx, readInvoices),
    checkEntries,
    checkRolledUpCredits,
    checkFeed,
  ];
  const sweep = async (signal: AbortSignal): Promise<boolean> => {
    const companyIds = await unaudited.find();
    const auditSome = (some: readonly string[]) => auditCompanies(some, checks, signal, log);
    for (let start = 0; start < companyIds.length; start += COMPANIES_MAX) {
      const some = companyIds.slice(start, start + COMPANIES_MAX);
      await togetherOrAlone('audit', some, auditSome, log);
    }
    if (!(await hasNewJobs())) return false;
    return !(await audit(tx => auditJobs(log, tx), log)).isDone;
  };
  pollForever('audit', AUDIT, sweep, log, onStop);
}

/** Runs one step of the audit of some companies. */
type CheckStep = (companyIds: readonly string[], tx: Transaction) => Promise<StepResult>;

/** Runs the steps of each check until it has audited what is new. */
async function auditCompanies(
  companyIds: readonly string[],
  checks: readonly CheckStep[],
  signal: AbortSignal,
  log: Log,
): Promise<boolean> {
  for (const check of checks) {
    for (let left = companyIds; left.length > 0 && !signal.aborted; ) {
      const step = left;
      ({ left } = await audit(tx => check(step, tx), log));
    }
  }
  return false;
}

/** Runs one step, and stores its violations in the transaction that advances the audit. */
async function audit<Result extends { found: readonly Violation[] }>(
  step: (tx: Transaction) => Promise<Result>,
  log: Log,
): Promise<Result> {
  const result = await inTransaction(async tx => {
    const checked = await step(tx);
    await storeViolations(checked.found, tx);
    return checked;
  });
  report(result.found, log);
  return result;
}

/** Logs one line per company and invariant, with a count, since a defect may break every write. */
function report(found: readonly Violation[], log: Log): void {
  const groups = new Map<string, { readonly first: Violation; count: number }>();
  for (const each of found) {
    auditViolations.inc({ violation: each.violation });
    const key = `${each.companyId} ${each.violation}`;
    const group = groups.get(key) ?? { first: each, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  for (const { first, count } of groups.values())
    log.error({ ...first, count }, 'an invariant is violated; see `npm run verify`');
}

/** Stores the violations for /readyz. */
async function storeViolations(found: readonly Violation[], tx: Transaction): Promise<void> {
  if (found.length === 0) return;
  await query(
    `INSERT INTO audit_violations AS v (company_id, violation, count, offender, found_at)
     SELECT company_id, violation, count(*), (array_agg(offender))[1], now()
     FROM unnest($1::uuid[], $2::text[], $3::jsonb[]) AS found (company_id, violation, offender)
     GROUP BY 1, 2
     ORDER BY 1, 2
     ON CONFLICT (company_id, violation) DO UPDATE
       SET count = v.count + excluded.count,
         offender = excluded.offender,
         found_at = excluded.found_at`,
    [
      found.map(({ companyId }) => companyId),
      found.map(({ violation }) => violation),
      found.map(offender => JSON.stringify(offender)),
    ],
    tx,
  );
}
