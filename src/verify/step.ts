// Reads one step of the audit: the new documents of some companies, as far as the step checks them.
//
// A step is bounded by its rows and by the time that it spans. The audit's statements read the jobs
// of all companies from the oldest row of a step to the newest, because no index finds a job by its
// submission. Without a bound, a few rows of a quiet company would make one step read the jobs of a
// whole day.
import {
  type InvoiceRange,
  type NewInvoice,
  type ReadInvoices,
  stepRanges,
} from '../invoices/issued/new-invoices.js';
import { plainArray } from '../platform/db/arrays.js';
import { query, type Transaction } from '../platform/db/connection.js';

/** Stock versions per company and step. Each has up to a few adjustments. */
const VERSIONS_MAX = 100n;

/** How far a company is audited, as in the table audits, and its counters. */
export interface Progress {
  readonly companyId: string;
  readonly number: string;
  readonly stockVersion: string;
  readonly saleId: string;
  readonly adjustmentId: string;
  readonly lastNumber: string;
  readonly lastVersion: string;
}

/** A step checks a company's rows above the progress, up to these. */
export interface Range extends Progress {
  readonly upToNumber: bigint;
  readonly upToVersion: bigint;
}

/** Locks the companies that no other process audits. */
export async function lockProgress(
  companyIds: readonly string[],
  tx: Transaction,
): Promise<Progress[]> {
  await query(
    `INSERT INTO audits (company_id)
     SELECT id FROM companies WHERE id = ANY($1::uuid[]) ORDER BY id
     ON CONFLICT DO NOTHING`,
    [companyIds],
    tx,
  );
  return query<Progress>(
    `SELECT a.company_id AS "companyId",
       a.number, a.stock_version AS "stockVersion",
       a.sale_id AS "saleId", a.adjustment_id AS "adjustmentId",
       c.next_invoice_number - 1 AS "lastNumber", c.stock_version AS "lastVersion"
     FROM audits a
     JOIN companies c ON c.id = a.company_id
     WHERE a.company_id = ANY($1::uuid[])
     ORDER BY a.company_id
     FOR UPDATE OF a SKIP LOCKED`,
    [companyIds],
    tx,
  );
}

/** Up to VERSIONS_MAX, and never back. */
function upToVersion({ stockVersion, lastVersion }: Progress): bigint {
  const [start, end] = [BigInt(stockVersion), BigInt(lastVersion)];
  if (end <= start) return start;
  return end - start > VERSIONS_MAX ? start + VERSIONS_MAX : end;
}

/** Reads the invoices of one step, which is bounded by their number, their size and their time. */
export async function readStep(
  progress: readonly Progress[],
  readInvoices: ReadInvoices,
  tx: Transaction,
): Promise<{ ranges: Range[]; invoices: NewInvoice[] }> {
  const { invoices, read } = await readInvoices(
    stepRanges(
      progress.map(({ companyId, number, lastNumber }) => ({
        companyId,
        done: number,
        last: lastNumber,
      })),
    ),
    tx,
  );
  const versions = progress.map(each => ({
    companyId: each.companyId,
    above: BigInt(each.stockVersion),
    upTo: upToVersion(each),
  }));
  const issued = invoices.map(({ companyId, number, createdAt }) => ({
    companyId,
    position: number,
    createdAt,
  }));
  const adjusted = await readAdjustmentTimes(versions, tx);
  const end = stepEnd(issued, adjusted);
  const [upToNumbers, upToVersions] = [
    cutRanges(read, issued, end),
    cutRanges(versions, adjusted, end),
  ];
  const ranges = progress.map((each, index) => ({
    ...each,
    upToNumber: upToNumbers[index]?.upTo ?? BigInt(each.number),
    upToVersion: upToVersions[index]?.upTo ?? BigInt(each.stockVersion),
  }));
  const endOf = new Map(ranges.map(({ companyId, upToNumber }) => [companyId, upToNumber]));
  return {
    ranges,
    invoices: invoices.filter(
      ({ companyId, number }) => BigInt(number) <= (endOf.get(companyId) ?? 0n),
    ),
  };
}

/** The versions and times of the ranges' adjustments, in order. */
async function readAdjustmentTimes(
  ranges: readonly InvoiceRange[],
  tx: Transaction,
): Promise<StepRow[]> {
  const filled = ranges.filter(({ above, upTo }) => upTo > above);
  if (filled.length === 0) return [];
  return query<StepRow>(
    `SELECT a.company_id AS "companyId", a.stock_version AS position, a.created_at AS "createdAt"
     FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS r (company_id, above, up_to),
       LATERAL (
         SELECT *
         FROM adjustments t
         WHERE t.company_id = r.company_id
           AND t.stock_version > r.above AND t.stock_version <= r.up_to
         OFFSET 0
       ) a
     ORDER BY 1, 2`,
    [
      plainArray(filled.map(({ companyId }) => companyId)),
      plainArray(filled.map(({ above }) => above)),
      plainArray(filled.map(({ upTo }) => upTo)),
    ],
    tx,
  );
}

/** Up to a million jobs, which take a few seconds to read. */
const STEP_MS = 300_000;

/** A new row, in the order of its company's positions: invoice numbers, versions or sequences. */
export interface StepRow {
  readonly companyId: string;
  readonly position: string;
  readonly createdAt: Date;
}

/**
 * When the step ends: five minutes after the oldest of the companies' first rows. So each step gets
 * ahead, even where a clock was set back. Infinity without rows.
 */
export function stepEnd(...lists: readonly (readonly StepRow[])[]): number {
  const firsts = lists.flatMap(rows =>
    rows.filter(({ companyId }, index) => rows[index - 1]?.companyId !== companyId),
  );
  return Math.min(...firsts.map(({ createdAt }) => createdAt.getTime())) + STEP_MS;
}

/** Ends each company's range before its first row that is later than the step's end. */
export function cutRanges<Range extends { readonly companyId: string; readonly upTo: bigint }>(
  ranges: readonly Range[],
  rows: readonly StepRow[],
  end: number,
): Range[] {
  const later = new Map<string, bigint>();
  for (const { companyId, position, createdAt } of rows)
    if (createdAt.getTime() > end && !later.has(companyId)) later.set(companyId, BigInt(position));
  return ranges.map(range => {
    const first = later.get(range.companyId);
    return first === undefined ? range : { ...range, upTo: first - 1n };
  });
}
