// Inserts or updates many rows with one statement. Each column's values travel as one array, which
// unnest turns into rows: the text is the same for any number of rows, so it stays prepared.
import { joinTexts, splitTextsSql } from '../values/json-text.js';
import { type Plain, plainArray, textArray } from './arrays.js';
import { query, type Transaction } from './connection.js';

type PlainType = 'uuid' | 'int' | 'bigint' | 'numeric' | 'boolean' | 'date' | 'timestamptz';
/** The values of a `body` are JSON texts, never null. Quoting them would escape each quote. */
type ColumnType = PlainType | 'text' | 'json' | 'bytea' | 'body';

/** How an UPDATE computes a column from its stored value and the row's change, all as SQL. */
type Combine = (stored: string, change: string) => string;
type Column<Row> = readonly [type: ColumnType, read: (row: Row) => Plain, combine?: Combine];

/** A table's columns by name. Instead of a column: an SQL expression, the same for each row. */
export type Columns<Row> = Readonly<Record<string, Column<Row> | string>>;

/** The key of a table whose rows have an id. */
export const ROW_KEY: Columns<{ readonly companyId: string; readonly id: string }> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  id: ['uuid', ({ id }) => id],
};

/** Adds the change to the stored value. */
export const add: Combine = (stored, change) => `${stored} + ${change}`;

/** Leaves the stored value where the change is NULL. */
export const changeOrStored: Combine = (stored, change) => `COALESCE(${change}, ${stored})`;

/** Inserts the rows. `table` and `columns` are constants of the caller. */
export async function insertRows<Row>(
  table: string,
  columns: Columns<Row>,
  rows: readonly Row[],
  tx: Transaction,
): Promise<void> {
  if (rows.length === 0) return;
  const sql = textOf(columns, table, () => {
    const fixed = Object.entries(columns).filter(([, column]) => typeof column === 'string');
    const names = [...sentBy(columns), ...fixed].map(([name]) => name);
    return `INSERT INTO ${table} (${names.join(', ')})
     SELECT ${['*', ...fixed.map(([, value]) => value)].join(', ')}
     FROM ${unnest(columns)}`;
  });
  await query(sql, arraysOf(columns, rows), tx);
}

/** Sets columns of the rows with these keys. SQL names the row `stored`. */
export interface RowChange<Row> {
  readonly key: Columns<Row>;
  readonly set: Columns<Row>;
}

/** Updates the rows. `table` and `change` are constants of the caller. */
export async function updateRows<Row>(
  table: string,
  change: RowChange<Row>,
  rows: readonly Row[],
  tx: Transaction,
): Promise<void> {
  if (rows.length === 0) return;
  const { key, set } = change;
  const sql = textOf(change, table, () => {
    const newValue = (name: string, [, , combine]: Column<Row>) =>
      combine ? combine(`stored.${name}`, `change.${name}`) : `change.${name}`;
    const list = Object.entries(set).map(
      ([name, column]) =>
        `${name} = ${typeof column === 'string' ? column : newValue(name, column)}`,
    );
    const isKey = Object.keys(key).map(name => `stored.${name} = change.${name}`);
    return `UPDATE ${table} stored
     SET ${list.join(', ')}
     FROM ${unnest({ ...key, ...set }, 'change')}
     WHERE ${isKey.join(' AND ')}`;
  });
  await query(sql, arraysOf({ ...key, ...set }, rows), tx);
}

/** SQL for the rows of `arraysOf`, which are the statement's first bind values. */
export function unnest<Row>(columns: Columns<Row>, alias?: string): string {
  const sent = sentBy(columns);
  const arrays = sent.map(([, [type]], index) =>
    type === 'body' ? splitTextsSql(`$${index + 1}`) : `$${index + 1}::${type}[]`,
  );
  const named =
    alias === undefined ? '' : ` AS ${alias} (${sent.map(([name]) => name).join(', ')})`;
  return `unnest(${arrays.join(', ')})${named}`;
}

/** One bind value per column: the rows' values as an array literal. */
export function arraysOf<Row>(columns: Columns<Row>, rows: readonly Row[]): string[] {
  return sentBy(columns).map(([, [type, read]]) => {
    const values = rows.map(read);
    if (type === 'body') return joinTexts(values.map(String));
    return ['text', 'json', 'bytea'].includes(type) ? textArray(values) : plainArray(values);
  });
}

function sentBy<Row>(columns: Columns<Row>): [name: string, column: Column<Row>][] {
  return Object.entries(columns).flatMap(([name, column]) =>
    typeof column === 'string' ? [] : [[name, column]],
  );
}

const texts = new WeakMap<object, Map<string, string>>();

/** The text of a constant's statement for a table, which is made once. */
function textOf(constant: object, table: string, make: () => string): string {
  const ofTables = texts.get(constant) ?? new Map<string, string>();
  const text = ofTables.get(table) ?? make();
  texts.set(constant, ofTables.set(table, text));
  return text;
}
