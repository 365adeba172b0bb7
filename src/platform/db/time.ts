// Times as clients read them, written by Postgres so that a body never passes through a parser.

/** SQL for a timestamptz column as an RFC 3339 UTC text with milliseconds; NULL stays null. */
export function timeJson(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
