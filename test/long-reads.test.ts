// The reports of companies do not take the connections that lists need.
import { expect } from 'chai';
import pg from 'pg';
import { makeCompany, type TestCompany } from './support/factories.js';
import { issue } from './support/ledger.js';
import { until } from './support/processes.js';
import { describeMode } from './support/suite.js';

describeMode('postgres', 'the reports of two companies', stack => {
  let lock: pg.Client;
  afterEach(() => lock.end());
  /** The reports that wait for the lock. The server shows the beginning of a statement. */
  const blocked = async () => {
    const [row] = await stack().sql<{ count: number }>(
      `SELECT count(*)::int AS count
       FROM pg_locks
       JOIN pg_stat_activity USING (pid)
       WHERE relation = 'invoice_dues'::regclass AND NOT granted
         AND datname = current_database() AND query LIKE '%pending AS%'`,
      [],
    );
    return row?.count ?? 0;
  };

  it('leave connections to the lists, searches and writes of a third one', async () => {
    const busy = [await makeCompany(stack()), await makeCompany(stack())];
    const other = await makeCompany(stack());
    for (const company of [...busy, other]) {
      await issue(company, { customerName: 'Ada' });
      expect((await company.get('/receivables')).status).to.equal(200);
    }
    lock = new pg.Client({ connectionString: stack().databaseUrl });
    await lock.connect();
    // Every report is slow now. No list needs the table.
    await lock.query('BEGIN; LOCK TABLE invoice_dues');
    let answered = 0;
    const report = async (company: TestCompany, limit: number) => {
      const answer = await company.get(`/receivables?limit=${limit}`);
      answered += 1;
      return answer;
    };
    const reports = busy.flatMap(company =>
      Array.from({ length: 8 }, (_, at) => report(company, at + 1)),
    );
    await until('reports wait', async () => (await blocked()) >= 2);
    const list = await other.get('/invoices');
    expect([list.status, answered], 'a list, and the reports answered before it').to.deep.equal([
      ...[200, 0],
    ]);
    const lists = ['/payments', '/inventory', '/customers', '/invoices?status=open'];
    const read = await Promise.all(lists.map(path => other.get(path)));
    expect(read.map(({ status }) => status)).to.deep.equal(lists.map(() => 200));
    await issue(other, { customerName: 'Bob' });
    expect(await blocked(), 'one report of each company').to.be.at.most(2);
    await lock.query('ROLLBACK');
    const statuses = (await Promise.all(reports)).map(({ status }) => status);
    for (const status of statuses) expect(status).to.be.oneOf([200, 503]);
  });
});
