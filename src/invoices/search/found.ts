// Invoices that a text finds. The sources of matches are read at the same time, on a connection
// each. If one has too many matches to transfer, the page is among the next invoices of the list,
// or consists of the first matches of each source.
import { readRows } from '../../platform/db/list-reads.js';
import { bindFrom, positionHasState, type Source, sourcesOf } from './conditions.js';
import { findNewInvoices } from './invoice-texts.js';
import { nearRows } from './near.js';
import { orderOf, rowsAt, startOf } from './rows.js';
import { type TextQuery, textQuery } from './text-query.js';
import { COUNT_LIMIT, type InvoiceFilter, type InvoiceRow, type InvoiceSearch } from './types.js';

/** The columns of the list's order. */
interface InvoicePosition {
  readonly date: string;
  readonly number: string;
}

/** The page of a search with a text, and the numbers of all its matches if they are few. */
interface FoundInvoices {
  readonly rows: readonly InvoiceRow[];
  /** Null: a source has more than COUNT_LIMIT. */
  readonly numbers: readonly string[] | null;
  /** How many matches are newer than the page's first row. */
  readonly newer: number;
}

export async function foundRows(
  companyId: string,
  search: InvoiceSearch,
  text: string,
  isAscending: boolean,
): Promise<FoundInvoices> {
  const query = textQuery(text);
  const sources = await textSources(companyId, search, query);
  const lists = await Promise.all(
    sources.map(source => readPositions(companyId, source, search, COUNT_LIMIT)),
  );
  if (lists.some(list => list === null)) {
    const near = await nearRows(companyId, search, query, isAscending);
    const rows = near?.rows ?? (await firstRows(companyId, search, sources, isAscending));
    return { rows, numbers: null, newer: 0 };
  }
  const positions = distinct(lists);
  const page = pageOf(positions, search, isAscending);
  const [first] = page;
  return {
    rows: await rowsAt(companyId, numbersOf(page), isAscending),
    numbers: numbersOf(positions),
    newer: first ? positions.filter(position => compare(position, first) > 0).length : 0,
  };
}

/** The numbers of all invoices that a search finds, newest first. */
export async function foundNumbers(
  companyId: string,
  filter: InvoiceFilter,
  text: string,
): Promise<string[]> {
  const sources = await textSources(companyId, filter, textQuery(text));
  const lists = await Promise.all(
    sources.map(source => readPositions(companyId, source, filter, null)),
  );
  return numbersOf(distinct(lists).sort((a, b) => compare(b, a)));
}

async function textSources(
  companyId: string,
  filter: InvoiceFilter,
  query: TextQuery,
): Promise<Source[]> {
  // Before the stored texts are read, because an invoice gets its text at any time.
  return sourcesOf(filter, query, await findNewInvoices(companyId, query));
}

/**
 * The positions of a source in any order; null if it has more than `limit`, in any state. They
 * travel as one text: the driver takes as long for a row as for a kilobyte.
 */
async function readPositions(
  companyId: string,
  source: Source,
  filter: Pick<InvoiceFilter, 'state'>,
  limit: number | null,
): Promise<InvoicePosition[] | null> {
  const [bind, value] = bindFrom(companyId);
  const [row] = await readRows<{ count: number; positions: string | null }>(
    companyId,
    `WITH found AS MATERIALIZED (
       SELECT * FROM (${source(value)}) f LIMIT ${limit === null ? 'ALL' : limit + 1}
     )
     SELECT (SELECT count(*)::int FROM found) AS count,
       (
         SELECT string_agg(f.date || ' ' || f.number, ',')
         FROM found f
         WHERE ${limit === null ? 'true' : `(SELECT count(*) FROM found) <= ${limit}`}
           AND ${positionHasState('f', filter)}
       ) AS positions`,
    bind,
  );
  if (!row || (limit !== null && row.count > limit)) return null;
  return (row.positions?.split(',') ?? []).map(position => {
    const [date = '', number = ''] = position.split(' ');
    return { date, number };
  });
}

/** The page's rows among the first matches of each source that follow its start. */
async function firstRows(
  companyId: string,
  search: InvoiceSearch,
  sources: readonly Source[],
  isAscending: boolean,
): Promise<InvoiceRow[]> {
  const lists = await Promise.all(
    sources.map(source => {
      const [bind, value] = bindFrom(companyId, search.limit + 1);
      const conditions = [
        positionHasState('p', search),
        ...startOf('p', search, isAscending, value),
      ];
      return readRows<InvoicePosition>(
        companyId,
        `SELECT p.date::text AS date, p.number
         FROM (${source(value)}) p
         WHERE ${conditions.join(' AND ')}
         ORDER BY ${orderOf('p', isAscending)}
         LIMIT $2`,
        bind,
      );
    }),
  );
  return rowsAt(companyId, numbersOf(pageOf(distinct(lists), search, isAscending)), isAscending);
}

/** The positions of the page, and one more if another page follows. */
function pageOf(
  positions: readonly InvoicePosition[],
  { start, limit }: InvoiceSearch,
  isAscending: boolean,
): InvoicePosition[] {
  const order = (a: InvoicePosition, b: InvoicePosition) => (isAscending ? 1 : -1) * compare(a, b);
  const [date = '', number = ''] = start?.position ?? [];
  return positions
    .filter(position => start === null || order(position, { date, number }) > 0)
    .sort(order)
    .slice(0, limit + 1);
}

function distinct(lists: readonly (readonly InvoicePosition[] | null)[]): InvoicePosition[] {
  const all = lists.flatMap(list => list ?? []);
  return [...new Map(all.map(position => [position.number, position])).values()];
}

function numbersOf(positions: readonly InvoicePosition[]): string[] {
  return positions.map(({ number }) => number);
}

/** Orders positions by date, then by number. */
function compare(a: InvoicePosition, b: InvoicePosition): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1;
  return Number(a.number) - Number(b.number);
}
