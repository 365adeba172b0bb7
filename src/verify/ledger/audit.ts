// The audit of new entries: what they changed of invoices, payments, credit notes and stock.
import { plainArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { LOOKUP_PLANS } from '../../platform/db/limits.js';
import { setPlans } from '../../platform/db/plans.js';
import { AUDIT_PLANS, type Finding, violationsOf } from '../new-rows.js';
import { cutRanges, type StepRow, stepEnd } from '../step.js';
import type { Violation } from '../violation.js';
import { type CreditedInvoice, checkCreditNotes, creditedInvoices } from './credit-contents.js';
import { CHECK_ENTRIES } from './new-entries.js';
import { SERIES } from './offenders.js';

/** New entries of all companies per step. */
const ENTRIES_MAX = 500n;

/** How far a company's entries are audited, and the last one. */
interface Progress {
  readonly companyId: string;
  readonly done: string;
  readonly last: string;
}

interface Range {
  readonly companyId: string;
  readonly above: bigint;
  readonly upTo: bigint;
}

/**
 * Audits a bounded number of new entries of the companies that no other process audits, and
 * advances their progress. Returns what it found, and the companies with more as `left`.
 */
export async function checkEntries(
  companyIds: readonly string[],
  tx: Transaction,
): Promise<{ found: Violation[]; left: string[] }> {
  const progress = await lockProgress(companyIds, tx);
  const ranges = await stepOf(rangesOf(progress), tx);
  if (ranges.length === 0) return { found: [], left: [] };
  const doneOf = new Map(ranges.map(({ companyId, upTo }) => [companyId, upTo]));
  const bind = [
    plainArray(ranges.map(({ companyId }) => companyId)),
    plainArray(ranges.map(({ above }) => above)),
    plainArray(ranges.map(({ upTo }) => upTo)),
  ];
  await setPlans(AUDIT_PLANS, tx);
  const rows = await query<Finding & { companyId: string | null; count: string }>(
    CHECK_ENTRIES,
    bind,
    tx,
  );
  const credited = await query<CreditedInvoice>(
    `WITH touched AS MATERIALIZED (
       SELECT DISTINCT e.company_id, e.invoice_id
       FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS r (company_id, above, up_to),
         LATERAL (
           SELECT *
           FROM entries t
           WHERE t.company_id = r.company_id AND t.sequence > r.above AND t.sequence <= r.up_to
             AND t.type = 'creditNote'
           OFFSET 0
         ) e
     )
     ${creditedInvoices(`touched w,
       LATERAL (
         SELECT *
         FROM invoices t
         WHERE t.company_id = w.company_id AND t.id = w.invoice_id
         LIMIT 1
       ) i`)}`,
    bind,
    tx,
  );
  await setPlans(LOOKUP_PLANS, tx);
  await query(
    `UPDATE audits a
     SET entry_sequence = w.up_to
     FROM unnest($1::uuid[], $2::bigint[]) AS w (company_id, up_to)
     WHERE a.company_id = w.company_id`,
    [bind[0], bind[2]],
    tx,
  );
  const counts = new Map(rows.map(({ companyId, count }) => [companyId, Number(count)]));
  return {
    found: [
      ...ranges.flatMap(range => missing(range, counts.get(range.companyId) ?? 0)),
      ...violationsOf(rows),
      ...credited.flatMap(checkCreditNotes),
    ],
    // Also the companies for which this step had no room.
    left: progress
      .filter(({ companyId, done, last }) => (doneOf.get(companyId) ?? BigInt(done)) < BigInt(last))
      .map(({ companyId }) => companyId),
  };
}

async function lockProgress(companyIds: readonly string[], tx: Transaction): Promise<Progress[]> {
  await query(
    `INSERT INTO audits (company_id)
     SELECT id FROM companies WHERE id = ANY($1::uuid[]) ORDER BY id
     ON CONFLICT DO NOTHING`,
    [companyIds],
    tx,
  );
  return query<Progress>(
    `SELECT a.company_id AS "companyId", a.entry_sequence AS done,
       c.next_entry_sequence - 1 AS last
     FROM audits a
     JOIN companies c ON c.id = a.company_id
     WHERE a.company_id = ANY($1::uuid[])
     ORDER BY a.company_id
     FOR UPDATE OF a SKIP LOCKED`,
    [companyIds],
    tx,
  );
}

function rangesOf(progress: readonly Progress[]): Range[] {
  let left = ENTRIES_MAX;
  return progress.flatMap(({ companyId, done, last }) => {
    const [above, end] = [BigInt(done), BigInt(last)];
    const size = end - above < left ? end - above : left;
    if (size <= 0n) return [];
    left -= size;
    return [{ companyId, above, upTo: above + size }];
  });
}

/** Cuts the ranges so that they span a bounded time. */
async function stepOf(ranges: readonly Range[], tx: Transaction): Promise<Range[]> {
  const rows = await query<StepRow>(
    `SELECT e.company_id AS "companyId", e.sequence AS position, e.created_at AS "createdAt"
     FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS r (company_id, above, up_to),
       LATERAL (
         SELECT *
         FROM entries t
         WHERE t.company_id = r.company_id AND t.sequence > r.above AND t.sequence <= r.up_to
         OFFSET 0
       ) e
     ORDER BY 1, 2`,
    [
      plainArray(ranges.map(({ companyId }) => companyId)),
      plainArray(ranges.map(({ above }) => above)),
      plainArray(ranges.map(({ upTo }) => upTo)),
    ],
    tx,
  );
  return cutRanges(ranges, rows, stepEnd(rows)).filter(({ above, upTo }) => upTo > above);
}

/** Sequences are unique, so a range without a gap has as many entries as sequences. */
function missing({ companyId, above, upTo }: Range, count: number): Violation[] {
  const range = { above: String(above), upTo: String(upTo), entries: count };
  return BigInt(count) === upTo - above ? [] : [{ violation: SERIES, companyId, ...range }];
}
