// The parts of each step of the audit. A step locks the progress, chooses the ranges of new rows,
// checks them with one statement, and advances the progress.
//
// A step is bounded by its rows and by the time that it spans. The audit's statements read the jobs
// of all companies from the oldest row of a step to the newest, because no index finds a job by its
// submission. Without a bound, a few rows of a quiet company would make one step read the jobs of a
// whole day.

import { query, type Transaction } from '../platform/db/connection.js';
import { LOOKUP_PLANS } from '../platform/db/limits.js';
import { arraysOf } from '../platform/db/rows.js';
import { inRange, isFilled, RANGE, RANGES, type RowRange } from '../rollups/progress.js';
import type { Violation } from './violation.js';

/** `left` lists the companies that have more new rows. */
export interface StepResult {
  readonly found: readonly Violation[];
  readonly left: string[];
}

/** A violation in a row of a statement; `violation` is null in the rows with other columns. */
export interface Finding {
  readonly violation: string | null;
  readonly offender: Record<string, unknown>;
}

/**
 * Planner settings of the statements: a look-up can only be a nested loop, and every other join
 * becomes a hash join. So a plan does not depend on the tables' statistics, and is made once.
 */
const AUDIT_PLANS: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_hashjoin: 'on',
  enable_nestloop: 'off',
  enable_mergejoin: 'off',
  // Memoize would cache look-ups by key, but hardly any key is looked up twice.
  enable_memoize: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/**
 * Runs a statement that lists violations; its last rows may have other columns. `more` finds the
 * violations that SQL alone cannot find.
 */
export async function findViolations<Row extends Finding>(
  statement: string,
  bind: unknown[],
  tx: Transaction,
  more?: () => Promise<readonly Violation[]>,
): Promise<{ rows: Row[]; found: Violation[] }> {
  // The client sends these at once, and Postgres runs them in order.
  const [, rows, others = []] = await Promise.all([
    tx.set(AUDIT_PLANS),
    query<Row>(statement, bind, tx),
    more?.(),
    tx.set(LOOKUP_PLANS),
  ]);
  const violations = rows.flatMap(({ violation, offender }) =>
    violation === null ? [] : [{ violation, ...offender }],
  );
  return { rows, found: [...violations, ...others] };
}

/** A row, in the order of its company's positions: invoice numbers, versions or sequences. */
export interface StepRow {
  readonly companyId: string;
  readonly position: string;
  readonly createdAt: Date;
}

/** Reads when the rows of the ranges were created, in order. */
export async function readTimes(
  table: 'adjustments' | 'entries',
  position: 'stock_version' | 'sequence',
  ranges: readonly RowRange[],
  tx: Transaction,
): Promise<StepRow[]> {
  const filled = ranges.filter(isFilled);
  if (filled.length === 0) return [];
  return query<StepRow>(
    `SELECT row.company_id AS "companyId", row.${position} AS position,
       row.created_at AS "createdAt"
     FROM ${RANGES}, ${inRange(table, 'row', position)}
     ORDER BY 1, 2`,
    arraysOf(RANGE, filled),
    tx,
  );
}

/** In this time up to a million jobs finish, which take a few seconds to read. */
const STEP_MS = 300_000;

/**
 * Returns when the step ends: five minutes after the oldest of the companies' first rows. So each
 * step makes progress, even if a clock was set back. Infinity without rows.
 */
export function stepEnd(...lists: readonly (readonly StepRow[])[]): number {
  const firsts = lists.flatMap(rows =>
    rows.filter(({ companyId }, index) => rows[index - 1]?.companyId !== companyId),
  );
  return Math.min(...firsts.map(({ createdAt }) => createdAt.getTime())) + STEP_MS;
}

/** Ends each company's range before its first row that is later than the step's end. */
export function cutRanges(
  ranges: readonly RowRange[],
  rows: readonly StepRow[],
  end: number,
): RowRange[] {
  const later = new Map<string, bigint>();
  for (const { companyId, position, createdAt } of rows)
    if (createdAt.getTime() > end && !later.has(companyId)) later.set(companyId, BigInt(position));
  return ranges.map(range => {
    const first = later.get(range.companyId);
    return first === undefined ? range : { ...range, upTo: first - 1n };
  });
}

/** The rows whose positions are within their company's range. */
export function rowsIn<Row extends StepRow>(
  ranges: readonly RowRange[],
  rows: readonly Row[],
): Row[] {
  const ends = new Map(ranges.map(({ companyId, upTo }) => [companyId, upTo]));
  return rows.filter(({ companyId, position }) => BigInt(position) <= (ends.get(companyId) ?? -1n));
}

/** Finds gaps. Positions are unique, so a range without a gap has as many rows as positions. */
export function gapsIn(
  ranges: readonly RowRange[],
  rows: readonly StepRow[],
  violation: string,
  noun: 'invoices' | 'entries',
): Violation[] {
  const counts = new Map<string, number>();
  for (const { companyId } of rows) counts.set(companyId, (counts.get(companyId) ?? 0) + 1);
  return ranges.flatMap(({ companyId, above, upTo }) => {
    const count = counts.get(companyId) ?? 0;
    if (BigInt(count) === upTo - above) return [];
    return [{ violation, companyId, above: String(above), upTo: String(upTo), [noun]: count }];
  });
}
