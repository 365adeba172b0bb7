// The rows of statements and receivables as Postgres writes them: JSON, or records of a CSV file.
// A page of thousands of rows then costs a web process no work per row.

import { jsonObject, sqlText } from '../platform/db/sql.js';
import { type CellSql, type CsvFormat, csvLineSql } from '../platform/values/csv.js';

/** A file of the dashboard, which has words as its heads and values, as pages have. */
export type PageFormat = `page ${CsvFormat}`;
export type RowFileFormat = CsvFormat | PageFormat;
export type RowFormat = 'json' | RowFileFormat;

/** The members of a row's JSON, in order. Each value is SQL; amounts must be trimmed numerics. */
export type Members<Row = Readonly<Record<string, unknown>>> = Readonly<Record<keyof Row, string>>;

/** How the rows of a kind are written in each format. */
export interface RowText {
  readonly members: Members;
  /** Of the API's CSV, whose heads are the names of members. */
  readonly cells: readonly CellSql[];
  /** Of the dashboard's file, by head. */
  readonly pageCells: Readonly<Record<string, CellSql>>;
}

/** SQL for the text of a row that has the columns which the values read. */
export function rowText({ members, cells, pageCells }: RowText, format: RowFormat): string {
  if (format === 'json') return `${jsonObject(selectList(members))}::text`;
  return csvLineSql(isOfPage(format) ? Object.values(pageCells) : cells, csvFormatOf(format));
}

/** True for a file of the dashboard. */
export function isOfPage(format: RowFileFormat): format is PageFormat {
  return format.startsWith('page ');
}

export function csvFormatOf(format: RowFileFormat): CsvFormat {
  return isOfPage(format) ? (format.slice('page '.length) as CsvFormat) : format;
}

/** SQL for the words that stand for the values of a column. */
export function wordOf(column: string, words: Readonly<Record<string, string>>): CellSql {
  const cases = Object.entries(words).map(
    ([value, word]) => `WHEN ${sqlText(value)} THEN ${sqlText(word)}`,
  );
  return { text: `CASE ${column} ${cases.join(' ')} END` };
}

/**
 * SQL for the texts of `rows` in their order, joined: JSON objects by commas, and CSV records by
 * nothing. NULL without rows.
 */
export function joinedRows(rows: string, row: RowText, format: RowFormat): string {
  // An aggregate without a join beside it reads a sorted subquery in its order.
  return `
    SELECT string_agg(text, ${format === 'json' ? "','" : "''"})
    FROM (SELECT ${rowText(row, format)} AS text FROM (${rows}) row) texts`;
}

function selectList(members: Members): string {
  return Object.entries(members)
    .map(([name, sql]) => `${sql} AS "${name}"`)
    .join(', ');
}

/** The cells of a CSV record: these members, of which some are numbers. */
export function cellsOf(members: Members, numbers: readonly string[]): CellSql[] {
  return Object.entries(members).map(([name, sql]) =>
    numbers.includes(name) ? { number: sql } : { text: sql },
  );
}
