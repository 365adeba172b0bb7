// The statements of real processes on the PostgreSQL of this machine, whose planner and LLVM differ
// from the embedded server's: none is compiled, none is slow by itself, and those of a worker find
// their rows by an index. The server names them: pg_stat_statements and auto_explain.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../../support/factories.js';
import { type PostgresServer, startServer } from '../../support/postgres-server.js';
import { runScript, until } from '../../support/processes.js';
import {
  atEnd,
  makeStores,
  requireOrSkip,
  type Stores,
  startForTests,
} from '../../support/suite.js';
import { installedBinDir, POSTGRES_MISSING } from '../../support/test-cluster.js';

/** A session without `jit=off` compiles everything. */
const SETTINGS = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=all',
  'jit_above_cost=0',
];
/** No word that a log may contain, because logs are searched for passwords. */
const PASSWORD = 'a-password-7c2f';
/** The worker's role logs the plan of each of its statements, also inside of functions. */
const ROLES = `
  CREATE EXTENSION pg_stat_statements;
  CREATE ROLE product SUPERUSER LOGIN PASSWORD '${PASSWORD}';
  CREATE ROLE worker SUPERUSER LOGIN PASSWORD '${PASSWORD}';
  ALTER ROLE worker SET session_preload_libraries = 'auto_explain';
  ALTER ROLE worker SET auto_explain.log_min_duration = 0;
  ALTER ROLE worker SET auto_explain.log_nested_statements = on;
  ALTER ROLE worker SET auto_explain.log_format = 'json'`;

const WRITES = 30;
/** No statement of these few rows takes this long in its fastest run, however busy the machine. */
const SLOW_MS = 50;
/** Two publications of metrics, two looks for stalled jobs, and many sweeps and polls. */
const IDLE_CALLS = 3;
/** The names of migrations, which a process and BullMQ read when they start. */
const READ_WHOLE = ['migrations', 'migration'];

interface Statement {
  readonly text: string;
  readonly calls: number;
  readonly compiled: number;
  readonly fastestMs: number;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

describe('the statements of processes', () => {
  let server: PostgresServer;
  let stores: Stores;

  before(async function () {
    requireOrSkip(this, installedBinDir() !== null, POSTGRES_MISSING);
    server = await startServer({ kind: 'installed', settings: SETTINGS });
    atEnd(() => server.stop());
    stores = await makeStores('postgres', server.url);
    await stores.sql(ROLES);
    const as = (role: string) => {
      const user = { username: role, password: PASSWORD };
      const url = Object.assign(new URL(stores.databaseUrl), user);
      return { ...stores.env, DATABASE_URL: url.toString() };
    };
    const [web] = await Promise.all([
      startForTests('web', as('product')),
      startForTests('worker', as('worker')),
      startForTests('scheduler', as('product')),
    ]);
    await write(await makeCompany({ ...stores, baseUrl: `http://127.0.0.1:${web.port}` }));
    const { code, stdout, stderr } = runScript('src/commands/verify.js', [], as('product'));
    expect([code, stderr], stdout).to.deep.equal([0, '']);
    await until('idle processes have run each of their statements', async () =>
      (await statements()).some(
        ({ text, calls }) => text.includes('INTO process_metrics') && calls > 2 * IDLE_CALLS,
      ),
    );
  });

  const statements = () =>
    stores.sql<Statement>(
      `SELECT regexp_replace(left(query, 120), '\\s+', ' ', 'g') AS text,
         calls::int, jit_functions::int AS compiled, min_exec_time AS "fastestMs"
       FROM pg_stat_statements s
       JOIN pg_roles r ON r.oid = s.userid
       WHERE r.rolname IN ('product', 'worker')`,
    );

  it('are not compiled, in any session', async () => {
    const found = await statements();
    expect(found.length).to.be.greaterThan(50);
    const compiled = found.filter(statement => statement.compiled > 0);
    expect(compiled.map(({ text }) => text)).to.deep.equal([]);
  });

  it('take milliseconds', async () => {
    const often = (await statements()).filter(({ calls }) => calls >= IDLE_CALLS);
    expect(often.filter(({ fastestMs }) => fastestMs > SLOW_MS)).to.deep.equal([]);
  });

  it('read no table from its start in a worker and its queue', async () => {
    const log = await readFile(join(server.dataDir, 'postgres.log'), 'utf8');
    const plans = [...log.matchAll(/ plan:\n\t(\{.*?\n\t\})\n/gsu)].map(
      ([, json = '']): { 'Query Text': string; Plan: PlanNode } => JSON.parse(json),
    );
    expect(plans.length).to.be.greaterThan(200);
    const scans = plans.flatMap(plan =>
      tablesRead(plan.Plan).map(table => `${table}: ${plan['Query Text'].slice(0, 200)}`),
    );
    expect([...new Set(scans)]).to.deep.equal([]);
  });
});

/** Some of each: stock, invoices, payments, reads, metrics and health. */
async function write(company: TestCompany): Promise<void> {
  await receive(company, { name: 'Pipe', delta: WRITES });
  const items = [{ name: 'Pipe', qty: 1, price: 2 }];
  const invoices = await Promise.all(
    Array.from({ length: WRITES }, () => company.post('/invoices', invoiceRequest({ items }))),
  );
  expect(invoices.map(({ status }) => status)).to.deep.equal(invoices.map(() => 201));
  for (const { body } of invoices.slice(0, 5)) {
    const paid = await company.post('/payments', {
      ...{ date: body.date, amount: 1, invoices: [{ invoiceId: body.id }] },
    });
    expect(paid.status, paid.text).to.equal(201);
  }
  for (const path of ['/invoices?limit=5', '/inventory', '/summary', '/receivables', '/payments'])
    expect((await company.get(path)).status, path).to.equal(200);
}

/** The tables that a plan reads from their start. */
function tablesRead(node: PlanNode): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [];
  const found = [...own, ...(node.Plans ?? []).flatMap(tablesRead)];
  return found.filter(table => !READ_WHOLE.includes(table));
}
