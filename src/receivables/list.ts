// Receivables: what each customer owes by age, now or at the end of a past day. Each read adds up
// all customers in one statement, so its totals and rows are of one snapshot.
import { moneySql, UNFOLDED } from '../customers/dues.js';
import { textArray } from '../platform/db/arrays.js';
import { readReport } from '../platform/db/list-reads.js';
import {
  AGEING_TEXTS,
  type Ageing,
  ageingSums,
  type Basis,
  FIGURES,
  OVERDUE_AGES,
} from './ageing.js';
import { findRecord, newestSpelling } from './customer.js';
import { prepareReceivables } from './refresh.js';

export interface ReceivablesFilter {
  /** The end of this day; undefined for the present, which includes later dates. */
  readonly asOf?: string;
  readonly basis: Basis;
  readonly customerId?: string;
  /** Only customers with overdue money, by the basis. */
  readonly overdue: boolean;
  /** Only customers whose balance exceeds their credit limit of today. */
  readonly overLimit: boolean;
  readonly sort: 'outstanding' | 'name';
}

export interface CustomerReceivables extends Ageing {
  /** Null for a plain name. */
  readonly customerId: string | null;
  readonly name: string;
  /** Decimal text. */
  readonly creditLimit: string | null;
  readonly hold: boolean;
}

export interface Receivables {
  /** The day from which ages count. */
  readonly asOf: string;
  /** Of all rows, on every page. */
  readonly totals: Ageing;
  readonly customers: readonly CustomerReceivables[];
  /** The position of the page's last row if more rows follow. */
  readonly next: string[] | null;
}

/** The rows after `position`, at most `limit`. */
export async function readReceivables(
  companyId: string,
  filter: ReceivablesFilter,
  limit: number,
  position?: readonly string[],
): Promise<Receivables> {
  const today = (await prepareReceivables(companyId)) ?? '';
  const day = filter.asOf ?? today;
  const bind: unknown[] = [companyId, day, limit + 1];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  let keys: string | null = null;
  if (filter.customerId !== undefined) {
    const record = await findRecord(companyId, filter.customerId);
    keys = `${value(textArray(record?.keys ?? []))}::text[]`;
  }
  const [row] = await readReport<ReceivablesRow>(
    companyId,
    receivablesSql(filter, keys, afterSql(filter, position, value)),
    bind,
  );
  if (!row) throw new Error('an aggregate has no row');
  const rows = row.rows ?? [];
  const customers = rows.slice(0, limit);
  const last = rows.length > limit ? customers.at(-1) : undefined;
  const next = last ? [...(filter.sort === 'name' ? [] : [last.outstanding]), last.key] : null;
  return { asOf: day, totals: row.totals, customers, next };
}

interface ReceivablesRow {
  readonly totals: Ageing;
  readonly rows: readonly (CustomerReceivables & { readonly key: string })[] | null;
}

/** Rows have different keys: folded names of records, or plain names. */
function afterSql(
  { sort }: ReceivablesFilter,
  position: readonly string[] | undefined,
  value: (bound: unknown) => string,
): string {
  if (!position) return 'true';
  if (sort === 'name') return `key > ${value(position[0])}`;
  const [outstanding, key] = position.map(value);
  return `(-outstanding, key) > (-${outstanding}::numeric, ${key})`;
}

/** $2 is the day of the ages, and $3 the number of rows. */
function receivablesSql(filter: ReceivablesFilter, keys: string | null, after: string): string {
  const { asOf, basis, sort, overdue, overLimit } = filter;
  const day = asOf === undefined ? null : '$2::date';
  const conditions = ['(outstanding <> 0 OR unallocated <> 0)'];
  if (overdue) conditions.push(`(${OVERDUE_AGES.map(age => `"${age}"`).join(' + ')}) > 0`);
  if (overLimit) conditions.push('balance > credit_limit AND NOT archived');
  // Qualified, because the name alone is that of the text in the result.
  const order = sort === 'name' ? 'row.key' : 'row.outstanding DESC, row.key';
  const sums = FIGURES.map(figure => `sum("${figure}") AS "${figure}"`).join(', ');
  const totals = FIGURES.map(figure => `COALESCE(sum("${figure}"), 0) AS "${figure}"`);
  return `
    WITH ${UNFOLDED}, by_name AS (
      SELECT customer_key, ${ageingSums(basis, '$2::date')}
      FROM (${moneySql({ keys, day })}) money
      GROUP BY customer_key
    ), customer AS MATERIALIZED (
      SELECT *
      FROM (
        SELECT n.customer_id AS id, COALESCE(min(c.name_key), min(b.customer_key)) AS key,
          min(c.name) AS name, min(c.credit_limit) AS credit_limit,
          COALESCE(bool_or(c.hold), false) AS hold,
          COALESCE(bool_or(c.archived), false) AS archived,
          ${sums}
        FROM by_name b
        LEFT JOIN customer_names n ON n.company_id = $1 AND n.name_key = b.customer_key
        LEFT JOIN customers c ON c.company_id = $1 AND c.id = n.customer_id
        GROUP BY n.customer_id, CASE WHEN n.customer_id IS NULL THEN b.customer_key END
      ) summed
      WHERE ${conditions.join(' AND ')}
    )
    SELECT (
        SELECT row_to_json(totals)
        FROM (
          SELECT ${AGEING_TEXTS}
          FROM (SELECT ${totals.join(', ')} FROM customer) sums
        ) totals
      ) AS totals,
      (
        SELECT json_agg(row_to_json(page))
        FROM (
          SELECT id AS "customerId", key, COALESCE(name, ${newestSpelling('key')}, key) AS name,
            trim_scale(credit_limit)::text AS "creditLimit", hold, ${AGEING_TEXTS}
          FROM (SELECT * FROM customer row WHERE ${after} ORDER BY ${order} LIMIT $3) row
          ORDER BY ${order}
        ) page
      ) AS rows`;
}
