// The filter of lists by customer: by name, or by the id of a record, which means all its names.
import { isExactly, lookUpOne, WALK_MAX, type Walk } from '../../platform/db/sql.js';
import { matchKey } from '../../platform/values/text.js';
import { readNameKeys } from './names.js';

export interface CustomerFilter {
  readonly customerName?: string;
  readonly customerId?: string;
}

/** The match keys that a filter selects: none if no record has the id; null for all customers. */
export async function selectedNames(
  companyId: string,
  { customerName, customerId }: CustomerFilter,
): Promise<readonly string[] | null> {
  const named = customerName === undefined ? null : matchKey(customerName);
  if (customerId === undefined) return named === null ? null : [named];
  const keys = await readNameKeys(companyId, customerId);
  return named === null ? keys : keys.filter(key => key === named);
}

type Bind = (value: unknown) => string;

/** A list that an index has in order for each name. */
interface NamedList {
  readonly table: string;
  readonly alias: string;
  /** The columns of the order, of which the last one identifies a row of the company. */
  readonly columns: readonly [string, string];
  /** The largest page and one row more. */
  readonly pageMax: number;
}

/** Rows per name that a walk over several names reads at least. */
const WALK_MIN = 500;

/**
 * A walk over the rows with one of these names. For several names it reads the first positions of
 * each from the index, and then the rows of the first ones of all: about WALK_MAX positions, or
 * WALK_MIN per name if they are very many. $1 is the company.
 */
export function walkOfNames(
  { table, alias, columns, pageMax }: NamedList,
  names: readonly string[],
  { range, order, filters }: Omit<Walk, 'from'>,
  value: Bind,
): Walk {
  const column = `${alias}.customer_key`;
  const [name] = names;
  if (names.length === 1) {
    const isNamed = isExactly(column, value(name));
    return { from: `${table} ${alias}`, range: [...range, isNamed], order, filters };
  }
  const share = Math.max(WALK_MIN, Math.floor(WALK_MAX / names.length));
  const max = filters.length === 0 ? pageMax : share;
  const positions = columns.map(each => `${alias}.${each}`).join(', ');
  const from = `(
    SELECT found.*
    FROM (
      SELECT ${positions}
      FROM unnest(${value(names)}::text[]) AS named (key),
        LATERAL (
          SELECT ${positions}
          FROM ${table} ${alias}
          WHERE ${[...range, isExactly(column, 'named.key')].join(' AND ')}
          ORDER BY ${order}
          LIMIT ${max}
        ) ${alias}
      ORDER BY ${order}
      LIMIT ${max}
    ) ${alias},
      ${lookUpOne(table, 'found', `company_id = $1 AND ${columns[1]} = ${alias}.${columns[1]}`)}
  ) ${alias}`;
  return { from, range: ['true'], order, filters, max };
}

/** SQL: a row that another index has found has one of these names. */
export function hasOneName(alias: string, names: readonly string[], value: Bind): string {
  return `${alias}.customer_key = ANY(${value(names)}::text[])`;
}
