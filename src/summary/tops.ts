// SQL for the top lists of a month: the five customers and items with the largest net totals.

/** SQL for a row of customer_totals or item_totals that a top list may have. */
export function isAboveZero(row: string, count: string): string {
  return `${row}.total > 0 AND ${row}.${count} > 0`;
}

/**
 * Finds the top five again where a credit note lowered one of them, because any other row of the
 * month may follow. Lowering another row does not change them.
 */
export function lowerTops(table: string, key: string, count: string, top: string): string {
  return `
  WITH lowered AS MATERIALIZED (
    SELECT DISTINCT credited.company_id, credited.month
    FROM unnest($1::uuid[], $2::date[], $3::text[]) AS credited (company_id, month, key),
      LATERAL (
        SELECT ${top} AS keys
        FROM monthly_tops t
        WHERE t.company_id = credited.company_id AND t.month = credited.month
        LIMIT 1
      ) former
    WHERE credited.key = ANY(former.keys)
  )
  UPDATE monthly_tops t
  SET ${top} = ARRAY(
    SELECT ${key}
    FROM ${table} r
    WHERE r.company_id = t.company_id AND r.month = t.month AND ${isAboveZero('r', count)}
    ORDER BY total DESC, ${key}
    LIMIT 5
  )
  FROM lowered
  WHERE t.company_id = lowered.company_id AND t.month = lowered.month`;
}
