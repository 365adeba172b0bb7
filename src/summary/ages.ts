// The money due on invoices by how long it has been overdue. It comes from the same rollup as
// `outstanding` and `overdue` of the summary, which has one row per due date with money due.
import { AGES, type Age, isOfAge, isPast } from '../invoices/overdue.js';
import { query } from '../platform/db/connection.js';

/** Decimal text. */
export interface CountAndTotal {
  readonly count: string;
  readonly total: string;
}

export interface DueFigures {
  readonly outstanding: CountAndTotal;
  readonly overdue: CountAndTotal;
  /** The parts of `outstanding`. */
  readonly ages: Readonly<Record<Age, CountAndTotal>>;
}

/** The figures of one snapshot, so the ages add up. `today` is in the company's time zone. */
export async function readDueFigures(companyId: string, today: string): Promise<DueFigures> {
  const figures = (condition: string) => `
    json_build_object(
      'count', COALESCE(sum(count) FILTER (WHERE ${condition}), 0)::text,
      'total', trim_scale(COALESCE(sum(total) FILTER (WHERE ${condition}), 0))::text
    )`;
  const ages = AGES.map(age => `'${age}', ${figures(isOfAge(age, 'due_date', '$2::date'))}`);
  const [row] = await query<DueFigures>(
    `SELECT ${figures('true')} AS outstanding,
       ${figures(isPast('due_date', '$2::date'))} AS overdue,
       json_build_object(${ages.join(', ')}) AS ages
     FROM due_totals
     WHERE company_id = $1`,
    [companyId, today],
  );
  return row as DueFigures;
}
