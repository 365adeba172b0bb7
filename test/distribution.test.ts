// That the data can be spread over machines by company (Citus: create_distributed_table('…', 'company_id')): keys begin
// with the company, and statements name it. What does neither is listed here, with its reason.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { send } from './support/client.js';
import { Browser, PASSWORD, signedIn } from './support/dashboard.js';
import { invoiceRequest, makeCompany, receive } from './support/factories.js';
import { until } from './support/processes.js';
import { describeMode } from './support/suite.js';

/** Tables of no company, which stay whole on one machine. */
const COMPANYLESS: Record<string, string> = {
  migrations: 'of the schema',
  process_metrics: 'of processes',
  rate_limits: 'its key may be an address; with Redis it is not used',
};

/** Keys and constraints that do not begin with the company. */
const KEYS: Record<string, string> = {
  api_key_secrets_id_key: 'how a presented key is found, before its company is known',
  invitations_token_hash_key: 'how an invitation is found, before its company is known',
  sessions_id_key: 'how a session is found, before its company is known',
  users_email: 'one sign-in name, one person, over all companies',
};

/** Statements over all companies or of none, by what only they contain. */
const STATEMENTS: [pattern: RegExp, reason: string][] = [
  [/^(BEGIN|START TRANSACTION|COMMIT|ROLLBACK)\b/u, 'of a transaction'],
  [
    /^SET |^SELECT set_config|^SHOW |pg_settings|pg_type|^SELECT 1\b|^SELECT 1\+1|pg_notify|^LISTEN/u,
    'of the connection',
  ],
  [/\brate_limits\b/u, 'counts requests, of an address too'],
  [/\bprocess_metrics\b/u, 'the figures of processes'],
  [/pg_stat_user_tables|^ANALYZE/u, 'fresh statistics, a table at a time'],
  [
    /^SELECT count\(\*\)::int AS count, COALESCE\(EXTRACT\(EPOCH FROM now\(\) - min\(created_at/u,
    'the backlog of all',
  ],
  [
    /^SELECT COALESCE\(EXTRACT\(EPOCH FROM now\(\) - min\(/u,
    'the oldest write, and the oldest summary, of all',
  ],
  [/FOR UPDATE SKIP LOCKED/u, 'the recovery poll takes what is due of any company'],
  [
    /^SELECT c\.id AS "companyId" FROM companies c LEFT JOIN summaries/u,
    'the sweep finds companies whose summary is behind',
  ],
  [
    /FROM users u? ?WHERE lower\(email\)|lower\(u?\.?email\) =/u,
    'a sign-in name is one of all companies',
  ],
];

describeMode('postgres', 'distribution by company', stack => {
  it('holds for every primary key, unique and foreign key but the listed ones', async () => {
    const rows = await stack().sql<{
      table: string;
      name: string;
      kind: string;
      columns: string;
      first: string;
    }>(
      `SELECT t.relname AS table, i.relname AS name, 'index' AS kind, pg_get_indexdef(x.indexrelid, 1, true) AS first
       FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
       WHERE t.relnamespace = 'public'::regnamespace AND x.indisunique
       UNION ALL
       SELECT t.relname, c.conname, 'foreign key', a.attname || ' → ' || f.attname
       FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
       JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = c.confkey[1]
       WHERE t.relnamespace = 'public'::regnamespace AND c.contype = 'f'`,
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

  it('holds for every table but the listed ones', async () => {
    const rows = await stack().sql<{ table: string }>(
      `SELECT t.relname AS table FROM pg_class t
       WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' AND t.relname <> 'companies' AND NOT EXISTS
         (SELECT 1 FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'company_id' AND a.attnotnull)`,
    );
    expect(rows.map(({ table }) => table).sort()).to.deep.equal(Object.keys(COMPANYLESS));
  });

  it('holds for every statement under use but the listed ones', async () => {
    const since = await logStatements(true);
    let statements: string[] = [];
    try {
      await use();
      // What runs by the clock comes too, and nothing is listed that does not come.
      await until('every listed statement has come', async () => {
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
        // The company's own row, by its key.
        !/\bcompanies\b.*\bid\b ?= ?(ANY\()?\$\d/su.test(text) &&
        !/JOIN taken USING \(id\)/u.test(text) &&
        !/^INSERT INTO "companies"|"companies"\."id"|FROM "companies" .*"id" =/u.test(text),
    );
    expect(others).to.deep.equal([]);
  });

  /** What clients, people and the scheduler do all day. */
  const use = async () => {
    const company = await makeCompany(stack());
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
    expect((await send(stack().baseUrl, 'GET', '/metrics')).status).to.equal(200);
    const { browser, user } = await signedIn(stack(), company.companyId);
    expect((await browser.get('/')).status).to.equal(200);
    const again = new Browser(stack().baseUrl);
    expect(
      (await again.post('/sign-in', '/sign-in', { email: user.email, password: PASSWORD })).status,
    ).to.equal(303);
  };

  /** Switches the server's log of statements; `read` gives the different ones of this stack's processes so far. */
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
      `^${database} tradepost-(?:web|worker|scheduler)\\|LOG:  (?:statement|execute [^:]*): ((?:.*)(?:\\n\\t.*)*)`,
      'gmu',
    );
    return {
      read: async () => {
        const text = (await readFile(file, 'utf8')).slice(start);
        return [...new Set([...text.matchAll(entry)].map(match => (match[1] ?? '').trim()))];
      },
    };
  };
});
