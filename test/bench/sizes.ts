// Sizes of the largest tables.
import pg from 'pg';

export interface TableSize {
  readonly table: string;
  /** As of the last ANALYZE. */
  readonly rows: number;
  readonly mib: number;
  readonly indexMib: number;
}

const SIZES = `SELECT
    relname AS table,
    reltuples::float8 AS rows,
    pg_table_size(oid) / 1048576::float8 AS mib,
    pg_indexes_size(oid) / 1048576::float8 AS "indexMib"
  FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
  ORDER BY pg_total_relation_size(oid) DESC
  LIMIT 6`;

export async function readSizes(databaseUrl: string): Promise<TableSize[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<TableSize>(SIZES)).rows;
  } finally {
    await client.end();
  }
}
