// Writes the dump of a release: its migrations as they were, and the rows of one company that its
// own processes wrote. For a release of the table in releases.ts:
//   npx tsc && node dist/test/upgrade/make-dump.js COMMIT
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { makeCompany, receive } from '../support/factories.js';
import { startServer } from '../support/postgres-server.js';
import { runScript, startProcess, temporaryDirectory, until } from '../support/processes.js';
import { writeRandomBooks } from '../support/random-books.js';
import { compileRelease, dumpFile, RELEASES, type Release } from './releases.js';

/** Some 680 entries: many requests are refused. */
const BOOKS = { seed: 1, invoices: 200, requests: 1_500, names: ['Ada', 'ADA', 'Bob', 'Cy'] };
/** Rows of people and of running processes, which no test needs. */
const LEFT_OUT = [
  'users',
  'sessions',
  'invitations',
  'api_keys',
  'api_key_secrets',
  'rate_limits',
  'process_metrics',
  'password_resets',
];

const commit = process.argv[2];
const release = RELEASES.find(each => each.commit === commit);
if (!release) throw new Error(`no release ${commit} in releases.ts`);
await makeDump(release);

async function makeDump(made: Release): Promise<void> {
  const root = compileRelease(made);
  const server = await startServer();
  const { path, remove } = await temporaryDirectory();
  const env = { DATABASE_URL: server.url, DATA_DIR: path, SESSION_SECRET: secret() };
  const client = new pg.Client({ connectionString: server.url });
  try {
    const { code, stderr } = runScript('src/commands/migrate.js', [], env, '', root);
    if (code !== 0) throw new Error(stderr);
    await client.connect();
    await writeRows(env, root, client);
    const sql = [schemaOf(root), ...(await rowsOf(client))].join('\n');
    writeFileSync(dumpFile(made.commit), gzipSync(sql, { level: 9 }));
  } finally {
    await client.end();
    await server.stop();
    await remove();
  }
}

/** The release's own processes write the books of a company, and roll them up. */
async function writeRows(env: Record<string, string>, root: string, client: pg.Client) {
  const types = ['web', 'worker', 'scheduler'] as const;
  const processes = await Promise.all(types.map(type => startProcess(type, env, root)));
  const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;
  try {
    const company = await makeCompany({ sql, baseUrl: `http://127.0.0.1:${processes[0]?.port}` });
    await receive(company, { name: 'Pipe', sku: 'P-1', delta: 1_000, unitPrice: 2 });
    const items = [{ name: 'Pipe', qty: 3, price: 2 }];
    for (let index = 0; index < 20; index += 1)
      await company.post('/invoices', { customerName: 'Ada', date: '2026-01-05', items });
    await writeRandomBooks(company, BOOKS);
    await until('the summary is current', async () => {
      const [row] = await sql<{ isCurrent: boolean }>(
        `SELECT s.entry_sequence = c.next_entry_sequence - 1
           AND s.watermark = c.next_invoice_number - 1 AS "isCurrent"
         FROM companies c
         JOIN summaries s ON s.company_id = c.id`,
      );
      return row?.isCurrent === true;
    });
  } finally {
    await Promise.all(processes.map(each => each.stop()));
  }
}

/** The migrations in one text, without the marks of steps, which need no care here. */
function schemaOf(root: string): string {
  const folder = join(root, 'src/migrations');
  const names = readdirSync(folder).sort();
  const applied = names.map(name => `('${name}')`).join(', ');
  return [
    `CREATE TABLE migrations (
       name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now()
     );`,
    ...names.map(name => readFileSync(join(folder, name), 'utf8').replaceAll('CONCURRENTLY ', '')),
    `INSERT INTO migrations (name) VALUES ${applied};`,
    // The rows are as they were: no trigger changes or refuses one.
    'SET session_replication_role = replica;',
    'DELETE FROM audited_jobs;',
  ].join('\n');
}

async function rowsOf(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(
    `SELECT c.table_name AS name, string_agg(quote_ident(c.column_name), ', ') AS columns
     FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
       AND c.table_name <> ALL ($1) AND c.is_generated = 'NEVER'
     GROUP BY 1
     ORDER BY 1`,
    [[...LEFT_OUT, 'migrations']],
  );
  const statements: string[] = [];
  for (const { name, columns } of tables) {
    const { rows } = await client.query<{ json: string | null }>(
      `SELECT json_agg(t)::text AS json FROM ${name} t`,
    );
    const json = rows[0]?.json ?? null;
    if (json === null) continue;
    statements.push(
      `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns}
       FROM json_populate_recordset(NULL::${name}, $json$${json}$json$);`,
    );
  }
  return [...statements, 'RESET session_replication_role;'];
}

function secret(): string {
  return randomBytes(24).toString('hex');
}
