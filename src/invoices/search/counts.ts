// Counts the matches of a search, up to a limit, and sums their totals.
import { COUNT_LIMIT, readRows } from '../../platform/db/list-reads.js';
import { bindFrom, filterRange, stateOf } from './conditions.js';
import { dateColumnOf } from './rows.js';
import type { InvoiceFilter, InvoiceSearch, InvoiceSums, ListedInvoice } from './types.js';

/** The number of matches, how many are newer than the first row that was read, and their sums. */
export interface Counts {
  readonly total: number;
  readonly newer: number;
  /** Null: more matches than are summed. */
  readonly sums: InvoiceSums | null;
}

/** False if COUNT_LIMIT bounds the invoices that are read instead of the matches. */
export function countsMatches({ text, state }: Pick<InvoiceFilter, 'text' | 'state'>): boolean {
  return text !== null || state !== 'partly-paid';
}

/** The condition of the invoices that are read, and that of those among them that are counted. */
export function countedState(filter: InvoiceFilter): { read: string; matches: string } {
  const matches = stateOf(filter).join(' AND ') || 'true';
  // The partial index of open invoices bounds those that are paid in part.
  return { read: countsMatches(filter) ? matches : `i.status = 'open'`, matches };
}

/** SQL for InvoiceSums. A void invoice is credited in full, so nothing of it is due. */
export const sumsOf = (condition: string) => `
  trim_scale(COALESCE(sum(total) FILTER (WHERE status <> 'void' AND ${condition}), 0))::text
    AS total,
  trim_scale(COALESCE(sum(total - paid - credited) FILTER (WHERE ${condition}), 0))::text AS due`;

/**
 * How many invoices match, and how many of them are newer than a row. Null: more than COUNT_LIMIT
 * match, or had to be read.
 */
export async function countInvoices(
  companyId: string,
  filter: InvoiceFilter & Pick<InvoiceSearch, 'byDueDate'>,
  { date, dueDate, running }: ListedInvoice,
): Promise<Counts | null> {
  const [bind, value] = bindFrom(companyId);
  const range = filterRange(filter, value);
  const { read, matches } = countedState(filter);
  const column = dateColumnOf(filter);
  const position = `(${value(filter.byDueDate ? dueDate : date)}::date, ${value(running)}::bigint)`;
  const [row] = await readRows<InvoiceSums & { read: number; count: number; newer: number }>(
    companyId,
    `SELECT count(*)::int AS read,
       count(*) FILTER (WHERE matches)::int AS count,
       count(*) FILTER (WHERE matches AND (${column}, number) > ${position})::int AS newer,
       ${sumsOf('matches')}
     FROM (
       SELECT i.${column}, i.number, i.status, i.total, i.paid, i.credited, (${matches}) AS matches
       FROM invoices i
       WHERE ${[...range, read].join(' AND ')}
       LIMIT ${COUNT_LIMIT + 1}
     ) counted`,
    bind,
  );
  if (!row || row.read > COUNT_LIMIT) return null;
  const { count, newer, total, due } = row;
  return { total: count, newer, sums: { total, due } };
}
