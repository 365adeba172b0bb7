// Progress through the new rows of many companies, in bounded steps: for the rollups of the summary
// and of the tax report, and for the audit.
import { query, type Transaction } from '../platform/db/connection.js';
import { type Columns, type RowChange, unnest } from '../platform/db/rows.js';
import { lookUpAll } from '../platform/db/sql.js';

/**
 * Locks the companies' rows of a table that has one per company, in order, and creates missing
 * ones. `columns` is a select list of this row `p` and the company's row `c`.
 */
export async function lockProgress<Row extends { readonly companyId: string }>(
  table: 'summaries' | 'audits' | 'tax_progress' | 'receivable_progress',
  columns: string,
  companyIds: readonly string[],
  wait: '' | 'SKIP LOCKED',
  tx: Transaction,
): Promise<Row[]> {
  await query(
    `INSERT INTO ${table} (company_id)
     SELECT id FROM companies WHERE id = ANY($1::uuid[]) ORDER BY id
     ON CONFLICT DO NOTHING`,
    [companyIds],
    tx,
  );
  return query<Row>(
    `SELECT p.company_id AS "companyId", ${columns}
     FROM ${table} p
     JOIN companies c ON c.id = p.company_id
     WHERE p.company_id = ANY($1::uuid[])
     ORDER BY p.company_id
     FOR UPDATE OF p ${wait}`,
    [companyIds],
    tx,
  );
}

/** The rows of a company with above < position <= upTo: numbers, versions or sequences. */
export interface RowRange {
  readonly companyId: string;
  readonly above: bigint;
  readonly upTo: bigint;
}

/** The key of a table with one row per company. */
export const COMPANY_KEY: Columns<{ readonly companyId: string }> = {
  company_id: ['uuid', ({ companyId }) => companyId],
};

export const RANGE: Columns<RowRange> = {
  ...COMPANY_KEY,
  above: ['bigint', ({ above }) => above],
  up_to: ['bigint', ({ upTo }) => upTo],
};

/** Advances a company's progress in the column to the end of its range. */
export function advance(column: string): RowChange<RowRange> {
  return { key: COMPANY_KEY, set: { [column]: ['bigint', ({ upTo }) => upTo] } };
}

/** SQL for the ranges as rows `r`, from the first bind values of a statement. */
export const RANGES = unnest(RANGE, 'r');

/** Invoices per step. */
const INVOICES_MAX = 4_000n;

/** SQL for a table's rows in a range `r`, by index look-ups. */
export function inRange(table: string, alias: string, position: string): string {
  const range = `${position} > r.above AND ${position} <= r.up_to`;
  return lookUpAll(table, alias, `company_id = r.company_id AND ${range}`);
}

/** How far a company's rows were read, and its last row. */
export interface RowProgress {
  readonly companyId: string;
  readonly done: string;
  readonly last: string;
}

/**
 * The ranges of one step: the first positions above each company's `done`, up to its `last`, and at
 * most `max` of them in all. The others stay empty.
 */
export function stepRanges(companies: readonly RowProgress[], max = INVOICES_MAX): RowRange[] {
  let left = max;
  return companies.map(({ companyId, done, last }) => {
    const [above, end] = [BigInt(done), BigInt(last)];
    const size = end <= above ? 0n : end - above < left ? end - above : left;
    left -= size;
    return { companyId, above, upTo: above + size };
  });
}

export function isFilled({ above, upTo }: RowRange): boolean {
  return upTo > above;
}
