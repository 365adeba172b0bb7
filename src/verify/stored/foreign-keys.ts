// Looks for rows without the row that a foreign key names. The database refuses them, but not when
// its triggers are disabled, as pg_restore can do.
import type pg from 'pg';
import type { Violation } from '../violation.js';

export const FOREIGN_KEYS = 'a row refers to rows that exist';

interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly parent: string;
  readonly columns: readonly string[];
  readonly parentColumns: readonly string[];
}

const columnsOf = (relation: string, key: string) => `
    ARRAY(
      SELECT a.attname::text
      FROM unnest(k.${key}) WITH ORDINALITY AS part (number, place)
      JOIN pg_attribute a ON a.attrelid = k.${relation} AND a.attnum = part.number
      ORDER BY part.place
    )`;

const FOREIGN_KEYS_OF_SCHEMA = `
  SELECT k.conname AS name, k.conrelid::regclass::text AS table,
    k.confrelid::regclass::text AS parent,
    ${columnsOf('conrelid', 'conkey')} AS columns,
    ${columnsOf('confrelid', 'confkey')} AS "parentColumns"
  FROM pg_constraint k
  WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace
  ORDER BY k.conrelid::regclass::text, k.conname`;

export async function* checkForeignKeys(client: pg.Client): AsyncGenerator<Violation> {
  const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS_OF_SCHEMA);
  for (const { name, table, parent, columns, parentColumns } of keys) {
    const named = columns.map(column => `c.${column} IS NOT NULL`);
    const isParent = parentColumns.map((column, index) => `p.${column} = c.${columns[index]}`);
    const { rows } = await client.query(
      `SELECT c.company_id AS "companyId", count(*)::int AS rows
       FROM ${table} c
       WHERE ${named.join(' AND ')}
         AND NOT EXISTS (SELECT FROM ${parent} p WHERE ${isParent.join(' AND ')})
       GROUP BY c.company_id`,
    );
    for (const offender of rows) yield { violation: FOREIGN_KEYS, table, key: name, ...offender };
  }
}
