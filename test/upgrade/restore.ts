// Makes a database of an earlier release from its dump, with as many companies as wanted.
import pg from 'pg';
import { type Stores, suiteServerUrl } from '../support/suite.js';
import { type Release, readDump } from './releases.js';

let databases = 0;

/** Rows of the whole system. */
const NOT_COPIED = ['audit_violations'];

/** Creates a database on the suite's server and returns its URL. */
export async function createDatabase(): Promise<string> {
  databases += 1;
  const serverUrl = await suiteServerUrl();
  const name = `upgrade_${process.pid}_${databases}`;
  await withClient(serverUrl, client => client.query(`CREATE DATABASE ${name}`));
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).toString();
}

/** Creates a database of the release and returns its URL. */
export async function restoreRelease(release: Release, companies: number): Promise<string> {
  const databaseUrl = await createDatabase();
  await withClient(databaseUrl, async client => {
    await client.query(readDump(release));
    if (companies > 1) await copyCompany(client, companies - 1);
    await client.query('ANALYZE');
  });
  return databaseUrl;
}

/** Copies every row of the only company for new companies, as it is except for its company. */
async function copyCompany(client: pg.Client, copies: number): Promise<void> {
  await client.query(
    `SET session_replication_role = replica;
     CREATE TEMP TABLE copy AS
     SELECT gen_random_uuid() AS id FROM generate_series(1, ${copies})`,
  );
  const { rows } = await client.query<{ name: string; columns: string; values: string }>(
    `SELECT c.table_name AS name, string_agg(quote_ident(c.column_name), ', ') AS columns,
       string_agg(
         CASE
           WHEN c.column_name = CASE c.table_name WHEN 'companies' THEN 'id' ELSE 'company_id' END
           THEN 'copy.id'
           ELSE 't.' || quote_ident(c.column_name)
         END, ', ') AS values
     FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
       AND c.is_generated = 'NEVER' AND c.table_name <> ALL ($1)
     GROUP BY c.table_name
     HAVING bool_or(c.column_name = 'company_id') OR c.table_name = 'companies'`,
    [NOT_COPIED],
  );
  for (const { name, columns, values } of rows)
    await client.query(
      `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${values} FROM ${name} t, copy`,
    );
  await client.query(
    `SELECT setval(pg_get_serial_sequence('movements', 'id'), (SELECT max(id) FROM movements));
     RESET session_replication_role`,
  );
}

export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs single statements, each on a connection of its own. */
export function statementsOn(databaseUrl: string): Stores['sql'] {
  return (text, values = []) =>
    withClient(databaseUrl, async client => (await client.query(text, values)).rows);
}
