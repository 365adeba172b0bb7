// JSON written by Postgres, so that a response body never passes through a parser.

/**
 * SQL for the JSON object of a select list, with the keys in the list's order. row_to_json writes
 * no spaces; json_build_object would, and these bytes are what clients get and what verify
 * compares.
 */
export function jsonObject(selectList: string): string {
  return `(SELECT row_to_json(fields) FROM (SELECT ${selectList}) fields)`;
}
