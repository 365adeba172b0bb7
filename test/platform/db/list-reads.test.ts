// Reads of many rows: the turns of a company, the limit of a statement, and prepared statements.
import { expect } from 'chai';
import pg from 'pg';
import { closeDatabase, openDatabase, query } from '../../../src/platform/db/connection.js';
import { readRows } from '../../../src/platform/db/list-reads.js';
import type { Problem } from '../../../src/platform/errors.js';
import { until } from '../../support/processes.js';
import { makeStores, type Stores } from '../../support/suite.js';

describe('a read of many rows', () => {
  let stores: Stores;
  before(async () => {
    stores = await makeStores('postgres');
  });
  afterEach(closeDatabase);

  it('ends after two seconds, and the answer says what to narrow', async () => {
    openDatabase({ url: stores.databaseUrl, poolMax: 1, listsMax: 1, name: 'lists' });
    const problem = await readRows('company', 'SELECT pg_sleep(10)', []).then(
      () => null,
      (error: Problem) => error,
    );
    expect(problem?.code).to.equal('service_unavailable');
    expect(problem?.message).to.match(
      /^Reading this list took too long\. Narrow it, to fewer days/u,
    );
    expect(problem?.details.headers).to.deep.equal({ 'Retry-After': '2' });
    const limits = [{ ms: '2000' }];
    const setting = `SELECT setting AS ms FROM pg_settings WHERE name = 'statement_timeout'`;
    expect(await readRows('company', setting, [])).to.deep.equal(limits);
    expect(await query(setting, [])).to.deep.equal([{ ms: '15000' }]);
  });

  it('uses at most half of the connections for one company', async () => {
    openDatabase({ url: stores.databaseUrl, poolMax: 1, listsMax: 4, name: 'turns' });
    const holder = new pg.Client({ connectionString: stores.databaseUrl });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(1)');
    const locked = 'SELECT 1 AS one FROM pg_advisory_xact_lock_shared(1)';
    const busy = Array.from({ length: 32 }, () => readRows('busy', locked, []));
    const waiting = async () =>
      (
        await stores.sql<{ count: number }>(
          `SELECT count(*)::int AS count
           FROM pg_locks
           JOIN pg_database ON pg_database.oid = database
           WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`,
        )
      )[0]?.count ?? 0;
    await until('reads wait for the lock', async () => (await waiting()) >= 2);
    expect(await readRows('other', 'SELECT 2 AS two', [])).to.deep.equal([{ two: 2 }]);
    expect(await query('SELECT 3 AS three', [])).to.deep.equal([{ three: 3 }]);
    expect(await waiting()).to.equal(2);
    await holder.end();
    expect(await Promise.all(busy)).to.deep.equal(busy.map(() => [{ one: 1 }]));
  });

  it('leaves a bounded number of prepared statements in a session', async () => {
    openDatabase({ url: stores.databaseUrl, poolMax: 1, listsMax: 1, name: 'prepared' });
    const prepared = 'SELECT count(*)::int AS count FROM pg_prepared_statements';
    let most = 0;
    for (let text = 0; text < 500; text += 1) {
      await readRows('company', `SELECT ${text} AS value`, []);
      const [row] = await readRows<{ count: number }>('company', prepared, []);
      most = Math.max(most, row?.count ?? 0);
    }
    expect(most).to.be.within(100, 200);
  });
});
