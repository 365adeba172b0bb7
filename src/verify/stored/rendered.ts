// Compares columns that are derived from others with what the code that writes them renders again.
// Postgres compares, a page of rows at a time, so each type is compared as it is stored.
import type pg from 'pg';
import { arraysOf, type Columns, unnest } from '../../platform/db/rows.js';
import type { Violation } from '../violation.js';
import { readPages } from './read-rows.js';

/** The derived columns of a table, and how they are rendered. */
export interface Rendered<Source extends object, Row> {
  readonly name: string;
  readonly table: string;
  /** The columns that identify a row, and those to compare. */
  readonly key: Columns<Row>;
  readonly derived: Columns<Row>;
  /** A SELECT of what the columns are derived from. */
  readonly source: string;
  readonly render: (source: Source) => Row;
}

/** The rows with other values than they are rendered with. */
export async function* checkRendered<Source extends object, Row>(
  client: pg.Client,
  { name, table, key, derived, source, render }: Rendered<Source, Row>,
): AsyncGenerator<Violation> {
  const sent = { ...key, ...derived };
  const columns = (row: string) =>
    Object.entries(derived).map(([column, [type]]) =>
      type === 'json' ? `${row}.${column}::jsonb` : `${row}.${column}`,
    );
  const isKey = Object.keys(key).map(column => `stored.${column} = rendered.${column}`);
  const shown = Object.keys(key).map(column => `stored.${column} AS "${camelCase(column)}"`);
  const compare = `
    SELECT ${shown.join(', ')}
    FROM ${unnest(sent, 'rendered')}
    JOIN ${table} stored ON ${isKey.join(' AND ')}
    WHERE (${columns('stored').join(', ')}) IS DISTINCT FROM (${columns('rendered').join(', ')})`;
  for await (const page of readPages<Source>(client, source)) {
    const { rows } = await client.query(compare, arraysOf(sent, page.map(render)));
    for (const offender of rows) yield { violation: name, table, ...offender };
  }
}

function camelCase(column: string): string {
  return column.replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());
}
