// Invoices that a text finds, in several sources. If one has too many matches, the page is among
// the next invoices of the list, or consists of the first matches of each source.
import { searchQuery } from '../../customers/names/search-words.js';
import { COUNT_LIMIT, readRows } from '../../platform/db/list-reads.js';
import { lookUpOne } from '../../platform/db/sql.js';
import type { TextQuery } from '../../search/text-query.js';
import { type Bind, bindFrom, positionHasState, type Source, sourcesOf } from './conditions.js';
import { type Counts, sumsOf } from './counts.js';
import { findNewInvoices } from './invoice-texts.js';
import { nearRows } from './near.js';
import { invoicesFrom, orderOf, rowsAt } from './rows.js';
import type { InvoiceFilter, InvoiceSearch, ListedInvoice } from './types.js';

/** The columns of the list's order. */
interface InvoicePosition {
  readonly date: string;
  readonly number: string;
}

/** The page of a search with a text, and the counts of its matches. */
interface FoundInvoices {
  readonly rows: readonly ListedInvoice[];
  /** Null: a source has more than COUNT_LIMIT. */
  readonly counts: Counts | null;
}

export async function foundRows(
  companyId: string,
  search: InvoiceSearch,
  query: TextQuery,
  isAscending: boolean,
): Promise<FoundInvoices> {
  const sources = await textSources(companyId, search, query);
  const [bind, value] = bindFrom(companyId);
  const sql = pageSql(sources, search, isAscending, value);
  const [found] = await readRows<FoundRow>(companyId, sql, bind);
  if (!found || found.isCut) {
    const near = await nearRows(companyId, search, query, isAscending);
    const rows = near?.rows ?? (await firstRows(companyId, search, sources, isAscending));
    return { rows, counts: null };
  }
  const { page, total, newer, sums } = found;
  return { rows: await rowsAt(companyId, page, isAscending), counts: { total, newer, sums } };
}

interface FoundRow extends Counts {
  /** True if a source has more than COUNT_LIMIT matches, in any state. There are no others then. */
  readonly isCut: boolean;
  /** The numbers of the page, and one more if another page follows. */
  readonly page: readonly string[];
}

/** Postgres counts and sorts the matches: thousands of them would hold up this process. */
function pageSql(
  sources: readonly Source[],
  search: InvoiceSearch,
  isAscending: boolean,
  value: Bind,
): string {
  const lists = sources.map(
    (source, index) => `source_${index} AS MATERIALIZED (${boundedSource(source, value)})`,
  );
  const names = sources.map((_, index) => `source_${index}`);
  const isCut = names.map(name => `(SELECT count(*) > ${COUNT_LIMIT} FROM ${name})`);
  const all = names.map(name => `SELECT date, number FROM ${name}`);
  const start = invoicesFrom('p', search, isAscending, value);
  const order = orderOf('p', isAscending);
  const sums = `
    SELECT row_to_json(sums)
    FROM (
      SELECT ${sumsOf('true')}
      FROM found f,
        ${lookUpOne('invoices', 'i', 'company_id = $1 AND number = f.number')}
      WHERE (SELECT count(*) FROM found) <= ${COUNT_LIMIT}
    ) sums
    WHERE (SELECT count(*) FROM found) <= ${COUNT_LIMIT}`;
  return `
    WITH ${lists.join(', ')}, cut AS MATERIALIZED (
      SELECT ${isCut.join(' OR ')} AS is_cut
    ), found AS MATERIALIZED (
      SELECT f.date, f.number
      FROM (${all.join(' UNION ')}) f
      WHERE NOT (SELECT is_cut FROM cut) AND ${positionHasState('f', search)}
    ), page AS MATERIALIZED (
      SELECT p.date, p.number
      FROM found p
      WHERE ${start.join(' AND ') || 'true'}
      ORDER BY ${order}
      LIMIT ${value(search.limit + 1)}
    )
    SELECT (SELECT is_cut FROM cut) AS "isCut",
      ARRAY(SELECT number::text FROM page p ORDER BY ${order}) AS page,
      (SELECT count(*)::int FROM found) AS total,
      (
        SELECT count(*)::int
        FROM found
        WHERE (date, number) > (SELECT date, number FROM page p ORDER BY ${order} LIMIT 1)
      ) AS newer,
      ${search.withSums ? `(${sums})` : 'NULL'} AS sums`;
}

function boundedSource(source: Source, value: Bind): string {
  return `SELECT * FROM (${source(value)}) f LIMIT ${COUNT_LIMIT + 1}`;
}

/**
 * SQL for the invoices that a text finds in any state, as `i`. There are more than COUNT_LIMIT of
 * them if a source has more.
 */
export async function foundInvoices(
  companyId: string,
  filter: InvoiceFilter,
  text: string,
): Promise<Source> {
  const sources = await textSources(companyId, filter, await searchQuery(companyId, text));
  return value => {
    const lists = sources.map(source => `(${boundedSource(source, value)})`);
    const invoice = lookUpOne('invoices', 'i', 'company_id = $1 AND number = f.number');
    return `(${lists.join(' UNION ')}) f, ${invoice}`;
  };
}

/** The numbers of all invoices that a search finds, newest first. */
export async function foundNumbers(
  companyId: string,
  filter: InvoiceFilter,
  text: string,
): Promise<string[]> {
  const sources = await textSources(companyId, filter, await searchQuery(companyId, text));
  const [bind, value] = bindFrom(companyId);
  const found = sources.map(source => `SELECT * FROM (${source(value)}) f`).join(' UNION ');
  // There may be very many, which Postgres sorts without holding up this process.
  const [row] = await readRows<{ numbers: string | null }>(
    companyId,
    `SELECT string_agg(f.number::text, ',' ORDER BY f.date DESC, f.number DESC) AS numbers
     FROM (${found}) f
     WHERE ${positionHasState('f', filter)}`,
    bind,
  );
  return row?.numbers?.split(',') ?? [];
}

async function textSources(
  companyId: string,
  filter: InvoiceFilter,
  query: TextQuery,
): Promise<Source[]> {
  // Before the stored texts are read, because an invoice gets its text at any time.
  return sourcesOf(filter, query, await findNewInvoices(companyId, query));
}

/** The page's rows among the first matches of each source that follow its start. */
async function firstRows(
  companyId: string,
  search: InvoiceSearch,
  sources: readonly Source[],
  isAscending: boolean,
): Promise<ListedInvoice[]> {
  const lists = await Promise.all(
    sources.map(source => {
      const [bind, value] = bindFrom(companyId, search.limit + 1);
      const conditions = [
        positionHasState('p', search),
        ...invoicesFrom('p', search, isAscending, value),
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

function distinct(lists: readonly (readonly InvoicePosition[])[]): InvoicePosition[] {
  return [...new Map(lists.flat().map(position => [position.number, position])).values()];
}

function numbersOf(positions: readonly InvoicePosition[]): string[] {
  return positions.map(({ number }) => number);
}

/** Orders positions by date, then by number. */
function compare(a: InvoicePosition, b: InvoicePosition): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1;
  return Number(a.number) - Number(b.number);
}
