// The data can be distributed over machines by company, such as by Citus's
// create_distributed_table('…', 'company_id'): keys begin with the company, and statements name it.
// The exceptions are listed here with their reasons.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { send } from './support/client.js';
import { Browser, PASSWORD, signedIn } from './support/dashboard.js';
import { invoiceRequest, makeCompany, receive } from './support/factories.js';
import { until } from './support/processes.js';
import { describeMode } from './support/suite.js';
import { makeEndpoint } from './support/webhooks.js';

/** Tables without a company, which stay on one machine. */
const COMPANYLESS: Record<string, string> = {
  audited_jobs: 'concerns all jobs, in the order in which they finish',
  migrations: 'concerns the schema',
  process_metrics: 'concerns processes',
  rate_limits: 'its key may be an address; unused with Redis',
};

/** Keys and constraints that do not begin with the company. */
const KEYS: Record<string, string> = {
  api_keys_id_key: 'operators name a key alone',
  api_key_secrets_id_key: 'finds a presented key before its company is known',
  invitations_token_hash_key: 'finds an invitation before its company is known',
  password_resets_token_hash_key: 'finds a reset link before its company is known',
  sessions_id_key: 'finds a session before its company is known',
  users_email: 'an e-mail address is unique over all companies',
};

/** Statements over all companies or without one, by text that only they contain. */
const STATEMENTS: [pattern: RegExp, reason: string][] = [
  [/^(BEGIN|START TRANSACTION|COMMIT|ROLLBACK)\b/u, 'controls a transaction'],
  [
    /^SET |^SELECT set_config|^SHOW |pg_settings|pg_type|^SELECT 1\b|pg_notify|^LISTEN/u,
    'concerns the connection',
  ],
  [/\brate_limits\b/u, 'counts requests, some of them by address'],
  [/\bprocess_metrics\b/u, 'metrics of processes'],
  [/pg_stat_user_tables|^ANALYZE/u, 'refreshes the statistics of one table'],
  [/^WITH RECURSIVE queued_company/u, 'the backlog and the due jobs of all companies'],
  [/^SELECT ARRAY\[EXISTS \(/u, 'whether there is work of any company'],
  [/^SELECT concat_ws\(/u, 'whether any company has written'],
  [/^SELECT COALESCE\(EXTRACT\(EPOCH FROM now\(\) - min\(/u, 'the oldest summary of all companies'],
  [/\btimed_at > clock_timestamp\(\)/u, 'a worker moves times of any company back with the clock'],
  [/FOR UPDATE SKIP LOCKED/u, 'a worker takes a due import or job of any company'],
  [
    /^SELECT c\.id AS "companyId" FROM companies c LEFT JOIN (summaries|audits)/u,
    'the sweep finds companies whose summary or audit is behind',
  ],
  [/\baudited_jobs\b|^WITH jobs AS MATERIALIZED/u, 'the audit of finished jobs of any company'],
  [/^SELECT FROM audit_violations/u, 'what the audit found in any company'],
  [/^SELECT count\(\*\)::int AS count FROM jobs/u, 'the failed jobs of all companies'],
  [/\blower\("?email"?\) =/u, 'an e-mail address is unique over all companies'],
];

describeMode('postgres', 'distribution by company', stack => {
  it('is possible for every primary, unique and foreign key except the listed ones', async () => {
    const rows = await stack().sql<{
      table: string;
      name: string;
      kind: string;
      first: string;
    }>(
      `SELECT "table".relname AS table, index.relname AS name, 'index' AS kind,
         pg_get_indexdef(indexrelid, 1, true) AS first
       FROM pg_index
         JOIN pg_class AS index ON index.oid = indexrelid
         JOIN pg_class AS "table" ON "table".oid = indrelid
       WHERE "table".relnamespace = 'public'::regnamespace AND indisunique
       UNION ALL
       SELECT "table".relname, conname, 'foreign key', own.attname || ' → ' || target.attname
       FROM pg_constraint
         JOIN pg_class AS "table" ON "table".oid = conrelid
         JOIN pg_attribute AS own ON own.attrelid = conrelid AND own.attnum = conkey[1]
         JOIN pg_attribute AS target ON target.attrelid = confrelid AND target.attnum = confkey[1]
       WHERE "table".relnamespace = 'public'::regnamespace AND contype = 'f'`,
    );
    expect(rows.filter(({ kind }) => kind === 'foreign key').length).to.be.above(10);
    const isOfCompany = ({ table, kind, first }: (typeof rows)[number]) =>
      kind === 'index'
        ? first === (table === 'companies' ? 'id' : 'company_id')
        : ['company_id → company_id', 'company_id → id'].includes(first);
    const others = rows
      .filter(row => !(row.table in COMPANYLESS) && !isOfCompany(row))
      .map(({ name }) => name);
    expect(others.sort()).to.deep.equal(Object.keys(KEYS).sort());
  });

  it('is possible for every table except the listed ones', async () => {
    const rows = await stack().sql<{ table: string }>(
      `SELECT relname AS table
       FROM pg_class
       WHERE relnamespace = 'public'::regnamespace
         AND relkind = 'r'
         AND relname <> 'companies'
         AND NOT EXISTS (
           SELECT 1
           FROM pg_attribute
           WHERE attrelid = pg_class.oid AND attname = 'company_id' AND attnotnull
         )`,
    );
    expect(rows.map(({ table }) => table).sort()).to.deep.equal(Object.keys(COMPANYLESS));
  });

  it('is possible for every statement in use except the listed ones', async () => {
    const since = await logStatements(true);
    let statements: string[] = [];
    try {
      await use();
      // Includes scheduled statements. A listed statement that never runs fails the test.
      await until('every listed statement has run', async () => {
        statements = await since.read();
        return STATEMENTS.every(([pattern]) => statements.some(text => pattern.test(text)));
      });
    } finally {
      await logStatements(false);
    }
    expect(statements.length).to.be.above(30);
    const others = statements.filter(
      text =>
        !STATEMENTS.some(([pattern]) => pattern.test(text)) &&
        !/\bcompany_id\b|"companyId"/u.test(text) &&
        // The company's own row by its key.
        !/\bcompanies\b.*\bid\b ?= ?(ANY\()?\$\d/su.test(text) &&
        !/\bcompanies\b.*\bid = (wanted|change)\.id\b/su.test(text) &&
        !/^INSERT INTO "companies"|"companies"\."id"|FROM "companies" .*"id" =/u.test(text),
    );
    expect(others).to.deep.equal([]);
  });

  /** Uses the product as clients and people do. */
  const use = async () => {
    const company = await makeCompany(stack());
    await makeEndpoint(company, 'https://shop.example/hooks');
    await receive(company, { name: 'Pipe', delta: 10, sku: 'P-1' });
    const request = invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 1 }] });
    const headers = { 'idempotency-key': 'order-1' };
    const { body } = await company.post('/invoices', request, { headers });
    await company.post('/invoices', request, { headers });
    const { body: job } = await company.post('/invoices', request, {
      headers: { prefer: 'respond-async' },
    });
    await until(
      'the job is done',
      async () => (await company.get(`/jobs/${job.id}`)).body.status === 'succeeded',
    );
    for (const path of [
      '/summary',
      '/invoices',
      `/invoices/${body.id}`,
      '/inventory?low=1',
      '/inventory?name=Pipe',
    ])
      expect((await company.get(path)).status).to.equal(200);
    await until(
      'the summary is made',
      async () => (await company.get('/summary')).body.inventory.items === 1,
    );
    for (const path of ['/metrics', '/readyz'])
      expect((await send(stack().baseUrl, 'GET', path)).status).to.equal(200);
    const { browser, user } = await signedIn(stack(), company.companyId);
    expect((await browser.get('/')).status).to.equal(200);
    const again = new Browser(stack().baseUrl);
    expect(
      (await again.post('/sign-in', '/sign-in', { email: user.email, password: PASSWORD })).status,
    ).to.equal(303);
  };

  /**
   * Switches the statement log on or off. `read` returns this stack's distinct statements so far,
   * each on one line.
   */
  const logStatements = async (isOn: boolean) => {
    const set = (name: string, value: string) =>
      stack().sql(isOn ? `ALTER SYSTEM SET ${name} = '${value}'` : `ALTER SYSTEM RESET ${name}`);
    await set('log_statement', 'all');
    await set('log_line_prefix', '%d %a|');
    const [row] = await stack().sql<{ dir: string }>(
      "SELECT pg_reload_conf(), current_setting('data_directory') AS dir",
    );
    const file = join(dirname(row?.dir ?? ''), 'postgres.log');
    const start = (await readFile(file, 'utf8')).length;
    const database = new URL(stack().databaseUrl).pathname.slice(1);
    const entry = new RegExp(
      `^${database} tradepost-(?:stack|health)\\|LOG:  ` +
        '(?:statement|execute [^:]*): ((?:.*)(?:\\n\\t.*)*)',
      'gmu',
    );
    return {
      read: async () => {
        const text = (await readFile(file, 'utf8')).slice(start);
        const statements = [...text.matchAll(entry)].map(([, statement = '']) => statement);
        return [...new Set(statements.map(statement => statement.replaceAll(/\s+/gu, ' ').trim()))];
      },
    };
  };
});
