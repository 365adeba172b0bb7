// Fragments of SQL that several slices share.
import { accentPattern } from '../values/folded-text.js';

/**
 * SQL for the JSON object of a select list, with the keys in the list's order. Clients get these
 * bytes unparsed, and verify compares them: row_to_json writes no spaces; json_build_object would.
 */
export function jsonObject(selectList: string): string {
  return `(SELECT row_to_json(fields) FROM (SELECT ${selectList}) fields)`;
}

/** SQL for a text. */
export const sqlText = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** SQL for a timestamptz column as RFC 3339 text in UTC with milliseconds. NULL stays NULL. */
export function timeJson(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** SQL for a UUID (version 8 of RFC 9562) that is made of a text's SHA-256. */
export function hashedUuid(text: string): string {
  const digits = `left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 32)`;
  const versioned = `overlay(${digits} PLACING '8' FROM 13)`;
  return `overlay(${versioned} PLACING '8' FROM 17)::uuid`;
}

/**
 * SQL that joins a table, at most one row per row of the list before it, with one index look-up
 * each. `where` may name that list's columns. For a plain join the planner reads the whole table
 * while its statistics call it small, and between two ANALYZE runs a table can grow to tens of
 * thousands of rows.
 */
export function lookUpOne(table: string, alias: string, where: string): string {
  return `LATERAL (SELECT * FROM ${table} WHERE ${where} LIMIT 1) ${alias}`;
}

/** Like `lookUpOne`, for any number of rows. OFFSET 0 keeps the planner from making it a join. */
export function lookUpAll(table: string, alias: string, where: string): string {
  return `LATERAL (SELECT * FROM ${table} WHERE ${where} OFFSET 0) ${alias}`;
}

/**
 * SQL for a full join, which reads each side once: Postgres has no nested loop for it. While the
 * statistics call tables small, Postgres would nest other joins, and read one whole side for each
 * row of the other. OFFSET 0 keeps conditions on the rows from turning it into such a join.
 */
export function joinOnce(left: string, right: string, on: string): string {
  return `(
    SELECT * FROM (${left}) l FULL JOIN (${right}) r ON ${on} OFFSET 0
  ) joined`;
}

/** The parts of a list's page beside its rows. */
export interface PageParts {
  /** True if each row has a column `position`, a JSON array of texts. */
  readonly hasPositions?: boolean;
  /**
   * SQL for the position of the row at which the statement stops to look for matches, as a JSON
   * array of texts; NULL if it reads all rows to the end. Only evaluated for a page that is not
   * full.
   */
  readonly walkEnd?: string | undefined;
}

/**
 * SQL for one row: the rows' JSON texts (column body), in order and joined by commas, NULL without
 * rows, their number, and positions. The driver takes as long for a row as for a kilobyte of text.
 * An aggregate without a join beside it reads a sorted subquery in its order. $2 is the page's
 * limit.
 */
export function joinedBodies(sql: string, { hasPositions, walkEnd }: PageParts = {}): string {
  const columns = [`string_agg(body, ',') AS bodies`, 'count(*)::int AS count'];
  if (hasPositions) columns.push(`(array_agg(position))[$2] AS position`);
  if (walkEnd) columns.push(`CASE WHEN count(*) <= $2 THEN (${walkEnd}) END AS "walkEnd"`);
  return `SELECT ${columns.join(', ')} FROM (${sql}) row`;
}

/** The LIKE pattern for values that contain the text. */
export function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
}

/** SQL: a column with match keys contains the folded text, whatever its accents. */
export function keyContains(
  column: string,
  folded: string,
  value: (bound: unknown) => string,
): string {
  // Without an accent, LIKE decides, which takes a third of the time.
  return `(${column} LIKE ${value(containsPattern(folded))}
    OR octet_length(${column}) <> length(${column})
      AND ${column} ~ ${value(accentPattern(folded))})`;
}

/** Rows that one page of a list reads to look for matches: some 20 ms. */
export const WALK_MAX = 10_000;

/** Rows in the order of an index, and conditions that the index does not serve. */
export interface Walk {
  /** The table with its alias. */
  readonly from: string;
  readonly range: readonly string[];
  readonly order: string;
  readonly filters: readonly string[];
  /** The rows that a page reads; WALK_MAX if absent. */
  readonly max?: number;
}

/**
 * SQL for a limit or offset that the planner does not know. It then expects to read a tenth of the
 * rows, and follows the index. If it expected fewer rows than the limit, it would rather read and
 * sort all of them, and a large company has many more than it expects.
 */
const unplanned = (count: number) => `(SELECT ${count})`;

/**
 * SQL for the first `limit` rows in range that meet the filters. With filters it reads `max`
 * rows at most, so a page costs the same however few rows match.
 */
export function walkRows(walk: Walk, limit: number): string {
  const { from, range, order, filters, max = WALK_MAX } = walk;
  const rows = (end: number | string) => `
    SELECT *
    FROM ${from}
    WHERE ${range.join(' AND ')}
    ORDER BY ${order}
    LIMIT ${end}`;
  if (filters.length === 0) return rows(limit);
  const alias = from.split(' ').at(-1);
  return `
    SELECT *
    FROM (${rows(unplanned(max))}) ${alias}
    WHERE ${filters.join(' AND ')}
    ORDER BY ${order}
    LIMIT ${limit}`;
}

/**
 * SQL for an equality that an index serves in the list's order. Postgres plans for the average
 * value: in a table with few values it expects many rows and reads the whole list instead. The
 * second condition makes it expect few.
 */
export function isExactly(column: string, value: string): string {
  return `${column} = ${value} AND ${column} BETWEEN ${value} AND ${value}`;
}

/** SQL for columns of the last row that a walk reads; no row if it reads all to the end. */
export function walkEnd({ from, range, order, max = WALK_MAX }: Walk, columns: string): string {
  return `
    SELECT ${columns}
    FROM ${from}
    WHERE ${range.join(' AND ')}
    ORDER BY ${order}
    OFFSET ${unplanned(max - 1)}
    LIMIT 1`;
}

/**
 * Positions before the first one of a time that are read, too. Times follow the order of positions
 * only roughly: a transaction's time is that of its start, before it waits for a lock.
 */
const SLACK = 1_000;

/** SQL: a bound time in milliseconds since 1970. */
export function timeOf(milliseconds: string): string {
  return `to_timestamp(${milliseconds}::float8 / 1000)`;
}

/**
 * SQL for a position that no row of the company ($1) written at or after a time precedes: a binary
 * search in the index of (company_id, position). A reader checks the times of the rows from there
 * on.
 */
export function firstSince(table: string, position: string, time: string): string {
  const rows = `FROM ${table} WHERE company_id = $1`;
  return `(
    WITH RECURSIVE search (low, high) AS (
      SELECT 0::bigint,
        COALESCE((SELECT ${position} ${rows} ORDER BY ${position} DESC LIMIT 1), 0) + 1
      UNION ALL
      SELECT
        CASE WHEN is_before THEN middle ELSE low END,
        CASE WHEN is_before THEN high ELSE middle END
      FROM (
        SELECT low, high, (low + high) / 2 AS middle,
          (
            SELECT created_at
            ${rows} AND ${position} >= (low + high) / 2
            ORDER BY ${position}
            LIMIT 1
          ) < ${time} AS is_before
        FROM search
        WHERE high - low > 1
      ) halves
    )
    SELECT high - ${SLACK} FROM search WHERE high - low <= 1
  )`;
}
