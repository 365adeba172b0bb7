// The rows of statements and receivables as Postgres writes them: JSON, or records of a CSV file.
// A page of thousands of rows then costs a web process no work per row.

import { jsonObject } from '../platform/db/sql.js';
import { type CellSql, type CsvFormat, csvLineSql } from '../platform/values/csv.js';

export type RowFormat = 'json' | CsvFormat;

/** The members of a row's JSON, in order. Each value is SQL; amounts must be trimmed numerics. */
export type Members<Row = Readonly<Record<string, unknown>>> = Readonly<Record<keyof Row, string>>;

/** How the rows of a kind are written in each format. */
export interface RowText {
  readonly members: Members;
  readonly cells: readonly CellSql[];
}

/** SQL for the text of a row that has the columns which the values read. */
export function rowText({ members, cells }: RowText, format: RowFormat): string {
  return format === 'json' ? `${jsonObject(selectList(members))}::text` : csvLineSql(cells, format);
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
