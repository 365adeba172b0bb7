// Fragments of SQL that several slices share.

/**
 * SQL for the JSON object of a select list, with the keys in the list's order. Clients get these
 * bytes unparsed, and verify compares them: row_to_json writes no spaces; json_build_object would.
 */
export function jsonObject(selectList: string): string {
  return `(SELECT row_to_json(fields) FROM (SELECT ${selectList}) fields)`;
}

/** SQL for a timestamptz column as RFC 3339 text in UTC with milliseconds. NULL stays NULL. */
export function timeJson(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * SQL that joins a table to a list `w` by the columns of a unique index, with one index look-up per
 * row. For a plain join the planner reads the whole table while its statistics call it small, and
 * between two ANALYZE runs a table can grow to tens of thousands of rows.
 */
export function lateral(table: string, alias: string, ...columns: string[]): string {
  const matches = columns.map(column => `t.${column} = w.${column}`).join(' AND ');
  return `LATERAL (SELECT * FROM ${table} t WHERE ${matches} LIMIT 1) ${alias}`;
}

/**
 * SQL for one row: the rows' JSON texts (column body), in order and joined by commas, NULL without
 * rows, and their number. The driver takes as long for a row as for a kilobyte of text. An
 * aggregate without a join beside it reads a sorted subquery in its order.
 */
export function joinedBodies(sql: string): string {
  return `SELECT string_agg(body, ',') AS bodies, count(*)::int AS count FROM (${sql}) row`;
}

/** The LIKE pattern for values that contain the text. */
export function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
}

/** The page of a statement with LIMIT `limit` + 1. `last` is its last row if more rows follow. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
): { readonly rows: readonly Row[]; readonly last: Row | null } {
  const page = rows.slice(0, limit);
  return { rows: page, last: rows.length > limit ? (page.at(-1) ?? null) : null };
}
