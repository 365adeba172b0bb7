// Pages of rows in the order of a figure that no index has, such as the largest totals first. They
// cost creates nothing: Postgres reads the rows that the filters select through the filters' own
// indexes, COUNT_LIMIT of them at most, and sorts them.
import { COUNT_LIMIT, readRows } from '../list-reads.js';

/** The order by one of a list's figures, largest first unless asked otherwise. */
export interface FigureOrder {
  readonly by: string;
  readonly smallestFirst: boolean;
}

/** A page in such an order. It begins after a position or ends before it; null for the first. */
export interface SortedPage {
  readonly order: FigureOrder;
  readonly start: {
    readonly position: readonly string[];
    readonly direction: 'after' | 'before';
  } | null;
  readonly limit: number;
}

/** Binds a value and returns its parameter. */
type Bind = (bound: unknown) => string;

/** SQL for the rows of a list. $1 is the company. */
export interface SortedSource {
  /** The tables, with conditions and an order that an index serves, so that reading can stop. */
  readonly from: string;
  /** A condition on each row that is read, for what no index selects. */
  readonly matches?: string;
  /** The table of the list's rows with its alias, and the columns of a row of the page. */
  readonly table: readonly [name: string, alias: string];
  readonly columns: string;
  /** The figures by name. Rows without the figure are last in both orders. */
  readonly figures: Readonly<Record<string, string>>;
  /** The ascending order of equal figures, with types. Together they are unique. */
  readonly ties: Readonly<Record<string, 'bigint' | 'text' | 'uuid'>>;
  /** The columns from which `sums` has aggregates. */
  readonly summed?: string;
  readonly sums?: string;
}

/** Binds the values of a source. */
type SourceOf = (value: Bind) => SortedSource;

export interface SortedRows<Row, Sums> {
  /** The page's rows, in order. */
  readonly rows: readonly Row[];
  /** As in the pages of other lists. */
  readonly next: readonly string[] | null;
  readonly previous: readonly string[] | null;
  readonly total: number;
  readonly before: number;
  readonly sums: Sums;
}

/** The page and the counts of all rows; null if more than COUNT_LIMIT had to be read. */
export async function readSorted<Row extends object, Sums = unknown>(
  companyId: string,
  sourceOf: SourceOf,
  page: SortedPage,
): Promise<SortedRows<Row, Sums> | null> {
  const { sql, bind, rowsSql } = sortedStatement(companyId, sourceOf, page);
  const [row] = await readRows<SortedIds<Sums>>(companyId, sql, bind);
  if (!row || row.isMany) return null;
  const { start, limit } = page;
  const isBackwards = start?.direction === 'before';
  const hasMore = row.page.length > limit;
  const shown = isBackwards ? row.page.slice(-limit) : row.page.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  return {
    rows: await readRows<Row>(companyId, rowsSql, [companyId, ids]),
    next: ((isBackwards || hasMore) && shown.at(-1)?.position) || null,
    previous: ((isBackwards ? hasMore : start !== null) && shown[0]?.position) || null,
    total: row.total,
    before: row.before + (isBackwards && hasMore ? 1 : 0),
    sums: row.sums,
  };
}

interface SortedIds<Sums> {
  readonly isMany: boolean;
  readonly total: number;
  /** The rows before the first one of `page`. */
  readonly before: number;
  /** One more than the limit if more rows follow, or backwards, if more precede it. */
  readonly page: readonly { readonly id: string; readonly position: readonly string[] }[];
  readonly sums: Sums;
}

/**
 * The statement of a page's ids, which reads COUNT_LIMIT + 1 rows at most, and the one of the rows
 * with the ids $2.
 */
export function sortedStatement(
  companyId: string,
  sourceOf: SourceOf,
  { order: { by, smallestFirst }, start, limit }: SortedPage,
): { readonly sql: string; readonly bind: unknown[]; readonly rowsSql: string } {
  const bind: unknown[] = [companyId];
  const value: Bind = bound => `$${bind.push(bound)}`;
  const source = sourceOf(value);
  const { table, figures, ties, from, matches = 'true', summed, sums } = source;
  const [name, alias] = table;
  // NaN is greater than all numbers. PostgreSQL 13 has no infinite ones.
  const placed = `COALESCE(${smallestFirst ? '' : '-'}(${figures[by]}), 'NaN')`;
  const keys = [placed, ...Object.keys(ties)].map((key, at) => `${key} AS key_${at}`);
  const names = keys.map((_, at) => `key_${at}`);
  const [all, ascending] = [names.join(', '), `ORDER BY ${names.join(', ')}`];
  const isBackwards = start?.direction === 'before';
  const types = ['numeric', ...Object.values(ties)];
  const position = start && types.map((type, at) => `${value(start.position[at])}::${type}`);
  const sql = `
    WITH read AS MATERIALIZED (
      SELECT ${alias}.id,
        ${keys.join(', ')},
        (${matches}) AS matches
        ${summed ? `, ${summed}` : ''}
      FROM ${from}
      LIMIT ${COUNT_LIMIT + 1}
    ), selected AS MATERIALIZED (
      SELECT *
      FROM read
      WHERE matches AND (SELECT count(*) <= ${COUNT_LIMIT} FROM read)
    ), page AS MATERIALIZED (
      SELECT id, ${all}
      FROM selected
      WHERE ${position ? `(${all}) ${isBackwards ? '<' : '>'} (${position.join(', ')})` : 'true'}
      ORDER BY ${isBackwards ? names.map(key => `${key} DESC`).join(', ') : all}
      LIMIT ${value(limit + 1)}
    )
    SELECT (SELECT count(*) > ${COUNT_LIMIT} FROM read) AS "isMany",
      (SELECT count(*)::int FROM selected) AS total,
      (
        SELECT count(*)::int
        FROM selected
        WHERE (${all}) < (SELECT ${all} FROM page ${ascending} LIMIT 1)
      ) AS before,
      ARRAY(
        SELECT json_build_object(
          'id', id,
          'position', ARRAY[${names.map(key => `${key}::text`).join(', ')}])
        FROM page
        ${ascending}
      ) AS page,
      ${sums ? `(SELECT row_to_json(s) FROM (SELECT ${sums} FROM selected) s)` : 'NULL'} AS sums`;
  const rowsSql = `
    SELECT ${source.columns}
    FROM ${name} ${alias}
    WHERE ${alias}.company_id = $1 AND ${alias}.id = ANY($2::uuid[])
    ORDER BY array_position($2::uuid[], ${alias}.id)`;
  return { sql, bind, rowsSql };
}
