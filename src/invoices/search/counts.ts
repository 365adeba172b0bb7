// How many invoices a search finds, counted up to a limit.
import { readRows } from '../../platform/db/list-reads.js';
import { bindFrom, filterRange, matchesOf, positionsBy, stateOf } from './conditions.js';
import { COUNT_LIMIT, type InvoiceFilter, type InvoiceRow } from './types.js';

/** The number of matches, and how many are newer than the first row that was read. */
export interface Counts {
  readonly total: number;
  readonly newer: number;
}

/** False if COUNT_LIMIT bounds the invoices that are read instead of the matches. */
export function countsMatches({ text, state }: InvoiceFilter): boolean {
  return text !== null || (state !== 'paid' && state !== 'void');
}

/**
 * How many invoices match, and how many of them are newer than a row. Null: more than COUNT_LIMIT
 * match, or had to be read.
 */
export async function countInvoices(
  companyId: string,
  filter: InvoiceFilter,
  { date, running }: InvoiceRow,
): Promise<Counts | null> {
  const [bind, value] = bindFrom(companyId);
  const range = filterRange(filter, value);
  const matches = matchesOf(filter.text, value);
  const limit = `LIMIT ${COUNT_LIMIT + 1}`;
  const [first = 'true', ...others] = matches;
  // If the first condition reaches the limit, the others are not read.
  const isBelow = `(SELECT count(*) FROM candidates) <= ${COUNT_LIMIT}`;
  const more = others.map(
    match => `UNION (${positionsBy([...range, match, isBelow], filter)} ${limit})`,
  );
  const candidates = countsMatches(filter)
    ? positionsBy([...range, first], filter)
    : `SELECT i.date, i.number, ${stateOf(filter).join()} AS matches
       FROM invoices i
       WHERE ${range.join(' AND ')}`;
  const matching = countsMatches(filter) ? 'true' : 'matches';
  const position = `(${value(date)}::date, ${value(running)}::bigint)`;
  const [row] = await readRows<Counts & { read: number }>(
    companyId,
    `WITH candidates AS MATERIALIZED (${candidates} ${limit})
     SELECT count(*)::int AS read,
       count(*) FILTER (WHERE ${matching})::int AS total,
       count(*) FILTER (WHERE ${matching} AND (date, number) > ${position})::int AS newer
     FROM (SELECT * FROM candidates ${more.join(' ')}) counted`,
    bind,
  );
  return row && row.read <= COUNT_LIMIT ? row : null;
}
