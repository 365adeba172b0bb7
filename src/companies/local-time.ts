// Times for people, in the company's time zone.

/** SQL for a timestamptz column as a spreadsheet reads it. Reads the company's id as $1. */
export function localTime(column: string): string {
  const zone = '(SELECT time_zone FROM companies WHERE id = $1)';
  return `to_char(${column} AT TIME ZONE ${zone}, 'YYYY-MM-DD HH24:MI:SS')`;
}
